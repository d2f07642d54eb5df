// SPDX-License-Identifier: GPL-3.0-or-later
// The words on the tuning maps and below them.
#include "viz/charts/tiles/tile_map_words.h"

#include <QtTest>

#include "tests/support/test_class.h"
#include "tests/viz/tile_maps.h"

namespace tileloom {

using charts::SpeedUnit;

class TileMapWordsTest : public QObject {
  Q_OBJECT

  static TileMaps maps() {
    return {test::tileMaps(), {}, test::mappedRung().standardTile(), {4096, 4096, 4096}};
  }

 private slots:
  void numbersHaveTheirUnit() {
    const auto figures = test::tileFigures();
    QCOMPARE(charts::cellText(figures[0], SpeedUnit::Giga), "40,000");
    QCOMPARE(charts::cellText(figures[0], SpeedUnit::Tera), "40.0");
    QCOMPARE(charts::cellText(figures[2], SpeedUnit::Giga), "≈30,000");
  }

  // The words on a cell have the unit of its number.
  void wordsHaveTheSameUnit() {
    TileMaps all = maps();
    const TileMapSpot present = test::spotOf(all, 128, 128);
    tuning::TileMap& map = all.sweeps[0].map;
    auto& cell = map.cells[present.row * map.columns() + present.column];
    cell.tile = cell.tile.with(Parameter::BK, 2 * cell.tile[Parameter::BK]);
    QCOMPARE(charts::cellWords(all, present, SpeedUnit::Giga).back(), "window's tile: 38,000");
    QCOMPARE(charts::cellWords(all, present, SpeedUnit::Tera).back(), "window's tile: 38.0");
    QVERIFY(charts::cellWords(all, test::spotOf(all, 128, 64), SpeedUnit::Giga).isEmpty());
  }

  void cellsAreDescribed() {
    const TileMaps all = maps();
    const QString live = charts::cellSentence(all, test::spotOf(all, 256, 128));
    QVERIFY2(live.contains(": 40,000 GFLOP/s") && live.contains(", live; 165 registers"),
             qPrintable(live));
    QVERIFY(charts::cellSentence(all, test::spotOf(all, 256, 256))
                .startsWith("BN = 256, BM = 256: illegal. "));
    QVERIFY(
        charts::bestSentence(all, 0).startsWith("The fastest of 2 measured tiles reaches 40.0"));
  }

  // Two sentences on the best tile have their own lines if the foot is high enough.
  void theFootSaysWhatIsShown() {
    TileMaps all = maps();
    all.sweeps.push_back(all.sweeps.front());
    all.sweeps[1].title = "H200";
    charts::LegendData legend;
    const auto foot = [&](double lines, bool clickable) {
      return charts::tileMapFoot(all, legend, true, lines, clickable);
    };
    QCOMPARE(foot(3, false).count('\n'), 2);
    QCOMPARE(foot(2, false).count('\n'), 0);
    QVERIFY(foot(3, false).contains("GFLOP/s at 4096"));
    QVERIFY(foot(3, false).endsWith("equal colours are equal speeds."));
    QVERIFY(foot(3, true).endsWith("Click a cell to use its tile."));
    QCOMPARE(charts::tileMapFoot({}, legend, true, 3, true), "No data for this rung at this size.");
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::TileMapWordsTest, Nothing)
#include "tile_map_words_test.moc"
