// SPDX-License-Identifier: GPL-3.0-or-later
// Waves cover the grid once, in the order of the linear block index.
#include "viz/loom/block_waves.h"

#include <QtTest>
#include <map>

#include "kernels/tile/parameters.h"
#include "kernels/tile/placement.h"
#include "tests/support/test_class.h"

namespace tileloom {

class BlockWavesTest : public QObject {
  Q_OBJECT

 private slots:
  void everyBlockIsInItsWave_data() {
    QTest::addColumn<int>("x");
    QTest::addColumn<int>("y");
    QTest::addColumn<int>("atOnce");
    QTest::newRow("one") << 1 << 1 << 132;
    QTest::newRow("less than a wave") << 16 << 16 << 396;
    QTest::newRow("whole lines") << 12 << 9 << 24;
    QTest::newRow("broken lines") << 7 << 13 << 10;
    QTest::newRow("less than a line") << 40 << 3 << 11;
    QTest::newRow("one at a time") << 5 << 4 << 1;
  }
  void everyBlockIsInItsWave() {
    QFETCH(int, x);
    QFETCH(int, y);
    QFETCH(int, atOnce);
    const Extent grid{x, y};
    const Waves waves{std::int64_t{x} * y, atOnce};
    for (const auto& [turned, group] :
         {std::pair{false, 1}, {true, 1}, {false, 2}, {false, 4}, {false, 50}}) {
      // Blocks are rasterised as on the ladder's rung.
      const Stage& stage = *stageNamed(group > 1 ? "rasterised"
                                       : turned  ? "naive"
                                                 : "warptiled")
                                .value();
      const TileShape tile = {{Parameter::GROUP, group}};
      std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> seen;
      for (std::int64_t wave = 0; wave < waves.count(); ++wave) {
        const auto parts = waveRegions(grid, turned, group, atOnce, wave);
        QVERIFY(!parts.empty());
        QVERIFY(group > 1 || parts.size() <= 3);
        for (const auto& part : parts) {
          for (std::int64_t r = part.row; r < part.row + part.rows; ++r) {
            for (std::int64_t c = part.column; c < part.column + part.columns; ++c)
              QVERIFY(seen.emplace(std::pair(r, c), wave).second);
          }
        }
      }
      QCOMPARE(std::int64_t(seen.size()), waves.blocks);
      for (const auto& [place, wave] : seen) {
        const BlockPlace at{static_cast<int>(place.first), static_cast<int>(place.second)};
        const Extent block = blockAt(stage, tile, grid, at);
        QCOMPARE(waveOf(grid, block, atOnce), wave);
        QVERIFY(placeOf(stage, tile, grid, block) == at);
      }
    }
  }

  void howFull() {
    QCOMPARE((Waves{256, 396}).count(), std::int64_t{1});
    QCOMPARE((Waves{397, 396}).count(), std::int64_t{2});
    QCOMPARE((Waves{396, 396}).fill(), 1.0);
    QVERIFY(std::abs((Waves{397, 396}).fill() - 397.0 / 792) < 1e-12);
    QCOMPARE((Waves{5, 0}).count(), std::int64_t{0});
  }

  void padding() {
    QCOMPARE(paddingShare({128, 128, 64}, {128, 128, 64}), 0.0);
    QCOMPARE(paddingShare({128, 128, 64}, {64, 128, 64}), 0.5);
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::BlockWavesTest, EventLoop)
#include "block_waves_test.moc"
