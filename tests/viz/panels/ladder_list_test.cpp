// SPDX-License-Identifier: GPL-3.0-or-later
// The ladder, picked from by mouse and by keyboard.
#include "viz/panels/ladder_list.h"

#include <QtTest>

#include "tests/support/pointer.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"
#include "tests/viz/painted_texts.h"

namespace tileloom {

class LadderListTest : public QObject {
  Q_OBJECT

  static std::span<const Stage* const> fp32() { return everyStage().first(stages().size()); }

  // The best rung of FP32 beyond its cuBLAS, and the tensor rungs far below theirs.
  static std::vector<LadderBar> both() {
    std::vector<LadderBar> bars;
    for (const Stage* stage : everyStage()) {
      LadderBar bar{standardSubject(*stage), Freshness::Recorded, {}, {}, "H100"};
      const bool tensor = stage->ladder == Ladder::Tensor;
      const double part = tensor ? 0.2 * stage->rung : 0.1 * stage->rung;
      bar.ratio = {part, part * 0.999, part * 1.001};
      bar.gflops = {50000 * part, 49950 * part, 50050 * part};
      bars.push_back(bar);
    }
    return bars;
  }
  static int firstTensorRow() { return static_cast<int>(stages().size()); }

 private slots:
  // The tensor ladder's rungs are below a line that names them, and their bars have their own
  // scale.
  void bothLadders() {
    LadderList list(everyStage());
    list.setBars(both());
    const int line = QFontMetrics(list.font()).height();
    QVERIFY(test::shown(list, {300, list.count() * line * 4 + 4 * line}));
    for (int row = 0; row < list.count(); ++row)
      QCOMPARE(list.beginsLadder(row), row == firstTensorRow());
    // The line has its own room, above the row's title.
    const QRect named = list.visualItemRect(list.item(firstTensorRow()));
    const QRect next = list.visualItemRect(list.item(firstTensorRow() + 1));
    QVERIFY(named.height() >= next.height() + 2 * line);
    QVERIFY(list.item(firstTensorRow())->text().startsWith("T1 "));
    QVERIFY(list.item(firstTensorRow())->toolTip().startsWith("Rung T1: "));
    QCOMPARE(list.barsHead(Ladder::Fp32), "speed in % of cuBLAS");
    QCOMPARE(list.barsHead(Ladder::Tensor), "% of cuBLAS in bf16");
    // The last FP32 rung is beyond its 100 %; a rung of the other ladder is not slower than it.
    QVERIFY(list.setbackOf(firstTensorRow()).isEmpty());

    std::vector<const Stage*> picked;
    connect(&list, &LadderList::picked, &list,
            [&picked](const Stage* stage) { picked.push_back(stage); });
    const Stage& t3 = tensorStages().back();
    const int last = list.count() - 1;
    test::clickAt(*list.viewport(), list.visualItemRect(list.item(last)).center());
    test::clickAt(*list.viewport(), named.center());
    QCOMPARE(picked, (std::vector<const Stage*>{&t3, &tensorStages().front()}));
    list.setCurrent(t3);
    QCOMPARE(list.currentRow(), last);
    list.setCurrent(stages()[2]);
    QCOMPARE(list.currentRow(), 2);
  }

  // Also if large text leaves no room for bars, and so none beside numbers.
  void aNarrowListNamesTheTensorLadder() {
    LadderList list(everyStage());
    list.setBars(both());
    QFont large = list.font();
    large.setPointSizeF(3 * large.pointSizeF());
    list.setFont(large);
    QVERIFY(test::shown(list, {230, 600}));
    list.setCurrent(tensorStages().front());
    QCoreApplication::processEvents();
    test::TextRecorder recorder(list.size());
    recorder.record(list);
    QStringList words;
    for (const test::PaintedText& text : recorder.texts()) words += text.text;
    QVERIFY2(words.join('|').contains("Tensor"), qPrintable(words.join('|')));
    QVERIFY2(words.join('|').contains("of cuBLAS"), qPrintable(words.join('|')));
  }

  // The number of a rung and its speed are in one line there, even "T13" and 100 % or more.
  void inANarrowListNoTextCoversAnother() {
    LadderList list(everyStage());
    list.setBars(both());
    QFont large = list.font();
    large.setPointSizeF(3 * large.pointSizeF());
    list.setFont(large);
    for (const int width : {200, 215, 230, 260, 300}) {
      QVERIFY(test::shown(list, {width, 900}));
      for (const Stage* stage : {&tensorStages().back(), &stages().back(), &stages().front()}) {
        list.setCurrent(*stage);
        QCoreApplication::processEvents();
        test::TextRecorder recorder(list.size());
        recorder.record(list);
        const auto& texts = recorder.texts();
        for (std::size_t i = 0; i < texts.size(); ++i) {
          for (std::size_t j = i + 1; j < texts.size(); ++j) {
            const QRectF both = test::overlapOf(texts[i], texts[j]);
            QVERIFY2(
                both.width() < 2 || both.height() < 2,
                qPrintable(
                    QString("%1: \"%2\" and \"%3\"").arg(width).arg(texts[i].text, texts[j].text)));
          }
        }
      }
    }
  }

  // Each ladder's bars end at its own best: what is painted of one does not depend on the other.
  void eachLadderHasItsScale() {
    LadderList list(everyStage());
    const int line = QFontMetrics(list.font()).height();
    QVERIFY(test::shown(list, {300, list.count() * line * 4 + 4 * line}));
    const auto rowOf = [&](int row) {
      return list.viewport()->grab(list.visualItemRect(list.item(row))).toImage();
    };
    auto bars = both();
    list.setBars(bars);
    QTest::qWait(0);
    const QImage tensor = rowOf(list.count() - 1), fp32 = rowOf(3);
    for (LadderBar& bar : bars) {
      if (bar.rung()->ladder == Ladder::Fp32 && bar.rung()->rung > 4) bar.ratio = {0.5, 0.5, 0.5};
    }
    list.setBars(bars);
    QTest::qWait(0);
    QCOMPARE(rowOf(list.count() - 1), tensor);
    QVERIFY(rowOf(3) != fp32);  // the scale of its own ladder has changed
  }

  // If not all rows fit, the current one is visible, at any height of the list.
  void aLowListShowsTheCurrentRung() {
    LadderList list(everyStage());
    list.setBars(both());
    const int line = QFontMetrics(list.font()).height();
    QVERIFY(test::shown(list, {300, line * 20}));
    const auto inSight = [&list](int row) {
      const QRect place = list.visualItemRect(list.item(row));
      return list.viewport()->rect().contains(place);
    };
    const int last = list.count() - 1;
    list.setCurrent(tensorStages().back());
    QTRY_VERIFY(inSight(last));
    QVERIFY(!inSight(0));
    list.resize(300, line * 12);
    QTRY_VERIFY(inSight(last));
    list.setCurrent(stages().front());
    QTRY_VERIFY(inSight(0));
  }

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
      LadderBar bar{standardSubject(stage), Freshness::Recorded, {}, {}, "H100"};
      const double part = stage.rung == 7 ? 0.3 : 0.06 * stage.rung;
      bar.ratio = {part, part * 0.999, part * 1.001};
      bar.gflops = {50000 * part, 49950 * part, 50050 * part};
      bars.push_back(bar);
    }
    LadderList list(fp32());
    list.setCurrent(stages().front());
    QVERIFY(list.barsHead(Ladder::Fp32).isEmpty());  // no bars, no words about them
    list.setBars(bars);
    QVERIFY2(list.barsHead(Ladder::Fp32).contains("% of cuBLAS"),
             qPrintable(list.barsHead(Ladder::Fp32)));
    QCOMPARE(list.barsOrigin(), "recorded on H100");
    // One that was measured here: the live bar is marked beside the bars.
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
