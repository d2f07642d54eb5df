// SPDX-License-Identifier: GPL-3.0-or-later
// The places of matrices, words and marks in pictures of any size.
#include "viz/charts/race/race_geometry.h"

#include <QtTest>

#include "tests/support/test_class.h"
#include "tests/support/text.h"
#include "viz/charts/race/race_track.h"

namespace tileloom {

class RaceGeometryTest : public QObject {
  Q_OBJECT

  static Race race() {
    Race race;
    for (const Stage& stage : stages()) {
      Racer& r = race.racers.emplace_back();
      r.subject() = standardSubject(stage);
      r.name = QString("%1 %2").arg(stage.rung).arg(test::q(stage.title));
      r.brief = QString::number(stage.rung);
      r.gflops = 1000.0 * stage.rung;
    }
    race.work = 1e12;
    race.seconds = 5;
    return race;
  }

 private slots:
  void nothingOverlaps_data() {
    QTest::addColumn<QSizeF>("size");
    for (const QSizeF size : {QSizeF(1600, 900), QSizeF(960, 420), QSizeF(640, 300)})
      QTest::addRow("%gx%g", size.width(), size.height()) << size;
  }
  void nothingOverlaps() {
    QFETCH(QSizeF, size);
    const Fonts fonts = Fonts::of(QFont());
    const Race r = race();
    const QRectF all({}, size);
    const charts::RaceLanes lanes = charts::raceLanes(r, size, fonts);
    QCOMPARE(lanes.cells.size(), r.racers.size());
    const double foot =
        size.height() -
        charts::raceFootLine(fonts) * charts::raceFootLines(r, size.width(), lanes.form, fonts);
    const double head = charts::raceHeadHeight(r, size, fonts);
    for (std::size_t i = 0; i < lanes.cells.size(); ++i) {
      const auto& cell = lanes.cells[i];
      QVERIFY(all.contains(cell.box) && cell.box.top() >= head && cell.box.bottom() <= foot);
      QVERIFY(!cell.box.intersects(cell.words));
      for (std::size_t k = 0; k < i; ++k) QVERIFY(!cell.box.intersects(lanes.cells[k].box));
    }
    const charts::RaceTrack track = charts::raceTrack(r, size, fonts);
    for (const QRectF& mark : track.marks)
      QVERIFY(mark.isEmpty() || (all.contains(mark) && mark.bottom() <= head));
  }

  // The matrices come first: without room there is neither a track nor a matrix.
  void smallPicturesHaveLess() {
    const Fonts fonts = Fonts::of(QFont());
    const Race r = race();
    const charts::RaceTrack none = charts::raceTrack(r, {320, 150}, fonts);
    QVERIFY(none.room.isEmpty());
    QCOMPARE(none.marks.size(), r.racers.size());
    QVERIFY(charts::raceLanes(r, {640, 150}, fonts).form == charts::RaceForm::Brief);
    QVERIFY(charts::raceNumbersWidth(charts::RaceForm::Below, fonts) == 0);
    QVERIFY(charts::raceLanes(r, {20, 20}, fonts).cells.empty());
    QVERIFY(charts::raceLanes(Race(), {900, 400}, fonts).cells.empty());
  }

  // The ends of the track are the start and the leader.
  void theTrackIsToScale() {
    const charts::RaceTrack track = charts::raceTrack(race(), {1200, 600}, Fonts::of(QFont()));
    QVERIFY(!track.room.isEmpty());
    QCOMPARE(track.across(0), track.room.left());
    QCOMPARE(track.across(track.farthest), track.room.right());
    QVERIFY(track.room.left() > track.clock);
    QVERIFY(track.middle > track.room.top() && track.middle < track.room.bottom());
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::RaceGeometryTest, Widgets)
#include "race_geometry_test.moc"
