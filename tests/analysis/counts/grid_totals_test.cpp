// SPDX-License-Identifier: GPL-3.0-or-later
// The short cuts of gridTotals (few K tiles, one block of each class) against tracing everything.
#include <fmt/format.h>

#include <QtTest>
#include <algorithm>
#include <nlohmann/json.hpp>

#include "kernels/analysis/counts/grid_totals.h"
#include "kernels/analysis/counts/totals.h"
#include "kernels/tile/derived.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/placement.h"
#include "kernels/tile/whole_tiles.h"
#include "tests/support/random.h"
#include "tests/support/random_tiles.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::analysis {

class GridTotalsTest : public QObject {
  Q_OBJECT

  emulator::Workspace workspace_;

  Totals everyBlock(emulator::TraceRequest request) {
    request.operands = false;
    const Problem run = paddedProblem(*request.rung(), request.tile, request.problem);
    const Extent grid = launchOf(*request.rung(), request.tile, run).grid;
    Totals sum;
    for (request.block.y = 0; request.block.y < grid.y; ++request.block.y) {
      for (request.block.x = 0; request.block.x < grid.x; ++request.block.x) {
        sum += blockTotals(traceBlock(workspace_, request));
      }
    }
    return sum;
  }

  // Recordings show whole tiles: for split ones see partial_sums_test.
  void compare(emulator::TraceRequest request) {
    if (request.rung()->split() == SplitK::Parts || request.rung()->split() == SplitK::Rounds)
      request.tile[Parameter::SPLIT] = 1;
    const Totals quick = gridTotals(workspace_, request);
    const Totals full = everyBlock(request);
    // The counters as text first, since a plain "not equal" would not say which.
    const std::string text = fmt::format("{} of {}", test::toString(*request.rung(), request.tile),
                                         toString(request.problem));
    QVERIFY2(quick == full,
             fmt::format("{}: {} instead of {}", text, toJson(quick).dump(), toJson(full).dump())
                 .c_str());
    QVERIFY2(full.results > 0, text.c_str());
  }

 private slots:
  void squareStages_data() {
    QTest::addColumn<int>("rung");
    QTest::addColumn<int>("edge");
    QTest::addColumn<int>("m");
    QTest::addColumn<int>("n");
    QTest::addColumn<int>("k");
    const Problem problems[] = {{64, 64, 64},  {37, 50, 100}, {33, 65, 129}, {40, 24, 8},
                                {19, 41, 203}, {1, 1, 1},     {16, 80, 257}, {70, 3, 77}};
    for (int rung = 1; rung <= 3; ++rung) {
      for (const int edge : {1, 3, 5, 8, 12, 31, 32}) {
        if (test::briefly() && edge % 2 != 0 && edge > 3) continue;
        for (const Problem& p : problems) {
          if (test::briefly() && p.k > 128 && edge > 5) continue;  // long, and no other way
          if (edge < 4 && p.m * p.n > 1000) continue;  // a block per element: long and no news
          QTest::addRow("rung %d, edge %d, %s", rung, edge, toString(p).c_str())
              << rung << edge << p.m << p.n << p.k;
        }
      }
    }
  }
  void squareStages() {
    QFETCH(int, rung);
    QFETCH(int, edge);
    QFETCH(int, m);
    QFETCH(int, n);
    QFETCH(int, k);
    emulator::TraceRequest request;
    request.subject() =
        usualSubject(stages()[static_cast<std::size_t>(rung - 1)], {{Parameter::BLOCKSIZE, edge}});
    request.problem = {m, n, k};
    compare(request);
  }

  void randomTiles_data() { test::addStageRows(); }
  void randomTiles() {
    const Stage& stage = test::stageOfRow();
    test::Random random(test::seed());
    emulator::TraceRequest request;
    request.subject() = standardSubject(stage);
    int compared = 0;
    const int wanted =
        static_cast<int>(std::min<std::size_t>(test::tilesPerStage(), test::briefly() ? 3 : 25));
    for (const TileShape& tile : test::legalTiles(stage, 200, random)) {
      const Derived d = derive(stage, tile);
      const long long work = 1LL * d.blockM * d.blockN * d.stepK;
      if (work > (derive(stage, stage.standardTile()).consumerRegisters > 0 ? 300'000 : 150'000))
        continue;
      request.tile = tile;
      const int rows = random.integer(1, 3), columns = random.integer(1, 3);
      const long long most = std::clamp(500'000 / (work * rows * columns), 1LL, 20LL);
      const int steps = random.integer(1, static_cast<int>(most));
      request.problem = {rows * d.blockM - random.integer(0, d.blockM - 1),
                         columns * d.blockN - random.integer(0, d.blockN - 1),
                         steps * d.stepK - random.integer(0, d.stepK - 1)};
      compare(request);
      if (QTest::currentTestFailed()) return;
      if (++compared == wanted) break;
    }
    QVERIFY(compared > 0);
  }

  // A line has 64 elements of 16 bits, so the counts repeat later than those of floats.
  void randomTensorTiles() {
    test::Random random(test::seed());
    const int least = test::briefly() ? 2 : 5;
    for (const Stage& stage : tensorStages()) {
      emulator::TraceRequest request;
      request.subject() = standardSubject(stage);
      int compared = 0;
      for (const TileShape& tile : test::legalTiles(stage, 200, random)) {
        const Derived d = derive(stage, tile);
        // Warpgroups have no smaller tiles.
        const long long most = stage.features().warpgroupMma ? 400'000 : 150'000;
        if (1LL * d.blockM * d.blockN * d.stepK > most) continue;
        request.tile = tile;
        request.problem = {2 * d.blockM - random.integer(0, d.blockM - 1),
                           3 * d.blockN - random.integer(0, d.blockN - 1),
                           random.integer(1, 9) * d.stepK - random.integer(0, d.stepK - 1)};
        compare(request);
        if (QTest::currentTestFailed()) return;
        const int wanted = stage.features().warpgroupMma ? 5 : 25;
        if (++compared == (test::briefly() ? least : wanted)) break;
      }
      QVERIFY(compared >= least);
    }
  }

  void wholeBlocksDoNotNeedAllOfK_data() { test::addStageRows(); }
  void wholeBlocksDoNotNeedAllOfK() {
    const Stage& stage = test::stageOfRow();
    for (const int k : {8, 16, 96, 100, 512, 515}) {
      if (test::briefly() && k != 16 && k != 100) continue;
      emulator::TraceRequest request;
      request.subject() = standardSubject(stage);
      request.problem = {64, 64, k};
      request.operands = false;
      QVERIFY(wholeBlockTotals(workspace_, request) ==
              blockTotals(traceBlock(workspace_, request)));
    }
  }

  // The stated multiplied size is what the kernels multiply, with zeros.
  void asManyAsWholeTilesHave() {
    for (const Stage& stage : tensorStages()) {
      if (test::briefly() && stage.rung % 4 != 1) continue;
      const TileShape tile = stage.standardTile();
      const Derived d = derive(stage, tile);
      for (const Problem& problem :
           {Problem{17, 9, d.stepK * 5 / 2}, Problem{d.blockM + 1, 8, 8}}) {
        emulator::TraceRequest request;
        request.subject() = usualSubject(stage, tile);
        request.problem = problem;
        const Problem whole = wholeTiles(stage, tile, problem);
        QCOMPARE(gridTotals(workspace_, request).tensorMultiplyAdds(),
                 std::uint64_t(whole.m) * std::uint64_t(whole.n) * std::uint64_t(whole.k));
      }
    }
  }

  // A limit in the request is for the picture; counters are of the whole run.
  void limitsOfTheRequestDoNotMatter() {
    emulator::TraceRequest request;
    request.subject() = usualSubject(test::stage("shared"), {{Parameter::BLOCKSIZE, 8}});
    request.problem = {20, 20, 64};
    const Totals whole = gridTotals(workspace_, request);
    request.kTiles = 1;
    request.block = {1, 1};
    QVERIFY(gridTotals(workspace_, request) == whole);
  }

  // 4096³ in a moment, with the counts that follow from one block's golden ones.
  void aLargeGridIsAMultipleOfItsBlock() {
    emulator::TraceRequest request;
    request.subject() = standardSubject(test::stage("warptiled"));
    request.problem = {4096, 4096, 4096};
    const Totals t = gridTotals(workspace_, request);
    constexpr std::uint64_t kBlocks = 32 * 32, kGolden = 4096 / 128;
    QCOMPARE(t.sharedLoadInstructions, 3'072 * kBlocks * kGolden);
    QCOMPARE(t.sharedLoadWavefronts, 10'240 * kBlocks * kGolden);
    QCOMPARE(t.sharedStoreConflicts, 1'536 * kBlocks * kGolden);
    QCOMPARE(t.results, std::uint64_t{4096} * 4096);
    QCOMPARE(t.ffmaThreadInstructions, std::uint64_t{4096} * 4096 * 4097);
  }
};

}  // namespace tileloom::analysis

TILELOOM_TEST(tileloom::analysis::GridTotalsTest, Nothing)
#include "grid_totals_test.moc"
