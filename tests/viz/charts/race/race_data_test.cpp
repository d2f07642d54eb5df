// SPDX-License-Identifier: GPL-3.0-or-later
// Speeds become progress, times and places.
#include "viz/charts/race/race_data.h"

#include <QtTest>

#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom {

class RaceDataTest : public QObject {
  Q_OBJECT

  static Race race() {
    Racer fast, slow, unknown, pacer;
    fast.subject() = slow.subject() = unknown.subject() = standardSubject(test::stage("warptiled"));
    fast.gflops = 40;
    slow.gflops = 10;
    pacer.gflops = 80;
    Race race;
    race.racers = {fast, slow, unknown, pacer};
    race.work = 80e9;  // a second at 80 GFLOP/s
    return race;
  }

 private slots:
  void speedsAreInProportion() {
    const RaceProgress p = raceProgress(40, 80, 12, 4);
    QCOMPARE(p.laps, std::int64_t{1});
    QCOMPARE(p.part, 0.5);
    QCOMPARE(raceProgress(80, 80, 12, 4).laps, std::int64_t{3});
    for (const auto& still : {raceProgress(0, 80, 12, 4), raceProgress(40, 0, 12, 4)}) {
      QCOMPARE(still.laps, std::int64_t{0});
      QCOMPARE(still.part, 0.0);
    }
  }

  // cuBLAS sets the pace, even if a kernel is faster; without cuBLAS, the fastest kernel does.
  void thePacerIsCublas() {
    Race r = race();
    r.racers[0].gflops = 100;
    QCOMPARE(r.pacer(), 80.0);
    r.racers[3].racing = 90;  // at another clock
    QCOMPARE(r.pacer(), 90.0);
    r.racers.pop_back();
    QCOMPARE(r.pacer(), 100.0);
    QVERIFY(!r.hasLibrary());
    QCOMPARE(Race().pacer(), 0.0);
  }

  void timesAreThoseOfTheLaunches() {
    Race r = race();
    r.seconds = Race::kLap;
    QCOMPARE(r.elapsed(), 1.0);
    QCOMPARE(r.slowness(), Race::kLap);
    QCOMPARE(r.launchSeconds(0), 2.0);
    QCOMPARE(r.launchSeconds(2), 0.0);  // unknown speed
    r.work = 0;
    QCOMPARE(r.slowness(), 0.0);
    QCOMPARE(r.elapsed(), 0.0);
  }

  void placesAreByFirstC() {
    Race r = race();
    QCOMPARE(r.placing(3), 1);
    QCOMPARE(r.placing(0), 2);
    QCOMPARE(r.placing(2), 0);  // unknown speed
    r.racers[1].gflops = 40;
    QCOMPARE(r.placing(0), r.placing(1));
    r.seconds = 1;
    QCOMPARE(r.order(), (std::vector<int>{2, 0, 1, 3}));
  }

  // A stopped racer keeps its progress; the track becomes as long as the leader is far.
  void aStoppedRacerStays() {
    Race r = race();
    r.seconds = 2;
    QCOMPARE(r.farthest(), 1.0);
    r.frozen = 0;
    r.frozenAt = 2;
    r.seconds = 12;
    QCOMPARE(r.filled(0), 0.25);
    QCOMPARE(r.filled(3), 3.0);
    QCOMPARE(r.farthest(), 3.0);
    QVERIFY(!r.explained());
    r.why = "because";
    QVERIFY(r.explained());
  }

  void onlyKnownSpeedsHaveASource() {
    Race r = race();
    r.racers[0].source = RaceSpeed::Live;
    r.racers[2].source = RaceSpeed::Predicted;  // its speed is unknown
    QVERIFY(r.sources() == (std::vector{RaceSpeed::Live, RaceSpeed::Recorded}));
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::RaceDataTest, Nothing)
#include "race_data_test.moc"
