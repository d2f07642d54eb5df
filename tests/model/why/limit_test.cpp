// SPDX-License-Identifier: GPL-3.0-or-later
// What limits a launch: by hand for launches of all kinds, and for random ones the same with every
// command.
#include "kernels/model/why/limit.h"

#include <QtTest>
#include <algorithm>
#include <cmath>

#include "kernels/analysis/counts/loop_totals.h"
#include "kernels/model/limits/roofline.h"
#include "kernels/model/prediction/rates.h"
#include "kernels/model/why/why.h"
#include "kernels/runs/recordings.h"
#include "kernels/tile/derived.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/placement.h"
#include "kernels/tile/subject.h"
#include "kernels/tile/words.h"
#include "tests/support/random.h"
#include "tests/support/random_tiles.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"
#include "tests/support/unrecorded.h"

namespace tileloom::model {

using test::q;

class LimitTest : public QObject {
  Q_OBJECT

  static bool has(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
  }

  emulator::Workspace workspace_;
  Architecture arch_ = *architectureNamed("sm_90");
  Rates rates_ = *ratesFor("sm_90");

  std::optional<Limit> of(const Stage& stage, const TileShape& tile, const Problem& problem,
                          const KernelFacts* facts) {
    const analysis::LoopTotals loop =
        analysis::traceLoop(workspace_, usualSubject(stage, tile), problem);
    return limitOf({.subject = usualSubject(stage, tile),
                    .problem = problem,
                    .loop = loop,
                    .arch = arch_,
                    .facts = facts,
                    .rates = &rates_,
                    .ceilings = ceilingsOf({}, {})});
  }
  // Of the standard tile, whose kernel is known from a recorded run.
  Limit of(std::string_view id, const Problem& problem) {
    const Stage& stage = test::stage(id);
    std::optional<KernelFacts> facts;
    if (isPredicted(stage))
      facts = factsOf(*runs::recordedRun(standardSubject(stage), {4096, 4096, 4096}));
    return *of(stage, stage.standardTile(), problem, facts ? &*facts : nullptr);
  }
  static bool near(double value, double right, double part) {
    return std::abs(value - right) <= part * right;
  }

 private slots:
  // An H100: 132 SMs at 1,980 MHz, 2,829 GB/s of DRAM as measured (3,350 by its data sheet),
  // 2,048 multiply-adds of tensor cores and 128 of FMA pipes per cycle and SM.
  void byHand_data() {
    QTest::addColumn<QString>("stage");
    QTest::addColumn<int>("m");
    QTest::addColumn<int>("n");
    QTest::addColumn<int>("k");
    QTest::addColumn<QString>("limit");
    QTest::addColumn<double>("share");  // 0 to 1, within 3 %; 0: not computed by hand
    QTest::addColumn<qlonglong>("working");
    const auto row = [](const char* stage, int m, int n, int k, const char* limit, double share,
                        qlonglong working) {
      QTest::addRow("%s %dx%dx%d", stage, m, n, k)
          << stage << m << n << k << limit << share << working;
    };
    // 33.8 MB take 12.0 us. 16 tiles in clusters of two, the lower one beyond the edge, each split
    // in two: 64 SMs, 32 K tiles of 1,024 cycles, which are 16.5 us, more than DRAM's.
    row("hopper", 17, 4096, 4096, "the tail wave", 1 - 64 / 132.0, 64);
    row("hopper", 16, 4096, 4096, "the tail wave", 1 - 64 / 132.0, 64);
    // 64 SMs, 8 K tiles: 4.14 us. 6 MB take 2.12 us.
    row("hopper", 1000, 1000, 1000, "the tail wave", 1 - 64 / 132.0, 64);
    // 32 tiles on as many SMs, 64 K tiles of 831 cycles: 26.9 us. DRAM 12.0 us.
    row("tma", 17, 4096, 4096, "the tail wave", 1 - 32 / 132.0, 32);
    // Neither clusters nor parts: 16 SMs, 64 K tiles, 33.1 us; DRAM 12.0 us.
    row("persistent", 16, 4096, 4096, "the tail wave", 1 - 16 / 132.0, 16);
    // 512 tiles on 132 SMs: 3.88 each, 4 on the busiest.
    row("hopper", 4096, 4096, 4096, "tensor cores", 3.879 / 4, 132);
    row("overlapped", 4096, 4096, 4096, "tensor cores", 3.879 / 4, 132);
    row("overlapped", 8192, 8192, 8192, "tensor cores", 15.515 / 16, 132);
    // One tile, 512 K tiles: 265 us on one SM; 25.2 MB take 8.9 us.
    row("overlapped", 128, 256, 32768, "the tail wave", 1 - 1 / 132.0, 1);
    // C alone is 134 MB: 48 us, against 16 K tiles of 1,024 cycles, 8.3 us.
    row("overlapped", 8192, 8192, 64, "DRAM", 1, 132);
    // 33 tiles: 33.1 us on 33 SMs, 8.3 us on all of them; 38.9 MB take 13.7 us.
    row("consumers", 33 * 128, 256, 4096, "the tail wave", 1 - 33 / 132.0, 33);
    // ldmatrix with conflicts: 1,792 wavefronts a K tile, 256 cycles of products.
    row("mma", 4096, 4096, 4096, "L1 and shared-memory data pipe", 7.758 / 8, 132);
    // 1,048,576 multiply-adds at the 1,261 that mma.sync reaches: 831 cycles; 512 wavefronts.
    row("tma", 4096, 4096, 4096, "mma.sync", 7.758 / 8, 132);
    // A tile on one SM; three places beside it, and 131 SMs, have none.
    row("tuned", 64, 64, 4096, "the tail wave", 0.992, 1);
    // 32 tiles of 64 x 128: a quarter of the SMs.
    row("tuned", 17, 4096, 4096, "the tail wave", 1 - 32 / 132.0, 32);
    row("tuned", 4096, 4096, 4096, "instruction issue", 0, 132);
    // 32 tiles, whose K of 336 is split into 84 shares of 128: the trace counts 88 blocks.
    row("rewritten", 1024, 1024, 336, "the tail wave", 0, 88);
    // 16 of 128 columns.
    row("tuned", 32768, 16, 1024, "padding at the edges", 0, 132);
    // C is read and written: 537 MB, 160 us; 2.1 GFLOP take 33 us.
    row("tuned", 8192, 8192, 16, "DRAM", 0, 132);
    // Each lane loads its own row of A: 16 lines for each of its loads.
    row("naive", 4096, 4096, 4096, "L1 and shared-memory data pipe", 0.98, 132);
    // Its threads stop at the edges of A, B and C, so nothing is padded.
    row("naive", 4096, 4096, 8, "L1 and shared-memory data pipe", 0, 132);
    row("coalesced", 17, 4096, 4096, "exposed latency", 0, 128);
    // A K tile of 16 for a K of 8 is padding, but C alone is 134 MB: 47.5 us.
    row("tuned", 4096, 4096, 8, "DRAM", 47.5 / 49.5, 132);
    // An iteration of the pipeline is four K tiles, so it multiplies 8, not 5: 16.5 us on the
    // busiest SM. 38.8 MB take 13.7 us. The SMs multiply for 16 us on average, including padding
    // along K; 10.03 us of it is useful.
    row("hopper", 4096, 4096, 320, "tensor cores", 10.03 / 16.5, 132);
    // Two blocks of a cluster, four K tiles of 1,024 cycles: 2.07 us.
    row("hopper", 1, 1, 1, "the tail wave", 1 - 2 / 132.0, 2);
    // 256 tiles, two on the busiest SM. 3.15 MB take 1.11 us. For one K tile a tile reads operands
    // for 640 wavefronts, and C passes through shared memory to rows of 64 bytes in 768: 1.42 us.
    // On average 1.38 us, more than DRAM; with an eighth of the operands 0.77 us would suffice.
    row("multistage", 32768, 32, 16, "L1 and shared-memory data pipe", 0.772 / 1.422, 132);
    // C by stmatrix, 512 wavefronts, and TMA stores: 1.16 us.
    row("stored", 32768, 32, 16, "padding at the edges", 0.522, 132);
    // DRAM moves 92 GB at least, 32 ms; the products take 65.7 ms.
    row("hopper", 32768, 32768, 32768, "tensor cores", 1, 132);
  }
  void byHand() {
    QFETCH(QString, stage);
    QFETCH(int, m);
    QFETCH(int, n);
    QFETCH(int, k);
    QFETCH(QString, limit);
    QFETCH(double, share);
    QFETCH(qlonglong, working);
    const Limit found = of(stage.toStdString(), {m, n, k});
    const std::string says = sentence(found);
    QVERIFY2(q(name(found.kind)) == limit, says.c_str());
    QVERIFY2(found.places.smsWithWork == working, says.c_str());
    if (share > 0) QVERIFY2(near(found.share, share, 0.03), says.c_str());
    QVERIFY(found.share > 0 && found.share < 1 + 1e-9);
  }

  // Roofs apply to predictions, too: these take DRAM's bandwidth from the same measurement.
  void noPredictionBeatsTheRoof() {
    const Ceilings& ceilings = *ceilingsOf({}, {});
    for (const Stage& stage : stages()) {
      if (!runs::hasRecordedRuns(stage) && !test::mustBeRecorded(stage)) continue;
      for (const Problem& problem :
           {Problem{4096, 4096, 8}, Problem{8192, 8192, 16}, Problem{17, 4096, 4096},
            Problem{4096, 1, 4096}, Problem{1000, 1000, 1000}, Problem{4096, 4096, 4096}}) {
        Traffic least;
        least.flops = 2.0 * problem.m * problem.n * problem.k;
        least.leastBytes = leastBytesOf(stage, problem);
        const LowerBounds bounds = lowerBounds(ceilings, least);
        const Limit limit = of(stage.id, problem);
        QVERIFY2(limit.seconds > 0.999 * std::max(*bounds.pipeSeconds, *bounds.dramSeconds),
                 qPrintable(q(stage.id) + " " + q(toString(problem)) + " " + q(sentence(limit))));
      }
    }
    TILELOOM_SAY_WHICH_LACK_RUNS();
  }

  // No recorded run beats a lower bound.
  void noRunBeatsTheLeastTime() {
    int judged = 0, seen = 0;
    for (const runs::RunRecord& run : runs::recordings()) {
      const Stage* const stage = stageOfEitherLadder(run.stage);
      if (stage == nullptr || isPredicted(*stage) || !run.gflops.known() ||
          run.device != ceilingsOf({}, {})->device || ++seen % (test::briefly() ? 80 : 20) != 0)
        continue;
      ++judged;
      const auto least = of(*stage, run.tile, run.problem, nullptr);
      const double flops = 2.0 * run.problem.m * run.problem.n * run.problem.k;
      const double seconds = flops / (run.gflops.high * 1e9);
      QVERIFY2(least && seconds > least->seconds,
               (test::toString(*stage, run.tile) + " at " + toString(run.problem) + ": " +
                timeText(seconds) + ". " + sentence(*least))
                   .c_str());
    }
    QVERIFY(judged > 5);
  }

  // K tiles of one launch cost the same each, even if there is only one.
  void aSingleKTileFetchesWhatItNeeds() {
    for (const Stage& stage : stages()) {
      if (!stage.features().sharedTiles) continue;
      const TileShape tile = stage.standardTile();
      const int depth = derive(stage, tile).stepK;
      const auto bytes = [&](int k) {
        const Problem problem{1024, 1024, k};
        const analysis::LoopTotals loop =
            analysis::traceLoop(workspace_, usualSubject(stage, tile), problem);
        return workloadOf(stage, tile, problem, loop.totals, loop.kTiles, {1, std::nullopt}, {})
            .l2Bytes;
      };
      QVERIFY(bytes(depth) > 0);
      // C's share of a K tile is larger in a single one.
      QVERIFY2(bytes(1) >= bytes(4 * depth), stage.id.data());
    }
  }

  void inWords() {
    const std::string skinny = sentence(of("hopper", {17, 4096, 4096}));
    for (const char* part :
         {"The limit is the tail wave, 51.5 %", "lower bound of 16.5 µs",
          ": 64 of 132 SMs have work.", "17 of 128 rows of its tiles hold elements of C.",
          "With work for all SMs its lower bound is 12 µs: DRAM"})
      QVERIFY2(has(skinny, part), skinny.c_str());
    const std::string few = sentence(of("tma", {17, 4096, 4096}));
    for (const char* part : {"32 of 132 SMs have work.", "17 of 128 rows",
                             "With work for all SMs its lower bound is 12 µs: DRAM moves 33.8 MB."})
      QVERIFY2(has(few, part), few.c_str());
    const std::string one = sentence(of("tuned", {64, 64, 4096}));
    QVERIFY2(
        one.starts_with("The limit is the tail wave, 99.") && has(one, "1 of 132 SMs has work."),
        one.c_str());
    // The share of the tensor cores is not given if something else makes them wait.
    const Stage& stage = test::stage("hopper");
    const Problem problem{17, 4096, 4096};
    const analysis::LoopTotals loop =
        analysis::traceLoop(workspace_, standardSubject(stage), problem);
    const Floors floors =
        floorsOf(stage, stage.standardTile(), loop.totals, loop.kTiles, arch_, ceilingsOf({}, {}));
    QVERIFY(!q(sentence(floors, of("hopper", problem))).contains("100.0 %"));
    // Nor if they are the limit themselves.
    QVERIFY(
        !q(sentence(floors, of("hopper", {4096, 4096, 4096}))).contains("limits the tensor cores"));
    const Stage& first = test::stage("mma");
    const Problem square{4096, 4096, 4096};
    const analysis::LoopTotals its =
        analysis::traceLoop(workspace_, standardSubject(first), square);
    const Floors low =
        floorsOf(first, first.standardTile(), its.totals, its.kTiles, arch_, ceilingsOf({}, {}));
    QVERIFY(q(sentence(low, of("mma", square))).contains("limits the tensor cores"));
  }

  // Unknown: the kernel, the device, its SMs.
  void whatIsNotKnown() {
    const Stage& fp32 = test::stage("tuned");
    QVERIFY(!of(fp32, fp32.standardTile(), {512, 512, 512}, nullptr));
    const Stage& tensor = test::stage("hopper");
    const analysis::LoopTotals loop =
        analysis::traceLoop(workspace_, standardSubject(tensor), {512, 512, 512});
    const Subject subject = standardSubject(tensor);
    LimitQuestion question{
        .subject = subject, .problem = {512, 512, 512}, .loop = loop, .arch = arch_};
    QVERIFY(!limitOf(question));
  }

  // Tiles are assigned to SMs one by one, in turn.
  void placesOfRandomLaunches() {
    test::Random random(7);
    for (const Stage* stage : everyStage()) {
      if (stage->split() == SplitK::Rounds || stage->split() == SplitK::Parts) continue;
      for (const TileShape& tile : test::legalTiles(*stage, 3, random)) {
        const Problem problem{random.integer(1, 6000), random.integer(1, 6000), 64};
        const int sms = random.integer(2, 150), blocksPerSm = random.integer(1, 4);
        const LaunchPlaces p = placesOf(*stage, tile, problem, blocksPerSm, sms);
        const std::int64_t cluster = clusterOf(*stage, tile),
                           clusters = std::max<std::int64_t>(1, sms / cluster);
        std::vector<std::int64_t> tiles(static_cast<std::size_t>(clusters * cluster), 0);
        if (cluster == 1) tiles.assign(static_cast<std::size_t>(sms), 0);
        for (std::int64_t i = 0; i < p.blocks; ++i)
          ++tiles[static_cast<std::size_t>(i) % tiles.size()];
        QCOMPARE(p.busiest, static_cast<double>(std::ranges::max(tiles)));
        QCOMPARE(p.smsWithWork, static_cast<std::int64_t>(
                                    std::ranges::count_if(tiles, [](auto n) { return n > 0; })));
        QVERIFY(p.tiles <= p.blocks && p.useful > 0 && p.useful <= 1);
      }
    }
  }

  // Random launches of both ladders: the limit is one that the known facts allow.
  void randomLaunches() {
    test::Random random(11);
    int judged = 0;
    const int most = test::briefly() ? 2 : 8;
    for (const Stage* stage : everyStage()) {
      for (const TileShape& tile : test::legalTiles(*stage, 2, random)) {
        const KernelFacts facts = guessedFacts(*stage, tile, arch_);
        for (int i = 0; i < most; ++i) {
          const auto side = [&] { return 1 << random.integer(4, 13); };
          const Problem problem{side() - random.integer(0, 15), side() - random.integer(0, 15),
                                side()};
          const auto limit = of(*stage, tile, problem, &facts);
          QVERIFY(limit.has_value());
          const std::string says =
              test::toString(*stage, tile) + " at " + toString(problem) + ": " + sentence(*limit);
          ++judged;
          const LaunchPlaces& p = limit->places;
          QVERIFY2(limit->share > 1.0 / kLimitKinds && limit->share < 1 + 1e-9, says.c_str());
          // Each SM has the same work, or nothing is padded: these are not a limit.
          if (p.busiest == p.average && !limit->predicted)
            QVERIFY2(limit->kind != LimitKind::TailWave, says.c_str());
          if (p.useful == 1) QVERIFY2(limit->kind != LimitKind::Padding, says.c_str());
          // One SM of 132 does all of the work, and DRAM is not the limit.
          if (p.smsWithWork == 1 && limit->dramSeconds < 0.4 * limit->seconds)
            QVERIFY2(limit->kind == LimitKind::TailWave || limit->kind == LimitKind::Padding,
                     says.c_str());
          // The largest lower bound is the limit.
          if (!limit->predicted && limit->dramSeconds > 0.999 * limit->seconds)
            QVERIFY2(limit->kind == LimitKind::Dram, says.c_str());
          // And a smaller one is not.
          if (!limit->predicted && limit->dramSeconds < 0.999 * limit->seconds)
            QVERIFY2(limit->kind != LimitKind::Dram, says.c_str());
          // The loss to the division is not larger than what is called the limit instead.
          if (!limit->predicted && limit->kind != LimitKind::TailWave &&
              limit->kind != LimitKind::Padding)
            QVERIFY2(limit->share > 0.499, says.c_str());
          if (limit->kind == LimitKind::Dram)
            QVERIFY2(limit->dramSeconds > 2 * limit->productSeconds * 0.4, says.c_str());
          QVERIFY2(!has(says, "nan") && !has(says, "inf "), says.c_str());
        }
      }
    }
    QVERIFY(judged > 50);
  }
};

}  // namespace tileloom::model

TILELOOM_TEST(tileloom::model::LimitTest, Nothing)
#include "limit_test.moc"
