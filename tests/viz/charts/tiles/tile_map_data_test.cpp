// SPDX-License-Identifier: GPL-3.0-or-later
// What is marked on the tuning maps.
#include "viz/charts/tiles/tile_map_data.h"

#include <QtTest>

#include "tests/support/test_class.h"
#include "tests/viz/tile_maps.h"

namespace tileloom {

class TileMapDataTest : public QObject {
  Q_OBJECT

  static TileMaps maps() {
    return {test::tileMaps(), {}, test::mappedRung().standardTile(), {4096, 4096, 4096}};
  }

 private slots:
  void figuresHaveTheirCells() {
    const TileMaps all = maps();
    QCOMPARE(all.figureOf(test::spotOf(all, 256, 128))->gflops.median, 40000.0);
    QVERIFY(all.figureOf(test::spotOf(all, 128, 64)) == nullptr);  // not measured
    QVERIFY(all.cell(test::spotOf(all, 256, 256)).kind == tuning::TileCell::Kind::Illegal);
  }

  // A prediction is never the fastest, and the present tile need not be measured.
  void marks() {
    TileMaps all = maps();
    const TileMapSpot fast = test::spotOf(all, 256, 128), present = test::spotOf(all, 128, 128),
                      foretold = test::spotOf(all, 64, 128);
    all.sweeps[0].figures[2].gflops = {90000, 80000, 99000};
    QVERIFY(all.isFastest(fast) && !all.isFastest(present) && !all.isFastest(foretold));
    QVERIFY(all.isPresent(present) && !all.isPresent(fast));
    QVERIFY(all.presentFigure(0) == all.figureOf(present));
    all.present = all.cell(foretold).tile;
    QVERIFY(all.isPresent(foretold));
    QVERIFY(all.presentFigure(0) == nullptr);
  }

  // One scale for all maps, up to the fastest figure of any kind.
  void scalesAreShared() {
    TileMaps all = maps();
    QCOMPARE(all.scale().high, 40000.0);
    all.sweeps.push_back(all.sweeps.front());
    all.sweeps[1].figures[2].gflops.median = 50000;
    QCOMPARE(all.scale().high, 50000.0);
    QVERIFY(!TileMaps().scale().known());
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::TileMapDataTest, Nothing)
#include "tile_map_data_test.moc"
