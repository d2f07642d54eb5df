// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of the page of fragments against golden ones.
#include <QPainter>
#include <QtTest>

#include "tests/support/group_tiles.h"
#include "tests/support/test_class.h"
#include "tests/viz/golden.h"
#include "viz/memory/fragment_picture.h"

namespace tileloom {

using emulator::Instruction;
using emulator::Kind;

class FragmentGoldenTest : public QObject {
  Q_OBJECT

  static Scene sceneAt(Kind kind, int from) {
    const auto r = test::recorded({.stage = "swizzled"});
    const auto is = [kind](const Instruction& i) { return i.kind == kind; };
    std::uint32_t index = 0;
    for (int n = 0; n <= from; ++n) index = test::indexOf(*r, 1, is, index + 1);
    return makeScene(r, 1, index);
  }

  // A product of warp 1 with one of its lane 13's sums selected, if `eight` is not 0.
  static Scene groupScene(int tile, std::uint32_t eight) {
    const auto r = test::recordedTile(test::kGroupTiles[tile]);
    Scene scene = makeScene(r, 1, test::indexOf(*r, 1, [](const Instruction& i) {
                              return i.kind == Kind::Product && i.dot == 32;
                            }));
    const auto product = analysis::groupProduct(*r, 1, scene.moment.index);
    if (eight > 0) {
      const auto& sum = product->sumAt(16 + 13 / 4, eight * 8 + 13 % 4 * 2);
      scene.selection.thread = sum->thread;
      scene.selection.element = sum->element;
    }
    return scene;
  }

 private slots:
  void pictures_data() {
    QTest::addColumn<Scene>("scene");
    QTest::addColumn<QSizeF>("size");
    QTest::addColumn<bool>("dark");
    Scene product = sceneAt(Kind::Mma, 9);
    product.selection.thread = 32 + 13;
    QTest::newRow("fragments-lane-light") << product << QSizeF(1300, 560) << false;
    // From Bs, and so transposed.
    QTest::newRow("fragments-ldmatrix-light")
        << sceneAt(Kind::MatrixLoad, 5) << QSizeF(1300, 560) << false;
    // Of a warpgroup.
    QTest::newRow("fragments-group-dark") << groupScene(3, 5) << QSizeF(1230, 300) << true;
  }
  void pictures() {
    QFETCH(Scene, scene);
    QFETCH(QSizeF, size);
    QFETCH(bool, dark);
    const Theme theme = Theme::make(dark);
    const Fonts fonts = Fonts::of(test::goldenFont());
    const QRectF canvas(QPointF(0, 0), size);
    QImage image(size.toSize(), QImage::Format_RGB32);
    image.fill(theme.ground);
    QPainter painter(&image);
    paintFragments(painter, fragmentPicture(scene, canvas, fonts), scene, theme, fonts);
    painter.end();
    test::compareWithGolden(QTest::currentDataTag(), image);
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::FragmentGoldenTest, Widgets)
#include "fragment_golden_test.moc"
