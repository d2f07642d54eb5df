// SPDX-License-Identifier: GPL-3.0-or-later
// Two views share the width, or are stacked.
#include "viz/base/widgets/side_by_side.h"

#include <QLabel>
#include <QScrollArea>
#include <QtTest>

#include "tests/support/test_class.h"

namespace tileloom {

class SideBySideTest : public QObject {
  Q_OBJECT

  struct View : QWidget {
    QSize minimumSizeHint() const override { return {300, 120}; }
  };
  // In a scrolling page, as in the window.
  struct Shown {
    View* baseline = new View;
    View* now = new View;
    SideBySide* pair = new SideBySide(baseline, now);
    QScrollArea area;
    Shown() {
      area.setFrameShape(QFrame::NoFrame);
      area.setWidget(pair);
      area.setWidgetResizable(true);
    }
    void show(int width, int height) {
      area.resize(width, height);
      area.show();
      QCoreApplication::processEvents();
    }
  };

 private slots:
  void aloneTheyHaveNoNames() {
    Shown s;
    s.pair->standAboveBelow(40);
    s.show(320, 200);
    QVERIFY(!s.baseline->isVisible());
    QVERIFY(s.now->isVisible());
    QVERIFY(!s.pair->oneAboveTheOther());
    QCOMPARE(s.now->width(), 320);
  }

  void theWidthDecides() {
    Shown s;
    s.pair->standAboveBelow(40);
    s.pair->setTitles("a", "b");
    const int letter = s.pair->fontMetrics().averageCharWidth();
    const int wide = std::max(80 * letter, 620) + 20;
    s.show(wide, 400);
    QVERIFY(!s.pair->oneAboveTheOther());
    QVERIFY(s.baseline->mapTo(s.pair, QPoint()).x() < s.now->mapTo(s.pair, QPoint()).x());
    s.show(std::max(320, 60 * letter), 200);
    QVERIFY(s.pair->oneAboveTheOther());
    QVERIFY(s.baseline->mapTo(s.pair, QPoint()).y() < s.now->mapTo(s.pair, QPoint()).y());
    // Each has what it needs, and the page scrolls.
    QVERIFY(s.now->height() >= 120 && s.baseline->height() >= 120);
    QVERIFY(s.pair->height() > 200);
    QVERIFY(s.pair->width() <= s.area.viewport()->width());
    s.show(wide, 400);
    QVERIFY(!s.pair->oneAboveTheOther());
  }

  void byDefaultTheyStayBesideOneAnother() {
    Shown s;
    s.pair->setTitles("a", "b");
    s.show(320, 200);
    QVERIFY(!s.pair->oneAboveTheOther());
  }

  // Where a name has no room for its rung, the word before it goes.
  void largeNamesKeepTheRung() {
    Shown s;
    s.pair->setTitles("7 autotuned · TN=8 · TM=8", "8 warp tiling · TN=4 · WM=64");
    const auto names = [&] {
      QStringList all;
      for (const QLabel* label : s.pair->findChildren<QLabel*>()) {
        if (label->objectName() != "sideMoment") all += label->text();
      }
      return all.join(u';');
    };
    const int letter = QFontMetrics(s.pair->font()).averageCharWidth();
    s.show(140 * letter, 300);
    QVERIFY2(names().contains("Baseline: 7 autotuned"), qPrintable(names()));
    s.show(44 * letter, 300);
    QVERIFY2(!names().contains("Baseline:") && names().contains("7 autotuned"),
             qPrintable(names()));
    s.show(140 * letter, 300);
    QVERIFY2(names().contains("Baseline: 7 autotuned"), qPrintable(names()));
  }

  // A moment that does not fit beside its name is complete below it.
  void momentsStandWhole() {
    Shown s;
    const QString moment = "K tile 2: asynchronous copy to As";
    s.pair->setTitles("11 double buffering", "12 asynchronous copies");
    s.pair->setMoments("K tile 2: global load of A", moment);
    for (const int width : {660, 1600}) {
      s.show(width, 300);
      const auto labels = s.pair->findChildren<QLabel*>("sideMoment");
      QCOMPARE(labels.size(), 2);
      for (const QLabel* label : labels) {
        QVERIFY(label->isVisible());
        QVERIFY2(label->width() >= QFontMetrics(label->font()).horizontalAdvance(label->text()),
                 qPrintable(QString::number(width)));
      }
    }
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::SideBySideTest, Widgets)
#include "side_by_side_test.moc"
