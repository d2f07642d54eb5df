// SPDX-License-Identifier: GPL-3.0-or-later
// Which rows and columns a warp reads, in words.
#include "kernels/analysis/tensor/operands.h"

#include <QtTest>
#include <algorithm>
#include <set>

#include "kernels/analysis/recording.h"
#include "tests/support/recorded.h"
#include "tests/support/test_class.h"

namespace tileloom::analysis {

using emulator::Instruction;
using emulator::Kind;
using test::indexOf;
using test::recorded;

class OperandsTest : public QObject {
  Q_OBJECT

 private slots:
  // Warp 3 of the standard warp tile owns the lower right quarter of its block.
  void warpThreeAtDotFive() {
    const auto r = recorded({.stage = "warptiled", .block = {1, 2}});
    const auto at = indexOf(*r, 3, [](const Instruction& i) { return i.dot == 5; });
    const Footprint a = factorsOfDot(*r, 3, at, Matrix::A), b = factorsOfDot(*r, 3, at, Matrix::B);
    QCOMPARE(a.rows, (std::vector<Stretch>{{256 + 64, 256 + 127}}));
    QCOMPARE(a.columns, (std::vector<Stretch>{{5, 5}}));
    QCOMPARE(b.columns, (std::vector<Stretch>{{128 + 64, 128 + 127}}));
    QCOMPARE(b.rows, (std::vector<Stretch>{{5, 5}}));
    QCOMPARE(stretchText(a.rows, 4), std::string("320–383"));
  }

  // All loads of one k bring what its multiply-adds use.
  void loadsBringWhatIsUsed_data() {
    QTest::addColumn<QString>("id");
    for (const char* id : {"shared", "blocktile1d", "blocktile2d", "vectorized", "warptiled"})
      QTest::newRow(id) << id;
  }
  void loadsBringWhatIsUsed() {
    QFETCH(QString, id);
    const auto r = recorded({.stage = id.toStdString(), .problem = {256, 256, 256}});
    const auto in = [](const Instruction& i) { return i.kTile == 1 && i.dot == 3; };
    const auto start = indexOf(*r, 1, in);
    Footprint all;
    std::vector<Stretch> rows;
    std::set<std::int64_t> loaded;
    for (std::uint32_t i = start; in(test::instructionAt(*r, 1, i)); ++i) {
      if (test::instructionAt(*r, 1, i).kind != Kind::SharedLoad) continue;
      for (const Stretch& s : footprint(r->moment(1, i), Matrix::A).rows) {
        for (std::int64_t n = s.first; n <= s.last; ++n) loaded.insert(n);
      }
    }
    std::set<std::int64_t> used;
    for (const Stretch& s : factorsOfDot(*r, 1, start, Matrix::A).rows) {
      for (std::int64_t n = s.first; n <= s.last; ++n) used.insert(n);
    }
    QVERIFY(!used.empty());
    QVERIFY(std::ranges::includes(loaded, used) || id == "shared" || id == "blocktile1d");
  }

  void nothingOutsideOfDots() {
    const auto r = recorded({.stage = "warptiled"});
    const auto fill =
        indexOf(*r, 0, [](const Instruction& i) { return i.kind == Kind::GlobalLoad; });
    QVERIFY(factorsOfDot(*r, 0, fill, Matrix::A).empty());
  }

  void stretches() {
    QCOMPARE(stretchText({{1, 1}, {4, 7}, {9, 9}}, 4), std::string("1, 4–7, 9"));
    QCOMPARE(stretchText({{1, 1}, {4, 7}, {9, 9}}, 2), std::string("1, 4–7, …"));
    QCOMPARE(stretchText({}, 2), std::string());
  }
};

}  // namespace tileloom::analysis

TILELOOM_TEST(tileloom::analysis::OperandsTest, EventLoop)
#include "operands_test.moc"
