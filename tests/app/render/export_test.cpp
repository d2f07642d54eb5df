// SPDX-License-Identifier: GPL-3.0-or-later
// Views as files: each format opens again and shows something; what cannot be written is said in
// one sentence.
#include "app/export/export.h"

#include <QPainter>
#include <QSvgRenderer>
#include <QTemporaryDir>
#include <QtTest>
#include <set>

#include "app/pages/banks/banks_picture.h"
#include "app/pages/loom/loom_picture.h"
#include "app/window/application.h"
#include "kernels/analysis/recording.h"
#include "tests/support/recorded.h"
#include "tests/support/svg_text.h"
#include "tests/support/test_class.h"
#include "tests/viz/image_compare.h"
#include "viz/memory/bank_picture.h"

namespace tileloom {

class ExportTest : public QObject {
  Q_OBJECT

  const Scene scene_ = [] {
    const auto r = test::recorded({.stage = "warptiled"});
    return makeScene(r, 0, openingIndex(*r));
  }();

  static Picture picture(ScenePainter paint, double scale = 1.0) {
    return {paint, QSizeF(640, 420), scale, Theme::make(true), QApplication::font()};
  }

  static std::size_t colours(const QImage& image) {
    std::set<QRgb> seen;
    for (int y = 0; y < image.height(); ++y) {
      for (int x = 0; x < image.width(); ++x) seen.insert(image.pixel(x, y));
    }
    return seen.size();
  }

  static QByteArray contents(const QString& file) {
    QFile f(file);
    return f.open(QIODevice::ReadOnly) ? f.readAll() : QByteArray();
  }

  static void addViews() {
    QTest::addColumn<bool>("loom");
    QTest::newRow("loom") << true;
    QTest::newRow("banks") << false;
  }
  static ScenePainter view() {
    QFETCH(bool, loom);
    return loom ? paintLoomPicture : paintBanksPicture;
  }

 private slots:
  void png_data() { addViews(); }
  void png() {
    const QTemporaryDir folder;
    const QString file = folder.filePath("view.png");
    QCOMPARE(writePicture(picture(view(), 2.0), scene_, file), QString());
    const QImage image(file);
    QCOMPARE(image.size(), QSize(1280, 840));  // two pixels for each
    QVERIFY(colours(image) > 40);
  }

  // More warps than hues: each has its number, or none has if there is not enough room for all.
  void narrowWarpsAreNumbered() {
    const auto r = test::recorded({.stage = "naive"});
    QCOMPARE(int(r->trace.warps), 32);
    const QTemporaryDir folder;
    const QString file = folder.filePath("view.svg");
    const auto numbered = [&](const QSizeF& size) {
      Picture naive = picture(paintLoomPicture);
      naive.size = size;
      if (!writePicture(naive, makeScene(r, 0, 0), file).isEmpty()) return -1;
      const QStringList words = test::svgText(file).split(' ');
      int count = 0;
      for (int warp = 1; warp < 32; ++warp) count += words.contains(QString::number(warp)) ? 1 : 0;
      return count;
    };
    QCOMPARE(numbered({1280, 1000}), 31);
    QCOMPARE(numbered({520, 420}), 0);
  }

  void svg_data() { addViews(); }
  void svg() {
    const QTemporaryDir folder;
    const QString file = folder.filePath("view.SVG");  // suffixes in any case
    QCOMPARE(writePicture(picture(view()), scene_, file), QString());
    QSvgRenderer renderer(file);
    QVERIFY(renderer.isValid());
    QCOMPARE(renderer.viewBoxF(), QRectF(0, 0, 640, 420));
    QImage image(640, 420, QImage::Format_RGB32);
    image.fill(Qt::magenta);
    QPainter painter(&image);
    renderer.render(&painter);
    painter.end();
    QVERIFY(colours(image) > 40);
    QCOMPARE(image.pixelColor(2, 2), Theme::make(true).ground);  // it fills its page
    QCOMPARE(image.pixelColor(637, 417), Theme::make(true).ground);
    QVERIFY(contents(file).contains("aria-label="));  // outlines, with their words beside them
    QVERIFY(!contents(file).contains("<text"));
    Picture words = picture(view());
    words.text = true;
    const QString other = folder.filePath("words.svg");
    QCOMPARE(writePicture(words, scene_, other), QString());
    QVERIFY(contents(other).contains("<text"));
    QCOMPARE(test::svgText(other), test::svgText(file));
    // It is the same picture: text has its size, and nothing crosses the edges.
    QImage painted(640, 420, QImage::Format_RGB32);
    QPainter onto(&painted);
    paintPicture(onto, picture(view()), scene_);
    onto.end();
    const test::Difference difference = test::compare(image, painted);
    QVERIFY2(difference.share < 0.07, qPrintable(difference.text()));
  }

  void pdf_data() { addViews(); }
  void pdf() {
    const QTemporaryDir folder;
    const QString file = folder.filePath("view.pdf");
    QCOMPARE(writePicture(picture(view()), scene_, file), QString());
    const QByteArray bytes = contents(file);
    QVERIFY(bytes.startsWith("%PDF-1."));
    QVERIFY(bytes.trimmed().endsWith("%%EOF"));
    QCOMPARE(bytes.count("/Type /Page\n"), 1);      // one page
    QVERIFY(bytes.contains("/MediaBox [0 0 480"));  // 640 pixels at 96 per inch
    // More than a page without a picture.
    const QString empty = folder.filePath("empty.pdf");
    QCOMPARE(writePicture(picture(view()), Scene(), empty), QString());
    QVERIFY(bytes.size() > 2 * contents(empty).size());
  }

  // Trouble is never shown by colour alone, in drawings either: Qt's SVGs have no pattern brushes
  // and no clipping, so the pattern has to be lines that end where it does.
  void conflictsKeepTheirPatternInDrawings() {
    const auto r = test::recorded({.stage = "blocktile2d"});
    const std::uint32_t index = test::indexOf(*r, 0, [&](const emulator::Instruction& i) {
      return i.kind == emulator::Kind::SharedLoad && i.array == test::arrayNamed(*r, "Bs");
    });
    const Scene scene = makeScene(r, 0, index);
    QVERIFY(scene.moment.cost.shared.conflicts() > 0);
    const QTemporaryDir folder;
    const QString file = folder.filePath("banks.svg");
    QCOMPARE(writePicture(picture(paintBanksPicture), scene, file), QString());
    QImage drawn(640, 420, QImage::Format_RGB32);
    QPainter onto(&drawn);
    QSvgRenderer(file).render(&onto);
    onto.end();
    const Fonts fonts = Fonts::of(QApplication::font());
    const BankGeometry geometry = bankPicture(scene, QRectF(0, 0, 640, 420), fonts).geometry;
    int marked = 0;
    for (std::uint32_t w = 0; w < geometry.shownStrips(); ++w) {
      if ((scene.moment.cost.shared.extra >> w & 1u) == 0) continue;
      const QRect label = geometry.stripLabel(w).toRect();
      int red = 0;
      for (int y = label.top() + 2; y < label.bottom() - 2; ++y) {
        for (int x = label.right() - 10; x < label.right(); ++x) {  // behind the name
          const QColor c = drawn.pixelColor(x, y);
          if (c.red() > 150 && c.red() > c.green() + 40) ++red;
        }
      }
      QVERIFY2(red > 20, qPrintable(QString("wavefront %1: %2").arg(w).arg(red)));
      ++marked;
    }
    QVERIFY(marked > 0);
  }

  void suffixes_data() {
    QTest::addColumn<QString>("name");
    for (const char* name : {"view", "view.", "view.jpg", "view.png.txt", ".hidden", ""}) {
      QTest::newRow(*name == '\0' ? "nothing" : name) << name;
    }
  }
  void suffixes() {
    QFETCH(QString, name);
    const QTemporaryDir folder;
    const QString file = name.isEmpty() ? name : folder.filePath(name);
    const QString why = writePicture(picture(paintLoomPicture), scene_, file);
    QVERIFY2(why.contains(".png, .svg or .pdf"), qPrintable(why));
    QVERIFY(!why.contains('\n'));
    QVERIFY(QDir(folder.path()).isEmpty());
  }

  void places() {
    const QTemporaryDir folder;
    const QString nowhere = folder.filePath("no/such/folder/view.png");
    const QString why = writePicture(picture(paintLoomPicture), scene_, nowhere);
    QVERIFY2(why.startsWith("cannot write \"" + nowhere), qPrintable(why));
    QVERIFY2(why.contains("choose another file") && !why.contains('\n'), qPrintable(why));
    QVERIFY(!QFile::exists(folder.filePath("no")));
    // A folder of that name.
    QVERIFY(QDir(folder.path()).mkdir("taken.svg"));
    QVERIFY(
        !writePicture(picture(paintLoomPicture), scene_, folder.filePath("taken.svg")).isEmpty());
  }

  // A failed write leaves what was there.
  void oldFilesAreReplacedWhole() {
    const QTemporaryDir folder;
    const QString file = folder.filePath("view.png");
    QFile old(file);
    QVERIFY(old.open(QIODevice::WriteOnly));
    old.write(QByteArray(2'000'000, 'x'));
    old.close();
    QCOMPARE(writePicture(picture(paintBanksPicture), scene_, file), QString());
    QVERIFY(!QImage(file).isNull());
    QVERIFY(QFileInfo(file).size() < 2'000'000);
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files).size(), 1);  // no half-written one beside
  }

  // One painter for window and file: the exported PNG is the painted picture.
  void pngIsWhatIsPainted() {
    const QTemporaryDir folder;
    const QString file = folder.filePath("view.png");
    const Picture p = picture(paintLoomPicture);
    QCOMPARE(writePicture(p, scene_, file), QString());
    QImage image(p.size.toSize(), QImage::Format_RGB32);
    QPainter painter(&image);
    paintPicture(painter, p, scene_);
    painter.end();
    QCOMPARE(QImage(file).convertToFormat(QImage::Format_RGB32), image);
  }

  void wholeGridShowsTheMatrices() {
    Picture p = picture(paintLoomPicture);
    const auto paint = [&] {
      QImage image(p.size.toSize(), QImage::Format_RGB32);
      QPainter painter(&image);
      paintPicture(painter, p, scene_);
      return image;
    };
    const QImage block = paint();
    p.zoom = LoomLevel::Grid;
    QVERIFY(paint() != block);
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::ExportTest, Window)

#include "export_test.moc"
