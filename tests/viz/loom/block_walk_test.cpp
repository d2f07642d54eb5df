// SPDX-License-Identifier: GPL-3.0-or-later
// The tiles of a persistent block, compared with the kernel's own formula.
#include "viz/loom/block_walk.h"

#include <QtTest>

#include "kernels/tile/derived.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/residency.h"
#include "tests/support/recorded.h"
#include "tests/support/test_class.h"
#include "viz/base/text/clauses.h"
#include "viz/loom/grid_painter.h"

namespace tileloom {

class BlockWalkTest : public QObject {
  Q_OBJECT

 private slots:
  void asTheKernelWalks_data() {
    QTest::addColumn<QString>("id");
    QTest::newRow("persistent") << "persistent";
    QTest::newRow("cluster") << "cluster";
  }
  void asTheKernelWalks() {
    QFETCH(QString, id);
    const Stage& stage = test::stage(id.toStdString());
    const int size = 4096;
    const auto r = test::recorded(
        {.stage = stage.id, .problem = {size, size, 64}, .block = {7, 3}, .kTiles = 1});
    const BlockWalk walk = walkOf(makeScene(r, 0, 0));
    const Derived d = derive(stage, r->trace.tile);
    const int cluster = clusterOf(stage, r->trace.tile), group = r->trace.tile[Parameter::GROUP];
    const int across = size / d.blockN, down = size / d.blockM / cluster;
    QCOMPARE(walk.tiles, std::int64_t{across} * down * cluster);
    QCOMPARE(walk.blocks, kUsualSms);
    // kernels/stages/tensor/cluster.cuh: rowOf and columnOf.
    const int rank = walk.block.x % cluster;
    int tile = walk.block.x / cluster;
    for (const BlockPlace& place : walk.places) {
      const int first = tile / (group * across) * group;
      const int rows = std::min(group, down - first);
      const int row = (first + tile % (group * across) % rows) * cluster + rank;
      QCOMPARE(place.row, row);
      QCOMPARE(place.column, tile % (group * across) / rows);
      tile += walk.blocks / cluster;
    }
    QVERIFY(tile >= across * down);
    // The shown tile is among them, at its index.
    const BlockPlace shown =
        placeOf(stage, r->trace.tile, launchOf(stage, r->trace.tile, r->trace.problem).grid,
                r->trace.block);
    QVERIFY(walk.places.at(static_cast<std::size_t>(walk.here)) == shown);
  }

  void theTail() {
    BlockWalk walk;
    walk.places = {{0, 0}};
    walk.sms = walk.blocks = 132;
    walk.tiles = 2048;
    QCOMPARE(walk.idle(), std::int64_t{64});
    QCOMPARE(describeWalk(walk),
             QString("2,048 tiles on 132 SMs: 15 full rounds and 68 tiles; 64 SMs are idle in the "
                     "last one, 3 % of all time (counted, if tiles take equal time)"));
    walk.tiles = 264;
    QCOMPARE(describeWalk(walk), QString("264 tiles on 132 SMs: 2 full rounds, and no SM is idle "
                                         "in the last one"));
  }

  // Fewer tiles than SMs leave SMs idle, though each block has a tile.
  void fewTiles() {
    const auto r = test::recorded({.stage = "persistent", .problem = {512, 512, 64}, .kTiles = 1});
    const BlockWalk walk = walkOf(makeScene(r, 0, 0));
    QCOMPARE(walk.idle(), kUsualSms - walk.tiles);
    QVERIFY(walk.tiles > 1 && walk.tiles < kUsualSms);
    const QString line = describeWalk(walk);
    QVERIFY2(line.contains(QString("one round that is not full; %1 SMs are idle").arg(walk.idle())),
             qPrintable(line));
    BlockWalk one;
    one.places = {{0, 0}};
    one.sms = 132;
    one.blocks = 1;
    one.tiles = 1;
    QVERIFY2(describeWalk(one).startsWith("1 tile on 132 SMs: one round that is not full; 131 SMs "
                                          "are idle in the last one, 99 % of all time"),
             qPrintable(describeWalk(one)));
  }

  // C has one row of tiles, and a cluster of two blocks has two.
  void aTileThatOnlyCompletesItsCluster() {
    const auto r = test::recorded({.stage = "hopper", .problem = {17, 256, 4096}, .kTiles = 1});
    const Scene scene = makeScene(r, 0, 0);
    const BlockWalk walk = walkOf(scene);
    QCOMPARE(walk.tiles, std::int64_t{2});
    QCOMPARE(walk.empty, std::int64_t{1});
    QCOMPARE(walk.parts, 1);
    QCOMPARE(
        describeGrid(scene),
        QString("1 tile with elements of C and 1 that only completes its cluster on 132 SMs: split "
                "along K over 4 SMs; 128 SMs are idle then · block 0 has a part of this tile"));
  }

  // A cluster whose stretch is a whole tile shares it with no other: the 1,024 tiles of T13's
  // clusters are 15 rounds of 66 and 34 more, 2 of which are assigned whole.
  void aTailThatIsCut() {
    const auto r = test::recorded({.stage = "hopper", .problem = {8192, 8192, 512}, .kTiles = 1});
    const BlockWalk walk = walkOf(makeScene(r, 0, 0));
    QCOMPARE(walk.cut, std::int64_t{64});
    QCOMPARE(walk.sharing, 128);
    QCOMPARE(walk.left(), std::int64_t{4});
    QCOMPARE(walk.here, 0);
    QVERIFY(walk.places.size() == 16 || walk.places.size() == 17);
    QCOMPARE(describeWalk(walk), oneClause("2,048 tiles on 132 SMs: 15 full rounds, 4 tiles whole, "
                                           "and 64 tiles split along K over 128 SMs"));
  }

  void othersDoNotWalk() {
    const auto r = test::recorded({.stage = "consumers", .kTiles = 1});
    QVERIFY(walkOf(makeScene(r, 0, 0)).places.empty());
    QVERIFY(walkOf({}).places.empty());
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::BlockWalkTest, Nothing)
#include "block_walk_test.moc"
