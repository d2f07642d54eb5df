// SPDX-License-Identifier: GPL-3.0-or-later
// The blocks of a racer and their waves.
#include "viz/charts/race/race_waves.h"

#include <QtTest>

#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom {

class RaceWavesTest : public QObject {
  Q_OBJECT

 private slots:
  // A wave is whole before the next one begins.
  void wavesFollowOneAnother() {
    using charts::blockFill;
    QCOMPARE(blockFill(0.25, 0, 2), 0.5);
    QCOMPARE(blockFill(0.25, 1, 2), 0.0);
    QCOMPARE(blockFill(0.75, 0, 2), 1.0);
    QCOMPARE(blockFill(0.75, 1, 2), 0.5);
    QCOMPARE(blockFill(1.0, 1, 2), 1.0);
  }

  void everyWaveHasItsBlocks() {
    Racer racer;
    racer.subject() = standardSubject(test::stage("warptiled"));
    racer.grid = {4, 4};
    racer.atOnce = 6;
    const charts::RacerWaves known = charts::racerWaves(racer);
    QCOMPARE(known.waves.size(), std::size_t{16});
    QCOMPARE(known.shape.x * known.shape.y, 16);
    QCOMPARE(known.count(), std::int64_t{3});
    for (const std::uint32_t wave : {0u, 1u, 2u})
      QCOMPARE(std::ranges::count(known.waves, wave), wave < 2 ? 6 : 4);
  }

  // Without a known wave, and with too many blocks, C fills row by row.
  void elseItFillsByRows() {
    Racer racer;
    racer.subject() = standardSubject(test::stage("warptiled"));
    racer.grid = {4, 4};
    Racer many = racer;
    many.grid = {4096, 4096};
    many.atOnce = 8;
    for (const Racer& each : {racer, many, Racer()}) {
      const charts::RacerWaves rows = charts::racerWaves(each);
      QCOMPARE(rows.count(), std::int64_t{rows.shape.y});
      QCOMPARE(rows.waves[0], rows.waves[static_cast<std::size_t>(rows.shape.x) - 1]);
    }
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::RaceWavesTest, Nothing)
#include "race_waves_test.moc"
