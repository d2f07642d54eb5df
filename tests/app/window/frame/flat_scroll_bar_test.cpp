// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/frame/flat_scroll_bar.h"

#include <QImage>
#include <QPainter>
#include <QScrollBar>
#include <QStyleOptionSlider>
#include <QtTest>

#include "app/window/frame/outlined_style.h"
#include "tests/support/test_class.h"
#include "viz/base/theme.h"

namespace tileloom::test {

class FlatScrollBarTest : public QObject {
  Q_OBJECT

  static QStyleOptionSlider option(int maximum, int page, int at, int room = 200) {
    QStyleOptionSlider o;
    o.rect = {5, 10, 12, room};
    o.orientation = Qt::Vertical;
    o.minimum = 0;
    o.maximum = maximum;
    o.pageStep = page;
    o.sliderPosition = o.sliderValue = at;
    return o;
  }
  static QRect handle(const QStyleOptionSlider& o) {
    return flat_scroll_bar::part(o, QStyle::SC_ScrollBarSlider);
  }

 private slots:
  void theHandleSaysHowMuchIsSeenAndWhere() {
    // 100 of 400 lines: a quarter of the bar.
    QCOMPARE(handle(option(300, 100, 0)), QRect(5, 10, 12, 50));
    QCOMPARE(handle(option(300, 100, 300)), QRect(5, 160, 12, 50));
    QCOMPARE(handle(option(300, 100, 150)), QRect(5, 85, 12, 50));
    QCOMPARE(handle(option(0, 100, 0)), QRect(5, 10, 12, 200));
    // The handle of a long text can still be grasped, also with extreme numbers.
    QCOMPARE(handle(option(1'000'000, 10, 0)).height(), 24);
    QCOMPARE(handle(option(2'000'000'000, 2'000'000'000, 0)).height(), 100);
    QCOMPARE(handle(option(300, 100, 0, 10)), QRect(5, 10, 12, 10));
  }

  void theOtherPartsFillTheRest() {
    const auto o = option(300, 100, 150);
    const QRect before = flat_scroll_bar::part(o, QStyle::SC_ScrollBarSubPage);
    const QRect after = flat_scroll_bar::part(o, QStyle::SC_ScrollBarAddPage);
    QCOMPARE(before.bottom() + 1, handle(o).top());
    QCOMPARE(handle(o).bottom() + 1, after.top());
    QCOMPARE(before.united(handle(o)).united(after), o.rect);
    QVERIFY(flat_scroll_bar::part(o, QStyle::SC_ScrollBarAddLine).isEmpty());
    auto across = o;
    across.orientation = Qt::Horizontal;
    across.rect = {0, 0, 200, 12};
    across.direction = Qt::RightToLeft;
    across.sliderPosition = 0;
    QCOMPARE(handle(across), QRect(150, 0, 50, 12));
  }

  void theMouseMovesIt() {
    OutlinedStyle style;
    QScrollBar bar(Qt::Vertical);
    bar.setStyle(&style);
    bar.setRange(0, 300);
    bar.setPageStep(100);
    bar.resize(12, 200);
    bar.show();
    QVERIFY(QTest::qWaitForWindowExposed(&bar));
    QTest::mouseClick(&bar, Qt::LeftButton, {}, QPoint(6, 190));  // below the handle: a page
    QCOMPARE(bar.value(), 100);
    QTest::mousePress(&bar, Qt::LeftButton, {}, QPoint(6, 60));
    QTest::mouseMove(&bar, QPoint(6, 110));
    QCOMPARE(bar.value(), 200);
    QTest::mouseRelease(&bar, Qt::LeftButton, {}, QPoint(6, 110));
  }

  void theHandleStandsOutInEveryTheme() {
    for (const Look look : {Look::Dark, Look::Light, Look::Contrast}) {
      const Theme theme = Theme::make(look);
      auto o = option(300, 100, 0);
      o.palette = theme.palette();
      o.rect.moveTo(0, 0);
      QImage image(o.rect.size(), QImage::Format_RGB32);
      QPainter painter(&image);
      flat_scroll_bar::paint(painter, o);
      const QColor on = image.pixelColor(6, 25), off = image.pixelColor(6, 150);
      QVERIFY2(Theme::contrast(on, off) >= 2, nameOf(look).data());
    }
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::FlatScrollBarTest, Widgets)
#include "flat_scroll_bar_test.moc"
