// SPDX-License-Identifier: GPL-3.0-or-later
// What a K tile of a launch counts, be K long or short.
#include "kernels/analysis/counts/loop_totals.h"

#include <QtTest>

#include "kernels/analysis/recording.h"
#include "kernels/emulator/run.h"
#include "kernels/tile/derived.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/placement.h"
#include "kernels/tile/subject.h"
#include "tests/support/random.h"
#include "tests/support/random_tiles.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::analysis {

class LoopTotalsTest : public QObject {
  Q_OBJECT

  emulator::Workspace workspace_;

  LoopTotals of(std::string_view id, const Problem& problem) {
    const Stage& stage = test::stage(id);
    return traceLoop(workspace_, standardSubject(stage), problem);
  }

 private slots:
  // Three K tiles are in flight before the loop of rung T3, which is all that a K of 192 has.
  void copiesBeforeTheLoopCount() {
    for (const int k : {64, 128, 192, 256, 1024}) {
      const LoopTotals loop = of("mmaring", {1024, 1024, k});
      // A K tile of 128 x 64 elements of A and as many of B.
      QCOMPARE(loop.totals.asyncFloats / loop.kTiles, std::uint64_t{2 * 128 * 64});
      QCOMPARE(loop.totals.tensorInstructions / loop.kTiles, std::uint64_t{512});
    }
  }

  // T4 to T7 ask for boxes themselves, T8 to T13 by a warp for that.
  void boxesBeforeTheLoopCount() {
    for (const Stage& stage : tensorStages()) {
      if (!stage.features().tma) continue;
      const TileShape tile = stage.standardTile();
      const Derived d = derive(stage, tile);
      for (const int kTiles : {1, 2, 4, 5, 6, 7, 20}) {
        // Its last round of the pipeline multiplies zeros where K has no more K tiles.
        if (stage.split() == SplitK::Rounds && kTiles % tile[Parameter::STAGES] != 0) continue;
        const LoopTotals loop =
            traceLoop(workspace_, usualSubject(stage, tile), {1024, 1024, kTiles * d.stepK});
        const std::string which = std::string(stage.id) + " " + std::to_string(kTiles);
        // Blocks of a cluster share what they multiply by, each brings its part.
        QVERIFY2(loop.totals.boxElements * static_cast<unsigned>(clusterOf(stage, tile)) >=
                         loop.kTiles * static_cast<std::uint64_t>(d.stepK) *
                             static_cast<unsigned>(d.blockM + d.blockN) &&
                     loop.totals.boxElements <= loop.kTiles * static_cast<std::uint64_t>(d.stepK) *
                                                    static_cast<unsigned>(d.blockM + d.blockN),
                 which.c_str());
        QCOMPARE(loop.totals.tensorMultiplyAdds() / loop.kTiles,
                 static_cast<std::uint64_t>(d.blockM) * static_cast<unsigned>(d.blockN) *
                     static_cast<unsigned>(d.stepK));
      }
    }
  }

  // Where K ends within a K tile, less is loaded: four K tiles of 64, and one of 8.
  void edgesOfK() {
    const LoopTotals loop = of("specialised", {1000, 520, 264});
    QCOMPARE(loop.kTiles, 5u);
    QCOMPARE(loop.totals.boxElements, std::uint64_t{(128 + 128) * 264});
    // The second iteration of T6 loads the sixth K tile, which has 8 elements of K here.
    const LoopTotals six = of("multistage", {1000, 776, 328});
    QCOMPARE(six.kTiles, 6u);
    QCOMPARE(six.totals.boxElements, std::uint64_t{(128 + 256) * 328});
    const LoopTotals one = of("overlapped", {1, 8, 8});
    QCOMPARE(one.kTiles, 1u);
    QCOMPARE(one.totals.boxElements, std::uint64_t{8 + 8 * 8});
  }

  // T6 writes C to shared memory, by 16 rows of 8 columns, and loads it again by rows: 128 rows of
  // 32 columns, 64 bytes, are two sectors of a line each.
  void storesComeAfter() {
    const Totals after = of("multistage", {32768, 32, 16}).after;
    QCOMPARE(after.sharedStoreWavefronts, std::uint64_t{512});
    QCOMPARE(after.sharedLoadWavefronts, std::uint64_t{128});
    QCOMPARE(after.globalStoreWavefronts, std::uint64_t{128});
    QCOMPARE(after.globalStoreSectors, std::uint64_t{256});
    QCOMPARE(after.productInstructions + after.boxInstructions + after.globalLoadRequests,
             std::uint64_t{0});
    for (const Stage* stage : everyStage()) {
      const LoopTotals loop = traceLoop(workspace_, standardSubject(*stage), {1024, 1024, 1024});
      QVERIFY2(loop.after.results > 0 && loop.totals.results == 0, stage->id.data());
    }
  }

  // The window uses a recording, commands trace: both have the same K tile.
  void aRecordingKnowsIt() {
    test::Random random(40);
    for (const Stage* stage : everyStage()) {
      const TileShape tile = test::legalTiles(*stage, 2, random).back();
      const Problem problem = test::problemFor(*stage, tile, 1 << 21, random);
      emulator::TraceRequest request;
      request.subject() = usualSubject(*stage, tile);
      request.problem = problem;
      request.kTiles = 2;
      const auto recording = record(workspace_, request);
      const LoopTotals loop = traceLoop(workspace_, usualSubject(*stage, tile), problem);
      QVERIFY(recording->kTile() != nullptr);
      QVERIFY2(recording->kTile()->totals == loop.totals && recording->kTile()->after == loop.after,
               test::toString(*stage, tile).c_str());
      QCOMPARE(recording->kTile()->kTiles, loop.kTiles);
    }
  }
};

}  // namespace tileloom::analysis

TILELOOM_TEST(tileloom::analysis::LoopTotalsTest, Nothing)
#include "loop_totals_test.moc"
