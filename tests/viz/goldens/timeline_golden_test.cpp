// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of the timeline against golden ones.
#include <QPainter>
#include <QtTest>

#include "tests/support/test_class.h"
#include "tests/viz/golden.h"
#include "tests/viz/timeline/timeline_points.h"
#include "viz/timeline/timeline_view.h"

namespace tileloom {

class TimelineGoldenTest : public QObject {
  Q_OBJECT

 private slots:
  void pictures_data() {
    QTest::addColumn<QString>("stage");
    QTest::addColumn<int>("delay");
    QTest::addColumn<int>("from");
    QTest::addColumn<int>("to");  // 0: the usual span
    QTest::addColumn<bool>("dark");
    QTest::newRow("timeline-warptiled-dark") << "warptiled" << 0 << 0 << 0 << true;
    QTest::newRow("timeline-async-dark") << "async" << 0 << 0 << 0 << true;
    QTest::newRow("timeline-fragments-slow-light") << "fragments" << 800 << 0 << 0 << false;
    QTest::newRow("timeline-instructions-light") << "doublebuffered" << 0 << 3000 << 3700 << false;
  }
  void pictures() {
    QFETCH(QString, stage);
    QFETCH(int, delay);
    QFETCH(int, from);
    QFETCH(int, to);
    QFETCH(bool, dark);
    TimelineData data = test::timelineOf(stage.toStdString(), delay);
    data.warp = 1;
    data.now = data.usualEnd * 0.4;
    TimelineView view;
    view.setData(std::move(data));
    if (to > 0) view.setSpan(CycleSpan{from, to});
    QImage image(1100, 400, QImage::Format_RGB32);
    QPainter painter(&image);
    view.paintTo(painter, image.rect(), Theme::make(dark), Fonts::of(test::goldenFont()));
    painter.end();
    test::compareWithGolden(QTest::currentDataTag(), image);
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::TimelineGoldenTest, Widgets)
#include "timeline_golden_test.moc"
