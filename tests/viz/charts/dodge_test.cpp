// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/charts/dodge.h"

#include <QtTest>
#include <algorithm>
#include <numeric>

#include "tests/support/random.h"
#include "tests/support/test_class.h"

namespace tileloom::charts {

class DodgeTest : public QObject {
  Q_OBJECT

 private slots:
  void marksWithRoomStay() {
    const std::vector<Dodging> marks = {{10, 8}, {30, 10}, {40, 8}};
    QCOMPARE(dodged(marks, 0, 100), (std::vector<double>{6, 25, 36}));
  }

  // Two of width 10 at the same place share the shift; at an edge only the other moves.
  void marksInOnePlacePart() {
    QCOMPARE(dodged(std::vector<Dodging>{{50, 10}, {50, 10}}, 0, 100),
             (std::vector<double>{40, 50}));
    QCOMPARE(dodged(std::vector<Dodging>{{98, 10}, {98, 10}}, 0, 100),
             (std::vector<double>{80, 90}));
  }

  void noneCoversAnother() {
    test::Random random(7);
    for (int turn = 0; turn < 200; ++turn) {
      std::vector<Dodging> marks(static_cast<std::size_t>(1 + random.integer(0, 19)));
      for (Dodging& mark : marks)
        mark = {static_cast<double>(random.integer(0, 999)), 5.0 + random.integer(0, 39)};
      std::ranges::sort(marks, {}, &Dodging::centre);
      const auto lefts = dodged(marks, 0, 1000);
      QCOMPARE(lefts.size(), marks.size());
      for (std::size_t i = 0; i < marks.size(); ++i) {
        QVERIFY(lefts[i] >= -1e-9 && lefts[i] + marks[i].width <= 1000 + 1e-9);
        if (i > 0) QVERIFY(lefts[i] >= lefts[i - 1] + marks[i - 1].width - 1e-9);
      }
    }
  }

  void withoutRoomTheyStandInSteps() {
    const auto lefts = dodged(std::vector<Dodging>(5, {50, 30}), 0, 100);
    QCOMPARE(lefts, (std::vector<double>{0, 17.5, 35, 52.5, 70}));
    QVERIFY(dodged({}, 0, 10).empty());
  }
};

}  // namespace tileloom::charts

TILELOOM_TEST(tileloom::charts::DodgeTest, Nothing)
#include "dodge_test.moc"
