// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/measuring/parameter_history.h"

#include <QtTest>

#include "kernels/tile/subject.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom {

using test::stage;
using Whose = ParameterHistory::Whose;

constexpr Problem kSize{128, 128, 128};
constexpr int kAlwaysPassing = 60000, kNeverPassing = 0;

class ParameterHistoryTest : public QObject {
  Q_OBJECT

  static Subject place(const char* id) { return standardSubject(stage(id)); }
  static HistoryPoint point(const char* id, double gflops = 0,
                            Freshness freshness = Freshness::Recorded) {
    HistoryPoint p;
    p.subject() = standardSubject(stage(id));
    p.problem = kSize;
    p.freshness = freshness;
    p.gflops = {gflops, gflops, gflops};
    return p;
  }
  static QStringList stagesOf(const ParameterHistory& history) {
    QStringList ids;
    for (const HistoryPoint& p : history.points()) ids += test::q(p.rung()->id);
    return ids;
  }

 private slots:
  void noMoveYet() {
    ParameterHistory history;
    QVERIFY(history.points().empty() && history.present() == nullptr);
    QCOMPARE(history.current(), -1);
    QVERIFY(!history.forecast() && !history.foretell(place("naive"), Forecast{}));
    history.load({point("naive", 5), point("shared", 7)});
    QCOMPARE(history.current(), -1);
    QVERIFY(history.present() == nullptr);
  }

  void aMoveIsThePresentPoint() {
    ParameterHistory history(kNeverPassing);
    history.load({point("naive", 5)});
    HistoryPoint moved = point("shared");
    moved.measuring = true;
    history.move(moved);
    QCOMPARE(history.current(), 1);
    QVERIFY(*history.present() == moved);
    history.move(point("naive"));
    QCOMPARE(stagesOf(history), QStringList({"naive", "shared", "naive"}));
    QVERIFY(!history.points()[1].measuring);  // its measurement had not begun
  }

  void aStopInPassingGivesWay() {
    ParameterHistory history(kAlwaysPassing);
    history.load({point("naive", 5)});
    history.move(point("shared"));
    history.move(point("vectorized"));
    QCOMPARE(stagesOf(history), QStringList({"naive", "vectorized"}));
    QCOMPARE(history.current(), 1);
    // What was measured there stays.
    history.show(place("vectorized"), kSize, point("vectorized", 9), true, Whose::Any);
    history.move(point("shared"));
    QCOMPARE(stagesOf(history), QStringList({"naive", "vectorized", "shared"}));
  }

  // Steps of a lecture in quick succession, and the window that was open before.
  void whatIsAskedForStays_data() {
    QTest::addColumn<int>("passing");
    QTest::newRow("on a fast machine") << kAlwaysPassing;
    QTest::newRow("on a slow one") << kNeverPassing;
  }
  void whatIsAskedForStays() {
    QFETCH(const int, passing);
    ParameterHistory history(passing);
    history.move(point("vectorized"));
    history.move(point("naive"), ParameterHistory::Move::ByAsking);
    history.move(point("shared"), ParameterHistory::Move::ByAsking);
    history.move(point("vectorized"));
    QCOMPARE(stagesOf(history), QStringList({"naive", "shared", "vectorized"}));
  }
  void theOpeningPointStaysWhereItIsAskedFor() {
    ParameterHistory history(kAlwaysPassing);
    history.move(point("naive"));
    history.keepPresent();
    history.move(point("shared"), ParameterHistory::Move::ByAsking);
    QCOMPARE(stagesOf(history), QStringList({"naive", "shared"}));
  }

  void importedRunsStandBeforeThePresentPoint() {
    ParameterHistory history(kNeverPassing);
    history.move(point("shared"));
    history.insert(point("naive", 5));
    QCOMPARE(stagesOf(history), QStringList({"naive", "shared"}));
    QCOMPARE(history.current(), 1);
    QVERIFY(history.present()->rung() == &stage("shared"));
  }

  void aRunIsShownAtItsPoint() {
    ParameterHistory history(kNeverPassing);
    history.move(point("naive"));
    history.foretell(place("naive"), Forecast{100, 90, 110, {}});
    history.show(place("naive"), kSize, point("naive", 42), true, Whose::Any);
    QVERIFY(history.present()->measuring && history.present()->freshness == Freshness::Live);
    QCOMPARE(history.present()->gflops.median, 42.0);
    QVERIFY(history.forecast() && history.forecast()->gflops == 100);
    history.show(place("naive"), kSize, point("naive", 43), false, Whose::Any);
    QVERIFY(!history.present()->measuring);
    QVERIFY(history.latestLive(place("naive"), kSize) == history.present());
    // Another size or tile is another point.
    const HistoryPoint before = *history.present();
    history.show(place("naive"), {1, 2, 3}, point("naive", 1), false, Whose::Any);
    history.show(place("shared"), kSize, point("shared", 1), false, Whose::Any);
    QVERIFY(*history.present() == before);
    QVERIFY(history.latestLive(place("naive"), {1, 2, 3}) == nullptr);
  }

  void aBaselineChangesOnlyLivePoints() {
    ParameterHistory history(kNeverPassing);
    history.load({point("naive", 5), point("shared", 6, Freshness::Live)});
    for (const char* id : {"naive", "shared"}) {
      history.show(place(id), kSize, point(id, 50), false, Whose::LiveOnly);
      history.fail(place(id), kSize, "no", Whose::LiveOnly);
    }
    QVERIFY(history.points()[0] == point("naive", 5));
    QCOMPARE(history.points()[1].gflops.median, 50.0);
    QCOMPARE(history.points()[1].note, QString("no"));
  }

  void whatWentWrongIsNoted() {
    ParameterHistory history(kNeverPassing);
    history.move(point("naive"));
    history.setMeasuring(place("naive"), kSize, true);
    QVERIFY(history.present()->measuring);
    history.fail(place("naive"), kSize, "wrong result", Whose::Any);
    QVERIFY(!history.present()->measuring);
    QCOMPARE(history.present()->note, QString("wrong result"));
    history.clearNote(place("naive"), kSize);
    QVERIFY(history.present()->note.isEmpty());
  }

  // The oldest are forgotten, never the present one.
  void pointsAreBounded() {
    constexpr std::size_t kMost = ParameterHistory::kMost;
    ParameterHistory history(kNeverPassing);
    history.load(std::vector<HistoryPoint>(kMost + 10, point("naive", 5)));
    QCOMPARE(history.points().size(), kMost);
    for (std::size_t i = 0; i < 2 * kMost; ++i) {
      const HistoryPoint moved = point(i % 2 == 0 ? "shared" : "naive", double(i));
      history.move(moved);
      QVERIFY(history.points().size() <= kMost);
      QVERIFY(history.present() == &history.points().back());
      QCOMPARE(history.present()->gflops.median, double(i));
    }
    for (std::size_t i = 0; i < kMost; ++i) history.insert(point("naive", 1));
    QVERIFY(history.points().size() <= kMost);
    QCOMPARE(history.present()->gflops.median, double(2 * kMost - 1));
  }

  void aForecastIsOfThePresentTile() {
    ParameterHistory history(kNeverPassing);
    history.move(point("naive"));
    const Forecast forecast{100, 90, 110, {}};
    QVERIFY(!history.foretell(place("shared"), forecast));
    QVERIFY(history.foretell(place("naive"), forecast));
    QVERIFY(!history.foretell(place("naive"), forecast));  // nothing new
    QVERIFY(history.forecast() == forecast);
    QVERIFY(history.foretell(place("naive"), std::nullopt));
    QVERIFY(!history.forecast());
  }

  void theMoveIsFromAnotherPointOfThisSession() {
    ParameterHistory history(kNeverPassing);
    QVERIFY(history.left() == nullptr);
    history.load({point("vectorized", 5)});
    history.move(point("naive"), ParameterHistory::Move::ByAsking);
    QVERIFY(history.left() == nullptr);  // an earlier session's measurement is not a stop
    history.move(point("shared"), ParameterHistory::Move::ByAsking);
    QVERIFY(history.left()->rung() == &stage("naive"));
    history.move(point("shared"), ParameterHistory::Move::ByAsking);  // is not a stop
    QVERIFY(history.left()->rung() == &stage("naive"));
    history.insert(point("vectorized", 7));  // imported: is before the present point
    QVERIFY(history.left()->rung() == &stage("naive"));
    QVERIFY(history.present()->rung() == &stage("shared"));
    // A stop in passing is not a point.
    ParameterHistory fast(kAlwaysPassing);
    fast.move(point("naive"), ParameterHistory::Move::ByAsking);
    fast.move(point("shared"));
    fast.move(point("vectorized"));
    QVERIFY(fast.left()->rung() == &stage("naive"));
  }

  void aPointThatWasLeftIsForetold() {
    ParameterHistory history(kNeverPassing);
    history.move(point("naive"));
    QVERIFY(!history.foretold());
    history.foretell(place("naive"), std::nullopt);
    QVERIFY(history.foretold());  // the absence of a prediction is known, too
    history.move(point("shared"));
    QVERIFY(!history.foretold());
    history.foretell(0, Forecast{100, 90, 110, {}});
    QCOMPARE(history.points()[0].forecast->gflops, 100.0);
    QVERIFY(!history.points()[1].forecast && !history.foretold());
    history.foretell(7, Forecast{});  // there is no such point
  }

  // A machine that becomes known only after some moves changes the points without a measurement.
  void movesAreRevised() {
    ParameterHistory history(kNeverPassing);
    history.load({point("vectorized", 5)});
    history.move(point("naive", 3));
    history.foretell(place("naive"), Forecast{100, 90, 110, {}});
    history.move(point("shared", 7, Freshness::Live));
    history.move(point("warptiled", 9));
    history.fail(place("warptiled"), kSize, "it has failed", Whose::Any);
    history.revise([](const Subject& place, const Problem& problem) {
      HistoryPoint p;
      p.subject() = place;
      p.problem = problem;
      return p;
    });
    const auto& points = history.points();
    QVERIFY(points[0].gflops.known());  // of an earlier session
    QVERIFY(points[1].rung() == &stage("naive") && !points[1].gflops.known());
    QCOMPARE(points[1].forecast->gflops, 100.0);
    QVERIFY(points[2].gflops.known());
    QCOMPARE(points[3].note, QString("it has failed"));
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::ParameterHistoryTest, Nothing)
#include "parameter_history_test.moc"
