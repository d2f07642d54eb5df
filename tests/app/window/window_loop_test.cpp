// SPDX-License-Identifier: GPL-3.0-or-later
// The page Rewritten loop in the window: its key, its text for other rungs, its boxes and rows, and
// that a session keeps the choice.
#include <QCheckBox>
#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>
#include <algorithm>

#include "app/session/loop_version.h"
#include "kernels/runs/recordings.h"
#include "tests/app/open_window.h"
#include "tests/support/test_class.h"
#include "viz/code/loop/loop_view.h"
#include "viz/code/loop/loop_words.h"

namespace tileloom {

using test::kPatience;
using test::OpenWindow;

class WindowLoopTest : public QObject {
  Q_OBJECT

  static bool comes(LoopView& view) {
    return QTest::qWaitFor([&view] { return view.data().ready(); }, kPatience);
  }

 private slots:
  void theLoopOfTheWindow() {
    OpenWindow w;
    QVERIFY(w.ready());
    w.window.showPage("loop");
    QCOMPARE(w.window.currentPage(), std::string_view("loop"));
    LoopView& view = *w.window.view<LoopView>();
    QVERIFY(!view.data().ready());
    QVERIFY2(view.data().note.contains("rung 16"), qPrintable(view.data().note));
    auto* loads = w.window.findChild<QCheckBox*>("loopLoads");
    QVERIFY(loads != nullptr && !loads->isVisible());

    w.explorer().setStage(test::stage("rewritten"));
    QVERIFY(comes(view));
    QVERIFY(view.data().possible() && view.data().times);
    QVERIFY(loads->isVisible() && loads->isChecked());
    QCOMPARE(view.data().version, rewrite::Version());
    QCOMPARE(w.window.session().loop, rewrite::Version());
    // All recorded versions with these lanes are shown, and those with other lanes as soon as they
    // are recorded.
    for (const LoopRow& row : view.rows()) {
      std::optional<rewrite::Changes> changes;
      if (row.version) changes = row.version->changes;
      const runs::Interval* known = view.data().times->of(changes, row.otherLanes);
      QVERIFY(known != nullptr || row.otherLanes);
      QCOMPARE(row.measured.has_value(), known != nullptr);
      QVERIFY(known == nullptr || row.measured == known->median);
    }

    // The waits of its warps are recorded for the loop that runs, and predicted for every version.
    const auto sampled = [&view] {
      return std::ranges::any_of(view.waits(),
                                 [](const LoopWait& each) { return each.sampled.has_value(); });
    };
    QVERIFY(sampled());
    QVERIFY(waitsOrigin(view.data()).contains("recorded"));

    // A box, and a row.
    loads->click();
    QCOMPARE(view.data().version, (rewrite::Version{{.loads = false}, false}));
    QVERIFY(!view.waits().empty() && !sampled());
    QCOMPARE(versionWords(w.window.session().loop), "loads");
    test::clickAt(view, view.geometry().costs.rows[4].room.center());
    QCOMPARE(view.data().version, (rewrite::Version{{}, true}));
    QVERIFY(w.window.findChild<QCheckBox*>("loopPairs")->isChecked() && loads->isChecked());

    // A session brings it back.
    Session kept = w.window.session();
    QCOMPARE(versionWords(kept.loop), "pairs");
    kept.loop = {{.order = false, .barrier = false}, false};
    w.window.restore(kept);
    QCOMPARE(view.data().version, (rewrite::Version{{.order = false, .barrier = false}, false}));

    // Another rung, and another tile without a recording.
    w.explorer().setStage(test::stage("tuned"));
    QTRY_VERIFY(!view.data().ready());
  }

  // Both iterations, all rows and the legend are visible at once, whether the page was chosen or
  // restored by a session.
  void nothingHasToBeScrolled_data() {
    QTest::addColumn<QSize>("size");
    QTest::newRow("1280x720") << QSize(1280, 720);
    QTest::newRow("1920x1080") << QSize(1920, 1080);
  }
  void nothingHasToBeScrolled() {
    QFETCH(QSize, size);
    OpenWindow w(size);
    QVERIFY(w.ready());
    w.explorer().setStage(test::stage("rewritten"));
    LoopView& view = *w.window.view<LoopView>();
    const auto* area = w.window.page("loop")->widget()->findChild<const QScrollArea*>();
    QVERIFY(area != nullptr);
    const auto seen = [&] {
      return area->verticalScrollBar()->maximum() == 0 &&
             area->horizontalScrollBar()->maximum() == 0 &&
             view.geometry().costs.heading.left() > view.geometry().joins.right();
    };
    const Session kept = [&] {
      Session session = w.window.session();
      session.tab = "loop";
      session.lower = kUsualLower;
      return session;
    }();
    QTest::keyClick(w.window.view<LoomView>(), Qt::Key_A, Qt::ShiftModifier);
    QCOMPARE(w.window.currentPage(), std::string_view("loop"));
    QVERIFY(comes(view));
    QTRY_VERIFY(seen());
    // A high window also has room for the waits of the warps.
    QCOMPARE(view.geometry().waits.rows.empty(), size.height() < 1000);
    for (const rewrite::Version& version :
         {rewrite::Version{{.order = false, .loads = false}, false},
          rewrite::Version{{.order = false, .loads = false, .barrier = false}, true}}) {
      Session chosen = w.window.session();
      chosen.loop = version;
      w.window.restore(chosen);
      QCOMPARE(view.rows().size(), std::size_t{8});
      QTRY_VERIFY(seen());
    }
    // A session keeps the height of the pages below the loom. The usual one is a row too low for
    // this page in the smallest window, which then scrolls.
    w.window.restore(kept);
    if (size.height() > 720) QTRY_VERIFY(seen());
  }

  // The figures beside the tile parameters say that the loop of this tile is rewritten. Every
  // recorded tile is; kernel_knowledge_test has the words for one that is not.
  void theFiguresSayWhatBecameOfTheLoop() {
    OpenWindow w({1280, 720});
    QVERIFY(w.ready());
    auto* line = w.window.findChild<QLabel*>("mainLoop");
    QVERIFY(line != nullptr && !line->isVisible());
    const Stage& stage = test::stage("rewritten");
    const auto shows = [&](const runs::RunRecord& run, const QString& text) {
      w.explorer().setStage(stage);
      w.explorer().setProblem(run.problem);
      w.explorer().setTile(run.tile);
      return QTest::qWaitFor([&] { return line->text() == text; }) && line->isVisible() &&
             !line->toolTip().isEmpty();
    };
    const auto all = runs::recordings();
    const auto recorded = std::ranges::find(all, stage.id, &runs::RunRecord::stage);
    QVERIFY(recorded != all.end() && recorded->rewritten);
    QVERIFY(shows(*recorded, "main loop rewritten"));
    w.explorer().setStage(test::stage("tuned"));
    QTRY_VERIFY(!line->isVisible());
  }

  void versionsInWords() {
    for (const bool order : {false, true})
      for (const bool loads : {false, true})
        for (const bool barrier : {false, true})
          for (const bool pairs : {false, true}) {
            const rewrite::Version version{{order, loads, barrier}, pairs};
            QVERIFY(parseVersion(versionWords(version)) == version);
          }
    QCOMPARE(versionWords({}), "");
    QCOMPARE(versionWords({{.order = false, .barrier = false}, true}), "order,barrier,pairs");
    QCOMPARE(parseVersion("loads,what").error(),
             "\"what\" is not a change: choose from order, loads, barrier and pairs");
    QVERIFY(!parseVersion("loads,,order"));
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::WindowLoopTest, Window)
#include "window_loop_test.moc"
