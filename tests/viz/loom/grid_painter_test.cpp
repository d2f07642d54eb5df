// SPDX-License-Identifier: GPL-3.0-or-later
// The line about the grid: blocks in waves, and tiles of the last wave that are split along K.
#include "viz/loom/grid_painter.h"

#include <QtTest>

#include "kernels/tile/parameters.h"
#include "tests/support/recorded.h"
#include "tests/support/test_class.h"
#include "viz/base/text/clauses.h"

namespace tileloom {

class GridPainterTest : public QObject {
  Q_OBJECT

  static QString lineOf(int split, int size) {
    const TileShape tile = test::stage("rewritten").standardTile().with(Parameter::SPLIT, split);
    Scene scene = makeScene(
        test::recorded(
            {.stage = "rewritten", .tile = tile, .problem = {size, size, size}, .kTiles = 1}),
        0, 0);
    scene.residency = Residency{132, 1, "Invented Device"};
    return describeGrid(scene);
  }

 private slots:
  void wavesAreCounted() {
    QCOMPARE(lineOf(1, 4096),
             QString("512 blocks in 4 waves of 132 (132 SMs × 1), 97 % of their slots taken"));
    // Nothing is split if that would save little.
    QCOMPARE(lineOf(2, 2048), lineOf(1, 2048));
  }

  // If the number of blocks per SM is unknown, split tiles are still not counted as blocks.
  void tilesAreNoBlocks() {
    const TileShape tile = test::stage("rewritten").standardTile().with(Parameter::SPLIT, 3);
    const Scene scene = makeScene(
        test::recorded(
            {.stage = "rewritten", .tile = tile, .problem = {2304, 2304, 2304}, .kTiles = 1}),
        0, 0);
    QVERIFY(!scene.residency);
    QCOMPARE(describeGrid(scene),
             oneClause("162 tiles on 132 SMs: 132 whole, and 30 split along K into 90 parts"));
  }

  void partsOfTilesAreCounted() {
    QCOMPARE(lineOf(2, 4096), oneClause("512 tiles for 132 slots (132 SMs × 1): 396 whole, and 116 "
                                        "split along K into 244 parts"));
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::GridPainterTest, Nothing)
#include "grid_painter_test.moc"
