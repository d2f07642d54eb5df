// SPDX-License-Identifier: GPL-3.0-or-later
// The tuning map and the lines, by mouse and by keys.
#include "viz/charts/tiles/tile_map_view.h"

#include <QSignalSpy>
#include <QtTest>

#include "kernels/tile/parameters.h"
#include "tests/support/pointer.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"
#include "viz/charts/tiles/tile_lines_view.h"
#include "viz/charts/tiles/tile_list_model.h"

namespace tileloom {

using tuning::TileCell;
using tuning::TileFigure;

class TileMapViewTest : public QObject {
  Q_OBJECT

  static const Stage& rung() { return test::stage("warptiled"); }
  static std::vector<TileFigure> figures() {
    const TileShape t = rung().standardTile();
    return {{t.with(Parameter::BN, 256), {40000, 39900, 40100}, TileFigure::Kind::Live, 165, 3},
            {t, {38000, 37900, 38100}, TileFigure::Kind::Recorded, 165, 3},
            {t.with(Parameter::BN, 64), {30000, 28000, 33000}, TileFigure::Kind::Predicted, -1, 0}};
  }
  static std::vector<TileMapData> maps() {
    const auto known = figures();
    const std::span<const TileFigure> sweeps[] = {known};
    const auto values = tuning::mapValues(rung(), rung().standardTile(), Parameter::BN,
                                          Parameter::BM, tuning::Others::AsNow, sweeps);
    const auto map = tuning::tileMap(rung(), rung().standardTile(), values, tuning::Others::AsNow,
                                     known, defaultArchitecture());
    return {{map, figures(), "H100"}};
  }
  // The spot of these values.
  static TileMapView::Spot spot(const TileMapView& view, int x, int y) {
    const tuning::TileMap& map = view.maps().front().map;
    const auto place = [](const std::vector<int>& values, int value) {
      return static_cast<std::size_t>(std::ranges::find(values, value) - values.begin());
    };
    return {0, place(map.valuesX, x), place(map.valuesY, y)};
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

  void aClickTakesTheTile() {
    TileMapView view;
    view.setMaps(maps(), rung().standardTile(), {4096, 4096, 4096});
    QVERIFY(test::shown(view, {700, 360}));
    std::vector<TileShape> picked;
    connect(&view, &TileMapView::picked, &view, [&](const TileShape& t) { picked.push_back(t); });
    const auto good = spot(view, 256, 128);
    test::clickAt(view, view.rectOf(good).center().toPoint());
    QCOMPARE(picked.size(), std::size_t{1});
    QVERIFY(picked[0] == figures()[0].tile);
    QVERIFY(view.sentenceOf(good).contains("40,000 GFLOP/s"));
    QVERIFY(view.sentenceOf(good).contains("live"));
    // An illegal one names the rule, and a click does not use it.
    const auto bad = spot(view, 256, 256);
    QVERIFY(view.maps()[0].map.at(bad.column, bad.row).kind == TileCell::Kind::Illegal);
    test::clickAt(view, view.rectOf(bad).center().toPoint());
    QCOMPARE(picked.size(), std::size_t{1});
    QVERIFY(view.sentenceOf(bad).startsWith("BN = 256, BM = 256: illegal. "));
    QVERIFY(view.sentenceOf(spot(view, 64, 128)).contains("predicted (28,000 to 33,000)"));
    QVERIFY(view.sentenceOf(spot(view, 128, 64)).contains("not measured"));
  }

  // Rows and columns in which no tile is legal take no room, and the map says that they exist.
  void whatNeverIsLegalIsLeftOut() {
    TileMapView view;
    const auto whole = maps();
    view.setMaps(whole, rung().standardTile(), {4096, 4096, 4096});
    QVERIFY(test::shown(view, {900, 420}));
    const tuning::TileMap full = whole.front().map, shown = view.maps().front().map;
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
    QCOMPARE(shown.columns() + view.leftOut().x.size(), full.columns());
    QCOMPARE(shown.rows() + view.leftOut().y.size(), full.rows());
    QVERIFY2(view.footText().contains("no tile with BM 8, 16 or 32 or BN 8, 16 or 32 is legal"),
             qPrintable(view.footText()));
    // A device with other limits: what is legal on either stays on both.
    auto two = maps();
    two.push_back(two.front());
    for (std::size_t i = 0; i < two[1].map.cells.size(); ++i)
      two[1].map.cells[i].kind = i == 0 ? TileCell::Kind::Unknown : TileCell::Kind::Illegal;
    view.setMaps(two, rung().standardTile(), {4096, 4096, 4096});
    QCOMPARE(view.maps()[0].map.columns(), shown.columns() + 1);
    QCOMPARE(view.maps()[0].map.valuesX.front(), full.valuesX.front());
    QCOMPARE(view.maps()[1].map.valuesX, view.maps()[0].map.valuesX);
    // A map without any legal tile stays as it is: it says which rules they break.
    auto none = maps();
    for (TileCell& cell : none[0].map.cells) cell.kind = TileCell::Kind::Illegal;
    view.setMaps(none, rung().standardTile(), {4096, 4096, 4096});
    QCOMPARE(view.maps()[0].map.columns(), full.columns());
  }

  // With the best other parameters, the framed cell's figure may be another tile's, and it says so.
  void theFramedCellSaysWhoseFigureItHas() {
    TileMapView view;
    auto data = maps();
    TileMapData& sweep = data.front();
    const TileShape own = rung().standardTile();
    sweep.map.others = tuning::Others::Best;
    view.setMaps(data, own, {4096, 4096, 4096});
    QVERIFY(test::shown(view, {1200, 600}));
    auto present = spot(view, 128, 128);
    QVERIFY(view.wordsOf(present).contains("tile in the window"));
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
    present = spot(view, 128, 128);
    QVERIFY2(view.wordsOf(present).last().startsWith("window's tile: "),
             qPrintable(view.wordsOf(present).join(", ")));
    QVERIFY(view.sentenceOf(present).contains("This is not the tile in the window"));
    QStringList words;
    for (const auto& word : view.legend().words) words += word.text;
    const QString legend = words.join("; ");
    QVERIFY2(legend.contains("best in the cell of the window's tile"), qPrintable(legend));
    QVERIFY2(legend.contains("that tile itself: "), qPrintable(legend));
  }

  // How many tiles were measured, and what the best of them gains.
  void theBestIsComparedWithTheDefault() {
    TileMapView view;
    auto data = maps();
    view.setMaps(data, rung().standardTile(), {4096, 4096, 4096});
    const QString best = view.bestSentence(0);
    QVERIFY2(best.contains("measured tiles reaches") && best.contains("TFLOP/s, ") &&
                 best.contains("% over the default tile: BM="),
             qPrintable(best));
    QVERIFY(view.footText().contains(best));
  }

  // The present tile's frame and the fastest tile's corner are explained, on the cells or beside.
  void marksAreExplained() {
    TileMapView view;
    auto data = maps();
    data.front().cublas = 50000;
    view.setMaps(data, rung().standardTile(), {4096, 4096, 4096});
    QVERIFY(test::shown(view, {1200, 600}));
    const auto fast = spot(view, 256, 128), present = spot(view, 128, 128);
    QVERIFY(view.isFastest(fast) && !view.isFastest(present));
    QVERIFY(view.isPresent(present) && !view.isPresent(fast));
    QCOMPARE(view.wordsOf(fast), (QStringList{"80.0 % of cuBLAS", "fastest here"}));
    QCOMPARE(view.wordsOf(present), (QStringList{"76.0 % of cuBLAS", "tile in the window"}));
    QVERIFY(!view.isFastest(spot(view, 64, 128)));  // predicted
    QStringList words;
    for (const auto& word : view.legend().words) words += word.text;
    QVERIFY(words.contains("fastest measured in this map"));
    QVERIFY(words.contains("tile in the window"));
  }

  void keysWalkTheCells() {
    TileMapView view;
    view.setMaps(maps(), rung().standardTile(), {4096, 4096, 4096});
    QVERIFY(test::shown(view, {700, 360}));
    view.setFocus();
    std::vector<TileShape> picked;
    connect(&view, &TileMapView::picked, &view, [&](const TileShape& t) { picked.push_back(t); });
    const auto& map = view.maps()[0].map;
    QTest::keyClick(&view, Qt::Key_Up);  // from the present tile to the next larger BM
    QTest::keyClick(&view, Qt::Key_Down);
    QTest::keyClick(&view, Qt::Key_Return);
    QCOMPARE(picked.size(), std::size_t{1});
    QVERIFY(picked[0] == rung().standardTile());
    QVERIFY(view.accessibleName().contains("38,000 GFLOP/s"));
    for (std::size_t i = 0; i < map.columns() + 3; ++i) QTest::keyClick(&view, Qt::Key_Right);
    QVERIFY(view.accessibleName().contains(QString("BN=%1").arg(map.valuesX.back())) ||
            view.accessibleName().contains(QString("BN = %1").arg(map.valuesX.back())));
    for (std::size_t i = 0; i < map.columns() + 3; ++i) QTest::keyClick(&view, Qt::Key_Left);
    QVERIFY(view.accessibleName().contains(QString("BN=%1").arg(map.valuesX.front())));
  }

  void nothingToShow() {
    TileMapView view;
    view.setMaps({}, rung().standardTile(), {4096, 4096, 4096});
    QVERIFY(test::shown(view, {300, 200}));
    test::clickAt(view, {150, 100});
    QTest::keyClick(&view, Qt::Key_Right);
    QVERIFY(!view.spotAt({150, 100}));
  }

  void linesByMouseAndKeys() {
    auto known = figures();
    known.pop_back();
    TileLinesView view;
    view.setFigures(rung(), known, rung().standardTile());
    QVERIFY(test::shown(view, {600, 300}));
    // Only BN differs: one axis, and the text has the rest.
    QCOMPARE(view.lines().axes().size(), std::size_t{1});
    known[1].tile = known[1].tile.with(Parameter::BK, 8);
    view.setFigures(rung(), known, rung().standardTile());
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
    model.setFigures(rung(), figures());
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
