// SPDX-License-Identifier: GPL-3.0-or-later
// Where the names of warps may be.
#include "viz/loom/parts/warp_names.h"

#include <QtTest>

#include "kernels/analysis/recording.h"
#include "tests/support/test_class.h"
#include "tests/viz/loom/parts/painted_loom.h"

namespace tileloom {

class WarpNamesTest : public QObject {
  Q_OBJECT

 private slots:
  // Where a lane of the watched warp has its number, nothing else is written.
  void lanesAreNotCovered() {
    test::PaintedLoom loom(test::recorded({}), 1, 0, {1600, 1200}, LoomLevel::Warp);
    const auto& map = loom.scene.recording->map;
    const QRectF own = loom.geometry.ofC(map.subtiles[32].front());
    QVERIFY(loom.paint.namesLanes(own));
    QVERIFY(coversALane(loom.paint, QRectF(own.center(), QSizeF(1, 1))));
    QVERIFY(!coversALane(loom.paint, QRectF(own.topLeft(), QSizeF(1, 1))));
    const QRectF other = loom.geometry.ofC(map.subtiles[0].front());  // of another warp
    QVERIFY(!coversALane(loom.paint, QRectF(other.center(), QSizeF(1, 1))));
  }

  // The tiles of lanes are too small for numbers when the whole grid is shown.
  void smallTilesHaveNoNumbers() {
    test::PaintedLoom loom(test::recorded({}), 1, 0, {1600, 1200}, LoomLevel::Grid);
    const QRectF own = loom.geometry.ofC(loom.scene.recording->map.subtiles[32].front());
    QVERIFY(!loom.paint.namesLanes(own));
    QVERIFY(!coversALane(loom.paint, own));
    QCOMPARE(warpNamesBeside(loom.paint), 0.0);
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::WarpNamesTest, Widgets)
#include "warp_names_test.moc"
