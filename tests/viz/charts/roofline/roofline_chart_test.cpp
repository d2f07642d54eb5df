// SPDX-License-Identifier: GPL-3.0-or-later
// The roofline as a widget: picking, keys, levels, texts for screen readers, and files.
#include "viz/charts/roofline/roofline_chart.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QToolTip>
#include <QtTest>

#include "tests/support/pointer.h"
#include "tests/support/test_class.h"
#include "tests/viz/roofline_points.h"
#include "viz/charts/chart_export.h"

namespace tileloom {

class RooflineChartTest : public QObject {
  Q_OBJECT

  static QPointF markOf(const RooflineChart& chart, int point) {
    for (const auto& mark : chart.geometryOfPoints().marks) {
      if (mark.point == point && mark.main) return mark.at;
    }
    return {};
  }

 private slots:
  void clickPicksTheRung() {
    RooflineChart chart;
    chart.setData(test::roofline());
    QVERIFY(test::shown(chart, {900, 400}));
    QSignalSpy picked(&chart, &RooflineChart::picked);
    test::hoverAt(chart, markOf(chart, 0));
    QTRY_VERIFY(QToolTip::text().contains("rung 1: naive"));
    test::clickAt(chart, markOf(chart, 0));
    QCOMPARE(picked.size(), 1);
    QCOMPARE(picked[0][0].value<const Stage*>(), &stages().front());
    test::clickAt(chart, {5, 5});
    QCOMPARE(picked.size(), 1);
  }

  void keysWalk() {
    RooflineChart chart;
    chart.setData(test::roofline());
    QVERIFY(test::shown(chart, {900, 400}));
    QVERIFY(chart.accessibleDescription().contains("at least 2.08 ms"));
    QSignalSpy picked(&chart, &RooflineChart::picked), levels(&chart, &RooflineChart::levelChanged);
    QTest::keyClick(&chart, Qt::Key_Up);
    QTest::keyClick(&chart, Qt::Key_Up);
    QVERIFY(chart.accessibleDescription().contains("rung 2"));
    QTest::keyClick(&chart, Qt::Key_Return);
    QCOMPARE(picked.size(), 1);
    QTest::keyClick(&chart, Qt::Key_Right);
    QVERIFY(chart.level() == RooflineLevel::L2);
    QTest::keyClick(&chart, Qt::Key_Left);
    QTest::keyClick(&chart, Qt::Key_Left);
    QVERIFY(chart.level() == RooflineLevel::Dram);
    QCOMPARE(levels.size(), 2);
    QTest::keyClick(&chart, Qt::Key_Escape);
    QVERIFY(chart.accessibleDescription().contains("at least 2.08 ms"));
  }

  // The present tile moves with its data, and the level stays.
  void thePresentTileMoves() {
    RooflineChart chart;
    RooflineData data = test::roofline();
    chart.setData(data);
    chart.setLevel(RooflineLevel::Shared);
    QVERIFY(test::shown(chart, {900, 400}));
    const QPointF before = markOf(chart, -1);
    data.present->traffic.sharedBytes *= 2;
    chart.setData(data);
    QVERIFY(chart.level() == RooflineLevel::Shared);
    QVERIFY(markOf(chart, -1).x() < before.x() - 10);
    QCOMPARE(markOf(chart, -1).y(), before.y());
  }

  void filesOfEachKind() {
    QTemporaryDir folder;
    RooflineChart chart;
    chart.setData(test::roofline());
    for (const char* name : {"a.png", "a.svg", "a.pdf", "a.csv", "a.json"}) {
      const QString file = folder.filePath(name);
      ChartPicture picture;
      picture.size = QSize(900, 420);
      QCOMPARE(writeChart(chart, file, picture), QString());
      QVERIFY(QFileInfo(file).size() > 500);
    }
    QFile svg(folder.filePath("a.svg"));
    QVERIFY(svg.open(QIODevice::ReadOnly));
    const QByteArray text = svg.readAll();
    QVERIFY(text.contains("Roofline at 4096") && text.contains("FMA pipes"));
  }

  void emptyStaysQuiet() {
    RooflineChart chart;
    QVERIFY(test::shown(chart, {300, 220}));
    QSignalSpy picked(&chart, &RooflineChart::picked);
    test::clickAt(chart, {150, 100});
    QTest::keyClick(&chart, Qt::Key_Up);
    QTest::keyClick(&chart, Qt::Key_Return);
    QVERIFY(picked.empty());
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::RooflineChartTest, Widgets)
#include "roofline_chart_test.moc"
