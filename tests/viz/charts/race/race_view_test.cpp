// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/charts/race/race_view.h"

#include <QSignalSpy>
#include <QtTest>
#include <set>

#include "tests/support/pointer.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom {

class RaceViewTest : public QObject {
  Q_OBJECT

  static std::vector<Racer> three() {
    Racer fast, slow, unknown, pacer;
    fast.subject() = slow.subject() = unknown.subject() = standardSubject(test::stage("warptiled"));
    fast.tile = slow.tile = unknown.tile = fast.rung()->standardTile();
    fast.grid = slow.grid = unknown.grid = {4, 4};
    fast.atOnce = slow.atOnce = 8;
    fast.gflops = 40;
    slow.gflops = 10;
    pacer.gflops = 80;
    return {fast, slow, unknown, pacer};
  }

 private slots:
  // The clock is that of the launches, and a racer that has its C says in which place and when.
  void theClockAndThePlacesAreSaid() {
    RaceView view;
    auto racers = three();
    racers[0].ratio = 0.5;
    for (Racer& r : racers) r.brief = "x";
    view.setRacers(racers);
    view.setWork(80e9);  // a second at 80 GFLOP/s
    view.setRunning(false);
    QVERIFY(test::shown(view, {1000, 420}));
    view.setSeconds(4);
    QCOMPARE(view.data().elapsed(), 1.0);
    QCOMPARE(view.wordsOf(3).back(), "1st in 1.00 s");
    QCOMPARE(view.wordsOf(0).back(), "2nd, 50 % of C");
    QVERIFY(view.wordsOf(0).contains("× 0.50 cuBLAS"));
    view.setSeconds(8);
    QCOMPARE(view.wordsOf(0).back(), "2nd in 2.00 s");
  }

  // On the track faster racers are to the right, and a click on a mark picks its racer.
  void theTrackShowsWhoIsAhead() {
    RaceView view;
    view.setRacers(three());
    view.setRunning(false);
    QVERIFY(test::shown(view, {1000, 420}));
    for (const double seconds : {1.0, 3.0, 11.0}) {
      view.setSeconds(seconds);
      QVERIFY(view.markOf(2).center().x() < view.markOf(1).center().x());
      QVERIFY(view.markOf(1).center().x() < view.markOf(0).center().x());
      QVERIFY(view.markOf(0).center().x() < view.markOf(3).center().x());
      for (int i = 0; i < 4; ++i) QVERIFY(view.rect().contains(view.markOf(i).toAlignedRect()));
    }
    QSignalSpy picked(&view, &RaceView::picked);
    test::clickAt(view, view.markOf(1).center());
    QCOMPARE(picked.takeFirst().front().toInt(), 1);
    view.resize(320, 150);  // no room: the matrices come first
    QVERIFY(view.markOf(0).isEmpty());
  }

  // Marks of equally fast kernels are beside each other, without overlap.
  void equalMarksStandBesideEachOther() {
    RaceView view;
    std::vector<Racer> all;
    for (int i = 0; i < 14; ++i) {
      Racer racer = three()[0];
      racer.brief = QStringLiteral("T%1").arg(i);
      racer.gflops = 780'000 + 3'000 * (i % 4);
      all.push_back(racer);
    }
    view.setRacers(all);
    view.setRunning(false);
    QVERIFY(test::shown(view, {1000, 420}));
    for (const double seconds : {0.0, 2.0, 4.0, 9.0}) {
      view.setSeconds(seconds);
      for (int i = 0; i < 14; ++i) {
        QVERIFY(QRectF(view.rect()).contains(view.markOf(i)));
        for (int k = 0; k < i; ++k) QVERIFY(!view.markOf(i).intersects(view.markOf(k)));
      }
    }
  }

  // Numbers below a matrix are rounded like the words, and below 100 % until it is full.
  void numbersAreRounded() {
    RaceView view;
    std::vector<Racer> all(12, three()[0]);
    for (Racer& racer : all) racer.gflops = 122'074;
    all[1].gflops = 801'936, all[1].subject() = {};
    all[2].gflops = 799'000;
    view.setRacers(all);
    view.setRunning(false);
    QVERIFY(test::shown(view, {640, 150}));
    QVERIFY(!view.wordedWhole());
    view.setSeconds(1.3 * Race::kLap);
    QCOMPARE(view.wordsOf(0).back(), "20 %");  // 19.8
    QCOMPARE(view.wordsOf(1).back(), "1.3 C");
    view.setSeconds(Race::kLap);
    QCOMPARE(view.wordsOf(2).back(), "99 %");  // 99.6
    QCOMPARE(view.wordsOf(1).back(), "1.0 C");
  }

  // A shade says how much of a block is done: a C that is full stays so while the next is computed.
  void aFullMatrixStaysFull() {
    RaceView view;
    view.setRacers(three());
    view.setRunning(false);
    QVERIFY(test::shown(view, {1000, 420}));
    const auto middle = [&view](double seconds) {
      view.setSeconds(seconds);
      return view.grab().toImage().pixelColor(
          (view.box(3).topLeft() + QPointF(0.3, 0.28) * view.box(3).width()).toPoint());
    };
    const QColor full = middle(3.99);
    for (const double seconds : {6.0, 7.9, 10.0, 14.0}) QCOMPARE(middle(seconds), full);
    QVERIFY(middle(0.1) != full);
  }

  // Only a racer that has filled its first C shows its place.
  void placesStandOnFullMatrices() {
    RaceView view;
    view.setRacers(three());
    view.setRunning(false);
    QVERIFY(test::shown(view, {1000, 420}));
    const auto inks = [&view](int racer, double seconds) {
      view.setSeconds(seconds);
      const QRect middle =
          QRectF(view.box(racer).center() - QPointF(20, 12), QSizeF(40, 24)).toAlignedRect();
      const QImage part = view.grab(middle).toImage();
      std::set<QRgb> colours;
      for (int y = 0; y < part.height(); ++y) {
        for (int x = 0; x < part.width(); ++x) colours.insert(part.pixel(x, y));
      }
      return colours.contains(Theme::of(view.palette()).text.rgb());
    };
    QVERIFY(!inks(3, 3.9) && inks(3, 4.1));  // the pacer, in four seconds
    QVERIFY(!inks(0, 7.9) && inks(0, 8.1));  // at half its speed
    QVERIFY(!inks(2, 100));                  // unknown speed
  }

  void aClickPicks() {
    RaceView view;
    view.setRacers(three());
    QVERIFY(test::shown(view, {900, 300}));
    QSignalSpy picked(&view, &RaceView::picked);
    for (int i = 0; i < 4; ++i) {
      QVERIFY(view.rect().contains(view.box(i).toAlignedRect()));
      test::clickAt(view, view.box(i).center());
      QCOMPARE(picked.takeFirst().front().toInt(), i);
      for (int j = 0; j < i; ++j) QVERIFY(!view.box(i).intersects(view.box(j)));
    }
  }

  // What is filled can be seen: the racer with twice the speed has twice the rows.
  void thePictureIsTheRace() {
    RaceView view;
    view.setRacers(three());
    view.setRunning(false);
    QVERIFY(test::shown(view, {900, 300}));
    view.setSeconds(4);  // the pacer has filled one, the fast one half
    const QImage image = view.grab().toImage();
    const auto at = [&](int racer, double x, double y) {
      const QRectF box = view.box(racer);
      return image.pixelColor(
          (box.topLeft() + QPointF(x * box.width(), y * box.height())).toPoint());
    };
    // 8 of 16 blocks at a time are two rows of four.
    QVERIFY(at(0, 0.3, 0.2) != at(0, 0.3, 0.8));  // the first wave is done, the second is not
    QVERIFY(at(2, 0.3, 0.2) == at(2, 0.3, 0.8));  // unknown speed
    QVERIFY(at(0, 0.3, 0.8) == at(2, 0.3, 0.8));  // not begun looks like unknown
    QVERIFY(at(1, 0.3, 0.2) != at(0, 0.3, 0.2));  // an eighth: its first wave is under way
    view.freeze(0, "because");
    view.setSeconds(400);
    QCOMPARE(view.data().frozen, 0);
    const QImage later = view.grab().toImage();
    const QRect same = view.box(0).toAlignedRect().adjusted(4, 4, -4, -4);
    QVERIFY(later.copy(same) == image.copy(same));
    view.restart();
    QCOMPARE(view.data().frozen, -1);
    QCOMPARE(view.data().seconds, 0.0);
  }

  // Names are complete or replaced by numbers, in any size; a click moves no matrix.
  void wordsHaveRoom() {
    RaceView view;
    view.setRunning(false);
    std::vector<Racer> all;
    // This size has room for these; a new rung does not change that.
    for (const Stage& stage : stages().first(16)) {
      Racer& r = all.emplace_back();
      r.subject() = standardSubject(stage);
      r.name = QString("%1 %2").arg(stage.rung).arg(test::q(stage.title));
      r.brief = QString::number(stage.rung);
      r.gflops = 1000.0 * stage.rung;
    }
    view.setRacers(all);
    QVERIFY(test::shown(view, {960, 330}));
    QVERIFY(view.wordedWhole());
    QVERIFY(view.box(0).width() >= 48);
    const QRectF before = view.box(7);
    view.freeze(7, QString(300, 'x'));
    QCOMPARE(view.box(7), before);
    view.resize(640, 150);
    QVERIFY(!view.wordedWhole());
    QVERIFY(view.box(0).width() >= 24);
  }

  void itRunsOnlyWhereItIsSeen() {
    RaceView view;
    view.setRacers(three());
    QTest::qWait(40);
    QCOMPARE(view.data().seconds, 0.0);
    QVERIFY(test::shown(view, {900, 300}));
    QTRY_VERIFY(view.data().seconds > 0);
    view.setStill(true);
    const double stopped = view.data().seconds;
    QTest::qWait(40);
    QCOMPARE(view.data().seconds, stopped);
    view.setStill(false);
    QTRY_VERIFY(view.data().seconds > stopped);
    view.setRunning(false);
    const double paused = view.data().seconds;
    QTest::qWait(40);
    QCOMPARE(view.data().seconds, paused);
  }

  void extremes() {
    RaceView view;
    view.setRacers({});
    QVERIFY(test::shown(view, {320, 150}));
    QVERIFY(view.box(0).isEmpty());
    auto many = three();
    many[0].grid = {4096, 4096};  // too many to be drawn one by one
    view.setRacers(many);
    view.setSeconds(1e7);
    QVERIFY(!view.grab().isNull());
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::RaceViewTest, Widgets)
#include "race_view_test.moc"
