// SPDX-License-Identifier: GPL-3.0-or-later
// The block map is read off a trace; here it is compared with what the tile says must come out.
#include "kernels/analysis/block_map.h"

#include <QtTest>
#include <algorithm>

#include "kernels/emulator/run.h"
#include "kernels/tile/derived.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/placement.h"
#include "tests/support/random.h"
#include "tests/support/random_tiles.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::analysis {

class BlockMapTest : public QObject {
  Q_OBJECT

  emulator::Workspace workspace_;

  struct Case {
    emulator::TraceRequest request;
    Derived derived;
    Problem run;
    Region block;  // what the block must own
    int blockRow = 0, blockColumn = 0;
  };

  // Any block of a small problem that the tile hardly ever divides.
  static Case anyCase(const Stage& stage, const TileShape& tile, test::Random& random) {
    Case c;
    c.derived = derive(stage, tile);
    c.request = {{usualSubject(stage, tile), test::problemFor(stage, tile, 400'000, random)},
                 {0, 0},
                 0,
                 0,
                 false};
    c.run = paddedProblem(stage, tile, c.request.problem);
    const Extent grid = launchOf(stage, tile, c.run).grid;
    do {
      c.request.block = {random.integer(0, grid.x - 1), random.integer(0, grid.y - 1)};
    } while (!emulator::whyNotTraceable(c.request).empty());  // it only completes a cluster
    const BlockPlace place = placeOf(stage, tile, grid, c.request.block);
    c.blockRow = place.row;
    c.blockColumn = place.column;
    const int row = c.blockRow * c.derived.blockM, column = c.blockColumn * c.derived.blockN;
    c.block = {row, column, std::min(c.derived.blockM, c.run.m - row),
               std::min(c.derived.blockN, c.run.n - column)};
    return c;
  }

  static void everyElementHasOneOwner(const BlockMap& map) {
    QCOMPARE(map.owner.size(), static_cast<std::size_t>(map.c.rows * map.c.columns));
    QVERIFY(std::ranges::find(map.owner, BlockMap::kNobody) == map.owner.end());
  }

  // Each element of C lies in exactly one subtile, and that subtile is its owner's.
  static void subtilesPartition(const BlockMap& map) {
    std::vector<int> covered(map.owner.size(), 0);
    for (std::uint32_t thread = 0; thread < map.subtiles.size(); ++thread) {
      for (const Region& s : map.subtiles[thread]) {
        QVERIFY(!s.empty());
        for (std::int64_t r = s.row; r < s.row + s.rows; ++r) {
          for (std::int64_t c = s.column; c < s.column + s.columns; ++c) {
            QCOMPARE(std::uint32_t{map.ownerOf(r, c)}, thread);
            ++covered[static_cast<std::size_t>((r - map.c.row) * map.c.columns + c - map.c.column)];
          }
        }
      }
    }
    QVERIFY(std::ranges::all_of(covered, [](int times) { return times == 1; }));
  }

  // A warp's box is the bounding box of its threads' subtiles, solid if they fill it.
  static void boxesHoldTheWarps(const BlockMap& map) {
    for (std::uint32_t warp = 0; warp < map.warps.size(); ++warp) {
      Region box;
      std::int64_t owned = 0;
      for (std::uint32_t lane = 0; lane < emulator::kWarpSize; ++lane) {
        const std::uint32_t thread = warp * emulator::kWarpSize + lane;
        if (thread >= map.subtiles.size()) break;
        for (const Region& s : map.subtiles[thread]) {
          box.add(s.row, s.column);
          box.add(s.row + s.rows - 1, s.column + s.columns - 1);
          owned += s.rows * s.columns;
        }
      }
      QVERIFY(map.warps[warp] == box);
      QCOMPARE(bool(map.warpSolid[warp]), owned == box.rows * box.columns);
    }
  }

  static void slabsAreTheKTiles(const BlockMap& map, const Case& c) {
    const int step = c.derived.stepK;
    // T13 walks in whole rounds of its ring, with zeros beyond the end of K.
    const int together =
        c.request.rung()->split() == SplitK::Rounds ? c.request.tile[Parameter::STAGES] : 1;
    const int round = step * together;
    QCOMPARE(map.tileA.size(), static_cast<std::size_t>((c.run.k + round - 1) / round * together));
    QCOMPARE(map.tileB.size(), map.tileA.size());
    for (int tile = 0; tile * step < c.run.k; ++tile) {
      const std::int64_t depth = std::min(step, c.run.k - tile * step);
      const auto at = static_cast<std::size_t>(tile);
      QVERIFY((map.tileA[at] == Region{map.c.row, tile * step, map.c.rows, depth}));
      QVERIFY((map.tileB[at] == Region{tile * step, map.c.column, depth, map.c.columns}));
    }
  }

 private slots:
  void randomTiles_data() { test::addStageRows(); }
  void randomTiles() {
    const Stage& stage = test::stageOfRow();
    test::Random random(test::seed());
    for (const TileShape& tile : test::legalTiles(stage, test::briefly() ? 8 : 30, random)) {
      const Case c = anyCase(stage, tile, random);
      const BlockMap map = blockMap(emulator::traceBlock(workspace_, c.request));
      const std::string text = test::toString(stage, tile) + " " + toString(c.request.problem);
      QVERIFY2(map.c == c.block, text.c_str());
      everyElementHasOneOwner(map);
      subtilesPartition(map);
      boxesHoldTheWarps(map);
      slabsAreTheKTiles(map, c);
      if (QTest::currentTestFailed()) {
        qWarning("with %s (TILELOOM_TEST_SEED=%u)", text.c_str(), test::seed());
        return;
      }
    }
  }

  // Rung T3 stores C through shared memory, where other threads pick it up: an element still
  // belongs to the lane that has added it up, of whose warp tile it is a part.
  void aSumBelongsToWhoAddsItUp() {
    const Stage& stage = test::stage("mmaring");
    const BlockMap map =
        blockMap(emulator::traceBlock(workspace_, {{standardSubject(stage), {256, 256, 128}}}));
    QCOMPARE(map.warps.size(), std::size_t{4});
    QVERIFY((map.warps[1] == Region{0, 64, 64, 64}));
    QVERIFY((map.warps[2] == Region{64, 0, 64, 64}));
    for (const bool solid : map.warpSolid) QVERIFY(solid);
    // Lane 5 has columns 2 and 3 of rows 1 and 9 of each tile of 16 x 8.
    QCOMPARE(map.subtiles[5].size(), std::size_t{2 * 4 * 8});
    for (const Region& r : map.subtiles[5]) {
      QVERIFY(r.row % 16 == 1 || r.row % 16 == 9);
      QCOMPARE(r.column % 8, std::int64_t{2});
      QVERIFY(r.rows == 1 && r.columns == 2);
    }
  }

  // Rung 8 as in its own comment: warp 1 is to the right of warp 0, and a lane owns its TM x TN
  // tile WNITER times, WSUBN columns apart.
  void warpTilesOfRung8() {
    const Stage& stage = test::stage("warptiled");
    const BlockMap map = blockMap(emulator::traceBlock(
        workspace_, {{standardSubject(stage), {256, 256, 16}}, {1, 1}, 0, 0, false}));
    QVERIFY((map.c == Region{128, 128, 128, 128}));
    QCOMPARE(map.warps.size(), std::size_t{4});
    QVERIFY((map.warps[1] == Region{128, 192, 64, 64}));
    QVERIFY((map.warps[2] == Region{192, 128, 64, 64}));
    for (const bool solid : map.warpSolid) QVERIFY(solid);
    const std::vector<Region> wanted = {
        {152, 132, 8, 4}, {152, 148, 8, 4}, {152, 164, 8, 4}, {152, 180, 8, 4}};
    QVERIFY(map.subtiles[13] == wanted);  // lane 13: fourth row of lanes, second column
  }

  // In rungs 5 to 7 a warp's results are two rows of thread tiles, all across the block.
  void warpsOfRung5LieAcross() {
    const Stage& stage = test::stage("blocktile2d");
    const BlockMap map = blockMap(emulator::traceBlock(
        workspace_, {{standardSubject(stage), {128, 128, 8}}, {0, 0}, 0, 0, false}));
    QVERIFY((map.warps[3] == Region{48, 0, 16, 128}));
    QVERIFY(map.warpSolid[3]);
    QVERIFY(map.subtiles[17] == std::vector<Region>{Region({8, 8, 8, 8})});
  }

  void nobodyOwnsWhatLiesOutside() {
    const Stage& stage = test::stage("naive");
    const BlockMap map = blockMap(emulator::traceBlock(
        workspace_, {{usualSubject(stage, {{Parameter::BLOCKSIZE, 8}}), {11, 9, 3}}, {1, 1}}));
    QVERIFY((map.c == Region{8, 8, 3, 1}));
    QCOMPARE(map.ownerOf(7, 8), BlockMap::kNobody);
    QCOMPARE(map.ownerOf(8, 7), BlockMap::kNobody);
    QCOMPARE(map.ownerOf(11, 8), BlockMap::kNobody);
    QCOMPARE(map.ownerOf(10, 8), std::uint16_t{2});  // neighbouring lanes: neighbouring rows
    QVERIFY(map.subtiles[3].empty());                // row 11 is none of C's
  }

  void regionsGrow() {
    Region r;
    QVERIFY(r.empty() && !r.contains(0, 0));
    r.add(5, -3);
    QVERIFY((r == Region{5, -3, 1, 1}));
    r.add(2, 4);
    QVERIFY((r == Region{2, -3, 4, 8}));
    r.add(3, 0);
    QVERIFY((r == Region{2, -3, 4, 8}));
    QVERIFY(r.contains(2, -3) && r.contains(5, 4) && !r.contains(6, 4) && !r.contains(5, 5));
  }
};

}  // namespace tileloom::analysis

TILELOOM_TEST(tileloom::analysis::BlockMapTest, Nothing)
#include "block_map_test.moc"
