// SPDX-License-Identifier: GPL-3.0-or-later
// The ladder, picked from by mouse and by keyboard.
#include "viz/ladder_list.h"

#include <QtTest>

#include "tests/support/pointer.h"
#include "tests/support/text.h"

namespace tileloom {

class LadderListTest : public QObject {
  Q_OBJECT

 private slots:
  void everyRungIsThere() {
    LadderList list(stages());
    QCOMPARE(list.count(), static_cast<int>(stages().size()));
    for (const Stage& stage : stages()) {
      const QListWidgetItem* item = list.item(stage.rung - 1);
      QVERIFY(item->text().contains(test::q(stage.title)));
      QVERIFY(item->toolTip().contains(QString("Rung %1, kernel %2 ")
                                           .arg(stage.rung)
                                           .arg(stage.literature)));  // both numbers are shown
    }
  }

  void mousePicks() {
    LadderList list(stages());
    QVERIFY(test::shown(list, {300, 700}));
    std::vector<int> picked;
    connect(&list, &LadderList::picked, &list,
            [&picked](const Stage* stage) { picked.push_back(stage->rung); });
    for (const int rung : {8, 1, 5}) {
      const QRect place = list.visualItemRect(list.item(rung - 1));
      QVERIFY(list.viewport()->rect().contains(place));
      test::clickAt(*list.viewport(), place.center());
    }
    QCOMPARE(picked, (std::vector<int>{8, 1, 5}));
    test::clickAt(*list.viewport(), list.visualItemRect(list.item(4)).center());
    QCOMPARE(picked.size(), std::size_t{3});  // it was picked already
  }

  void keyboardPicks() {
    LadderList list(stages());
    QVERIFY(test::shown(list, {300, 700}));
    list.setCurrent(test::stage("warptiled"));
    std::vector<int> picked;
    connect(&list, &LadderList::picked, &list,
            [&picked](const Stage* stage) { picked.push_back(stage->rung); });
    for (const Qt::Key key :
         {Qt::Key_Up, Qt::Key_Up, Qt::Key_Home, Qt::Key_Down, Qt::Key_End, Qt::Key_Down}) {
      QTest::keyClick(&list, key);
    }
    QCOMPARE(picked, (std::vector<int>{7, 6, 1, 2, 8}));
  }

  void setCurrentShowsTheRung() {
    LadderList list(stages());
    for (const Stage& stage : stages()) {
      list.setCurrent(stage);
      QCOMPARE(list.currentRow(), stage.rung - 1);
    }
  }
};

}  // namespace tileloom

QTEST_MAIN(tileloom::LadderListTest)
#include "ladder_list_test.moc"
