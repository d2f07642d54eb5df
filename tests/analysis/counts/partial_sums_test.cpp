// SPDX-License-Identifier: GPL-3.0-or-later
// What tiles that are cut along K cost besides, against what an H100 counted (2026-11-28,
// tests/fixtures/fidelity/h100.jsonl).
#include "kernels/analysis/counts/partial_sums.h"
#include "kernels/analysis/counts/grid_totals.h"

#include <QtTest>

#include "kernels/tile/parameters.h"
#include "kernels/tile/placement.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::analysis {

class PartialSumsTest : public QObject {
  Q_OBJECT

  static emulator::TraceRequest launch(const char* id, const Problem& problem) {
    emulator::TraceRequest request;
    request.subject() = standardSubject(test::stage(id));
    request.problem = problem;
    request.operands = false;
    return request;
  }
  static CutTiles cutOf(const emulator::TraceRequest& r) {
    return cutTilesOf(*r.rung(), r.tile, paddedProblem(*r.rung(), r.tile, r.problem), r.sms);
  }

 private slots:
  // 3 tiles on 132 SMs become 12 parts.
  void partsOfRung16() {
    emulator::Workspace workspace;
    const auto request = launch("rewritten", {128, 768, 1536});
    QCOMPARE(cutOf(request), (CutTiles{3, 12}));
    Totals t = gridTotals(workspace, request);
    QCOMPARE(t.sharedLoadInstructions, std::uint64_t{221'856});
    QCOMPARE(t.sharedLoadWavefronts, std::uint64_t{887'136});
    QCOMPARE(t.fetchRequests(), std::uint64_t{17'856});
    QCOMPARE(t.fetchSectors(), std::uint64_t{285'888});
    QCOMPARE(t.globalStoreRequests, std::uint64_t{3'843});
    QCOMPARE(t.globalStoreSectors, std::uint64_t{64'515});
    QCOMPARE(t.ffmaThreadInstructions, std::uint64_t{151'093'248});
    QCOMPARE(t.results, std::uint64_t{128 * 768});
    // Its loop was rewritten.
    t += predicatedOffByRewriting(workspace, request);
    QCOMPARE(t.asyncInstructions, std::uint64_t{9'408});
    QCOMPARE(t.asyncInstructionsOff, std::uint64_t{192});
    QCOMPARE(t.sharedStoreInstructions, std::uint64_t{18'828});
    QCOMPARE(t.fetchRequests(), std::uint64_t{17'856});
  }

  // Each part is of one tile, and tiles that are not cut are one block's.
  void partsOfEachTile() {
    for (const char* id : {"rewritten", "hopper", "tuned"}) {
      for (const Problem& problem :
           {Problem{64, 64, 4096}, Problem{17, 256, 4096}, Problem{128, 768, 1536},
            Problem{1536, 1024, 2048}, Problem{4096, 4096, 512}, Problem{300, 700, 520}}) {
        const auto r = launch(id, problem);
        const Problem padded = paddedProblem(*r.rung(), r.tile, problem);
        const Extent grid = launchOf(*r.rung(), r.tile, padded).grid;
        std::uint64_t tiles = 0, parts = 0;
        for (int y = 0; y < grid.y; ++y) {
          for (int x = 0; x < grid.x; ++x) {
            const int its = partsOfTile(*r.rung(), r.tile, padded, {x, y}, r.sms);
            QVERIFY(its >= 1);
            tiles += its > 1 ? 1u : 0u;
            parts += its > 1 ? static_cast<unsigned>(its) : 0u;
          }
        }
        QVERIFY2((CutTiles{tiles, parts}) == cutOf(r), (id + toString(problem)).c_str());
      }
    }
  }

  void piecesOfRungT13() {
    emulator::Workspace workspace;
    const auto request = launch("hopper", {128, 768, 1536});
    QCOMPARE(cutOf(request), (CutTiles{6, 12}));
    const Totals t = gridTotals(workspace, request);
    QCOMPARE(t.globalStoreRequests, std::uint64_t{1'560});
    QCOMPARE(t.globalStoreSectors, std::uint64_t{24'600});
    QCOMPARE(t.boxBytes, std::uint64_t{7'077'888});
    QCOMPARE(t.boxInstructions, std::uint64_t{720});
    QCOMPARE(t.productInstructions, std::uint64_t{4'608});
    // The hardware counts 1,707: each look at a flag that is down is one more.
    QCOMPARE(t.fetchRequests(), std::uint64_t{1'548});
  }

  void withoutSplitThereAreNone() {
    emulator::Workspace workspace;
    for (const Stage* stage : everyStage()) {
      auto request = launch(stage->id.data(), {64, 64, 4096});
      if (stage->spec(Parameter::SPLIT) != nullptr) request.tile[Parameter::SPLIT] = 1;
      const Problem padded = paddedProblem(*stage, request.tile, request.problem);
      QCOMPARE(cutTilesOf(*stage, request.tile, padded), CutTiles{});
      QCOMPARE(partialSums(*stage, request.tile, padded), Totals{});
    }
  }

  // A full wave has nothing to cut, and as many SMs as it takes have one.
  void itDependsOnTheNumberOfSms() {
    auto request = launch("rewritten", {64, 64, 4096});
    QCOMPARE(cutOf(request), (CutTiles{1, 4}));
    request.sms = 1;
    QCOMPARE(cutOf(request), CutTiles{});
  }
};

}  // namespace tileloom::analysis

TILELOOM_TEST(tileloom::analysis::PartialSumsTest, Nothing)
#include "partial_sums_test.moc"
