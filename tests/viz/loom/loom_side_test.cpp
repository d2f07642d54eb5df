// SPDX-License-Identifier: GPL-3.0-or-later
// The words about products in the column beside the loom.
#include "viz/loom/loom_side.h"

#include <QtTest>

#include "kernels/analysis/order/progress.h"
#include "kernels/tile/parameters.h"
#include "tests/support/recorded.h"
#include "tests/support/test_class.h"
#include "viz/loom/loom_frame.h"

namespace tileloom {

class LoomSideTest : public QObject {
  Q_OBJECT
 private slots:
  // The last K tile has what is left of K: when no product is left, all of its own are added.
  void theLastKTileIsWhatIsLeft_data() {
    QTest::addColumn<TileShape>("tile");
    QTest::addColumn<int>("k");
    const auto row = [](const char* id, int k) {
      QTest::addRow("%s, K = %d", id, k) << test::stage(id).standardTile() << k;
    };
    row("naive", 40);
    row("coalesced", 33);
    row("warptiled", 24);
    QTest::newRow("specialised, K = 49") << test::stage("specialised")
                                                .standardTile()
                                                .with(Parameter::BK, 48)
                                                .with(Parameter::SWIZZLE, 32)
                                         << 49;
  }
  void theLastKTileIsWhatIsLeft() {
    QFETCH(TileShape, tile);
    QFETCH(int, k);
    const QByteArray id = QByteArray(QTest::currentDataTag()).split(',').front();
    const auto recording = test::recorded(
        {.stage = id.constData(), .tile = tile, .problem = {128, 128, k}, .kTiles = 0});
    QCOMPARE(recording->trace.kTilesTraced, recording->trace.kTiles);
    // The last instruction of a K tile, and the first one of the last K tile.
    std::uint32_t last = 0, first = 0;
    const std::uint32_t tiles = recording->trace.kTiles;
    for (std::uint32_t i = 0; i < recording->trace.length(0); ++i) {
      const std::uint32_t its = test::instructionAt(*recording, 0, i).kTile;
      if (its == emulator::kNoTile) continue;
      if (its + 1 == tiles && test::instructionAt(*recording, 0, last).kTile + 1 != tiles)
        first = i;
      last = i;
    }
    analysis::Progress progress(recording);
    progress.goTo(0, last);
    QCOMPARE(progress.fewestProducts(), std::uint32_t(recording->trace.problem.k));
    QCOMPARE(shareAdded(makeScene(recording, 0, last), progress), 1.0);
    // After the end of K no elements can be missing.
    QCOMPARE(tileShares(makeScene(recording, 0, last), progress, 0).consumed, 1.0);
    progress.goTo(0, first);
    const double share = shareAdded(makeScene(recording, 0, first), progress);
    QVERIFY2(share < 0.5, qPrintable(QString::number(share)));
  }

  // A block that becomes higher than wide does not bring the column in: the picture stays in place.
  void aHighBlockBringsNoColumn() {
    const Fonts fonts = Fonts::of(QGuiApplication::font());
    for (int width = 400; width <= 1400; width += 50) {
      const QRectF canvas(0, 0, width, 380);
      const LoomFrame square = LoomFrame::of(canvas, fonts, 1.0);
      for (const double aspect : {0.4, 0.6, 0.9})
        QCOMPARE(LoomFrame::of(canvas, fonts, aspect).side, square.side);
    }
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::LoomSideTest, Widgets)
#include "loom_side_test.moc"
