// SPDX-License-Identifier: GPL-3.0-or-later
// The tuning tab and the prediction in the window, from recorded runs alone.
#include <QComboBox>
#include <QTabWidget>
#include <QTableView>
#include <QtTest>

#include "app/pages/tuning/tuning_view.h"
#include "kernels/tile/parameters.h"
#include "kernels/tuning/space.h"
#include "tests/app/open_window.h"
#include "tests/support/pointer.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"
#include "viz/base/text/figure_text.h"
#include "viz/charts/history/history_charts.h"
#include "viz/charts/roofline/roofline_chart.h"
#include "viz/charts/tiles/tile_lines_view.h"
#include "viz/charts/tiles/tile_list_model.h"
#include "viz/charts/tiles/tile_map_view.h"

namespace tileloom {

using test::q;

class WindowTuningTest : public QObject {
  Q_OBJECT

  // Set TILELOOM_PICTURES to a folder to get the pictures of the tests.
  static void picture(QWidget& widget, const QString& name) {
    const QString folder = qEnvironmentVariable("TILELOOM_PICTURES");
    if (!folder.isEmpty()) widget.grab().save(folder + "/" + name + ".png");
  }
  static std::unique_ptr<MainWindow> open() {
    auto window = std::make_unique<MainWindow>(LabSetup{{}, {}, false});
    window->resize(1600, 1000);
    window->show();
    window->explorer().setProblem({4096, 4096, 4096});
    return window;
  }
  static void goTo(MainWindow& window, std::string_view page) { window.showPage(page); }

 private slots:
  void aPredictionStandsBesideTheRecordedSpeed() {
    const auto window = open();
    QTRY_VERIFY(window->lab().forecast().has_value());
    const Forecast f = *window->lab().forecast();
    QVERIFY(f.low < f.gflops && f.gflops < f.high);
    QVERIFY(f.low < 38138 && f.high > 38138);  // what was recorded of the default warp tile
    QVERIFY2(f.limit.startsWith("instruction issue, "), qPrintable(f.limit));
    // It moves with the tile parameter.
    window->explorer().setTile(window->explorer().tile().with(Parameter::BK, 8));
    QTRY_VERIFY(window->lab().forecast() && !(*window->lab().forecast() == f));
    // An architecture without constants has none: nothing is drawn from another's.
    const auto& point = window->lab().history().back();
    QVERIFY(point.forecast.has_value() && point.gflops.known());
  }

  void theMapIsThatOfTheRung() {
    const auto window = open();
    goTo(*window, "tuning");
    TuningView* page = window->view<TuningView>();
    QTRY_VERIFY(!page->map()->data().sweeps.empty());
    const auto& first = page->map()->data().sweeps.front();
    QVERIFY(first.map.stage == &window->explorer().stage());
    QVERIFY(first.figures.size() > 1000);
    picture(*window, "tuning-map");
    // A cell that is legal and not the present tile; using it draws the maps again.
    const TileShape before = window->explorer().tile();
    bool moved = false;
    for (std::size_t row = 0; !moved && row < first.map.rows(); ++row) {
      for (std::size_t column = 0; !moved && column < first.map.columns(); ++column) {
        const tuning::TileCell& cell = first.map.at(column, row);
        if (cell.kind != tuning::TileCell::Kind::Known || cell.tile == before) continue;
        const TileShape wanted = cell.tile;
        test::clickAt(*page->map(), page->map()->rectOf({0, column, row}).center().toPoint());
        QVERIFY(window->explorer().tile() == wanted);
        moved = true;
      }
    }
    QVERIFY(moved);
    window->explorer().setTile(before);
    window->explorer().setStage(test::stage("tuned"));
    QTRY_VERIFY(page->map()->data().sweeps.front().map.stage == &test::stage("tuned"));
    TuningChoice choice;
    choice.axes = MapAxes{Parameter::WM, Parameter::WN};
    choice.others = tuning::Others::Best;
    page->choose(choice);
    QVERIFY(page->map()->data().sweeps.front().map.x == Parameter::WN);
    picture(*window, "tuning-best");
    choice.form = TuningForm::Lines;
    page->choose(choice);
    QVERIFY(page->lines()->lines().figures() > 600);
    picture(*window, "tuning-lines");
    choice.form = TuningForm::List;
    page->choose(choice);
    QVERIFY(page->list()->rowCount() > 600);
    picture(*window, "tuning-list");
    QTest::mouseClick(page->table()->viewport(), Qt::LeftButton, {},
                      page->table()->visualRect(page->table()->model()->index(0, 1)).center());
    QVERIFY(window->explorer().tile() == page->list()->figures().front().tile);
    // The smallest window still shows it.
    window->resize(1280, 720);
    choice.form = TuningForm::Map;
    page->choose(choice);
    picture(*window, "tuning-small");
  }

  void whatIsNotMeasuredIsPredicted() {
    const auto window = open();
    window->explorer().setProblem({3000, 3000, 3000});  // not measured
    goTo(*window, "tuning");
    TuningView* page = window->view<TuningView>();
    const auto predicted = [&] {
      int count = 0;
      if (page->map()->data().sweeps.empty()) return count;
      const auto& sweep = page->map()->data().sweeps.front();
      for (const auto& cell : sweep.map.cells) {
        if (cell.figure && sweep.figures[*cell.figure].kind == tuning::TileFigure::Kind::Predicted)
          ++count;
      }
      return count;
    };
    QTRY_VERIFY(predicted() > 5);
    QTRY_VERIFY(page->settled());
    picture(*window, "tuning-predicted");
    // Both tile parameters alike is a swap, and a rung with one tile parameter has a list instead
    // of a map.
    auto* x = page->findChild<QComboBox*>("tuningKnobX");
    auto* y = page->findChild<QComboBox*>("tuningKnobY");
    x->setCurrentIndex(y->currentIndex());
    QVERIFY(x->currentIndex() != y->currentIndex());
    window->explorer().setStage(test::stage("naive"));
    QVERIFY(!page->map()->isVisible());
    QVERIFY(page->findChild<QTableView*>("tileList")->isVisible());
  }

  // One device beside the other, as a map and as a list; the choice survives a session and a rung
  // without it.
  void twoDevicesSideBySide() {
    const auto window = open();
    goTo(*window, "tuning");
    TuningView* page = window->view<TuningView>();
    auto* beside = page->findChild<QComboBox*>("tuningBeside");
    QVERIFY(beside->isVisible() && beside->count() == 2);
    QCOMPARE(page->map()->data().sweeps.size(), std::size_t{1});
    page->findChild<QComboBox*>("tuningOthers")->setCurrentIndex(1);
    beside->setCurrentIndex(beside->findText("H200"));
    const auto& maps = page->map()->data().sweeps;
    QCOMPARE(maps.size(), std::size_t{2});
    QCOMPARE(maps[1].title, QString("H200"));
    QVERIFY(maps[0].map.valuesX == maps[1].map.valuesX);
    QVERIFY(maps[0].map.valuesY == maps[1].map.valuesY);
    // The same tile is the fastest on both.
    QVERIFY(maps[0].figures.front().tile == maps[1].figures.front().tile);
    QVERIFY(page->source().contains("H100") && page->source().contains("H200"));
    picture(*window, "tuning-two");

    page->findChild<QComboBox*>("tuningForm")->setCurrentIndex(2);
    QVERIFY(!page->table()->isColumnHidden(TileListModel::Beside));
    const auto text = [page](int column) {
      return page->list()->index(0, column).data().toString();
    };
    QVERIFY2(text(TileListModel::Ratio).startsWith("9") || text(TileListModel::Ratio) == "100.0",
             qPrintable(text(TileListModel::Ratio)));
    picture(*window, "tuning-list-two");
    window->view<RooflineChart>()->setLevel(RooflineLevel::L2);
    const Session kept = window->session();
    QCOMPARE(q(kept.tuning.beside), QString("NVIDIA H200"));
    const QString line = window->commandLine();
    for (const char* part :
         {"--tab tuning", "--form list", "--others best", "--and-on \"NVIDIA H200\"", "--level l2"})
      QVERIFY2(line.contains(part), qPrintable(line));

    // This rung has no run on an H200; on the other device it returns.
    window->explorer().setStage(test::stage("autotuned"));
    window->explorer().setProblem({2048, 2048, 2048});
    QTRY_VERIFY(!beside->isVisible());
    QVERIFY(page->list()->rowCount() > 100);
    QVERIFY(page->table()->isColumnHidden(TileListModel::Ratio));
    // The choice is kept for a rung that has it; a picture of this one cannot show it.
    QCOMPARE(q(page->choice().beside), QString("NVIDIA H200"));
    QVERIFY2(!window->commandLine().contains("--and-on"), qPrintable(window->commandLine()));
    page->choose({});
    QVERIFY(!page->table()->isVisible());
    window->view<RooflineChart>()->setLevel(RooflineLevel::Dram);
    window->restore(kept);
    QTRY_COMPARE(page->list()->rowCount() > 1000, true);
    QVERIFY(!page->table()->isColumnHidden(TileListModel::Beside));
    QVERIFY(window->view<RooflineChart>()->level() == RooflineLevel::L2);
    QVERIFY(window->session().tuning == kept.tuning);
  }

  // A cell that was not measured leads to a tile near the present one.
  void anUnmeasuredCellKeepsTheParameters() {
    const auto window = open();
    goTo(*window, "tuning");
    TuningView* page = window->view<TuningView>();
    page->choose({.others = tuning::Others::Best});
    window->explorer().setTile(window->explorer().tile().with(Parameter::BK, 8));
    const TileShape present = window->explorer().tile();
    const Stage& stage = window->explorer().stage();
    const tuning::TileMap map = page->map()->data().sweeps.front().map;
    int tried = 0;
    for (std::size_t row = 0; row < map.rows() && tried < 3; ++row) {
      for (std::size_t column = 0; column < map.columns() && tried < 3; ++column) {
        const TileShape like =
            present.with(map.x, map.valuesX[column]).with(map.y, map.valuesY[row]);
        if (map.at(column, row).kind != tuning::TileCell::Kind::Unknown || isLegal(stage, like))
          continue;
        ++tried;
        const auto near = tuning::legalTileLike(stage, like, std::array{map.x, map.y});
        QVERIFY(near.has_value() && isLegal(stage, *near));
        test::clickAt(*page->map(), page->map()->rectOf({0, column, row}).center().toPoint());
        QVERIFY(window->explorer().tile() == *near);
        window->explorer().setTile(present);
      }
    }
    QCOMPARE(tried, 3);
  }

  // The whole list is exported, not only its visible part.
  void theListAsAPicture() {
    const auto window = open();
    goTo(*window, "tuning");
    window->view<TuningView>()->choose({.form = TuningForm::List});
    QTemporaryDir folder;
    const QString file = folder.filePath("list.svg");
    QCOMPARE(writeView(*window, "tuning", file, {}), QString());
    QFile made(file);
    QVERIFY(made.open(QIODevice::ReadOnly));
    const QString svg = QString::fromUtf8(made.readAll());
    QVERIFY(svg.contains("recorded on NVIDIA H100") && svg.contains("% of the fastest"));
    const auto& figures = window->view<TuningView>()->list()->figures();
    QVERIFY(svg.contains(figures::tileText(&window->explorer().stage(), figures.front().tile)));
    QVERIFY(svg.contains(" more\""));  // the words of outlined letters
    // A picture that is too narrow is an error.
    ViewExport narrow;
    narrow.size = {300, 400};
    QVERIFY(writeView(*window, "tuning", file, narrow).contains("nothing is cut off"));
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::WindowTuningTest, Widgets)
#include "window_tuning_test.moc"
