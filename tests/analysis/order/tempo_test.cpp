// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/analysis/order/tempo.h"

#include <QtTest>

#include "tests/support/random.h"
#include "tests/support/recorded.h"
#include "tests/support/test_class.h"

namespace tileloom::analysis {

using emulator::Kind;
using test::instructionAt;
using test::recorded;

class TempoTest : public QObject {
  Q_OBJECT
 private slots:
  // Every K tile takes the same time, on every rung, and every instruction is shown in order.
  void aTileLastsOne_data() { test::addStageRows(); }
  void aTileLastsOne() {
    const auto r = recorded({.stage = test::stageOfRow().id, .problem = {256, 256, 256}});
    const Tempo tempo(r->trace, 0);
    const std::uint32_t length = r->trace.length(0);
    double before = -1;
    for (std::uint32_t i = 0; i < length; ++i) {
      const double start = tempo.startOf(i);
      QVERIFY(start > before);
      QCOMPARE(tempo.indexAt(start + 1e-7), i);
      before = start;
    }
    QCOMPARE(tempo.indexAt(tempo.end() + 5), length - 1);
    for (std::uint32_t tile = 0; tile + 1 < r->trace.kTilesTraced; ++tile) {
      const auto from = r->find(0, tile, emulator::kNoDot),
                 to = r->find(0, tile + 1, emulator::kNoDot);
      QVERIFY(from && to);
      QVERIFY(std::abs(tempo.startOf(*to) - tempo.startOf(*from) - 1.0) < 1e-9);
    }
  }

  // A barrier is one instruction among a thousand multiply-adds, and yet it can be seen.
  void everyKindOfWorkIsSeen() {
    const auto r = recorded({.stage = "warptiled", .problem = {256, 256, 256}});
    const Tempo tempo(r->trace, 0);
    double fill = 0, wait = 0;
    for (std::uint32_t i = 0; i < r->trace.length(0); ++i) {
      const auto& instruction = instructionAt(*r, 0, i);
      if (instruction.kTile != 0) continue;
      const double length = tempo.startOf(i + 1) - tempo.startOf(i);
      if (instruction.kind == Kind::Barrier) wait += length;
      if (instruction.kind == Kind::GlobalLoad || instruction.kind == Kind::SharedStore)
        fill += length;
    }
    QVERIFY(fill > 0.25 && fill < 0.35);
    QVERIFY(wait > 0.04 && wait < 0.1);
  }

  // Between the last K tile recorded and the epilogue time goes by while the instruction stays.
  void passesOverWhatIsNotRecorded() {
    const auto r = recorded({.stage = "tuned", .problem = {256, 256, 1024}});
    QVERIFY(r->trace.kTilesTraced < r->trace.kTiles);
    const Tempo tempo(r->trace, 0);
    QVERIFY(tempo.passTo() > tempo.passFrom());
    const std::uint32_t last = tempo.indexAt(tempo.passFrom() + 0.01);
    QCOMPARE(tempo.indexAt(tempo.passTo() - 0.01), last);
    QVERIFY(instructionAt(*r, 0, last).kTile != emulator::kNoTile);
    QVERIFY(instructionAt(*r, 0, last + 1).kTile == emulator::kNoTile);
    QCOMPARE(tempo.passed(tempo.passFrom()), 0.0);
    QCOMPARE(tempo.passed(tempo.passTo()), 1.0);
    const auto whole = recorded({.stage = "tuned", .problem = {256, 256, 256}, .kTiles = 1000});
    const Tempo all(whole->trace, 0);
    QCOMPARE(all.passTo(), all.passFrom());
  }
};

}  // namespace tileloom::analysis

TILELOOM_TEST(tileloom::analysis::TempoTest, Nothing)
#include "tempo_test.moc"
