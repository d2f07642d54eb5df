// SPDX-License-Identifier: GPL-3.0-or-later
// The operands of an mma as recorded, compared with the products that it computes.
#include "kernels/analysis/tensor/warp_product.h"

#include <QtTest>
#include <set>

#include "kernels/emulator/fragment_layout.h"
#include "kernels/tile/mma_table.h"
#include "tests/support/recorded.h"
#include "tests/support/test_class.h"

namespace tileloom::analysis {

using emulator::Instruction;
using emulator::Kind;
using test::recorded;
using When = WarpProduct::When;

class WarpProductTest : public QObject {
  Q_OBJECT

  static void addTensorRows() {
    QTest::addColumn<QString>("stage");
    for (const Stage& stage : tensorStages()) {
      if (!stage.features().warpMma) continue;
      QTest::newRow(std::string(stage.id).c_str()) << test::q(stage.id);
    }
  }
  static bool isProduct(const Instruction& i) { return i.kind == Kind::Mma; }

 private slots:
  // Each operand is a whole rectangle, each of its elements is held once, and the rectangles fit
  // together: A's columns are B's rows, A's rows and B's columns are those of the sums.
  void operandsFitTogether_data() { addTensorRows(); }
  void operandsFitTogether() {
    const auto r = recorded({.stage = test::stageOfRow().id, .block = {1, 1}});
    const std::uint32_t warp = r->trace.warps - 1;
    std::uint32_t seen = 0;
    for (std::uint32_t i = 0; i < r->trace.length(warp); ++i) {
      if (!isProduct(test::instructionAt(*r, warp, i)) || ++seen % 5 != 0) continue;
      const auto p = warpProduct(*r, warp, i);
      QVERIFY(p.has_value());
      QCOMPARE(p->index, i);
      QVERIFY(p->when == When::Now);
      const auto whole = [](const std::vector<WarpProduct::Part>& parts, const Region& tile) {
        std::set<std::pair<std::int64_t, std::int64_t>> places;
        for (const auto& part : parts) places.insert({part.element.row, part.element.column});
        return places.size() == parts.size() &&
               places.size() == static_cast<std::size_t>(tile.rows * tile.columns);
      };
      QVERIFY(whole(p->a, p->tileA) && whole(p->b, p->tileB) && whole(p->c, p->tileC));
      QCOMPARE(p->tileA.rows, std::int64_t{rowOf(Mma::M16n8k16).rows});
      QCOMPARE(p->tileA.columns, std::int64_t{rowOf(Mma::M16n8k16).depth});
      QCOMPARE(p->tileB.columns, std::int64_t{rowOf(Mma::M16n8k16).columns});
      QCOMPARE(p->tileA.row, p->tileC.row);
      QCOMPARE(p->tileA.rows, p->tileC.rows);
      QCOMPARE(p->tileB.column, p->tileC.column);
      QCOMPARE(p->tileB.columns, p->tileC.columns);
      QCOMPARE(p->tileA.column, p->tileB.row);
      QCOMPARE(p->tileA.columns, p->tileB.rows);
      QCOMPARE(p->tileA.column, std::int64_t{p->kTile} * r->trace.stepK + p->dot);
    }
    QVERIFY(seen >= 32);
  }

  // The products of one step along K are numbered through, and make up the warp tile.
  void aStepMakesUpTheWarpTile_data() { addTensorRows(); }
  void aStepMakesUpTheWarpTile() {
    const auto r = recorded({.stage = test::stageOfRow().id});
    const std::uint32_t first = test::indexOf(*r, 1, isProduct);
    const auto p = warpProduct(*r, 1, first);
    QCOMPARE(p->number, 1u);
    std::set<std::pair<std::int64_t, std::int64_t>> tiles;
    std::uint32_t at = first;
    for (std::uint32_t n = 1; n <= p->count; ++n) {
      const auto next = warpProduct(*r, 1, at);
      QCOMPARE(next->number, n);
      QCOMPARE(next->count, p->count);
      tiles.insert({next->tileC.row, next->tileC.column});
      at = n == p->count ? at : test::indexOf(*r, 1, isProduct, at + 1);
    }
    const Region& warp = r->map.warps[1];
    QCOMPARE(std::int64_t(tiles.size()) * p->tileC.rows * p->tileC.columns,
             warp.rows * warp.columns);
  }

  // Between products it is the last one; before all of them the first to come.
  void elsewhereItIsTheNearest() {
    const auto r = recorded({.stage = "mmaring"});
    const std::uint32_t first = test::indexOf(*r, 0, isProduct);
    QVERIFY(warpProduct(*r, 0, 0)->when == When::Later);
    QCOMPARE(warpProduct(*r, 0, 0)->index, first);
    const std::uint32_t load = test::indexOf(
        *r, 0, [](const Instruction& i) { return i.kind == Kind::MatrixLoad; }, first);
    const auto before = warpProduct(*r, 0, load);
    QVERIFY(before->when == When::Before);
    QVERIFY(before->index < load && before->index >= first);
    QVERIFY(isProduct(test::instructionAt(*r, 0, before->index)));
    const auto last = warpProduct(*r, 0, r->trace.length(0) - 1);
    QVERIFY(last->when == When::Before);
  }

  void lanesThatMultiplyOneByOneHaveNone() {
    const auto r = recorded({.stage = "warptiled"});
    for (std::uint32_t i = 0; i < r->trace.length(0); i += 97) QVERIFY(!warpProduct(*r, 0, i));
    QCOMPARE(dotDepth(r->trace), 1u);
    QCOMPARE(dotDepth(recorded({.stage = "mma"})->trace), rowOf(Mma::M16n8k16).depth);
  }
};

}  // namespace tileloom::analysis

TILELOOM_TEST(tileloom::analysis::WarpProductTest, Nothing)
#include "warp_product_test.moc"
