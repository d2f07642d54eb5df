// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/lecture/step_fade.h"

#include <QtTest>

#include "tests/support/test_class.h"

namespace tileloom {

class StepFadeTest : public QObject {
  Q_OBJECT

  static QImage pictureOf(QWidget& window) {
    return window.grab().toImage().convertToFormat(QImage::Format_RGB32);
  }

 private slots:
  // It begins with the previous picture, except for animated parts, and ends with nothing.
  void thePictureOfBeforeGoes() {
    QWidget window;
    window.resize(200, 100);
    window.setStyleSheet(QStringLiteral("background: white"));
    StepFade fade(&window);
    window.show();
    QPixmap before(200, 100);
    before.fill(Qt::black);
    fade.start(before, QRect(0, 0, 50, 100));
    QVERIFY(fade.running() && fade.isVisible());
    QCOMPARE(fade.geometry(), window.rect());
    const QImage first = pictureOf(window);
    QVERIFY(qGray(first.pixel(150, 50)) < 128);
    QCOMPARE(qGray(first.pixel(25, 50)), 255);
    QTRY_VERIFY(!fade.running());
    QVERIFY(!fade.isVisible());
    QCOMPARE(qGray(pictureOf(window).pixel(150, 50)), 255);
  }

  // Widgets below it can be clicked at once.
  void itIsNotInTheWay() {
    QWidget window;
    window.resize(200, 100);
    StepFade fade(&window);
    window.show();
    fade.start(QPixmap(200, 100), {});
    QVERIFY(window.childAt(100, 50) == nullptr);
  }

  // A second step before the end of the first fade starts again.
  void aSecondOneStartsAgain() {
    QWidget window;
    window.resize(200, 100);
    window.setStyleSheet(QStringLiteral("background: white"));
    StepFade fade(&window);
    window.show();
    QPixmap black(200, 100), red(200, 100);
    black.fill(Qt::black);
    red.fill(Qt::red);
    fade.start(black, {});
    fade.start(red, {});
    QVERIFY(qRed(pictureOf(window).pixel(100, 50)) > 200);
    QVERIFY(qGreen(pictureOf(window).pixel(100, 50)) < 128);
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::StepFadeTest, Widgets)
#include "step_fade_test.moc"
