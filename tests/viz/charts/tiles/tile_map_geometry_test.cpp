// SPDX-License-Identifier: GPL-3.0-or-later
// The places of the tuning maps' parts.
#include "viz/charts/tiles/tile_map_geometry.h"

#include <QtTest>

#include "tests/support/test_class.h"
#include "tests/viz/tile_maps.h"

namespace tileloom {

class TileMapGeometryTest : public QObject {
  Q_OBJECT

  static TileMaps maps(int devices) {
    TileMaps made;
    for (int i = 0; i < devices; ++i) made.sweeps.push_back(test::tileMaps().front());
    made.present = test::mappedRung().standardTile();
    made.problem = {4096, 4096, 4096};
    return made;
  }

 private slots:
  void everyCellHasItsPlace() {
    const auto g = tileMapGeometry(QRectF(0, 0, 600, 300), 6, 4, Fonts::of(QFont()));
    std::vector<QRectF> seen;
    for (std::size_t row = 0; row < 4; ++row) {
      for (std::size_t column = 0; column < 6; ++column) {
        const QRectF r = g.cellRect(column, row);
        QVERIFY(QRectF(0, 0, 600, 300).contains(r));
        QVERIFY(!r.intersects(g.title));
        QVERIFY((g.cellAt(r.center()) == std::pair{column, row}));
        for (const QRectF& other : seen) QVERIFY(!other.intersects(r));
        seen.push_back(r);
      }
    }
    QVERIFY(g.cellRect(0, 3).top() < g.cellRect(0, 0).top());  // larger values are higher
    QVERIFY(!g.cellAt({0, 0}));
    const auto none = tileMapGeometry(QRectF(0, 0, 600, 300), 0, 0, Fonts::of(QFont()));
    QVERIFY(!none.cellAt({300, 150}));
  }

  // Every cell is found where it is, on each map; nothing covers the legend or the foot.
  void everySpotIsFound() {
    const Fonts fonts = Fonts::of(QFont());
    for (const int devices : {1, 2}) {
      const TileMaps all = maps(devices);
      const TileMapLayout layout = tileMapLayout(all, {1300, 400}, fonts);
      QCOMPARE(layout.maps.size(), all.sweeps.size());
      for (std::size_t i = 0; i < all.sweeps.size(); ++i) {
        for (std::size_t row = 0; row < all.sweeps[i].map.rows(); ++row) {
          for (std::size_t column = 0; column < all.sweeps[i].map.columns(); ++column) {
            const TileMapSpot spot{i, column, row};
            const QRectF cell = layout.rectOf(spot);
            QVERIFY(layout.spotAt(cell.center()) == spot);
            QVERIFY(!cell.intersects(layout.legendPlaces.room));
            QVERIFY(!cell.intersects(layout.foot));
          }
        }
      }
      QVERIFY(!layout.spotAt(layout.foot.center()));
    }
  }

  // Larger cells have longer numbers and words; small ones have no numbers.
  void numbersNeedRoom() {
    const Fonts fonts = Fonts::of(QFont());
    const TileMaps all = maps(1);
    const TileMapLayout large = tileMapLayout(all, {2600, 1400}, fonts);
    QVERIFY(large.numbered && large.worded);
    QVERIFY(large.legend.unit == charts::SpeedUnit::Giga);
    const TileMapLayout small = tileMapLayout(all, {300, 120}, fonts);
    QVERIFY(!small.numbered && !small.worded);
    QVERIFY(small.legend.unit == charts::SpeedUnit::Tera);
    QVERIFY(tileMapLayout({}, {900, 400}, fonts).maps.empty());
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::TileMapGeometryTest, Widgets)
#include "tile_map_geometry_test.moc"
