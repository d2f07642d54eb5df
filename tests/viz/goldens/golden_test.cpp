// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of chosen scenes against golden ones.
#include <QFontInfo>
#include <QPainter>
#include <QtTest>

#include "app/export/export.h"
#include "app/pages/banks/banks_picture.h"
#include "app/pages/loom/loom_picture.h"
#include "tests/support/recorded.h"
#include "tests/support/test_class.h"
#include "tests/viz/golden.h"

Q_DECLARE_METATYPE(tileloom::Picture)

namespace tileloom {

using emulator::Instruction;
using emulator::Kind;
using test::recorded;

class GoldenTest : public QObject {
  Q_OBJECT

  static QImage painted(const Picture& picture, const Scene& scene) {
    QImage image((picture.size * picture.scale).toSize(), QImage::Format_RGB32);
    image.setDevicePixelRatio(picture.scale);
    QPainter painter(&image);
    paintPicture(painter, picture, scene);
    painter.end();
    image.setDevicePixelRatio(1);
    return image;
  }

  static Picture picture(ScenePainter paint, Look look) {
    const QSizeF size = paint == paintLoomPicture ? QSizeF(640, 480) : QSizeF(640, 240);
    return {paint, size, 1.0, Theme::make(look), test::goldenFont()};
  }
  static Picture picture(ScenePainter paint, bool dark) {
    return picture(paint, dark ? Look::Dark : Look::Light);
  }

  static Scene sceneAt(std::string_view stage, std::uint32_t warp, Kind kind, int kTile = 0) {
    const auto r = recorded({.stage = stage});
    return makeScene(r, warp, test::indexOf(*r, warp, [&](const Instruction& i) {
                       return i.kind == kind && static_cast<int>(i.kTile) == kTile;
                     }));
  }

 private slots:
  void initTestCase() {
    QVERIFY2(QFontInfo(test::goldenFont()).family() == "DejaVu Sans",
             "golden images need the font DejaVu Sans (package fonts-dejavu-core)");
  }

  void scenes_data() {
    QTest::addColumn<Scene>("scene");
    QTest::addColumn<Picture>("picture");
    const auto loom = [](const char* name, const Scene& scene, Look look) {
      QTest::newRow(name) << scene << picture(paintLoomPicture, look);
    };
    const auto banks = [](const char* name, const Scene& scene, Look look, double scale = 1) {
      Picture p = picture(paintBanksPicture, look);
      p.scale = scale;
      QTest::newRow(name) << scene << p;
    };
    const auto zoomed = [](const char* name, const Scene& scene, LoomLevel zoom, Look look) {
      Picture p = picture(paintLoomPicture, look);
      p.zoom = zoom;
      QTest::newRow(name) << scene << p;
    };
    Scene load = sceneAt("warptiled", 2, Kind::SharedLoad);
    Selection lane;
    lane.thread = 2 * 32 + 13;
    load.selection = complete(load, lane);
    // Each theme, one of them at twice the scale.
    loom("rung8-dark-loom", load, Look::Dark);
    banks("rung8-light-2x-banks", load, Look::Light, 2);
    banks("rung8-contrast-banks", load, Look::Contrast);
    Scene grid = load;
    grid.residency = Residency{6, 4, "a small GPU"};
    zoomed("rung8-grid", grid, LoomLevel::Grid, Look::Dark);
    const auto& r = load.recording;
    Scene product = makeScene(r, 2, test::indexOf(*r, 2, [](const Instruction& i) {
                                      return i.kind == Kind::Fma && i.dot == 5;
                                    }) + 43);
    product.selection = complete(product, lane);
    zoomed("rung8-thread", product, LoomLevel::Thread, Look::Dark);
    banks("rung5-conflict-banks", sceneAt("blocktile2d", 0, Kind::SharedLoad), Look::Dark);
    banks("rung1-lines-banks", sceneAt("naive", 0, Kind::GlobalLoad, 1), Look::Dark);
    loom("rung6-store-loom", sceneAt("vectorized", 1, Kind::SharedStore, 1), Look::Light);
    // A warp's product on tensor cores, with three K tiles under way.
    Scene tensor = sceneAt("mmaring", 1, Kind::Mma);
    zoomed("rungT3-warp", tensor, LoomLevel::Warp, Look::Dark);
    tensor.selection.thread = 32 + 5;
    zoomed("rungT3-instruction", tensor, LoomLevel::Thread, Look::Dark);
    // A wgmma: no lane holds its operands.
    Scene group = sceneAt("overlapped", 1, Kind::Product, 1);
    group.selection.thread = 32 + 5;
    zoomed("rungT7-instruction", group, LoomLevel::Thread, Look::Light);
    // Four matrices from plain rows, with conflicts.
    banks("rungT1-ldmatrix-banks", sceneAt("mma", 0, Kind::MatrixLoad), Look::Light);
    // What the tensor core reads by itself, with an element of A selected.
    Scene read = sceneAt("wgmma", 0, Kind::Product, 1);
    read.selection =
        complete(read, Selection{{}, analysis::Element{analysis::Matrix::A, 5, 72}, {}});
    banks("rungT5-product-banks", read, Look::Light);
    Scene stale = sceneAt("warptiled", 0, Kind::Fma);
    stale.stale = true;
    zoomed("rung8-stale", stale, LoomLevel::Block, Look::Dark);
  }
  void scenes() {
    QFETCH(Scene, scene);
    QFETCH(Picture, picture);
    test::compareWithGolden(QTest::currentDataTag(), painted(picture, scene));
  }

  // A comparison that nothing can fail would be worth nothing.
  void theComparisonCanFail() {
    const Scene scene = sceneAt("blocktile2d", 0, Kind::SharedLoad);
    const Picture p = picture(paintBanksPicture, true);
    const QImage right = painted(p, scene);
    QVERIFY(test::compare(right, right).acceptable());
    QCOMPARE(test::compare(right, right).mean, 0.0);

    // Another instant, the other theme, a picture moved by two pixels: none is the same.
    const auto& r = scene.recording;
    const Scene later = makeScene(r, 0, scene.moment.index + 9);
    QVERIFY(!test::compare(right, painted(p, later)).acceptable());
    QVERIFY(!test::compare(right, painted(picture(paintBanksPicture, false), scene)).acceptable());
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
        painted(picture(paintBanksPicture, true), sceneAt("blocktile2d", 0, Kind::SharedLoad));
    const QImage clean =
        painted(picture(paintBanksPicture, true), sceneAt("warptiled", 0, Kind::SharedLoad));
    QVERIFY(has(conflict, theme.trouble) > 100);  // the pattern over the wavefront it adds
    QCOMPARE(has(clean, theme.trouble), 0);
    const QImage loom =
        painted(picture(paintLoomPicture, true), sceneAt("warptiled", 0, Kind::SharedLoad));
    QVERIFY(has(loom, theme.matrix(analysis::Matrix::C)) > 100);
    QVERIFY(has(loom, theme.warp(0)) > 100);
  }

  void nothingRecordedIsAnEmptyPicture() {
    const QImage image = painted(picture(paintLoomPicture, true), Scene());
    QCOMPARE(image.pixelColor(320, 240), Theme::make(true).ground);
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::GoldenTest, Widgets)
#include "golden_test.moc"
