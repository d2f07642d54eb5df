// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/tab_folding.h"

#include <QtTest>
#include <algorithm>
#include <array>
#include <utility>

#include "tests/support/test_class.h"

namespace tileloom {

using enum TabGroupState;

class TabFoldingTest : public QObject {
  Q_OBJECT

  // Open they need 300, 200 and 250 pixels, folded 80, 70 and 90; 10 between two.
  static constexpr std::array<TabGroupWidths, 3> kGroups = {{{300, 80}, {200, 70}, {250, 90}}};
  static TabFolding at(int room, std::array<std::size_t, 3> recent = {0, 1, 2}) {
    return foldTabs(kGroups, recent, {room, 10, 60});
  }
  using States = std::vector<TabGroupState>;

  // What it takes, by the same figures added up in another way.
  static int taken(const TabFolding& folding) {
    int all = -10;
    bool pool = false;
    for (std::size_t i = 0; i < kGroups.size(); ++i) {
      const TabGroupState state = folding.groups[i];
      if (state == Pooled && std::exchange(pool, true)) continue;
      all += 10 + (state == Open ? kGroups[i].open : state == Folded ? kGroups[i].folded : 60);
    }
    return all;
  }

 private slots:
  void thereIsRoomForAll() {
    QCOMPARE(at(770).groups, (States{Open, Open, Open}));
    QVERIFY(!at(770).single);
  }

  void whatWasLastInFrontStaysOpen() {
    QCOMPARE(at(769).groups, (States{Open, Open, Folded}));
    QCOMPARE(at(769, {0, 2, 1}).groups, (States{Open, Folded, Open}));
    QCOMPARE(at(769, {2, 1, 0}).groups, (States{Folded, Open, Open}));
    // One without room for a large group opens a smaller one, which was in front before.
    QCOMPARE(at(610, {0, 2, 1}).groups, (States{Open, Open, Folded}));
  }

  void theGroupInFrontIsOpen() {
    QCOMPARE(at(480).groups, (States{Open, Folded, Folded}));
    QCOMPARE(at(479).groups, (States{Open, Folded, Pooled}));
    QCOMPARE(at(479, {1, 2, 0}).groups, (States{Folded, Open, Folded}));
    QCOMPARE(at(370).groups, (States{Open, Pooled, Pooled}));
  }

  void atLastThereIsOneTab() {
    QCOMPARE(at(369).groups, (States{Pooled, Pooled, Pooled}));
    QVERIFY(at(369).single && !at(370).single);
    QVERIFY(at(0).single);
    // A group alone has nobody to share with.
    const std::array<TabGroupWidths, 1> one = {{{100, 50}}};
    const std::array<std::size_t, 1> recent = {0};
    QVERIFY(!foldTabs(one, recent, {100, 10, 60}).single);
    QVERIFY(foldTabs(one, recent, {99, 10, 60}).single);
    QVERIFY(foldTabs({}, {}, {100, 10, 60}).groups.empty());
  }

  // Whatever the room and the order: it fits, the front is open, and a group that comes to the
  // front while it is open moves nothing.
  void whatCanBeSeenStays() {
    std::array<std::size_t, 3> recent = {0, 1, 2};
    do {
      for (int room = 0; room <= 800; ++room) {
        const TabFolding folding = at(room, recent);
        if (folding.single) continue;
        QVERIFY2(taken(folding) <= room, qPrintable(QString("%1 pixels").arg(room)));
        QCOMPARE(folding.groups[recent[0]], Open);
        for (std::size_t place = 1; place < 3; ++place) {
          if (folding.groups[recent[place]] != Open) continue;
          auto turned = recent;
          std::rotate(turned.begin(), turned.begin() + static_cast<std::ptrdiff_t>(place),
                      turned.begin() + static_cast<std::ptrdiff_t>(place) + 1);
          QCOMPARE(at(room, turned).groups, folding.groups);
        }
      }
    } while (std::ranges::next_permutation(recent).found);
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::TabFoldingTest, Nothing)
#include "tab_folding_test.moc"
