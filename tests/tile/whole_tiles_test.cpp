// SPDX-License-Identifier: GPL-3.0-or-later
// What is multiplied is a multiple of the tile wherever the kernel goes on beyond the edges.
#include "kernels/tile/whole_tiles.h"

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
      if (!stage->is(Trait::CopyEngine)) {
        QVERIFY(whole == padded);
        continue;
      }
      const Derived d = derive(*stage, tile);
      QVERIFY(whole.m % d.blockM == 0 && whole.n % d.blockN == 0 && whole.k % d.stepK == 0);
      QVERIFY((padded == Problem{300, 200, 136}));
      QVERIFY((paddedProblem(*stage, tile, {7, 9, 1}) == Problem{7, 16, 8}));
    }
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::WholeTilesTest, Nothing)
#include "whole_tiles_test.moc"
