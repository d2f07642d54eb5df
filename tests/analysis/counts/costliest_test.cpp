// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/analysis/counts/costliest.h"

#include <QtTest>

#include "tests/support/recorded.h"
#include "tests/support/test_class.h"

namespace tileloom::analysis {

using test::recorded;

class CostliestTest : public QObject {
  Q_OBJECT
 private slots:
  void everyRungHasOne_data() { test::addFp32StageRows(); }
  void everyRungHasOne() {
    const auto r = recorded({.stage = test::stageOfRow().id, .problem = {256, 256, 256}});
    const auto costliest = costliestAccess(*r, 0);
    QVERIFY(costliest.has_value());
    QVERIFY(costliest->share > 0 && costliest->share <= 1);
    const Moment m = r->moment(0, costliest->index);
    QVERIFY(emulator::isMemory(m.instruction.kind));
    QVERIFY(m.instruction.kTile != emulator::kNoTile);
  }

  // Rung 1 reads A down its rows: 32 sectors for a load, where B takes one.
  void naiveReadsAInColumns() {
    const auto r = recorded({.stage = "naive", .problem = {256, 256, 256}});
    const auto costliest = costliestAccess(*r, 0);
    const Moment m = r->moment(0, costliest->index);
    QVERIFY(m.instruction.kind == emulator::Kind::GlobalLoad);
    QCOMPARE(m.array, std::string("A"));
    QVERIFY(std::abs(costliest->share - 8.0 / 9.0) < 1e-9);  // 8 lines of L1 against 1
  }
};

}  // namespace tileloom::analysis

TILELOOM_TEST(tileloom::analysis::CostliestTest, Nothing)
#include "costliest_test.moc"
