// SPDX-License-Identifier: GPL-3.0-or-later
// A widget drawn in lines and letters is the same picture as the one on the screen.
#include "viz/base/paint/vector_widget.h"

#include <QBuffer>
#include <QImage>
#include <QLabel>
#include <QPaintEngine>
#include <QPainter>
#include <QPdfWriter>
#include <QRegularExpression>
#include <QtTest>
#include <functional>

#include "tests/support/test_class.h"

namespace tileloom {

class VectorWidgetTest : public QObject {
  Q_OBJECT

  // Paints with clips inside of clips, as views do, and beyond its own edge.
  struct Clipping : QWidget {
    explicit Clipping(QWidget* parent) : QWidget(parent) {}
    bool vectors = false;
    void paintEvent(QPaintEvent*) override {
      QPainter painter(this);
      vectors = paintsVectors(painter);
      painter.fillRect(rect(), Qt::white);
      painter.setClipRect(QRect(10, 10, 60, 60));
      painter.save();
      painter.setClipRect(QRectF(20, 20, 20, 20), Qt::IntersectClip);
      painter.fillRect(QRectF(-500, -500, 1000, 1000), Qt::red);
      painter.restore();
      painter.translate(40, 40);
      painter.fillRect(QRect(0, 0, 500, 500), Qt::blue);
      painter.setClipping(false);
      painter.fillRect(QRect(40, -40, 5, 5), Qt::green);
    }
  };

  static QImage onto(const std::function<void(QPainter&)>& paint, const QSize& size) {
    QImage image(size, QImage::Format_RGB32);
    image.fill(Qt::gray);
    QPainter painter(&image);
    paint(painter);
    return image;
  }

  // Queries the metrics that pixmaps and styles query.
  struct Asking : QWidget {
    explicit Asking(QWidget* parent) : QWidget(parent) {}
    double ratio = 0;
    void paintEvent(QPaintEvent*) override {
      QPainter painter(this);
      const QPaintDevice& device = *painter.paintEngine()->paintDevice();
      ratio = device.devicePixelRatioF();
      QVERIFY(device.depth() > 0 && device.colorCount() >= 0 && device.devicePixelRatio() == 1);
      QPixmap pixmap(20, 20);
      pixmap.fill(Qt::red);
      painter.drawPixmap(0, 0, pixmap);
    }
  };

 private slots:
  // A device that does not answer a metric itself causes a line on standard error.
  void itAnswersWhateverIsAsked() {
    QTest::failOnWarning(QRegularExpression(".*"));
    QWidget whole;
    whole.resize(100, 100);
    auto* asking = new Asking(&whole);
    asking->setGeometry(10, 10, 50, 50);
    whole.show();
    onto([&](QPainter& p) { paintVectors(p, whole); }, whole.size());
    QCOMPARE(asking->ratio, 1.0);
  }

  void clipsStandWhereTheyStandOnTheScreen() {
    QWidget whole;
    whole.resize(200, 160);
    auto* inner = new QWidget(&whole);
    inner->setGeometry(30, 20, 110, 90);  // clips the one below
    auto* clipping = new Clipping(inner);
    clipping->setGeometry(25, 15, 100, 100);
    whole.show();
    const QImage seen = onto([&](QPainter& p) { whole.render(&p); }, whole.size());
    QVERIFY(!clipping->vectors);
    const QImage drawn = onto([&](QPainter& p) { paintVectors(p, whole); }, whole.size());
    QVERIFY(clipping->vectors);
    QCOMPARE(drawn, seen);
    // Outside of the parent and below what is hidden there is nothing but the window.
    QCOMPARE(drawn.pixel(145, 60), drawn.pixel(150, 150));
    clipping->hide();
    const QImage without = onto([&](QPainter& p) { paintVectors(p, whole); }, whole.size());
    QCOMPARE(without.pixel(60, 50), without.pixel(150, 150));
  }

  // The painter decides on its place and size.
  void itMovesWithThePainter() {
    QWidget whole;
    whole.resize(120, 120);
    auto* clipping = new Clipping(&whole);
    clipping->setGeometry(10, 10, 100, 100);
    whole.show();
    const QImage plain = onto([&](QPainter& p) { paintVectors(p, whole); }, whole.size());
    const QImage moved = onto(
        [&](QPainter& p) {
          p.translate(40, 30);
          p.scale(2, 2);
          paintVectors(p, whole);
          QCOMPARE(p.transform(), QTransform(2, 0, 0, 2, 40, 30));  // as it was
          QVERIFY(!p.hasClipping());
        },
        {300, 300});
    for (const QPoint at : {QPoint(15, 15), QPoint(35, 35), QPoint(60, 60), QPoint(92, 12)})
      QCOMPARE(moved.pixel(QPoint(40, 30) + 2 * at), plain.pixel(at));
  }

  // Selectable text has the font of its label, not the device's.
  void lettersStayLetters() {
    QLabel label(QStringLiteral("Words that are large"));
    label.setTextInteractionFlags(Qt::TextSelectableByMouse);
    QFont large = label.font();
    large.setPointSizeF(30);
    label.setFont(large);
    label.show();
    const QImage seen = onto([&](QPainter& p) { label.render(&p); }, label.size());
    const QImage drawn = onto([&](QPainter& p) { paintVectors(p, label); }, label.size());
    QCOMPARE(drawn, seen);
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    {
      QPdfWriter writer(&buffer);
      writer.setResolution(96);
      QPainter painter(&writer);
      paintVectors(painter, label);
    }
    QVERIFY(bytes.contains("/Font") && !bytes.contains("/Subtype /Image"));
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::VectorWidgetTest, Widgets)
#include "vector_widget_test.moc"
