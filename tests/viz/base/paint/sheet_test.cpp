// SPDX-License-Identifier: GPL-3.0-or-later
// The caption below an exported picture: it is complete at any width, and the picture above it does
// not change.
#include "viz/base/paint/sheet.h"

#include <qcustomplot.h>

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

#include "tests/support/svg_text.h"
#include "tests/support/test_class.h"

namespace tileloom {

class SheetTest : public QObject {
  Q_OBJECT

  const Caption caption_{
      "rung 8: warp tiling · BM=128 BN=128 · 2048×2048×2048",
      "warp 2, line 61: 128-bit shared load of As, 4 wavefronts, no bank conflict",
      "recorded on NVIDIA H100 80GB HBM3, 2026-11-21", "Tileloom 1.2.3 · 2026-11-22"};

  Sheet sheet(double width, double scale = 1) const {
    return {QSizeF(width, 100), scale, Theme::make(true), QFont(), caption_};
  }
  static void red(QCPPainter& p) { p.fillRect(QRectF(0, 0, 4000, 4000), Qt::red); }

 private slots:
  void everyWordIsThere_data() {
    QTest::addColumn<int>("width");
    for (const int width : {200, 320, 640, 1200, 3840}) QTest::addRow("%d", width) << width;
  }
  void everyWordIsThere() {
    QFETCH(int, width);
    const QTemporaryDir folder;
    const QString file = folder.filePath("a.svg");
    QCOMPARE(writeSheet(sheet(width), red, file), QString());
    const QString words = test::svgText(file).simplified();
    for (const QString& part :
         {caption_.title, caption_.shown, caption_.origin, caption_.program}) {
      for (const QString& word : part.split(' '))
        QVERIFY2(words.contains(word), qPrintable(word + " in " + words));
    }
  }

  // Unpainted parts of a view have the ground's colour, not the paper's: text of a dark theme is
  // light.
  void theGroundIsPaintedEverywhere() {
    const QTemporaryDir folder;
    const QString file = folder.filePath("a.svg");
    QCOMPARE(writeSheet(
                 {QSizeF(300, 200), 1, Theme::make(Look::Dark), {}, {}}, [](QCPPainter&) {}, file),
             QString());
    QFile written(file);
    QVERIFY(written.open(QIODevice::ReadOnly));
    QVERIFY(written.readAll().contains(
        "<rect class=\"ground crisp\" x=\"0\" y=\"0\" width=\"300\" height=\"200\"/>"));
  }

  void theNarrowerTheHigher() {
    QVERIFY(captionHeight(caption_, 200, {}) > captionHeight(caption_, 600, {}));
    QVERIFY(captionHeight(caption_, 600, {}) >= captionHeight(caption_, 3000, {}));
    QCOMPARE(wholeSize(sheet(600)).height(), 100 + captionHeight(caption_, 600, {}));
    QCOMPARE(captionHeight({}, 600, {}), 0.0);
  }

  void thePictureStaysAboveIt() {
    for (const double scale : {1.0, 2.0}) {
      const QImage image = sheetImage(sheet(600, scale), red);
      QCOMPARE(image.size(), (wholeSize(sheet(600)) * scale).toSize());
      const int edge = static_cast<int>(100 * scale);
      QCOMPARE(image.pixelColor(599, edge - 1), QColor(Qt::red));
      // What the picture paints beyond its size is not in the caption.
      for (int y = edge + 2; y < image.height(); ++y)
        QVERIFY(image.pixelColor(2, y) == Theme::make(true).panel);
      QSet<QRgb> inks;
      for (int y = edge + 2; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) inks.insert(image.pixel(x, y));
      QVERIFY(inks.size() > 5);
      for (int y = edge; y < image.height(); ++y)  // it is not cut off at the right or below
        QCOMPARE(image.pixelColor(image.width() - 1, y),
                 y < edge + scale ? image.pixelColor(0, y) : Theme::make(true).panel);
      for (int x = 0; x < image.width(); ++x)
        QCOMPARE(image.pixelColor(x, image.height() - 1), Theme::make(true).panel);
    }
  }

  void withoutACaptionThereIsNoBand() {
    Sheet plain = sheet(300);
    plain.caption.reset();
    QCOMPARE(sheetImage(plain, red).size(), QSize(300, 100));
  }

  void roomIsKeptForTheTallest() {
    Sheet s = sheet(600);
    s.captionRoom = 180;
    QCOMPARE(wholeSize(s).height(), 280.0);
  }

  void tooLargeIsSaid() {
    const QTemporaryDir folder;
    const QString file = folder.filePath("a.png");
    const QString why = writeSheet(sheet(16384, 8), red, file);
    QVERIFY2(why.contains("smaller"), qPrintable(why));
    QVERIFY(QDir(folder.path()).isEmpty());
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::SheetTest, Widgets)
#include "sheet_test.moc"
