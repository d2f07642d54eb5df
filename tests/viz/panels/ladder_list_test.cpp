// SPDX-License-Identifier: GPL-3.0-or-later
// The ladder, picked from by mouse and by keyboard.
#include "viz/panels/ladder_list.h"

#include <QtTest>

#include "tests/support/pointer.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom {

class LadderListTest : public QObject {
  Q_OBJECT

  static std::vector<const Stage*> fp32() {
    std::vector<const Stage*> rungs;
    for (const Stage& stage : stages()) rungs.push_back(&stage);
    return rungs;
  }

 private slots:
  void everyRungIsThere() {
    LadderList list(fp32());
    QCOMPARE(list.count(), static_cast<int>(stages().size()));
    for (const Stage& stage : stages()) {
      const QListWidgetItem* item = list.item(stage.rung - 1);
      QVERIFY(item->text().contains(test::q(stage.title)));
      // Both numbers are shown, where there are two.
      const QString names =
          stage.literature > 0
              ? QString("Rung %1, kernel %2 ").arg(stage.rung).arg(stage.literature)
              : QString("Rung %1: ").arg(stage.rung);
      QVERIFY2(item->toolTip().startsWith(names), qPrintable(item->toolTip()));
    }
  }

  void mousePicks() {
    LadderList list(fp32());
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
    LadderList list(fp32());
    QVERIFY(test::shown(list, {300, 700}));
    list.setCurrent(test::stage("warptiled"));
    std::vector<int> picked;
    connect(&list, &LadderList::picked, &list,
            [&picked](const Stage* stage) { picked.push_back(stage->rung); });
    for (const Qt::Key key :
         {Qt::Key_Up, Qt::Key_Up, Qt::Key_Home, Qt::Key_Down, Qt::Key_End, Qt::Key_Down}) {
      QTest::keyClick(&list, key);
    }
    QCOMPARE(picked, (std::vector<int>{7, 6, 1, 2, static_cast<int>(stages().size())}));
  }

  // A low window gives up the ideas of the rungs that are not chosen before it scrolls.
  void lowListsAreCompact() {
    LadderList list(fp32());
    list.setCurrent(stages().front());
    const int line = QFontMetrics(list.font()).height();
    QVERIFY(test::shown(list, {300, static_cast<int>(stages().size()) * line * 4}));
    const int tall = list.visualItemRect(list.item(5)).height();
    const int all = static_cast<int>(stages().size()) * (line * 5 / 2) + line * 2;
    list.resize(300, all);
    QTRY_VERIFY(list.visualItemRect(list.item(5)).height() < tall);
    QVERIFY(list.visualItemRect(list.item(0)).height() >
            list.visualItemRect(list.item(5)).height());
    QVERIFY(list.visualItemRect(list.item(list.count() - 1)).bottom() <= list.viewport()->height());
    list.setCurrent(stages().back());
    QTRY_VERIFY(list.visualItemRect(list.item(list.count() - 1)).height() >
                list.visualItemRect(list.item(0)).height());
    list.resize(300, static_cast<int>(stages().size()) * line * 4);
    QTRY_COMPARE(list.visualItemRect(list.item(0)).height(), tall);
  }

  // A rung that is slower than the one before it says so where there is room, and in its tool tip.
  void slowerRungsSaySo() {
    std::vector<LadderBar> bars;
    for (const Stage& stage : stages()) {
      LadderBar bar{&stage, stage.standardTile(), Freshness::Recorded, {}, {}, "H100"};
      const double part = stage.rung == 7 ? 0.3 : 0.06 * stage.rung;
      bar.ratio = {part, part * 0.999, part * 1.001};
      bar.gflops = {50000 * part, 49950 * part, 50050 * part};
      bars.push_back(bar);
    }
    LadderList list(fp32());
    list.setCurrent(stages().front());
    QVERIFY(list.barsHead(Ladder::Fp32).isEmpty());  // no bars, no words on them
    list.setBars(bars);
    QVERIFY2(list.barsHead(Ladder::Fp32).contains("% of cuBLAS"),
             qPrintable(list.barsHead(Ladder::Fp32)));
    QCOMPARE(list.barsOrigin(), "recorded on H100");
    // One that was measured here: which one is live is said beside the bars.
    auto mixed = bars;
    mixed.back().freshness = Freshness::Live;
    list.setBars(mixed);
    QCOMPARE(list.barsOrigin(), "on H100");
    QVERIFY(list.barsHead(Ladder::Fp32).contains("solid: live"));
    mixed.back().device = QStringLiteral("NVIDIA H200");
    list.setBars(mixed);
    QCOMPARE(list.barsOrigin(), "recorded on H100 and live on H200");
    list.setBars(bars);
    const int line = QFontMetrics(list.font()).height();
    QVERIFY(test::shown(list, {300, static_cast<int>(stages().size()) * line * 4}));
    QCOMPARE(list.setbackOf(6), "16.7 % slower than rung 6");
    QVERIFY(list.setbackOf(5).isEmpty());
    QTRY_VERIFY(list.visualItemRect(list.item(6)).height() >
                list.visualItemRect(list.item(5)).height());
    QVERIFY2(list.item(6)->toolTip().contains("16.7 % slower than rung 6 at this size"),
             qPrintable(list.item(6)->toolTip()));
    // A low list says it only of the rung that is chosen.
    for (const std::size_t row : {std::size_t{9}, std::size_t{12}})
      bars[row].gflops = {bars[row - 1].gflops.median * 0.9, bars[row - 1].gflops.median * 0.89,
                          bars[row - 1].gflops.median * 0.91},
      bars[row].ratio = {bars[row - 1].ratio.median * 0.9, bars[row - 1].ratio.median * 0.89,
                         bars[row - 1].ratio.median * 0.91};
    list.setBars(bars);
    list.resize(300, static_cast<int>(stages().size()) * line * 5 / 2 + line * 3);
    QTRY_VERIFY(list.setbackOf(6).isEmpty());
    list.setCurrent(stages()[6]);
    QCOMPARE(list.setbackOf(6), "16.7 % slower than rung 6");
    const auto last = [&list] { return list.visualItemRect(list.item(list.count() - 1)).bottom(); };
    QTRY_VERIFY(last() <= list.viewport()->height());
    // Nor is the last rung pushed out of the lowest list that has room for all rungs.
    list.resize(300, static_cast<int>(stages().size()) * line * 5 / 2 + line * 2);
    QTRY_VERIFY(last() <= list.viewport()->height());
    QVERIFY(list.item(6)->toolTip().contains("16.7 % slower than rung 6"));
  }

  void setCurrentShowsTheRung() {
    LadderList list(fp32());
    for (const Stage& stage : stages()) {
      list.setCurrent(stage);
      QCOMPARE(list.currentRow(), stage.rung - 1);
    }
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::LadderListTest, Widgets)
#include "ladder_list_test.moc"
