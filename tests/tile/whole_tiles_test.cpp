// SPDX-License-Identifier: GPL-3.0-or-later
// The multiplied size is a multiple of the tile wherever the kernel continues beyond the edges.
#include "kernels/tile/whole_tiles.h"
#include "kernels/tile/placement.h"

#include <QtTest>

#include "kernels/tile/derived.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom {

class WholeTilesTest : public QObject {
  Q_OBJECT

 private slots:
  void zerosCount() {
    const Problem ragged{300, 200, 136};
    for (const Stage* stage : everyStage()) {
      const TileShape tile = stage->standardTile();
      const Problem whole = wholeTiles(*stage, tile, ragged),
                    padded = paddedProblem(*stage, tile, ragged);
      QVERIFY(whole.m >= padded.m && whole.n >= padded.n && whole.k >= padded.k);
      if (!stage->features().tma) {
        QVERIFY(whole == padded);
        continue;
      }
      const Derived d = derive(*stage, tile);
      QVERIFY(whole.m % d.blockM == 0 && whole.n % d.blockN == 0 && whole.k % d.stepK == 0);
      QVERIFY((padded == Problem{300, 200, 136}));
      QVERIFY((paddedProblem(*stage, tile, {7, 9, 1}) == Problem{7, 16, 8}));
    }
  }

  // Each kind of rung says what it pads, to what and why.
  void whatIsPadded_data() {
    QTest::addColumn<QString>("stage");
    QTest::addColumn<QString>("padded");
    QTest::addColumn<QString>("multiplied");
    QTest::newRow("edges are checked") << "coalesced"
                                       << ""
                                       << "";
    QTest::newRow("float by float")
        << "blocktile1d"
        << "Padded to 128 x 192 x 16: whole tiles of 64 x 64 x 8, as the kernel has no edge checks."
        << "";
    QTest::newRow("float4") << "warptiled"
                            << "Padded to 128 x 256 x 16: whole tiles of 128 x 128 x 16, as the "
                               "kernel has no edge checks; its 16-byte loads also need rows of a "
                               "multiple of 16 bytes (K and N multiples of 4)."
                            << "";
    QTest::newRow("A float by float, B by float4")
        << "async"
        << "Padded to 128 x 256 x 16: whole tiles of 128 x 128 x 8, as the kernel has no edge "
           "checks; its 16-byte loads also need rows of a multiple of 16 bytes (N a multiple of 4)."
        << "";
    QTest::newRow("16-bit elements")
        << "mma"
        << "Padded to 128 x 256 x 32: whole tiles of 128 x 128 x 32, as the kernel has no edge "
           "checks; its 16-byte loads also need rows of a multiple of 16 bytes (K and N multiples "
           "of 8)."
        << "";
    for (const char* boxes : {"tma", "hopper"}) {
      QTest::newRow(boxes)
          << boxes
          << "Padded to 100 x 136 x 16: rows rounded up to a multiple of 16 bytes, like the "
             "strides of a tensor map (K and N multiples of 8)."
          << (QString(boxes) == "tma"
                  ? "Multiplied as 128 x 256 x 64: whole tiles of 128 x 128 x 64; TMA fills what "
                    "is outside A and B with zeros."
                  : "Multiplied as 256 x 256 x 256: whole tiles of 128 x 256 x 64, 2 one below the "
                    "other in a cluster, 4 along K in a round of the pipeline; TMA fills what is "
                    "outside A and B with zeros.");
    }
  }
  void whatIsPadded() {
    QFETCH(QString, stage);
    QFETCH(QString, padded);
    QFETCH(QString, multiplied);
    const Stage& its = test::stage(stage.toStdString());
    const Padding padding = paddingOf(its, its.standardTile(), {100, 130, 9});
    QString text = padded.isEmpty() ? "" : padded + '\n';
    if (!multiplied.isEmpty()) text += multiplied + '\n';
    QCOMPARE(test::q(paddingText(padding)), text);
    QCOMPARE(padding.any(), !text.isEmpty());
  }

  void whatFitsIsNotPadded() {
    for (const Stage* stage : everyStage()) {
      const Derived d = derive(*stage, stage->standardTile());
      const Problem whole{4 * d.blockM, 4 * d.blockN, 4 * d.stepK};
      const Padding padding = paddingOf(*stage, stage->standardTile(), whole);
      QVERIFY(!padding.any());
      QCOMPARE(padding.usefulShare(), 1.0);
    }
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::WholeTilesTest, Nothing)
#include "whole_tiles_test.moc"
