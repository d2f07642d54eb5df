// SPDX-License-Identifier: GPL-3.0-or-later
// The tuning map and the lines, by mouse and by keys.
#include "viz/charts/tiles/tile_map_view.h"

#include <QSignalSpy>
#include <QtTest>

#include "kernels/tile/parameters.h"
#include "tests/support/pointer.h"
#include "tests/support/test_class.h"
#include "tests/viz/tile_maps.h"
#include "viz/charts/tiles/tile_lines_view.h"
#include "viz/charts/tiles/tile_list_model.h"
#include "viz/charts/tiles/tile_map_words.h"

namespace tileloom {

using tuning::TileCell;

class TileMapViewTest : public QObject {
  Q_OBJECT

 private slots:
  void aClickTakesTheTile() {
    TileMapView view;
    view.setMaps(test::tileMaps(), test::mappedRung().standardTile(), {4096, 4096, 4096});
    QVERIFY(test::shown(view, {700, 360}));
    std::vector<TileShape> picked;
    connect(&view, &TileMapView::picked, &view, [&](const TileShape& t) { picked.push_back(t); });
    const auto good = test::spotOf(view.data(), 256, 128);
    test::clickAt(view, view.rectOf(good).center().toPoint());
    QCOMPARE(picked.size(), std::size_t{1});
    QVERIFY(picked[0] == test::tileFigures()[0].tile);
    QVERIFY(charts::cellSentence(view.data(), good).contains("40,000 GFLOP/s"));
    QVERIFY(charts::cellSentence(view.data(), good).contains("live"));
    // An illegal one names the rule, and a click does not use it.
    const auto bad = test::spotOf(view.data(), 256, 256);
    QVERIFY(view.data().sweeps[0].map.at(bad.column, bad.row).kind == TileCell::Kind::Illegal);
    test::clickAt(view, view.rectOf(bad).center().toPoint());
    QCOMPARE(picked.size(), std::size_t{1});
    QVERIFY(charts::cellSentence(view.data(), bad).startsWith("BN = 256, BM = 256: illegal. "));
    QVERIFY(charts::cellSentence(view.data(), test::spotOf(view.data(), 64, 128))
                .contains("predicted (28,000 to 33,000)"));
    QVERIFY(charts::cellSentence(view.data(), test::spotOf(view.data(), 128, 64))
                .contains("not measured"));
  }

  // Rows and columns in which no tile is legal take no room, and the map says that they exist.
  void whatNeverIsLegalIsLeftOut() {
    TileMapView view;
    const auto whole = test::tileMaps();
    view.setMaps(whole, test::mappedRung().standardTile(), {4096, 4096, 4096});
    QVERIFY(test::shown(view, {900, 420}));
    const tuning::TileMap full = whole.front().map, shown = view.data().sweeps.front().map;
    const auto legal = [&](const tuning::TileMap& map, std::size_t column, std::size_t row) {
      return map.at(column, row).kind != TileCell::Kind::Illegal;
    };
    std::size_t before = 0, after = 0;
    for (std::size_t row = 0; row < full.rows(); ++row)
      for (std::size_t column = 0; column < full.columns(); ++column)
        before += legal(full, column, row) ? 1 : 0;
    for (std::size_t row = 0; row < shown.rows(); ++row) {
      std::size_t here = 0;
      for (std::size_t column = 0; column < shown.columns(); ++column)
        here += legal(shown, column, row) ? 1 : 0;
      QVERIFY(here > 0);
      after += here;
    }
    QCOMPARE(after, before);  // no legal tile is lost
    QVERIFY(shown.columns() < full.columns());
    QCOMPARE(shown.columns() + view.data().leftOut.x.size(), full.columns());
    QCOMPARE(shown.rows() + view.data().leftOut.y.size(), full.rows());
    QVERIFY2(view.footText().contains("no tile with BM 8, 16 or 32 or BN 8, 16 or 32 is legal"),
             qPrintable(view.footText()));
    // A device with other limits: what is legal on either stays on both.
    auto two = test::tileMaps();
    two.push_back(two.front());
    for (std::size_t i = 0; i < two[1].map.cells.size(); ++i)
      two[1].map.cells[i].kind = i == 0 ? TileCell::Kind::Unknown : TileCell::Kind::Illegal;
    view.setMaps(two, test::mappedRung().standardTile(), {4096, 4096, 4096});
    QCOMPARE(view.data().sweeps[0].map.columns(), shown.columns() + 1);
    QCOMPARE(view.data().sweeps[0].map.valuesX.front(), full.valuesX.front());
    QCOMPARE(view.data().sweeps[1].map.valuesX, view.data().sweeps[0].map.valuesX);
    // A map without any legal tile stays as it is: it says which rules they break.
    auto none = test::tileMaps();
    for (TileCell& cell : none[0].map.cells) cell.kind = TileCell::Kind::Illegal;
    view.setMaps(none, test::mappedRung().standardTile(), {4096, 4096, 4096});
    QCOMPARE(view.data().sweeps[0].map.columns(), full.columns());
  }

  // With the best other parameters, the framed cell's figure may be another tile's, and it says so.
  void theFramedCellSaysWhoseFigureItHas() {
    TileMapView view;
    auto data = test::tileMaps();
    TileMapData& sweep = data.front();
    const TileShape own = test::mappedRung().standardTile();
    sweep.map.others = tuning::Others::Best;
    view.setMaps(data, own, {4096, 4096, 4096});
    QVERIFY(test::shown(view, {1200, 600}));
    auto present = test::spotOf(view.data(), 128, 128);
    QVERIFY(charts::cellWords(view.data(), present, charts::SpeedUnit::Giga)
                .contains("tile in the window"));
    // Another one with its BM and BN is faster.
    const auto at = std::ranges::find_if(sweep.map.cells, [&](const tuning::TileCell& cell) {
      return cell.figure && sweep.figures[*cell.figure].tile == own;
    });
    QVERIFY(at != sweep.map.cells.end());
    tuning::TileFigure other = sweep.figures[*at->figure];
    other.tile[Parameter::BK] = 2 * own[Parameter::BK];
    other.gflops = {41000, 40900, 41100};
    at->tile = other.tile;
    at->figure = sweep.figures.size();
    sweep.figures.push_back(other);
    view.setMaps(data, own, {4096, 4096, 4096});
    present = test::spotOf(view.data(), 128, 128);
    QVERIFY2(
        charts::cellWords(view.data(), present, charts::SpeedUnit::Giga)
            .last()
            .startsWith("window's tile: "),
        qPrintable(charts::cellWords(view.data(), present, charts::SpeedUnit::Giga).join(", ")));
    QVERIFY(
        charts::cellSentence(view.data(), present).contains("This is not the tile in the window"));
    QStringList words;
    for (const auto& word : view.legend().words) words += word.text;
    const QString legend = words.join("; ");
    QVERIFY2(legend.contains("best in the cell of the window's tile"), qPrintable(legend));
    QVERIFY2(legend.contains("that tile itself: "), qPrintable(legend));
  }

  // How many tiles were measured, and what the best of them gains.
  void theBestIsComparedWithTheDefault() {
    TileMapView view;
    auto data = test::tileMaps();
    view.setMaps(data, test::mappedRung().standardTile(), {4096, 4096, 4096});
    const QString best = charts::bestSentence(view.data(), 0);
    QVERIFY2(best.contains("measured tiles reaches") && best.contains("TFLOP/s, ") &&
                 best.contains("% over the default tile: BM="),
             qPrintable(best));
    QVERIFY(view.footText().contains(best));
  }

  // The present tile's frame and the fastest tile's corner are explained, on the cells or beside.
  void marksAreExplained() {
    TileMapView view;
    auto data = test::tileMaps();
    data.front().cublas = 50000;
    view.setMaps(data, test::mappedRung().standardTile(), {4096, 4096, 4096});
    QVERIFY(test::shown(view, {1200, 600}));
    const auto fast = test::spotOf(view.data(), 256, 128),
               present = test::spotOf(view.data(), 128, 128);
    QVERIFY(view.data().isFastest(fast) && !view.data().isFastest(present));
    QVERIFY(view.data().isPresent(present) && !view.data().isPresent(fast));
    QCOMPARE(charts::cellWords(view.data(), fast, charts::SpeedUnit::Giga),
             (QStringList{"80.0 % of cuBLAS", "fastest here"}));
    QCOMPARE(charts::cellWords(view.data(), present, charts::SpeedUnit::Giga),
             (QStringList{"76.0 % of cuBLAS", "tile in the window"}));
    QVERIFY(!view.data().isFastest(test::spotOf(view.data(), 64, 128)));  // predicted
    QStringList words;
    for (const auto& word : view.legend().words) words += word.text;
    QVERIFY(words.contains("fastest measured in this map"));
    QVERIFY(words.contains("tile in the window"));
  }

  void keysWalkTheCells() {
    TileMapView view;
    view.setMaps(test::tileMaps(), test::mappedRung().standardTile(), {4096, 4096, 4096});
    QVERIFY(test::shown(view, {700, 360}));
    view.setFocus();
    std::vector<TileShape> picked;
    connect(&view, &TileMapView::picked, &view, [&](const TileShape& t) { picked.push_back(t); });
    const auto& map = view.data().sweeps[0].map;
    QTest::keyClick(&view, Qt::Key_Up);  // from the present tile to the next larger BM
    QTest::keyClick(&view, Qt::Key_Down);
    QTest::keyClick(&view, Qt::Key_Return);
    QCOMPARE(picked.size(), std::size_t{1});
    QVERIFY(picked[0] == test::mappedRung().standardTile());
    QVERIFY(view.accessibleName().contains("38,000 GFLOP/s"));
    for (std::size_t i = 0; i < map.columns() + 3; ++i) QTest::keyClick(&view, Qt::Key_Right);
    QVERIFY(view.accessibleName().contains(QString("BN=%1").arg(map.valuesX.back())) ||
            view.accessibleName().contains(QString("BN = %1").arg(map.valuesX.back())));
    for (std::size_t i = 0; i < map.columns() + 3; ++i) QTest::keyClick(&view, Qt::Key_Left);
    QVERIFY(view.accessibleName().contains(QString("BN=%1").arg(map.valuesX.front())));
  }

  void nothingToShow() {
    TileMapView view;
    view.setMaps({}, test::mappedRung().standardTile(), {4096, 4096, 4096});
    QVERIFY(test::shown(view, {300, 200}));
    test::clickAt(view, {150, 100});
    QTest::keyClick(&view, Qt::Key_Right);
    QVERIFY(!view.spotAt({150, 100}));
  }

  void linesByMouseAndKeys() {
    auto known = test::tileFigures();
    known.pop_back();
    TileLinesView view;
    view.setFigures(test::mappedRung(), known, test::mappedRung().standardTile());
    QVERIFY(test::shown(view, {600, 300}));
    // Only BN differs: one axis, and the text has the rest.
    QCOMPARE(view.lines().axes().size(), std::size_t{1});
    known[1].tile = known[1].tile.with(Parameter::BK, 8);
    view.setFigures(test::mappedRung(), known, test::mappedRung().standardTile());
    QCOMPARE(view.lines().axes().size(), std::size_t{2});
    std::vector<TileShape> picked;
    connect(&view, &TileLinesView::picked, &view, [&](const TileShape& t) { picked.push_back(t); });
    for (std::size_t i = 0; i < 2; ++i) {
      const QPointF a = view.lines().at(i, 0), b = view.lines().at(i, 1);
      test::clickAt(view, (a + 0.2 * (b - a)).toPoint());
      QCOMPARE(picked.size(), i + 1);
      QVERIFY(picked[i] == known[i].tile);
    }
    view.setFocus();
    QTest::keyClick(&view, Qt::Key_Home);
    QTest::keyClick(&view, Qt::Key_Down);
    QTest::keyClick(&view, Qt::Key_Return);
    QCOMPARE(picked.size(), std::size_t{3});
    QVERIFY(picked[2] == known[1].tile);
    QVERIFY(view.accessibleName().startsWith("rank 2 of 2"));
    QVERIFY(view.accessibleName().contains("95.0 %"));
  }

  void theListSortsByNumbers() {
    TileListModel model;
    model.setFigures(test::mappedRung(), test::tileFigures());
    QCOMPARE(model.rowCount(), 3);
    const auto text = [&](int row, TileListModel::Column column) {
      return model.index(row, column).data(Qt::DisplayRole).toString();
    };
    QCOMPARE(text(0, TileListModel::Speed), QString("40,000"));
    QCOMPARE(text(1, TileListModel::Share), QString("95.0"));
    QCOMPARE(text(1, TileListModel::Origin), QString("recorded"));
    QCOMPARE(text(2, TileListModel::Registers), QString("–"));
    QVERIFY(model.index(0, TileListModel::Speed).data(TileListModel::kSortRole).toDouble() >
            model.index(1, TileListModel::Speed).data(TileListModel::kSortRole).toDouble());
    for (int c = 0; c < TileListModel::kColumns; ++c)
      QVERIFY(!model.headerData(c, Qt::Horizontal, Qt::DisplayRole).toString().isEmpty());
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::TileMapViewTest, Widgets)
#include "tile_map_view_test.moc"
