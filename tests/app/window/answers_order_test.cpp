// SPDX-License-Identifier: GPL-3.0-or-later
// Answers that arrive after the next question have the same effect as before it. Each case is a
// former defect; late_answers_test searches for others.
#include <QLabel>

#include "app/session/page_ids.h"
#include "app/window/quiet.h"
#include "kernels/tile/constraints.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/subject.h"
#include "tests/app/late_answers.h"
#include "tests/app/open_window.h"
#include "tests/support/test_class.h"
#include "viz/panels/layout_panel.h"

namespace tileloom {

using test::LateAnswers;
using test::OpenWindow;

class AnswersOrderTest : public QObject {
  Q_OBJECT

  static constexpr Problem kSize{4096, 4096, 4096};
  static constexpr int kStop = 2 * ParameterHistory::kPassingMs;  // ms; long enough for a point

  static Session sessionAt(const char* id, std::string_view tab = "path") {
    Session session;
    session.state.stage = &test::stage(id);
    session.state.tile = session.state.stage->standardTile();
    session.state.problem = kSize;
    session.tab = tab;
    return session;
  }
  static bool quiet(OpenWindow& w) { return waitUntilQuiet(w.window, test::kPatience); }

 private slots:
  // The charts show the prediction of a point although another one was requested at once.
  void aPointThatIsLeftAtOnceIsForetold() {
    OpenWindow w;
    QVERIFY(w.ready());
    const auto forecastOf = [&](const char* id) -> std::optional<Forecast> {
      for (const HistoryPoint& point : w.window.lab().history())
        if (point.rung() == &test::stage(id) && point.problem == kSize) return point.forecast;
      return std::nullopt;
    };
    w.window.restore(sessionAt("warptiled"));
    QVERIFY(quiet(w));
    const auto wanted = forecastOf("warptiled");
    QVERIFY(wanted.has_value());
    OpenWindow other;
    QVERIFY(other.ready());
    LateAnswers late;
    late.hold();
    other.window.restore(sessionAt("warptiled"));
    other.window.restore(sessionAt("vectorized"));
    late.end();
    QVERIFY(quiet(other));
    QVERIFY(!other.window.services().missed.busy());
    for (const HistoryPoint& point : other.window.lab().history())
      if (point.problem == kSize) QVERIFY(point.forecast.has_value());
    const HistoryPoint& left = other.window.lab().history().front();
    QVERIFY(left.rung() == &test::stage("warptiled") && left.forecast == wanted);
  }

  // From the former tile, although it had no answer yet.
  void theLastMoveIsFromThePointBefore() {
    OpenWindow w;
    QVERIFY(w.ready());
    w.window.restore(sessionAt("warptiled"));
    QVERIFY(quiet(w));
    const TileShape first = w.explorer().tile();
    LateAnswers late;
    late.hold();
    w.explorer().setTile(first.with(Parameter::BK, 8), Parameter::BK);
    QTest::qWait(kStop);
    w.explorer().setTile(first.with(Parameter::BK, 32), Parameter::BK);
    late.end();
    QVERIFY(quiet(w));
    const auto* title = w.window.findChild<QLabel*>(QStringLiteral("lastMove"));
    QCOMPARE(title->text(), QStringLiteral("The last move: BK 8 → 32"));
  }

  // The figures are those of the last legal tile, which may be recorded only afterwards.
  void anIllegalTileKeepsTheLastLegalOne() {
    OpenWindow w;
    QVERIFY(w.ready());
    w.window.restore(sessionAt("warptiled"));
    QVERIFY(quiet(w));
    const TileShape legal = w.explorer().tile().with(Parameter::BK, 8);
    const TileShape illegal = legal.with(Parameter::BK, 7);
    QVERIFY(isLegal(w.explorer().stage(), legal) && !isLegal(w.explorer().stage(), illegal));
    LateAnswers late;
    late.hold();
    w.explorer().setTile(legal, Parameter::BK);
    w.explorer().setTile(illegal, Parameter::BK);
    QVERIFY(w.scene().stale);
    late.end();
    QVERIFY(quiet(w));
    QVERIFY(w.scene().stale && w.scene().recording->trace.tile == legal);
    QVERIFY(w.window.lab().forecast().has_value());
    QVERIFY(w.window.lab().cliffs().empty());  // they are those of another tile
    const auto* derived = w.window.findChild<QLabel*>(QStringLiteral("derived"));
    QVERIFY2(derived->toolTip().contains("BK=8"), qPrintable(derived->toolTip()));
    w.explorer().setTile(legal, Parameter::BK);
    QVERIFY(quiet(w));
    QVERIFY(!w.scene().stale);
  }

  // The effect of a layout is computed for the next recording.
  void theLayoutPageAwaitsTheRecording() {
    OpenWindow w;
    QVERIFY(w.ready());
    w.window.restore(sessionAt("shared"));
    QVERIFY(quiet(w));
    w.explorer().setStage(test::stage("vectorized"));
    QVERIFY(quiet(w));
    w.explorer().setStage(test::stage("shared"));
    QVERIFY(quiet(w));
    const auto instant = w.scene().moment.index;
    const auto* panel = w.window.findChild<LayoutPanel*>();
    LateAnswers late;
    late.hold();
    w.explorer().setStage(test::stage("vectorized"));
    w.window.showPage("layout");
    QTest::qWait(50);
    QVERIFY(w.scene().recording->trace.rung() == &test::stage("shared"));
    QCOMPARE(w.scene().moment.index, instant);
    QVERIFY(panel->choice() == LayoutChoice{});
    late.end();
    QVERIFY(quiet(w));
    const LayoutChoice choiceOfLate = panel->choice();
    const auto instantOfLate = w.scene().moment.index;

    OpenWindow other;
    QVERIFY(other.ready());
    other.window.restore(sessionAt("shared"));
    other.explorer().setStage(test::stage("vectorized"));
    QVERIFY(quiet(other));
    other.window.showPage("layout");
    QVERIFY(quiet(other));
    QVERIFY(other.window.findChild<LayoutPanel*>()->choice() == choiceOfLate);
    QCOMPARE(other.scene().moment.index, instantOfLate);
  }

  // A thread of the tuner counts the legal tiles.
  void theTilesAreCountedBeforeAllIsQuiet() {
    OpenWindow w;
    QVERIFY(w.ready());
    w.window.restore(sessionAt("warptiled"));
    QVERIFY(quiet(w));
    LateAnswers late;
    late.hold();
    w.window.showPage("tuning");
    QVERIFY(!waitUntilQuiet(w.window, 200));
    late.end();
    QVERIFY(quiet(w) && !w.window.services().tuner.surveying());
    const auto survey =
        w.window.services().tuner.survey(w.explorer().stage(), w.window.lab().arch());
    QVERIFY(survey && survey->legal > 0 && survey->legal < survey->generated);
  }

  // A line above the loom comes with the recording of the baseline.
  void theLowerShareStays() {
    OpenWindow w;
    QVERIFY(w.ready());
    Session session = sessionAt("warptiled");
    session.lower = 44;
    session.state.pinned = standardSubject(test::stage("vectorized"));
    w.window.restore(session);
    QVERIFY(quiet(w));
    QVERIFY(w.explorer().baseline().ready());
    QCOMPARE(w.window.middle().lower(), 44);
    const int before = w.window.page(w.window.currentPage())->widget()->height();
    w.window.restore(session);  // with the line there already
    QVERIFY(quiet(w));
    QCOMPARE(w.window.page(w.window.currentPage())->widget()->height(), before);
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::AnswersOrderTest, Window)
#include "answers_order_test.moc"
