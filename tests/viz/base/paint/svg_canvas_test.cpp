// SPDX-License-Identifier: GPL-3.0-or-later
// An SVG that looks the same everywhere: outlines for letters, clips, patterns as lines, and
// colours in one place.
#include "viz/base/paint/svg_canvas.h"

#include <QImage>
#include <QPainter>
#include <QPainterPath>
#include <QRegularExpression>
#include <QSvgRenderer>
#include <QXmlStreamReader>
#include <QtTest>
#include <functional>

#include "tests/support/test_class.h"
#include "viz/base/paint/marks.h"
#include "viz/base/paint/vector_fill.h"
#include "viz/base/widgets/painted_view.h"

namespace tileloom {

class SvgCanvasTest : public QObject {
  Q_OBJECT

  const Theme theme_ = Theme::make(Look::Light);

  QByteArray drawn(const std::function<void(QPainter&)>& paint, bool text = false) const {
    SvgCanvas canvas({QSizeF(200, 100), "T <1>", "D & d", theme_, text});
    QPainter painter(&canvas);
    paint(painter);
    painter.end();
    return canvas.document();
  }
  static QImage rendered(const QByteArray& svg) {
    QImage image(200, 100, QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    QSvgRenderer(svg).render(&painter);
    return image;
  }
  static bool wellFormed(const QByteArray& svg) {
    QXmlStreamReader reader(svg);
    while (!reader.atEnd()) reader.readNext();
    return !reader.hasError();
  }

 private slots:
  // A device that does not answer a metric itself causes a line on standard error.
  void itAnswersWhateverIsAsked() {
    QTest::failOnWarning(QRegularExpression(".*"));
    const SvgCanvas canvas({QSizeF(200, 100), "T", "D", theme_, false});
    QCOMPARE(canvas.devicePixelRatio(), 1);
    QCOMPARE(canvas.devicePixelRatioF(), 1.0);
    QCOMPARE(canvas.depth(), 24);
    QCOMPARE(canvas.logicalDpiX(), canvas.physicalDpiY());
    QVERIFY(canvas.widthMM() > 0 && canvas.heightMM() > 0 && canvas.colorCount() >= 0);
  }

  void aLineOfTheStyleSheetChangesAColour() {
    const QColor a = theme_.matrix(analysis::Matrix::A);
    QByteArray svg = drawn([&](QPainter& p) {
      p.fillRect(QRectF(10, 10, 50, 50), a);
      p.setPen(QPen(a, 4));
      p.drawLine(100, 20, 150, 20);
      p.fillRect(QRectF(100, 50, 50, 40), Theme::mix(theme_.ground, a, 0.42));
    });
    QVERIFY(wellFormed(svg));
    QCOMPARE(svg.count(a.name().toLatin1() + '}'), 2);  // filled and drawn, on one line
    QVERIFY2(svg.contains(".A{fill:#0083e3} .A-line{stroke:#0083e3}\n  .A-42{fill:"), svg);
    QVERIFY(svg.contains("A #0083e3 (matrix A)"));  // in the description
    QVERIFY(svg.contains("T &lt;1&gt;") && svg.contains("D &amp; d"));
    // No element has its own colour.
    static const QRegularExpression own("(fill|stroke)=\"#");
    QVERIFY(!QString::fromUtf8(svg).contains(own));
    svg.replace(".A{fill:#0083e3} .A-line{stroke:#0083e3}",
                ".A{fill:#ff0000} .A-line{stroke:#ff0000}");
    const QImage image = rendered(svg);
    QCOMPARE(image.pixelColor(30, 30), QColor(Qt::red));
    QCOMPARE(image.pixelColor(120, 20), QColor(Qt::red));
    QVERIFY(image.pixelColor(120, 70) != QColor(Qt::red));
  }

  void lettersAreOutlinesWithTheirWords() {
    const auto words = [](QPainter& p) {
      p.setFont(QFont("DejaVu Sans", 10));
      p.setPen(Qt::black);
      p.drawText(20, 50, "Loom & ll");
    };
    const QByteArray svg = drawn(words);
    QVERIFY(wellFormed(svg) && !svg.contains("<text") && !svg.contains("font-family"));
    QVERIFY(svg.contains("aria-label=\"Loom &amp; ll\""));
    QCOMPARE(svg.count("<use "), 7);         // blanks have no outline
    QCOMPARE(svg.count("<path id=\"g"), 5);  // L, o, m, &, l: each once
    // As the screen draws them, to a pixel.
    QImage screen(200, 100, QImage::Format_RGB32);
    screen.fill(Qt::white);
    QPainter painter(&screen);
    words(painter);
    painter.end();
    const QImage outlines = rendered(svg);
    const auto extent = [](const QImage& image) {
      QRect all;
      for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
          if (qGray(image.pixel(x, y)) < 128) all |= QRect(x, y, 1, 1);
        }
      }
      return all;
    };
    const QRect one = extent(screen), other = extent(outlines);
    QVERIFY(std::abs(one.left() - other.left()) <= 1 && std::abs(one.right() - other.right()) <= 2);
    QVERIFY(std::abs(one.top() - other.top()) <= 1 && std::abs(one.bottom() - other.bottom()) <= 1);

    const QByteArray text = drawn(words, true);
    QVERIFY(wellFormed(text) && text.contains(">Loom &amp; ll</text>"));
    QVERIFY(text.contains(", sans-serif\""));  // if the reader lacks the font
    QVERIFY(text.contains("textLength=\""));
  }

  void whatIsClippedIsNotSeen() {
    const QByteArray svg = drawn([](QPainter& p) {
      p.setPen(Qt::NoPen);
      p.setClipRect(QRectF(50, 20, 40, 40));
      p.fillRect(QRectF(0, 0, 200, 100), Qt::black);   // is cut
      p.fillRect(QRectF(100, 0, 50, 100), Qt::black);  // is left out
      p.save();
      QPainterPath circle;
      circle.addEllipse(QPointF(70, 40), 10, 10);
      p.setClipPath(circle, Qt::IntersectClip);
      p.setPen(QPen(Qt::white, 3));
      p.drawLine(0, 0, 200, 100);  // is clipped at the circle
      p.restore();
      p.setClipping(false);
      p.fillRect(QRectF(150, 50, 10, 10), Qt::black);
    });
    QVERIFY(wellFormed(svg));
    QVERIFY2(svg.contains("x=\"50\" y=\"20\" width=\"40\" height=\"40\""), svg);
    QCOMPARE(svg.count("<rect"), 2);
    QCOMPARE(svg.count("<g clip-path"), 1);
    QCOMPARE(svg.count("</g>"), svg.count("<g "));
  }

  void picturesArePixelsAndSaidToBe() {
    QImage image(4, 4, QImage::Format_RGB32);
    image.fill(Qt::red);
    QVERIFY(drawn([](QPainter&) {}).contains("This file has no raster images."));
    const QByteArray svg = drawn([&](QPainter& p) { p.drawImage(QRectF(10, 10, 80, 80), image); });
    QCOMPARE(svg.count("<image"), 1);
    QVERIFY(svg.contains("1 part of this file is a lossless raster image."));
    QCOMPARE(rendered(svg).pixelColor(40, 40), QColor(Qt::red));
  }

  // The distance of the lines, and how much of the area they cover, are those of the screen.
  void troubleIsHatchedAsOnTheScreen() {
    const QRectF area(0, 0, 160, 80);
    QImage screen(160, 80, QImage::Format_RGB32), lines(160, 80, QImage::Format_RGB32);
    const auto paint = [&](QPainter& p) { figures::fillTrouble(p, area, theme_); };
    screen.fill(Qt::white);
    {
      QPainter painter(&screen);
      paint(painter);
    }
    lines.fill(Qt::white);
    {
      QPainter painter(&lines);
      QSvgRenderer(drawn(paint)).render(&painter, QRectF(0, 0, 200, 100));
    }
    const auto ink = [&](const QImage& image) {
      double sum = 0;
      for (int y = 0; y < 80; ++y) {
        for (int x = 0; x < 160; ++x) sum += 255 - qGreen(image.pixel(x, y));
      }
      return sum;
    };
    QVERIFY2(std::abs(ink(lines) / ink(screen) - 1) < 0.3,
             qPrintable(QString::number(ink(lines) / ink(screen))));
    // Dark places of a row, from the first to the last.
    const auto marks = [](const QImage& image) {
      std::vector<int> places;
      for (int x = 1; x < 159; ++x) {
        const auto dark = [&](int at) { return 255 - qGreen(image.pixel(at, 40)); };
        if (dark(x) > 60 && dark(x) >= dark(x - 1) && dark(x) > dark(x + 1)) places.push_back(x);
      }
      return places;
    };
    const auto one = marks(screen), other = marks(lines);
    QVERIFY(one.size() > 15);
    QVERIFY(std::abs(static_cast<int>(one.size()) - static_cast<int>(other.size())) <= 1);
    QCOMPARE(one[10] - one[2], 64);
    QVERIFY(std::abs(other[10] - other[2] - 64) <= 1);
  }

  // A pattern of any other painter is not a raster image either.
  void brushesWithLinesStayLines() {
    const QByteArray svg = drawn(
        [](QPainter& p) { p.fillRect(QRectF(0, 0, 80, 80), QBrush(Qt::red, Qt::CrossPattern)); });
    QVERIFY(wellFormed(svg) && svg.contains("<pattern") && !svg.contains("<image"));
  }

  void dashesAndHairlines() {
    const QByteArray svg = drawn([](QPainter& p) {
      p.scale(2, 2);
      p.setPen(hairline(Qt::black, 1.5, Qt::DashLine));
      p.drawLine(0, 0, 50, 0);
      QPen thick(Qt::black, 3);
      thick.setCapStyle(Qt::FlatCap);
      p.setPen(thick);
      p.drawLine(0, 10, 50, 10);
    });
    QVERIFY2(svg.contains("stroke-width=\"1.5\"") && svg.contains("stroke-dasharray=\""), svg);
    QVERIFY2(svg.contains("stroke-width=\"6\"") && svg.contains("d=\"M0 20h100\""), svg);
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::SvgCanvasTest, Widgets)
#include "svg_canvas_test.moc"
