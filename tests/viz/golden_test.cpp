// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of chosen scenes against golden ones in tests/viz/golden/.
//
// TILELOOM_RECORD_GOLDEN=1 writes the golden images anew instead of comparing: look at each of them
// before keeping it.
#include <QDir>
#include <QFontInfo>
#include <QPainter>
#include <QtTest>

#include "app/export.h"
#include "tests/support/recorded.h"
#include "tests/viz/image_compare.h"

namespace tileloom {

using emulator::Instruction;
using emulator::Kind;
using test::recorded;

class GoldenTest : public QObject {
  Q_OBJECT

  static QFont font() {
    QFont font;
    font.setFamily("DejaVu Sans");
    font.setPixelSize(12);
    return font;
  }

  static QImage painted(const Picture& picture, const Scene& scene) {
    QImage image(picture.size.toSize(), QImage::Format_RGB32);
    QPainter painter(&image);
    paintPicture(painter, picture, scene);
    return image;
  }

  static Picture picture(Picture::View view, bool dark) {
    const QSizeF size = view == Picture::View::Loom ? QSizeF(640, 480) : QSizeF(640, 240);
    return {view, size, 1.0, Theme::make(dark), font()};
  }

  static Scene sceneAt(std::string_view stage, std::uint32_t warp, Kind kind, int kTile = 0) {
    const auto r = recorded({.stage = stage});
    return makeScene(r, warp, test::indexOf(*r, warp, [&](const Instruction& i) {
                       return i.kind == kind && static_cast<int>(i.kTile) == kTile;
                     }));
  }

  static void compareWithGolden(const QString& name, const QImage& actual) {
    const QString golden = QDir(TILELOOM_GOLDEN_DIR).filePath(name + ".png");
    if (qEnvironmentVariable("TILELOOM_RECORD_GOLDEN") == "1") {
      QVERIFY2(actual.save(golden), qPrintable(golden));
      qInfo("recorded %s", qPrintable(golden));
      return;
    }
    const QImage wanted(golden);
    QVERIFY2(!wanted.isNull(), qPrintable(golden + " cannot be read"));
    QCOMPARE(actual.size(), wanted.size());
    const test::Difference difference = test::compare(actual, wanted);
    if (difference.acceptable()) return;
    const QString kept = QDir(TILELOOM_ACTUAL_DIR).filePath(name + ".png");
    QDir().mkpath(TILELOOM_ACTUAL_DIR);
    actual.save(kept);
    QFAIL(qPrintable(QString("%1: %2 is what was painted; %3").arg(name, kept, difference.text())));
  }

 private slots:
  void initTestCase() {
    QVERIFY2(QFontInfo(font()).family() == "DejaVu Sans",
             "golden images need the font DejaVu Sans (package fonts-dejavu-core)");
  }

  void scenes_data() {
    QTest::addColumn<Scene>("scene");
    QTest::addColumn<bool>("loom");
    QTest::addColumn<bool>("dark");
    QTest::addColumn<bool>("grid");
    const auto both = [](const QString& name, const Scene& scene, bool dark) {
      QTest::newRow(qPrintable(name + "-loom")) << scene << true << dark << false;
      QTest::newRow(qPrintable(name + "-banks")) << scene << false << dark << false;
    };
    Scene load = sceneAt("warptiled", 2, Kind::SharedLoad);
    Selection lane;
    lane.thread = 2 * 32 + 13;
    load.selection = complete(load, lane);
    both("rung8-dark", load, true);
    both("rung8-light", load, false);
    QTest::newRow("rung8-grid") << load << true << true << true;
    both("rung5-conflict", sceneAt("blocktile2d", 0, Kind::SharedLoad), true);
    both("rung1-lines", sceneAt("naive", 0, Kind::GlobalLoad, 1), true);
    both("rung6-store", sceneAt("vectorized", 1, Kind::SharedStore, 1), false);
    Scene stale = sceneAt("warptiled", 0, Kind::Fma);
    stale.stale = true;
    QTest::newRow("rung8-stale") << stale << true << true << false;
  }
  void scenes() {
    QFETCH(Scene, scene);
    QFETCH(bool, loom);
    QFETCH(bool, dark);
    QFETCH(bool, grid);
    Picture p = picture(loom ? Picture::View::Loom : Picture::View::Banks, dark);
    p.wholeGrid = grid;
    compareWithGolden(QTest::currentDataTag(), painted(p, scene));
  }

  // A comparison that nothing can fail would be worth nothing.
  void theComparisonCanFail() {
    const Scene scene = sceneAt("blocktile2d", 0, Kind::SharedLoad);
    const Picture p = picture(Picture::View::Banks, true);
    const QImage right = painted(p, scene);
    QVERIFY(test::compare(right, right).acceptable());
    QCOMPARE(test::compare(right, right).mean, 0.0);

    // Another instant, the other theme, a picture moved by two pixels: none is the same.
    const auto& r = scene.recording;
    const Scene later = makeScene(r, 0, scene.moment.index + 9);
    QVERIFY(!test::compare(right, painted(p, later)).acceptable());
    QVERIFY(
        !test::compare(right, painted(picture(Picture::View::Banks, false), scene)).acceptable());
    QVERIFY(!test::compare(right, right.copy(2, 2, right.width(), right.height())).acceptable());

    // A wash over everything fails by its mean, a small part by its share.
    QImage washed = right, spotted = right;
    QPainter(&washed).fillRect(washed.rect(), QColor(255, 255, 255, 10));
    QVERIFY(!test::compare(right, washed).acceptable());
    QPainter(&spotted).fillRect(QRect(300, 100, 50, 40), Qt::red);
    QVERIFY(!test::compare(right, spotted).acceptable());

    // And what glyph rounding does is let through.
    QImage rounded = right;
    QPainter(&rounded).fillRect(rounded.rect(), QColor(255, 255, 255, 1));
    QPainter(&rounded).fillRect(QRect(20, 20, 20, 20), QColor(128, 128, 128, 60));
    QVERIFY(test::compare(right, rounded).acceptable());
  }

  // Warps, lanes and conflicts are visible things, whatever the golden images say.
  void picturesSayWhatTheSceneSays() {
    const Theme theme = Theme::make(true);
    const auto has = [](const QImage& image, const QColor& colour) {
      int pixels = 0;
      for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
          if (image.pixel(x, y) == colour.rgb()) ++pixels;
        }
      }
      return pixels;
    };
    const QImage conflict =
        painted(picture(Picture::View::Banks, true), sceneAt("blocktile2d", 0, Kind::SharedLoad));
    const QImage clean =
        painted(picture(Picture::View::Banks, true), sceneAt("warptiled", 0, Kind::SharedLoad));
    QVERIFY(has(conflict, theme.trouble) > 100);  // the pattern over the wavefront it adds
    QCOMPARE(has(clean, theme.trouble), 0);
    const QImage loom =
        painted(picture(Picture::View::Loom, true), sceneAt("warptiled", 0, Kind::SharedLoad));
    QVERIFY(has(loom, theme.matrix(analysis::Matrix::C)) > 100);
    QVERIFY(has(loom, theme.warp(0)) > 100);
  }

  void nothingRecordedIsAnEmptyPicture() {
    const QImage image = painted(picture(Picture::View::Loom, true), Scene());
    QCOMPARE(image.pixelColor(320, 240), Theme::make(true).ground);
  }
};

}  // namespace tileloom

QTEST_MAIN(tileloom::GoldenTest)
#include "golden_test.moc"
