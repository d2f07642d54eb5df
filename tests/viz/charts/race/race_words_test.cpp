// SPDX-License-Identifier: GPL-3.0-or-later
// The words of the race.
#include "viz/charts/race/race_words.h"

#include <QtTest>

#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom {

class RaceWordsTest : public QObject {
  Q_OBJECT

  static Race race() {
    Racer kernel, pacer;
    kernel.subject() = standardSubject(test::stage("warptiled"));
    kernel.name = "10 warptiled";
    kernel.gflops = 40'000;
    kernel.ratio = 0.5;
    pacer.name = "cuBLAS";
    pacer.gflops = 80'000;
    Race race;
    race.racers = {kernel, pacer};
    race.work = 80e12;  // a second at 80 TFLOP/s
    return race;
  }

 private slots:
  void timesHaveThreeDigits() {
    QCOMPARE(launchTimeText(348.2e-6), "348 µs");
    QCOMPARE(launchTimeText(9.25e-6), "9.25 µs");
    QCOMPARE(launchTimeText(34.81e-3), "34.8 ms");
    QCOMPARE(launchTimeText(999.9e-6), "1.00 ms");
    QCOMPARE(launchTimeText(1.241), "1.24 s");
    QCOMPARE(launchTimeText(0), "0 µs");
  }

  void placesAreOrdinals() {
    QStringList texts;
    for (const int place : {1, 2, 3, 4, 10, 11, 12, 13, 21, 22, 111})
      texts += charts::ordinalText(place);
    QCOMPARE(texts.join(' '), "1st 2nd 3rd 4th 10th 11th 12th 13th 21st 22nd 111th");
  }

  void namesSplitInTheMiddle() {
    const QFontMetricsF metrics{QFont()};
    const auto two = charts::inTwoLines("12 asynchronous copies", metrics);
    QCOMPARE(two.first, "12 asynchronous");
    QCOMPARE(two.second, "copies");
    QCOMPARE(charts::inTwoLines("naive", metrics).first, "naive");
    QVERIFY(charts::inTwoLines("naive", metrics).second.isEmpty());
  }

  void thePlaceFollowsTheProgress() {
    Race r = race();
    QCOMPARE(charts::racerPlaceText(r, 0), "0 % of C");
    r.seconds = Race::kLap;
    QCOMPARE(charts::racerPlaceText(r, 0), "2nd, 50 % of C");
    QCOMPARE(charts::racerPlaceText(r, 1), "1st in 1.00 s");
    r.work = 0;
    QCOMPARE(charts::racerPlaceText(r, 1), "1st with C");
    QCOMPARE(charts::racerToolTip(r, 0),
             "10 warptiled\n40,000 GFLOP/s, recorded\n× 0.50 cuBLAS\nfirst C: 50 %");
    r.racers[0].source = RaceSpeed::Predicted;
    QCOMPARE(charts::racerSpeedText(r.racers[0]), "≈ 40,000 GFLOP/s");
    QCOMPARE(charts::racerRatioText(r.racers[1]), "");  // cuBLAS itself
  }

  // The sentence is about the stopped racer, if there is a reason.
  void theSentenceSaysWhatHappens() {
    Race r = race();
    QVERIFY(charts::raceSentence(r).startsWith("cuBLAS fills its C in 4 s here"));
    r.racers.pop_back();
    QVERIFY(charts::raceSentence(r).startsWith("The fastest fills its C in 4 s here"));
    r.frozen = 0;
    r.why = "bank conflicts";
    QCOMPARE(charts::raceSentence(r), "10 warptiled stopped: bank conflicts");
    QVERIFY(charts::raceInvitation(Race()).startsWith("No speed is known"));
    QCOMPARE(charts::slownessText(race()), "slowed down 4 times");
    QVERIFY(charts::slownessText(Race()).isEmpty());
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::RaceWordsTest, Widgets)
#include "race_words_test.moc"
