// SPDX-License-Identifier: GPL-3.0-or-later
// What the loom's geometry gets from a scene.
#include "viz/loom/loom_input.h"

#include <QFontMetricsF>
#include <QtTest>

#include "kernels/analysis/recording.h"
#include "kernels/tile/parameters.h"
#include "tests/support/recorded.h"
#include "tests/support/test_class.h"

namespace tileloom {

class LoomInputTest : public QObject {
  Q_OBJECT

  const Fonts fonts_ = Fonts::of(QFont());

 private slots:
  // The slabs of A and B are beside the block tile: a square stays square, a wide one is wide.
  void theAspectIsThatOfTheBlockTile() {
    QCOMPARE(loomAspect(Scene()), 1.0);
    const TileShape square = test::stage("warptiled").standardTile();
    QCOMPARE(loomAspect(makeScene(test::recorded({}), 0, 0)), 1.0);
    const TileShape wide = square.with(Parameter::BN, 2 * square[Parameter::BM]);
    const double aspect = loomAspect(makeScene(test::recorded({.tile = wide}), 0, 0));
    QVERIFY(aspect > 1 && aspect < 2);
  }

  void regionsAreThoseOfTheScene() {
    const Scene scene = makeScene(test::recorded({.block = {1, 2}}), 3, 40);
    const QRectF view(10, 20, 800, 600);
    const LoomInput in = loomInput(scene, 2, view, fonts_);
    const auto& map = scene.recording->map;
    QVERIFY(in.block == map.c && in.warp == map.warps[3]);
    QVERIFY(in.tileA == scene.tileOf(analysis::Matrix::A, scene.shownTile()));
    QVERIFY(in.tileB == scene.tileOf(analysis::Matrix::B, scene.shownTile()));
    QCOMPARE(in.slabs, 2);
    QCOMPARE(in.viewport, view);
    // A cell more than the shown thread's first tile, on each side.
    const analysis::Region own = map.subtiles[scene.shownThread()].front();
    QVERIFY(
        (in.near == analysis::Region{own.row - 1, own.column - 1, own.rows + 2, own.columns + 2}));
  }

  // On mma rungs the surroundings are those of an instruction's tile, not of a thread's.
  void anMmaIsShownWhole() {
    const Scene scene = makeScene(test::recorded({.stage = "mmaring"}), 0, 0);
    const LoomInput in = loomInput(scene, 1, {0, 0, 800, 600}, fonts_);
    const auto* mma = scene.recording->trace.mma();
    QCOMPARE(in.near.rows, std::int64_t{mma->rows} + 2);
    QCOMPARE(in.near.columns, std::int64_t{mma->columns} + 2);
  }

  // Large labels in a small view leave it to the matrices.
  void labelsShrinkWithTheView() {
    const Scene scene = makeScene(test::recorded({}), 0, 0);
    const double large = loomInput(scene, 1, {0, 0, 1600, 1200}, fonts_).label;
    const double small = loomInput(scene, 1, {0, 0, 100, 50}, fonts_).label;
    QCOMPARE(large, QFontMetricsF(fonts_.title).height());
    QCOMPARE(small, 6.0);
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::LoomInputTest, Widgets)
#include "loom_input_test.moc"
