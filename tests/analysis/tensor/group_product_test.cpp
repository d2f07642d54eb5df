// SPDX-License-Identifier: GPL-3.0-or-later
// wgmma as recorded, compared with the documented layout of its registers, and with the product
// that it computes.
#include "kernels/analysis/tensor/group_product.h"

#include <QtTest>
#include <set>

#include "kernels/analysis/order/shared_contents.h"
#include "kernels/tile/placement.h"
#include "tests/support/group_tiles.h"
#include "tests/support/test_class.h"

namespace tileloom::analysis {

using emulator::Instruction;
using emulator::Kind;
using When = WarpProduct::When;

class GroupProductTest : public QObject {
  Q_OBJECT

  static bool isProduct(const Instruction& i) { return i.kind == Kind::Product; }
  static std::uint32_t firstProduct(const Recording& r, std::uint32_t warp) {
    return test::indexOf(r, warp, isProduct);
  }

 private slots:
  // PTX ISA, "Register fragments for wgmma.mma_async.m64nNk16", of D: the warp of the group and
  // lane / 4 name the row, lane % 4 a pair of columns in each eight, and every other pair of
  // registers is eight rows below. It is written down nowhere else in this comparison.
  void registersStandWhereTheManualSays_data() { test::addGroupTiles(); }
  void registersStandWhereTheManualSays() {
    const auto& tile = test::groupTileOfRow();
    const auto r = test::recordedTile(tile);
    for (std::uint32_t warp = 0; warp < r->trace.warps; warp += 4) {
      std::uint32_t seen = 0;
      for (std::uint32_t at = 0; at < r->trace.length(warp); ++at) {
        if (!isProduct(test::instructionAt(*r, warp, at)) || seen++ % 3 != 0) continue;
        const auto p = groupProduct(*r, warp, at);
        QVERIFY(p.has_value());
        QCOMPARE(p->columns, static_cast<std::uint32_t>(tile.bn));
        std::size_t stored = 0;
        for (std::uint32_t row = 0; row < 64; ++row) {
          for (std::uint32_t column = 0; column < p->columns; ++column) {
            const auto& sum = p->sumAt(row, column);
            if (!sum) continue;
            ++stored;
            const std::uint32_t lane = sum->thread % 32, i = sum->value;
            QCOMPARE(sum->thread / 32, warp + row / 16);
            QCOMPARE(row % 16, lane / 4 + (i / 2 % 2) * 8);
            QCOMPARE(column, i / 4 * 8 + lane % 4 * 2 + i % 2);
          }
        }
        // All that lie within C, each once.
        const auto& problem = r->trace.problem;
        const auto inside = [&](std::int64_t first, std::int64_t count, int end) {
          return std::clamp<std::int64_t>(end - first, 0, count);
        };
        const auto& c = p->tileC;
        if (stored > 0)
          QCOMPARE(static_cast<std::int64_t>(stored),
                   inside(c.row, 64, problem.m) * inside(c.column, p->columns, problem.n));
      }
      QVERIFY(seen > 0);
    }
  }

  // A row of A meets the columns of B in the sums: same rows, same columns, same k.
  void operandsFitTogether_data() { test::addGroupTiles(); }
  void operandsFitTogether() {
    const auto r = test::recordedTile(test::groupTileOfRow());
    for (const std::uint32_t warp : {0u, r->trace.warps - 1}) {
      const auto p = groupProduct(*r, warp, firstProduct(*r, warp));
      QVERIFY(p && p->when == When::Now);
      QCOMPARE(p->firstWarp, warp / 4 * 4);
      QCOMPARE(p->tileA.column, p->tileB.row);
      QCOMPARE(p->tileA.columns, p->tileB.rows);
      for (std::uint32_t row = 0; row < 64; ++row) {
        for (std::uint32_t column = 0; column < p->columns; ++column) {
          const auto& sum = p->sumAt(row, column);
          if (!sum) continue;
          for (std::uint32_t k = 0; k < 16; ++k) {
            const auto a = p->elementAt({Matrix::A, row, k}),
                       b = p->elementAt({Matrix::B, k, column});
            QVERIFY(a && b);
            QCOMPARE(a->row, sum->element.row);
            QCOMPARE(b->column, sum->element.column);
            QCOMPARE(a->column, b->row);
            QCOMPARE(a->column, std::int64_t{p->kTile} * r->trace.stepK + p->dot + k);
          }
        }
      }
      for (const GroupProduct::Place& place :
           {GroupProduct::Place{Matrix::A, 5, 3}, GroupProduct::Place{Matrix::B, 7, 9},
            GroupProduct::Place{Matrix::C, 9, 11}}) {
        if (const auto element = p->elementAt(place)) QVERIFY(p->placeOf(*element) == place);
      }
    }
  }

  // The tensor core has read the contents of shared memory at the bytes that the descriptor names,
  // and the origin is one of the kernel's arrays.
  void descriptorsNameTheElements_data() { test::addGroupTiles(); }
  void descriptorsNameTheElements() {
    const auto& tile = test::groupTileOfRow();
    const auto r = test::recordedTile(tile);
    const std::uint32_t warp = r->trace.warps - 1;
    // The second K tile, if there is one.
    const std::uint32_t at = test::indexOf(*r, warp, [&](const Instruction& i) {
      return isProduct(i) && i.kTile == std::min(1u, r->trace.kTilesTraced - 1);
    });
    const auto p = groupProduct(*r, warp, at);
    QVERIFY(p.has_value());
    QCOMPARE(p->first.swizzle, static_cast<std::uint32_t>(tile.swizzle));
    QCOMPARE(p->with.swizzle, static_cast<std::uint32_t>(tile.swizzle));
    QCOMPARE(r->trace.arrays[p->originA.array].name, std::string("As"));
    QCOMPARE(r->trace.arrays[p->originB.array].name, std::string("Bs"));
    QCOMPARE(p->originA.stage, p->stages > 1 ? p->kTile % p->stages : 0);
    QCOMPARE(p->originB.stage, p->originA.stage);
    for (const auto& [matrix, origin] :
         {std::pair(Matrix::A, p->originA), std::pair(Matrix::B, p->originB)}) {
      const auto& array = r->trace.arrays[origin.array];
      const auto held = r->contents(origin.array, warp, at);
      std::set<std::uint32_t> bytes;
      for (std::uint32_t row = 0; row < p->rowsOf(matrix); ++row) {
        for (std::uint32_t column = 0; column < p->columnsOf(matrix); ++column) {
          const std::uint32_t byte = p->byteOf({matrix, row, column});
          bytes.insert(byte);
          QVERIFY(byte / 2 >= array.base * 2 && byte / 2 < array.base * 2 + array.elements);
          QVERIFY(r->elementOf(held[byte / 2 - array.base * 2]) ==
                  p->elementAt({matrix, row, column}));
        }
      }
      QCOMPARE(bytes.size(), std::size_t{p->rowsOf(matrix)} * p->columnsOf(matrix));
    }
  }

  // From any other instant the nearest one is shown; two products per step where a warpgroup has
  // 128 rows, of which the second adds to other rows.
  void otherInstants() {
    const auto r = test::recordedTile(test::kGroupTiles[4]);
    const std::uint32_t first = firstProduct(*r, 0);
    const auto early = groupProduct(*r, 0, 0), one = groupProduct(*r, 0, first),
               last = groupProduct(*r, 0, r->trace.length(0) - 1);
    QVERIFY(early && one && last);
    QVERIFY(early->when == When::Later && early->index == first);
    QVERIFY(last->when == When::Before);
    QCOMPARE(one->step.count, 2u);
    QCOMPARE(one->step.number, 1u);
    const auto two = groupProduct(*r, 0, test::indexOf(*r, 0, isProduct, first + 1));
    QVERIFY(two.has_value());
    QCOMPARE(two->step.number, 2u);
    QCOMPARE(two->tileC.row, one->tileC.row + 64);
    QVERIFY(two->tileB == one->tileB);
    const auto scalar = test::recorded({.stage = "mmaring"});
    QVERIFY(!groupProduct(*scalar, 0, 100));
    QVERIFY(!warpProduct(*r, 0, first));
  }
};

}  // namespace tileloom::analysis

TILELOOM_TEST(tileloom::analysis::GroupProductTest, Nothing)
#include "group_product_test.moc"
