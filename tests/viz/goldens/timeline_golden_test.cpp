// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of the timeline against golden ones.
#include <QPainter>
#include <QtTest>

#include "tests/support/test_class.h"
#include "tests/viz/golden.h"
#include "tests/viz/timeline/timeline_points.h"
#include "viz/timeline/timeline_strip.h"
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
    data.beside.reset();
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

  // The prediction above the timestamps of a GPU, over one axis.
  void measured_data() {
    QTest::addColumn<QString>("stage");
    QTest::addColumn<bool>("dark");
    QTest::addColumn<bool>("betweenTiles");
    QTest::newRow("timeline-between-hopper-light") << "hopper" << false << true;
  }
  void measured() {
    QFETCH(QString, stage);
    QFETCH(bool, dark);
    QFETCH(bool, betweenTiles);
    TimelineData data = test::timelineOf(stage.toStdString(), 0, betweenTiles);
    QVERIFY(data.beside != nullptr);
    data.warp = 1;
    if (!betweenTiles) data.now = data.usualEnd * 0.4;
    makeRoomForMeasured(data);
    TimelineView above, beneath;
    beneath.setData(measuredData(data));
    above.setData(std::move(data));
    QImage image(1100, 640, QImage::Format_RGB32);
    const QRectF half(0, 0, image.width(), image.height() / 2.0);
    const Theme theme = Theme::make(dark);
    const Fonts fonts = Fonts::of(test::goldenFont());
    QPainter painter(&image);
    above.paintTo(painter, half, theme, fonts);
    painter.translate(0, half.height());
    beneath.paintTo(painter, half, theme, fonts);
    painter.end();
    test::compareWithGolden(QTest::currentDataTag(), image);
  }

  // Under the loom, with TMA's multistage pipeline and with FMA pipes.
  void strips_data() {
    QTest::addColumn<QString>("stage");
    QTest::addColumn<bool>("dark");
    QTest::addColumn<bool>("low");
    QTest::newRow("timeline-strip-multistage-dark") << "multistage" << true << false;
  }
  void strips() {
    QFETCH(QString, stage);
    QFETCH(bool, dark);
    QFETCH(bool, low);
    TimelineData data = test::timelineOf(stage.toStdString());
    data.now = data.usualEnd * 0.4;
    TimelineStrip strip;
    strip.setPalette(Theme::make(dark).palette());
    strip.setFont(test::goldenFont());
    strip.setRows(low ? TimelineRows::Fewest : TimelineRows::Condensed);
    strip.resize(1000, strip.heightOf(strip.rows()));
    strip.setData(std::move(data));
    QImage image(strip.size(), QImage::Format_RGB32);
    strip.render(&image);
    test::compareWithGolden(QTest::currentDataTag(), image);
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::TimelineGoldenTest, Widgets)
#include "timeline_golden_test.moc"
