// SPDX-License-Identifier: GPL-3.0-or-later
// The operands of tensor instructions as the recording has them: every element where the product
// needs it, and no other.
#include "kernels/analysis/tensor/warp_operands.h"

#include <QtTest>
#include <set>

#include "kernels/emulator/fragment_layout.h"
#include "tests/support/recorded.h"
#include "tests/support/test_class.h"

namespace tileloom::analysis {

using emulator::Instruction;
using emulator::Kind;
using test::recorded;

class WarpOperandsTest : public QObject {
  Q_OBJECT

  static std::uint32_t nth(const Recording& r, std::uint32_t warp, Kind kind, int n) {
    std::uint32_t from = 0;
    for (;; ++from) {
      from = test::indexOf(
          r, warp, [kind](const Instruction& i) { return i.kind == kind; }, from);
      if (n-- == 0) return from;
    }
  }

 private slots:
  void rungs_data() {
    QTest::addColumn<QString>("id");
    for (const Stage& stage : tensorStages()) {
      if (!stage.features().warpMma) continue;
      QTest::newRow(test::q(stage.id).toUtf8()) << test::q(stage.id);
    }
  }

  // A[r][k] is in row r and column k of a rectangle of A, B likewise; C's sums are those of A's
  // rows and B's columns, and A's columns are B's rows: that is a product.
  void rungs() {
    QFETCH(QString, id);
    const auto r = recorded({.stage = id.toStdString(), .problem = {256, 256, 256}});
    const std::uint32_t warp = r->trace.warps - 1;
    for (const int n : {0, 5, 40}) {
      const WarpOperands o = warpOperands(*r, warp, nth(*r, warp, Kind::Mma, n));
      QVERIFY(!o.load);
      QCOMPARE(o.values.size(), std::size_t{512});
      const auto at = [&](Operand operand, std::uint32_t row, std::uint32_t column) {
        for (const auto& v : o.values) {
          if (v.operand == operand && v.row == row && v.column == column) return *v.element;
        }
        qFatal("a place of the operand is empty");
      };
      const Element a = at(Operand::A, 0, 0), b = at(Operand::B, 0, 0), c = at(Operand::C, 0, 0);
      QCOMPARE(a.column, b.row);
      QCOMPARE(a.row, c.row);
      QCOMPARE(b.column, c.column);
      std::set<std::pair<std::uint32_t, std::uint32_t>> registers[3];
      for (const auto& v : o.values) {
        const Element& corner = v.operand == Operand::A ? a : v.operand == Operand::B ? b : c;
        QVERIFY(v.element->matrix == corner.matrix);
        QCOMPARE(v.element->row, corner.row + v.row);
        QCOMPARE(v.element->column, corner.column + v.column);
        // No two elements are in one place of one lane.
        QVERIFY(registers[static_cast<int>(v.operand)].insert({v.lane, v.value}).second);
      }
    }
  }

  // ldmatrix gives the lanes the contents of shared memory in the named rows.
  void matricesAreRowsOfSharedMemory_data() { rungs_data(); }
  void matricesAreRowsOfSharedMemory() {
    QFETCH(QString, id);
    const auto r = recorded({.stage = id.toStdString(), .problem = {256, 256, 256}});
    for (const int n : {0, 4, 9}) {
      const std::uint32_t index = nth(*r, 1, Kind::MatrixLoad, n);
      const WarpOperands o = warpOperands(*r, 1, index);
      QVERIFY(o.load);
      QCOMPARE(o.values.size(), std::size_t{256});
      QCOMPARE(o.turned, o.array == "Bs");
      const auto held = r->contents(o.number, 1, index);
      for (const auto& v : o.values) {
        const std::uint32_t namer = v.matrix * 8 + v.row;
        QVERIFY(v.element == r->elementOf(held[o.named[namer] + v.column]));
        // The register is the matrix's, and transposed matrices give a lane two of a column.
        QCOMPARE(v.reg, v.matrix);
        QCOMPARE(v.part, (o.turned ? v.row : v.column) % 2);
      }
    }
  }

  // The mma instructions after ldmatrix multiply what it delivers.
  void loadedIsWhatIsMultiplied() {
    const auto r = recorded({.stage = "swizzled", .problem = {256, 256, 256}});
    const WarpOperands load = warpOperands(*r, 0, nth(*r, 0, Kind::MatrixLoad, 0));
    const WarpOperands product = warpOperands(*r, 0, nth(*r, 0, Kind::Mma, 0));
    QCOMPARE(load.array, std::string("As"));
    for (const auto& v : product.values) {
      if (v.operand != Operand::A) continue;
      const auto same = std::ranges::find_if(
          load.values, [&v](const auto& l) { return l.lane == v.lane && l.value == v.value; });
      QVERIFY(same != load.values.end());
      QVERIFY(same->element == v.element);
    }
  }

  void nearest() {
    const auto r = recorded({.stage = "mma", .problem = {256, 256, 256}});
    // At the first instruction, a load from global memory, it is the first one to come.
    const auto next = nearestTensor(*r, 0, 0);
    QVERIFY(next.has_value());
    QCOMPARE(*next, nth(*r, 0, Kind::MatrixLoad, 0));
    QCOMPARE(*nearestTensor(*r, 0, *next), *next);
    // At the end, after the stores of C, the last one of the loop.
    const std::uint32_t end = r->trace.length(0) - 1;
    const auto last = nearestTensor(*r, 0, end);
    QVERIFY(test::instructionAt(*r, 0, *last).kind == Kind::Mma);
    for (std::uint32_t i = *last + 1; i <= end; ++i)
      QVERIFY(test::instructionAt(*r, 0, i).kind != Kind::Mma);
    const auto fp32 = recorded({.stage = "warptiled"});
    QVERIFY(!nearestTensor(*fp32, 0, 5).has_value());
  }
};

}  // namespace tileloom::analysis

TILELOOM_TEST(tileloom::analysis::WarpOperandsTest, Nothing)
#include "warp_operands_test.moc"
