// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/tile/k_tile_words.h"

#include <QtTest>

#include "kernels/tile/parameters.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom {

class KTileWordsTest : public QObject {
  Q_OBJECT
 private slots:
  // Only where no tiles are kept the word needs a meaning.
  void onlyWithoutTiles() {
    for (const Stage* stage : everyStage()) {
      const std::string remark = kTileRemark(*stage, stage->standardTile());
      const bool untiled = stage->id == "naive" || stage->id == "coalesced";
      QCOMPARE(test::q(remark),
               untiled ? QString("A K tile of this rung is 32 elements of K: it keeps no tiles in "
                                 "shared memory.")
                       : QString());
    }
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::KTileWordsTest, Nothing)
#include "k_tile_words_test.moc"
