// SPDX-License-Identifier: GPL-3.0-or-later
// Bytes at each level: closed forms by hand, and compared with an H100's counters.
#include <fmt/format.h>

#include <QtTest>
#include <algorithm>
#include <cmath>
#include <set>

#include "kernels/analysis/counts/grid_totals.h"
#include "kernels/analysis/counts/totals.h"
#include "kernels/model/limits/traffic.h"
#include "kernels/runs/counters.h"
#include "kernels/runs/recordings.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/subject.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"
#include "tests/support/unrecorded.h"

namespace tileloom::model {

class TrafficTest : public QObject {
  Q_OBJECT

  emulator::Workspace workspace_;

  Traffic of(std::string_view id, const Problem& problem, int blocksPerSm, const Machine& machine) {
    const Stage& stage = test::stage(id);
    const emulator::TraceRequest request{{standardSubject(stage), problem}};
    return traffic(stage, request.tile, problem, analysis::gridTotals(workspace_, request),
                   blocksPerSm, machine);
  }

 private slots:
  // Counted values are preferred to the model's.
  void countedBytesComeFirst() {
    model::Traffic t;
    t.flops = 1000;
    t.dramBytes = 10;
    t.l2Bytes = 20;
    QCOMPARE(t.bytes(model::MemoryLevel::Dram), 10.0);
    QVERIFY(!t.counted(model::MemoryLevel::Dram));
    t.countedDram = 8;
    QCOMPARE(t.bytes(model::MemoryLevel::Dram), 8.0);
    QCOMPARE(*t.intensity(model::MemoryLevel::Dram), 125.0);
    QVERIFY(t.counted(model::MemoryLevel::Dram) && !t.counted(model::MemoryLevel::L2));
    QCOMPARE(t.bytes(model::MemoryLevel::L2), 20.0);
  }

  // Sums that other SMs have stored come from L2, each time. TMA loads and stores pass through L2
  // as often as the trace counts them, and so do the floats of A and B of rung 16.
  void partialSumsComeFromL2() {
    for (const auto& [id, tile] : {std::pair("hopper", "CLUSTER=1"), std::pair("rewritten", "")}) {
      const Stage& stage = test::stage(id);
      const TileShape shape =
          tile[0] == 0 ? stage.standardTile() : stage.standardTile().with(Parameter::CLUSTER, 1);
      const Problem problem{300, 704, 520};
      const analysis::Totals grid =
          analysis::gridTotals(workspace_, {{usualSubject(stage, shape), problem}});
      const Traffic t = traffic(stage, shape, problem, grid, 1);
      QCOMPARE(t.l2Bytes, 32.0 * static_cast<double>(grid.fetchSectors() + grid.storedSectors()));
      QVERIFY(grid.globalLoadSectorsPastL1 > 30'000);
    }
  }

  void stripsAreTheDistinctIndices() {
    for (const auto& [across, down, group] :
         {std::array{5, 7, 1}, {5, 7, 2}, {5, 7, 3}, {4, 4, 4}, {1, 9, 2}, {9, 1, 1}, {3, 8, 5}}) {
      const std::int64_t blocks = across * down;
      for (std::int64_t begin = 0; begin < blocks; ++begin) {
        std::set<std::int64_t> fast, slow;
        for (std::int64_t end = begin + 1; end <= blocks; ++end) {
          const std::int64_t number = end - 1, first = number / (across * group) * group;
          const std::int64_t rows = std::min<std::int64_t>(group, down - first);
          slow.insert(first + number % (across * group) % rows);
          fast.insert(number % (across * group) / rows);
          const Strips strips = stripsOf(across, down, group, begin, end);
          const auto text = fmt::format("{}x{} by {}: {}..{}", across, down, group, begin, end);
          QVERIFY2(strips.fast == std::int64_t(fast.size()), text.c_str());
          QVERIFY2(strips.slow == std::int64_t(slow.size()), text.c_str());
        }
      }
    }
  }

  // 16-bit elements, and C is only written.
  void tensorRungsMoveTwoBytesPerElement() {
    const Traffic t = of("mma", {1024, 1024, 512}, 2, {});
    QVERIFY(t.ladder == Ladder::Tensor);
    QCOMPARE(t.waves, 1);
    QCOMPARE(t.leastBytes, 2.0 * (2 * 1024 * 512 + 1024 * 1024));
    QCOMPARE(t.dramBytes, t.leastBytes);
    QCOMPARE(t.dramMost, t.leastBytes);
    // 8 x 8 blocks of 128 rows and 128 columns; plus C, twice: it is stored in half sectors.
    QCOMPARE(t.l2Bytes, 2.0 * (64 * 2 * 128 * 512 + 2 * 1024 * 1024));
    // Per block and K tile of 32: 64 ldmatrix of 16 or 32 wavefronts, and 128 of stores.
    QCOMPARE(t.sharedBytes, 64.0 * 16 * (32 * 16 + 32 * 32 + 128) * 128);
    // Each warp loads its part of A and B from shared memory, and all is stored there once.
    QCOMPARE(t.sharedAskedBytes, 2.0 * 64 * (2 * 2 * 128 * 512 + 2 * 128 * 512));
  }

  // Copies bypass L1 and fetch no more than loads do; C is stored in whole rows.
  void aRingStoresWholeSectors() {
    const Traffic ring = of("mmaring", {1024, 1024, 512}, 1, {});
    const Traffic plain = of("swizzled", {1024, 1024, 512}, 1, {});
    QCOMPARE(ring.leastBytes, plain.leastBytes);
    QCOMPARE(ring.l2Bytes, 2.0 * (64 * 2 * 128 * 512 + 1024 * 1024));
    QCOMPARE(plain.l2Bytes - ring.l2Bytes, 2.0 * 1024 * 1024);
  }

  void matrixLoadsConflictToo() {
    QCOMPARE(model::conflictShare([] {
               analysis::Totals t;
               t.matrixLoadWavefronts = 30;
               t.matrixLoadConflicts = 15;
               t.sharedStoreWavefronts = 30;
               return t;
             }()),
             0.25);
  }

  // One wave holds the whole grid: nothing is fetched twice, in step or not.
  void oneWaveMovesTheLeast() {
    const Traffic t = of("warptiled", {1024, 1024, 512}, 3, {});
    QCOMPARE(t.waves, 1);
    QCOMPARE(t.flops, 2.0 * 1024 * 1024 * 512);
    QCOMPARE(t.leastBytes, 4.0 * (2 * 1024 * 512 + 2 * 1024 * 1024));
    QCOMPARE(t.dramBytes, t.leastBytes);
    QCOMPARE(t.dramMost, t.leastBytes);
    // 8 x 8 blocks, 128 rows and 128 columns of 512 floats each; plus C, read and written.
    QCOMPARE(t.l2Bytes, 4.0 * (64 * 2 * 128 * 512 + 2 * 1024 * 1024));
    // 10,240 + 2,560 wavefronts per block and 128 elements of K (docs/design/02-fidelity.md,
    // HARDWARE rules).
    QCOMPARE(t.sharedBytes, 64.0 * 4 * (10'240 + 2'560) * 128);
    QCOMPARE(*t.intensity(MemoryLevel::Dram), t.flops / t.leastBytes);
  }

  // One SM, one block at a time, no cache: each block fetches its own strips.
  void withoutACacheEachBlockFetchesItsStrips() {
    const Traffic t = of("warptiled", {512, 512, 256}, 1, {1, 0});
    QCOMPARE(t.waves, 16);
    const double c = 8.0 * 512 * 512;
    QCOMPARE(t.dramLeast, c + 16 * 4.0 * 2 * 128 * 256);
    QCOMPARE(t.dramMost, t.dramLeast);
    QCOMPARE(t.dramBytes, t.dramLeast);
    QCOMPARE(t.l2Bytes, t.dramBytes);
  }

  // Eight rows of two columns at once share more than one row of 16 does.
  void rasterisationMovesLess() {
    const Stage& stage = test::stage("rasterised");
    const Problem problem{8192, 8192, 8192};
    const emulator::TraceRequest request{{standardSubject(stage), problem}};
    const analysis::Totals totals = analysis::gridTotals(workspace_, request);
    const auto with = [&](int group) {
      return traffic(stage, request.tile.with(Parameter::GROUP, group), problem, totals, 2);
    };
    QVERIFY(with(16).dramBytes < with(1).dramBytes / 2);
    QVERIFY(with(16).dramMost < with(1).dramMost / 2);
    QCOMPARE(with(16).l2Bytes, with(1).l2Bytes);
    QCOMPARE(with(16).sharedBytes, with(1).sharedBytes);
  }

  // Their data goes through L1, which shares its data pipe with shared memory: for A a line for
  // each row of a warp's lanes, 32 or 1, for B one.
  void rungsWithoutSharedMemory() {
    for (const char* id : {"naive", "coalesced"}) {
      const Traffic t = of(id, {256, 256, 256}, 2, {});
      QCOMPARE(t.sharedBytes, 0.0);
      const int lines = id == std::string_view("naive") ? 32 : 1;
      QCOMPARE(t.l1Bytes, 128.0 * (256 * 256 / 32) * (256 * (lines + 1) + 2 * lines));
      QCOMPARE(*t.intensity(MemoryLevel::Shared), t.flops / t.l1Bytes);
      // 64 blocks, a strip of 32 rows and one of 32 columns each, C read and written; the lanes of
      // rung 1 are one below the other in C, so each result that they store is a sector.
      const int written = id == std::string_view("naive") ? 8 : 1;
      QCOMPARE(t.l2Bytes, 4.0 * (64 * 2 * 32 * 256 + (1 + written) * 256 * 256));
    }
  }

  void paddingIsWorkButNotUse() {
    const Traffic t = of("vectorized", {1000, 1000, 1000}, 2, {});
    QCOMPARE(t.flops, 2e9);
    QCOMPARE(t.leastBytes, 4.0 * 4e6);
    QCOMPARE(t.dramBytes, 4.0 * (2.0 * 1024 * 1000 + 2.0 * 1024 * 1024));
  }

  // Lanes can request more than the wavefronts carry (broadcast), never less than is stored.
  void askedBytesAreTheLanesOwn() {
    const Traffic t = of("shared", {64, 64, 64}, 2, {});
    // 4,096 threads, two floats for each of 64 multiply-adds; A and B stored by 4 blocks.
    QCOMPARE(t.sharedAskedBytes, 4.0 * (4096 * 64 * 2 + 4 * 2 * 32 * 64));
  }

  void sharesOfConflicts() {
    analysis::Totals totals;
    QCOMPARE(conflictShare(totals), 0.0);
    totals.sharedLoadWavefronts = 60;
    totals.sharedStoreWavefronts = 30;
    totals.asyncWavefronts = 10;
    totals.sharedLoadConflicts = 30;
    totals.sharedStoreConflicts = 15;
    totals.asyncConflicts = 5;
    QCOMPARE(conflictShare(totals), 0.5);
  }

  // The estimate has fewer registers than the compiler: it allows as many blocks or more.
  void estimatedBlocks_data() { test::addFp32StageRows(); }
  void estimatedBlocks() {
    const Stage& stage = test::stageOfRow();
    TILELOOM_NEEDS_RUNS(stage);
    const runs::RunRecord* run = runs::recordedRun(standardSubject(stage), {4096, 4096, 4096});
    QVERIFY(run != nullptr);
    const int blocks = estimatedBlocksPerSm(stage, stage.standardTile(), defaultArchitecture());
    QVERIFY(blocks >= run->blocksPerSm && blocks <= 8);
  }

  // Against the recorded counters. lts__t_bytes also has about half of DRAM's bytes.
  void recordedCounters() {
    int runs = 0;
    std::vector<double> ratios;
    for (const runs::RunRecord& run : runs::recordings()) {
      const auto dram = run.counters[runs::Counter::DramBytes];
      const auto l2 = run.counters[runs::Counter::L2Bytes];
      if (!dram || !l2) continue;
      const Stage& stage = test::stage(run.stage);
      const emulator::TraceRequest request{{usualSubject(stage, run.tile), run.problem}};
      const Traffic t = traffic(stage, run.tile, run.problem,
                                analysis::gridTotals(workspace_, request), run.blocksPerSm);
      const double dramRatio = t.dramBytes / *dram, l2Ratio = (t.l2Bytes + *dram / 2) / *l2;
      const auto text = fmt::format(
          "{:>14} {:5}: DRAM {:8.1f} MB ({:.1f} to {:.1f}), counted {:8.1f}, {:.2f}; L2 {:.2f}",
          run.stage, run.problem.m, t.dramBytes / 1e6, t.dramLeast / 1e6, t.dramMost / 1e6,
          *dram / 1e6, dramRatio, l2Ratio);
      qInfo("%s", text.c_str());
      QVERIFY2(dramRatio > 1 / 2.2 && dramRatio < 2.2, text.c_str());
      QVERIFY2(l2Ratio > 0.8 && l2Ratio < 1.27, text.c_str());
      ratios.push_back(std::abs(std::log(dramRatio)));
      ++runs;
    }
    QVERIFY2(runs >= 39, "the recorded runs with counters are gone");
    std::nth_element(ratios.begin(), ratios.begin() + runs / 2, ratios.end());
    const double median = std::exp(ratios[static_cast<std::size_t>(runs / 2)]);
    qInfo("DRAM: within a factor of %.2f for half of the runs", median);
    QVERIFY2(median < 1.25, "worse than the header says");
  }
};

}  // namespace tileloom::model

TILELOOM_TEST(tileloom::model::TrafficTest, Nothing)
#include "traffic_test.moc"
