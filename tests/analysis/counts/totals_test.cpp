// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/analysis/counts/totals.h"
#include "kernels/analysis/counts/grid_totals.h"

#include <QtTest>
#include <array>
#include <bit>
#include <map>
#include <nlohmann/json.hpp>

#include "kernels/analysis/counts/line_costs.h"
#include "kernels/tile/derived.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/placement.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::analysis {

class TotalsTest : public QObject {
  Q_OBJECT

  emulator::Workspace workspace_;

  Totals totals(std::string_view id, const Problem& problem) {
    return blockTotals(trace(id, problem));
  }

  emulator::Trace trace(std::string_view id, const Problem& problem) {
    emulator::TraceRequest request;
    request.subject() = standardSubject(test::stage(id));
    request.problem = problem;
    request.operands = false;
    return traceBlock(workspace_, request);
  }

  static void same(std::uint64_t got, std::uint64_t wanted) { QCOMPARE(got, wanted); }

 private slots:
  // Hardware counters of an H100 on one 128 x 128 block, K = 128.
  void blocktile2dCountsAsMeasured() {
    const Totals t = totals("blocktile2d", {128, 128, 128});
    same(t.sharedLoadInstructions, 10'240);
    same(t.sharedLoadWavefronts, 32'768);
    same(t.sharedLoadConflicts, 16'384);
    same(t.ffmaThreadInstructions, 128 * 128 * 129);
  }
  void warptiledCountsAsMeasured() {
    const Totals t = totals("warptiled", {128, 128, 128});
    same(t.sharedLoadInstructions, 3'072);
    same(t.sharedLoadWavefronts, 10'240);
    same(t.sharedLoadConflicts, 0);
    same(t.sharedStoreInstructions, 640);
    same(t.sharedStoreWavefronts, 2'560);
    same(t.sharedStoreConflicts, 1'536);
  }

  // By hand: 32 warps; at each k a load of A from 32 rows and one element of B; then C, 32 rows
  // again.
  void naiveByHand() {
    const Totals t = totals("naive", {32, 32, 32});
    same(t.globalLoadRequests, 32 * (32 * 2 + 1));
    same(t.globalLoadSectors, 32 * (32 * (32 + 1) + 32));
    same(t.globalStoreRequests, 32);
    same(t.globalStoreSectors, 32 * 32);
    same(t.globalLoadFloats, 1024 * (2 * 32 + 1));
    same(t.globalUsefulBytes, 32 * (32 * (128 + 4) + 128 + 128));
    same(t.results, 1024);
    same(t.ffmaThreadInstructions, 1024 * 33);
    same(t.sharedLoadInstructions + t.sharedStoreInstructions, 0);
    QCOMPARE(reuse(t, 1024).usefulFraction, 0.125);
    QCOMPARE(reuse(t, 1024).fmasPerSharedLoad, 0.0);
  }

  void coalescedByHand() {
    const Totals t = totals("coalesced", {32, 32, 32});
    same(t.globalLoadRequests, 32 * (32 * 2 + 1));
    same(t.globalLoadSectors, 32 * (32 * (1 + 4) + 4));
    same(t.globalStoreSectors, 32 * 4);
  }

  // l1tex__data_pipe_lsu_wavefronts of an H200 (2026-11-22, ncu): of L1 and of shared memory
  // together, with what accesses cost each other besides.
  void l1WavefrontsAsMeasured() {
    struct Row {
      const char* stage;
      int blockSize;  // 0: the default tile
      double counted;
    };
    int close = 0;
    for (const Row& row :
         {Row{"naive", 32, 2484668}, Row{"naive", 16, 1279488}, Row{"naive", 8, 677376},
          Row{"naive", 12, 1080777}, Row{"coalesced", 32, 150102}, Row{"coalesced", 8, 375576},
          Row{"coalesced", 12, 340942}, Row{"shared", 0, 122735}, Row{"blocktile1d", 0, 56278},
          Row{"vectorized", 0, 41611}, Row{"warptiled", 0, 26260}, Row{"async", 0, 23815},
          Row{"tuned", 0, 15677}}) {
      emulator::TraceRequest request;
      request.subject() = standardSubject(test::stage(row.stage));
      if (row.blockSize > 0) request.tile = request.tile.with(Parameter::BLOCKSIZE, row.blockSize);
      request.problem = {192, 128, 96};
      emulator::Workspace workspace;
      const Totals t = gridTotals(workspace, request);
      const auto all = static_cast<double>(t.sharedLoadWavefronts + t.fillWavefronts() +
                                           t.globalLoadWavefronts + t.globalStoreWavefronts);
      const double ratio = row.counted / all;
      // Rungs 1 and 2 have no shared memory, and nearly all of their loads are in L1.
      const bool alone = !request.rung()->features().sharedTiles;
      QVERIFY2(ratio > (alone ? 1.0 : 0.95) && ratio < (alone ? 1.01 : 1.06),
               qPrintable(QString("%1 %2: %3").arg(row.stage).arg(row.blockSize).arg(ratio)));
      close += std::abs(ratio - 1) < 0.027 ? 1 : 0;
    }
    QVERIFY(close >= 11);
  }

  // Rung T3 predicates its copies: of 8 groups that each of 2 blocks issues, 5 lie beyond the end
  // of K. smsp__inst_executed_op_ldgsts of an H100, 2026-11-28: 1,152.
  void copiesBeyondTheEndOfKAreInstructions() {
    emulator::TraceRequest request;
    request.subject() = usualSubject(test::stage("mmaring"), {{Parameter::BM, 128},
                                                              {Parameter::BN, 16},
                                                              {Parameter::BK, 128},
                                                              {Parameter::WM, 16},
                                                              {Parameter::WN, 16},
                                                              {Parameter::SWIZZLE, 32},
                                                              {Parameter::STAGES, 6},
                                                              {Parameter::GROUP, 1}});
    request.problem = {128, 32, 384};
    emulator::Workspace workspace;
    const Totals t = gridTotals(workspace, request);
    same(t.asyncInstructions, 1152);
    same(t.asyncInstructionsOff, 720);
    same(t.asyncRequests(), 432);
    same(t.fetchRequests(), 432);
  }

  // Where every byte of every sector is used, no more bytes were requested than these.
  void nothingAsksForMoreThanItMoves() {
    for (const Stage* stage : everyStage()) {
      emulator::TraceRequest request;
      request.subject() = standardSubject(*stage);
      for (const Problem& problem : {Problem{128, 256, 64}, Problem{16, 16, 16}}) {
        request.problem = problem;
        emulator::Workspace workspace;
        const double useful = reuse(gridTotals(workspace, request), 1).usefulFraction;
        QVERIFY2(useful > 0 && useful <= 1, stage->id.data());
        if (stage->features().tmaStores && problem.m == 128 && stage->split() != SplitK::Rounds)
          QCOMPARE(useful, 1.0);
      }
    }
  }

  void sharedByHand() {
    const Totals t = totals("shared", {32, 32, 64});
    same(t.globalLoadRequests, 32 * (2 * 2 + 1));
    same(t.globalLoadSectors, 32 * (2 * 2 * 4 + 4));
    same(t.sharedStoreInstructions, 32 * 2 * 2);
    same(t.sharedStoreWavefronts, 32 * 2 * 2);
    same(t.sharedStoreConflicts, 0);
    same(t.sharedLoadInstructions, 32 * 2 * (8 + 32));
    same(t.sharedLoadConflicts, 0);
    same(t.sharedLoadThreadInstructions, 1024 * 2 * (8 + 32));
    same(t.sharedLoadFloats, 1024 * 2 * (32 + 32));
  }

  // The literature's counts, per element of C: shared reads, then global ones and one read of C.
  void reuseIsTheLiteratures_data() {
    QTest::addColumn<double>("sharedPerK");
    QTest::addColumn<double>("globalPerK");
    QTest::newRow("naive") << 0.0 << 2.0;
    QTest::newRow("coalesced") << 0.0 << 2.0;
    QTest::newRow("shared") << 2.0 << 1.0 / 16;
    QTest::newRow("blocktile1d") << 9.0 / 8 << 1.0 / 32;
    QTest::newRow("blocktile2d") << 1.0 / 4 << 1.0 / 64;
    QTest::newRow("vectorized") << 1.0 / 4 << 1.0 / 64;
    QTest::newRow("autotuned") << 1.0 / 4 << 1.0 / 64;
    QTest::newRow("warptiled") << (8.0 + 16) / 128 << 1.0 / 64;
  }
  void reuseIsTheLiteratures() {
    QFETCH(double, sharedPerK);
    QFETCH(double, globalPerK);
    constexpr int kDepth = 64;
    const Stage& stage = test::stage(QTest::currentDataTag());
    const Derived d = derive(stage, stage.standardTile());
    const Reuse r =
        reuse(totals(stage.id, {d.blockM, d.blockN, kDepth}),
              static_cast<std::uint64_t>(d.blockM) * static_cast<std::uint64_t>(d.blockN));
    QCOMPARE(r.sharedFloatsPerResult, sharedPerK * kDepth);
    QCOMPARE(r.globalFloatsPerResult, globalPerK * kDepth + 1);
  }

  void multiplyAddsPerSharedLoad() {
    // Rung 5: 64 multiply-adds for 8 scalar and 2 wide loads; the epilogue adds one a result.
    QCOMPARE(fmasPerSharedLoad(totals("blocktile2d", {128, 128, 64})), 64.0 * 65 / (10 * 64));
    // Rung 8: 128 for 2 + 4 wide ones.
    QCOMPARE(fmasPerSharedLoad(totals("warptiled", {128, 128, 64})), 128.0 * 65 / (6 * 64));
  }

  // Each element of C inside the problem belongs to one block, and padding belongs to none.
  void blocksShareTheResults_data() { test::addStageRows(); }
  void blocksShareTheResults() {
    const Stage& stage = test::stageOfRow();
    const TileShape tile = stage.standardTile();
    for (const Problem& problem :
         {Problem{1, 1, 1}, Problem{17, 256, 64}, Problem{300, 41, 7}, Problem{512, 512, 64}}) {
      const Extent grid = launchOf(stage, tile, paddedProblem(stage, tile, problem)).grid;
      std::uint64_t sum = 0;
      for (int y = 0; y < grid.y; ++y) {
        for (int x = 0; x < grid.x; ++x) sum += resultsOf(stage, tile, problem, Extent{x, y});
      }
      const auto all =
          static_cast<std::uint64_t>(problem.m) * static_cast<std::uint64_t>(problem.n);
      same(sum, all);
      same(resultsOf(stage, tile, problem, std::nullopt), all);
    }
  }

  // Rows that pad a tile are loaded, too, but their results are not needed.
  void readsCountForTheElementsOfTheProblem() {
    for (const Stage* stage : everyStage()) {
      if (!stage->features().sharedTiles) continue;
      const TileShape tile = stage->standardTile();
      const Derived d = derive(*stage, tile);
      emulator::TraceRequest request;
      request.subject() = usualSubject(*stage, tile);
      request.problem = {d.blockM, d.blockN, 256};
      emulator::Workspace workspace;
      const double whole = reuse(wholeBlockTotals(workspace, request),
                                 resultsOf(*stage, tile, request.problem, request.block))
                               .sharedFloatsPerResult;
      request.problem.m = 1;
      const double row = reuse(wholeBlockTotals(workspace, request),
                               resultsOf(*stage, tile, request.problem, request.block))
                             .sharedFloatsPerResult;
      // A kernel that checks the edges reads less for what is outside, but never only a row's part.
      QVERIFY2(row > 4 * whole, stage->id.data());
    }
  }

  void linesAddUpToTheTotals_data() { test::addStageRows(); }
  void linesAddUpToTheTotals() {
    const Stage& stage = test::stageOfRow();
    const emulator::Trace traced = trace(stage.id, {48, 40, 33});
    const Totals t = blockTotals(traced);
    std::map<emulator::Kind, Totals> by;
    int before = 0;
    for (const LineCost& row : lineCosts(traced)) {
      QVERIFY(row.line >= before);  // in the order of the source
      before = row.line;
      QVERIFY(row.width == 4 || row.width == 8 || row.width == 16);
      QVERIFY(!row.array.empty() && row.executions > 0);
      Totals& sum = by[row.kind];
      sum.sharedLoadInstructions += row.executions;
      sum.asyncInstructionsOff += row.executionsOff;
      sum.sharedLoadWavefronts += row.wavefronts;
      sum.sharedLoadConflicts += row.conflicts;
      sum.globalLoadSectors += row.sectors;
    }
    using emulator::Kind;
    same(by[Kind::SharedLoad].sharedLoadInstructions, t.sharedLoadInstructions);
    same(by[Kind::SharedLoad].sharedLoadWavefronts, t.sharedLoadWavefronts);
    same(by[Kind::SharedLoad].sharedLoadConflicts, t.sharedLoadConflicts);
    same(by[Kind::SharedStore].sharedLoadInstructions, t.sharedStoreInstructions);
    same(by[Kind::SharedStore].sharedLoadWavefronts, t.sharedStoreWavefronts);
    same(by[Kind::SharedStore].sharedLoadConflicts, t.sharedStoreConflicts);
    same(by[Kind::GlobalLoad].sharedLoadInstructions, t.globalLoadRequests);
    same(by[Kind::GlobalLoad].globalLoadSectors, t.globalLoadSectors);
    same(by[Kind::GlobalStore].sharedLoadInstructions, t.globalStoreRequests);
    same(by[Kind::GlobalStore].globalLoadSectors, t.globalStoreSectors);
    same(by[Kind::AsyncCopy].sharedLoadInstructions, t.asyncRequests());
    same(by[Kind::AsyncCopy].asyncInstructionsOff, t.asyncInstructionsOff);
    same(by[Kind::AsyncCopy].sharedLoadWavefronts, t.asyncWavefronts);
    same(by[Kind::AsyncCopy].sharedLoadConflicts, t.asyncConflicts);
    same(by[Kind::AsyncCopy].globalLoadSectors, t.asyncSectors);
    same(by[Kind::MatrixLoad].sharedLoadInstructions, t.matrixLoadInstructions);
    same(by[Kind::MatrixLoad].sharedLoadWavefronts, t.matrixLoadWavefronts);
    same(by[Kind::MatrixLoad].sharedLoadConflicts, t.matrixLoadConflicts);
    same(by[Kind::MatrixStore].sharedLoadInstructions, t.matrixStoreInstructions);
    same(by[Kind::MatrixStore].sharedLoadWavefronts, t.matrixStoreWavefronts);
    same(by[Kind::MatrixStore].sharedLoadConflicts, t.matrixStoreConflicts);
    QVERIFY(t.globalLoadRequests + t.asyncInstructions + t.boxInstructions > 0 &&
            t.storedSectors() > 0);
  }

  // A count that nothing is ever added to would agree with any sum, table or picture.
  void everyCountCounts() {
    Totals all;
    for (const Stage* stage : everyStage()) all += totals(stage->id, {48, 40, 33});
    all += totals("async", {256, 256, 64});  // where copies of A conflict
    // Swizzled operands have none, whatever the tile, which the hardware's counter confirms.
    QCOMPARE(all.productConflicts, std::uint64_t{0});
    all.productConflicts = 1;
    // Nor have rows of stmatrix, which lie in boxes.
    QCOMPARE(all.matrixStoreConflicts, std::uint64_t{0});
    all.matrixStoreConflicts = 1;
    // A recording has no stores that are predicated off: those of rung 16 come on top.
    QCOMPARE(all.sharedStoreInstructionsOff, std::uint64_t{0});
    emulator::TraceRequest request;
    request.subject() = standardSubject(test::stage("rewritten"));
    request.problem = {48, 40, 33};
    emulator::Workspace workspace;
    all += predicatedOffByRewriting(workspace, request);
    // Only sums that other SMs have left pass L1.
    request.problem = {128, 256, 4096};
    all += gridTotals(workspace, request);
    const auto counts = std::bit_cast<std::array<std::uint64_t, sizeof(Totals) / 8>>(all);
    for (std::size_t i = 0; i < counts.size(); ++i)
      QVERIFY2(counts[i] > 0, qPrintable(QString("member %1 of Totals stays 0").arg(i + 1)));
    const nlohmann::json json = toJson(all);
    for (const auto& [key, value] : json.items()) QVERIFY2(value > 0, key.c_str());
  }

  void totalsAddSubtractAndScale() {
    const Totals t = totals("shared", {32, 32, 32});
    Totals twice = t;
    twice += t;
    QVERIFY(twice == t * 2);
    QVERIFY(twice - t == t);
    QVERIFY(t * 0 == Totals{});
  }

  void jsonHasTheCounters() {
    const nlohmann::json json = toJson(totals("warptiled", {128, 128, 128}));
    QCOMPARE(json.size(), std::size_t{34});
    QCOMPARE(json.at("tensor_instructions").get<int>(), 0);
    QCOMPARE(json.at("shared_load_instructions").get<int>(), 3072);
    QCOMPARE(json.at("shared_load_wavefronts").get<int>(), 10240);
    QCOMPARE(json.at("shared_load_conflicts").get<int>(), 0);
    QCOMPARE(json.at("shared_store_instructions").get<int>(), 640);
    QCOMPARE(json.at("shared_store_wavefronts").get<int>(), 2560);
    QCOMPARE(json.at("shared_store_conflicts").get<int>(), 1536);
    QCOMPARE(json.at("global_load_requests").get<int>(), 4 * (8 * 8 + 32));
    QCOMPARE(json.at("global_load_sectors").get<int>(), 2 * 128 * 128 / 8 + 128 * 128 / 8);
    QCOMPARE(json.at("global_store_requests").get<int>(), 4 * 32);
    QCOMPARE(json.at("global_store_sectors").get<int>(), 128 * 128 / 8);
    QCOMPARE(json.at("ffma_thread_instructions").get<int>(), 128 * 128 * 129);
  }
};

}  // namespace tileloom::analysis

TILELOOM_TEST(tileloom::analysis::TotalsTest, Nothing)
#include "totals_test.moc"
