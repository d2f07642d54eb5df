// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/frame/tab_folding.h"

#include <QtTest>

#include "tests/support/test_class.h"

namespace tileloom {

class TabFoldingTest : public QObject {
  Q_OBJECT

  // Groups take 300 pixels, or 100 folded; these pages 250, and the widest tab for several 120.
  static TabFolding at(int room, int pages = 250) { return foldTabs({room, 300, 100, pages, 120}); }

 private slots:
  void thereIsRoomForAll() { QVERIFY(at(550) == (TabFolding{false, false})); }

  void pagesFoldFirst() {
    QVERIFY(at(549) == (TabFolding{false, true}));
    QVERIFY(at(420) == (TabFolding{false, true}));
  }

  // The pages may unfold again into the room of the groups.
  void thenGroupsFold() {
    QVERIFY(at(419) == (TabFolding{true, false}));
    QVERIFY(at(350) == (TabFolding{true, false}));
    QVERIFY(at(349) == (TabFolding{true, true}));
    QVERIFY(at(0) == (TabFolding{true, true}));
  }

  // A group with narrower pages folds no other tab of the groups: they keep their places.
  void theGroupInFrontMovesNoGroup() {
    for (int room = 0; room < 700; ++room) {
      for (const int pages : {50, 120, 250, 600}) QCOMPARE(at(room, pages).groups, at(room).groups);
    }
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::TabFoldingTest, Nothing)
#include "tab_folding_test.moc"
