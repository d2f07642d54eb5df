// SPDX-License-Identifier: GPL-3.0-or-later
// The numbers of K tiles beside their slabs.
#include "viz/loom/parts/slab_painter.h"

#include <QtTest>

#include "tests/support/test_class.h"
#include "tests/viz/loom/parts/painted_loom.h"

namespace tileloom {

class SlabPainterTest : public QObject {
  Q_OBJECT

  static test::RecordingPointer staged() {
    static const auto recording =
        test::recorded({.stage = "overlapped", .problem = {512, 512, 512}, .kTiles = 6});
    return recording;
  }

 private slots:
  // A number is whole and covers no other one.
  void numbersAreApart() {
    for (const QSizeF size : {QSizeF(1600, 1000), QSizeF(1000, 640), QSizeF(500, 320)}) {
      test::PaintedLoom loom(staged(), 0, 200, size, LoomLevel::Block);
      const std::vector<QRectF> inks = numberSlabs(loom.paint);
      QVERIFY(inks.size() <= 2 * static_cast<std::size_t>(loom.geometry.slabs()));
      for (std::size_t i = 0; i < inks.size(); ++i) {
        QVERIFY(loom.frame.viewport.contains(inks[i]));
        for (std::size_t k = 0; k < i; ++k) QVERIFY(!inks[i].intersects(inks[k]));
      }
    }
    test::PaintedLoom large(staged(), 0, 200, {1600, 1000}, LoomLevel::Block);
    QVERIFY(numberSlabs(large.paint).size() >= 2);
  }

  // The whole matrices and kernels without shared memory have no K tiles.
  void elsewhereAreNone() {
    test::PaintedLoom grid(staged(), 0, 200, {1600, 1000}, LoomLevel::Grid);
    QVERIFY(numberSlabs(grid.paint).empty());
    test::PaintedLoom naive(test::recorded({.stage = "naive"}), 0, 20, {1600, 1000},
                            LoomLevel::Block);
    QVERIFY(numberSlabs(naive.paint).empty());
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::SlabPainterTest, Widgets)
#include "slab_painter_test.moc"
