// SPDX-License-Identifier: GPL-3.0-or-later
// Places of the loads of fragments, with and without copies in their way.
#include "kernels/rewrite/load_places.h"

#include <QtTest>
#include <algorithm>

#include "tests/support/random.h"
#include "tests/support/test_class.h"

namespace tileloom::test {

using namespace rewrite;

class LoadPlacesTest : public QObject {
  Q_OBJECT

  using Places = std::vector<int>;
  static constexpr Spacing spaced() { return {.firstLoad = 5, .load = 20, .beforeUse = 24}; }

 private slots:
  void loadsAreSpreadOverTheDotIndex() {
    QCOMPARE(placesOfLoads(0, 128, 6, spaced(), {}), (Places{5, 24, 43, 62, 81, 100}));
    QCOMPARE(placesOfLoads(256, 128, 3, spaced(), {}), (Places{261, 281, 301}));
    QCOMPARE(placesOfLoads(0, 128, 1, spaced(), {}), Places{5});
    QVERIFY(placesOfLoads(0, 128, 0, spaced(), {}).empty());
  }
  // Without room they stay within their k: before it their registers are in use.
  void loadsStayInTheDotIndex() {
    QCOMPARE(placesOfLoads(16, 8, 5, spaced(), {}), (Places{21, 22, 23, 23, 23}));
  }
  void loadsMakeRoomForCopies() {
    const CopyWindow copies{40, 72};
    const auto places = placesOfLoads(0, 128, 6, spaced(), copies);
    QCOMPARE(places.size(), std::size_t{6});
    QVERIFY(std::ranges::is_sorted(places));
    for (const int at : places) QVERIFY(!copies.has(at) && at >= 5 && at <= 104);
    // 68 places are left between 5 and 104 and outside of 41 to 72.
    QCOMPARE(places, (Places{5, 18, 31, 76, 89, 102}));
    // At other k nothing is in their way.
    QCOMPARE(placesOfLoads(128, 128, 6, spaced(), copies),
             placesOfLoads(128, 128, 6, spaced(), {}));
    // If the copies take everything, the loads do not.
    QCOMPARE(placesOfLoads(0, 128, 6, spaced(), {0, 127}), placesOfLoads(0, 128, 6, spaced(), {}));
  }
  void aLoadMayStandBeforeTheFirstCopyOrBehindTheLast() {
    const CopyWindow copies{40, 44};
    QVERIFY(!copies.has(40) && copies.has(41) && copies.has(44) && !copies.has(45));
    QVERIFY(!copies.empty());
    QVERIFY(CopyWindow{}.empty());
  }
  // Copies that fit between the last load of a k and the first one of the next go there.
  void copiesGoWhereLoadsHaveMostRoom() {
    const CopyWindow window = bestWindow(82, 28, 128, 1024, spaced());
    QCOMPARE(window.from, 104);  // 105 to 132 are not places of loads
    QCOMPARE(window.to, 132);
    const CopyWindow longer = bestWindow(82, 60, 128, 1024, spaced());
    QVERIFY(longer.from >= 82 && longer.from < 82 + 128);
    for (const int begin : {0, 128}) {
      const auto places = placesOfLoads(begin, 128, 6, spaced(), longer);
      for (const int at : places) QVERIFY(!longer.has(at));
    }
  }
  void copiesThatDoNotFitBeginAtOnce() {
    const CopyWindow window = bestWindow(30, 40, 16, 64, spaced());
    QCOMPARE(window.from, 30);
    QCOMPARE(window.to, 70);
  }
  void anyNumbers() {
    Random random(seed());
    for (int round = 0; round < 500; ++round) {
      const int perStep = random.integer(4, 200), steps = random.integer(2, 8);
      Spacing spacing;
      spacing.firstLoad = random.integer(0, 10);
      spacing.load = random.integer(1, 30);
      spacing.beforeUse = random.integer(0, 40);
      const int from = random.integer(0, perStep * steps - 1);
      const CopyWindow window =
          bestWindow(from, random.integer(1, 60), perStep, perStep * steps, spacing);
      QVERIFY(window.from >= from && window.from < from + perStep);
      const int begin = random.integer(0, steps - 1) * perStep;
      const auto count = std::size_t(random.integer(1, 20));
      const auto places = placesOfLoads(begin, perStep, count, spacing, window);
      QCOMPARE(places.size(), count);
      QVERIFY(std::ranges::is_sorted(places));
      for (const int at : places) QVERIFY(at >= begin && at < begin + perStep);
    }
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::LoadPlacesTest, Nothing)
#include "load_places_test.moc"
