// SPDX-License-Identifier: GPL-3.0-or-later
// The tuning tab and the prediction in the window, from recorded runs alone.
#include <QComboBox>
#include <QTabWidget>
#include <QTableView>
#include <QtTest>

#include "app/tuning_page.h"
#include "tests/app/open_window.h"
#include "tests/support/pointer.h"
#include "tests/support/text.h"
#include "viz/charts/history_charts.h"
#include "viz/charts/tile_lines_view.h"
#include "viz/charts/tile_list_model.h"
#include "viz/charts/tile_map_view.h"

namespace tileloom {

class WindowTuningTest : public QObject {
  Q_OBJECT

  static constexpr int kPatience = 60000;

  // Set TILELOOM_PICTURES to a folder to look at what the tests see.
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
  static void goTo(MainWindow& window, LowerTab tab) {
    window.lowerTabs()->setCurrentIndex(static_cast<int>(tab));
  }

 private slots:
  void aPredictionStandsBesideTheRecordedSpeed() {
    const auto window = open();
    QTRY_VERIFY_WITH_TIMEOUT(window->lab().forecast().has_value(), kPatience);
    const Forecast f = *window->lab().forecast();
    QVERIFY(f.low < f.gflops && f.gflops < f.high);
    QVERIFY(f.low < 38138 && f.high > 38138);  // what was recorded of the default warp tile
    QVERIFY2(f.limit.startsWith("instruction issue, "), qPrintable(f.limit));
    // It moves with the knob.
    window->explorer().setTile(window->explorer().tile().with(Knob::BK, 8));
    QTRY_VERIFY_WITH_TIMEOUT(window->lab().forecast() && !(*window->lab().forecast() == f),
                             kPatience);
    // An architecture without constants has none: nothing is drawn from another's.
    const auto& point = window->lab().history().back();
    QVERIFY(point.forecast.has_value() && point.gflops.known());
  }

  void theMapIsThatOfTheRung() {
    const auto window = open();
    goTo(*window, LowerTab::Tuning);
    TuningPage* page = window->tuning();
    QTRY_VERIFY_WITH_TIMEOUT(!page->map()->maps().empty(), kPatience);
    const auto& first = page->map()->maps().front();
    QVERIFY(first.map.stage == &window->explorer().stage());
    QVERIFY(first.figures.size() > 1000);
    picture(*window, "tuning-map");
    // A cell that is legal and not the present tile; taking it makes the maps anew.
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
    QTRY_VERIFY_WITH_TIMEOUT(page->map()->maps().front().map.stage == &test::stage("tuned"),
                             kPatience);
    page->setKnobs(Knob::WN, Knob::WM);
    page->setOthers(tuning::Others::Best);
    QVERIFY(page->map()->maps().front().map.x == Knob::WN);
    picture(*window, "tuning-best");
    page->setForm(TuningPage::Form::Lines);
    QVERIFY(page->lines()->lines().figures() > 600);
    picture(*window, "tuning-lines");
    page->setForm(TuningPage::Form::List);
    QVERIFY(page->list()->rowCount() > 600);
    picture(*window, "tuning-list");
    QTest::mouseClick(page->table()->viewport(), Qt::LeftButton, {},
                      page->table()->visualRect(page->table()->model()->index(0, 1)).center());
    QVERIFY(window->explorer().tile() == page->list()->figures().front().tile);
    // The smallest window still shows it.
    window->resize(1280, 720);
    page->setForm(TuningPage::Form::Map);
    picture(*window, "tuning-small");
  }

  void whatIsNotMeasuredIsPredicted() {
    const auto window = open();
    window->explorer().setProblem({3000, 3000, 3000});  // nobody measured this
    goTo(*window, LowerTab::Tuning);
    TuningPage* page = window->tuning();
    const auto predicted = [&] {
      int count = 0;
      if (page->map()->maps().empty()) return count;
      const auto& sweep = page->map()->maps().front();
      for (const auto& cell : sweep.map.cells) {
        if (cell.figure && sweep.figures[*cell.figure].kind == tuning::TileFigure::Kind::Predicted)
          ++count;
      }
      return count;
    };
    QTRY_VERIFY_WITH_TIMEOUT(predicted() > 5, kPatience);
    QTRY_VERIFY_WITH_TIMEOUT(page->settled(), kPatience);
    picture(*window, "tuning-predicted");
    // Both knobs alike is a swap, and a rung with one knob has no map.
    auto* x = page->findChild<QComboBox*>("tuningKnobX");
    auto* y = page->findChild<QComboBox*>("tuningKnobY");
    x->setCurrentIndex(y->currentIndex());
    QVERIFY(x->currentIndex() != y->currentIndex());
    window->explorer().setStage(test::stage("naive"));
    QVERIFY(page->map()->maps().empty());
  }
};

}  // namespace tileloom

QTEST_MAIN(tileloom::WindowTuningTest)
#include "window_tuning_test.moc"
