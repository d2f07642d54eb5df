// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of the page of fragments against golden ones.
#include <QPainter>
#include <QtTest>

#include "tests/support/recorded.h"
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

 private slots:
  void pictures_data() {
    QTest::addColumn<Scene>("scene");
    QTest::addColumn<QSizeF>("size");
    QTest::addColumn<bool>("dark");
    Scene product = sceneAt(Kind::Mma, 9);
    QTest::newRow("fragments-mma-dark") << product << QSizeF(1300, 560) << true;
    product.selection.thread = 32 + 13;
    QTest::newRow("fragments-lane-light") << product << QSizeF(1300, 560) << false;
    QTest::newRow("fragments-low-dark") << product << QSizeF(900, 260) << true;
    // From Bs, and so turned.
    QTest::newRow("fragments-ldmatrix-light")
        << sceneAt(Kind::MatrixLoad, 5) << QSizeF(1300, 560) << false;
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
