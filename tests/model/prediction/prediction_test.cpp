// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/model/prediction/prediction.h"

#include <QtTest>
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "kernels/analysis/counts/loop_totals.h"
#include "kernels/model/prediction/kernel_shape.h"
#include "kernels/model/prediction/rates.h"
#include "kernels/model/prediction/terms.h"
#include "kernels/tile/identity/fingerprint.h"
#include "kernels/tile/subject.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::test {

using model::Chip;
using model::Family;
using model::FamilyRates;
using model::Pipe;
using model::Prediction;
using model::Rates;
using model::Workload;

Rates simpleRates() {
  Rates r;
  r.mixing = 1;
  r.l2Bytes = 32;
  r.sectorCycles = 0.25;
  r.slotsPerAccess = 2;
  r.families.fill({1, 0, 0, 0});
  r.withCode = {0.9, 1.25};
  r.withoutCode = {0.8, 1.5};
  return r;
}

Chip smallChip() {
  Chip chip;
  chip.machine.sms = 10;
  chip.clockMHz = 1000;
  return chip;
}

// Four warps, 100 slots per K tile each.
Workload work() {
  Workload w;
  w.warps = 4;
  w.stepK = 8;
  w.kTiles = 16;
  w.blocks = 20;
  w.blocksPerSm = 2;
  w.flops = 1e6;
  w.ffmas = 80;
  w.accesses = 10;
  w.loopSlots = 100;
  w.wavefronts = 30;
  return w;
}

class PredictionTest : public QObject {
  Q_OBJECT

  // SM cycles of one K tile for which the pipe is busy, as fitted.
  static double busy(const Workload& w, Pipe pipe, const Chip& chip = smallChip()) {
    const int resident = predict(w, simpleRates(), chip).resident;
    return busyOf(termsOf(w, simpleRates(), chip, resident,
                          smsWithWork(w, chip)))[static_cast<std::size_t>(pipe)];
  }

  static Pipe fullest(const Workload& w, const Chip& chip = smallChip()) {
    constexpr std::array kAll{Pipe::Issue, Pipe::Shared, Pipe::L2, Pipe::Dram};
    return *std::ranges::max_element(kAll, {}, [&](Pipe pipe) { return busy(w, pipe, chip); });
  }

 private slots:
  // Kernels without shared memory advance one k at a time: one more costs its share, not that of
  // 32. An H200 took 14.4 us at K = 32, 14.7 at 33 and 25.2 at 64 for rung 2. The lanes of rung 1
  // read a column of A: rows of 33 words have no bank conflicts, which took it 56 us instead of
  // 152.
  void noStepsWithoutSharedMemory() {
    emulator::Workspace workspace;
    const model::Rates rates = *model::ratesFor("sm_90");
    const auto cycles = [&](const char* id, int k) {
      const Stage& stage = test::stage(id);
      const Problem problem{1000, 1000, k};
      const auto loop = analysis::traceLoop(workspace, standardSubject(stage), problem);
      return predictCycles(workloadOf(stage, stage.standardTile(), problem, loop.totals,
                                      loop.kTiles, {2, std::nullopt}, rates.chip.machine),
                           rates, rates.chip);
    };
    for (const int k : {32, 33, 64, 97, 128})
      QVERIFY2(std::abs(cycles("coalesced", k + 1) / cycles("coalesced", k) - (k + 1.0) / k) < 0.02,
               std::to_string(k).c_str());
    QVERIFY(std::abs(cycles("naive", 33) / cycles("naive", 32) / (55.7 / 151.5) - 1) < 0.25);
    QVERIFY(std::abs(cycles("naive", 48) / cycles("naive", 32) / (122.4 / 151.5) - 1) < 0.25);
    QVERIFY(std::abs(cycles("naive", 16) / cycles("naive", 32) / (47.8 / 151.5) - 1) < 0.25);
  }

  void oneFullWaveOfABusyPipe() {
    const Prediction p = predict(work(), simpleRates(), smallChip());
    // Two blocks: two warps per scheduler, 100 cycles each.
    QCOMPARE(busy(work(), Pipe::Issue), 200.0);
    QCOMPARE(busy(work(), Pipe::Shared), 60.0);
    QVERIFY(std::abs(p.cycles - 200) < 0.1);
    QVERIFY(fullest(work()) == Pipe::Issue);
    QCOMPARE(p.waves, 1.0);
    QCOMPARE(p.resident, 2);
    QVERIFY(std::abs(p.milliseconds - 200 * 16 / 1e6) < 1e-5);
    QVERIFY(std::abs(p.gflops - 1e6 / (3200e-9) * 1e-9) < 1);
    QVERIFY(std::abs(p.gflopsHigh / p.gflops - 1 / 0.9) < 1e-9);
    QVERIFY(std::abs(p.gflopsLow / p.gflops - 1 / 1.25) < 1e-9);
    QCOMPARE(p.ffmaShare, 2 * 80 / p.cycles);
  }

  void theFullestSchedulerCounts() {
    Workload w = work();
    w.warps = 5;
    w.blocksPerSm = 1;
    w.blocks = 10;
    QCOMPARE(busy(w, Pipe::Issue), 200.0);
  }

  void thePipeThatIsFullest() {
    Workload w = work();
    w.wavefronts = 300;
    QVERIFY(fullest(w) == Pipe::Shared);
    w.l2Bytes = 32 * 1000;
    QVERIFY(fullest(w) == Pipe::L2);
    w.dramBytes = 1e6;
    Chip chip = smallChip();
    QVERIFY(fullest(w, chip) == Pipe::L2);  // of DRAM nothing is known
    chip.dramBytesPerSecond = 1e11;         // 10 bytes per cycle and SM
    QVERIFY(fullest(w, chip) == Pipe::Dram);
    QVERIFY(std::abs(predict(w, simpleRates(), chip).cycles - 2e5) < 1);
  }

  void waitingIsAdded() {
    Rates rates = simpleRates();
    rates.families[static_cast<std::size_t>(Family::Alternating)] = {1, 0, 1000, 10};
    const Prediction p = predict(work(), rates, smallChip());
    QVERIFY(std::abs(p.cycles - 1280) < 0.1);  // 200 of the issue slots, 1000 and eight times 10
    // More blocks hide it: the same work takes less time.
    Workload more = work();
    more.blocksPerSm = 4;
    more.blocks = 40;
    Workload same = work();
    same.blocks = 40;
    QVERIFY(predict(more, rates, smallChip()).milliseconds <
            predict(same, rates, smallChip()).milliseconds);
  }

  void theLastWaveSpreadsOverTheSms() {
    Workload w = work();
    w.blocks = 30;  // a remainder of ten: one per SM
    const double full = predictCycles(work(), simpleRates(), smallChip());
    const double both = predictCycles(w, simpleRates(), smallChip());
    QVERIFY(std::abs(both - 1.5 * full) < 1);
    w.blocks = 5;  // not even one per SM
    QCOMPARE(predict(w, simpleRates(), smallChip()).resident, 1);
  }

  // Six tiles on ten SMs, in at most two parts each: ten shares in 6 + 10 - 2 parts.
  void sumsOfCutTilesTakeTheirTime() {
    Workload w = work();
    w.family = Family::Rewritten;
    w.blocksPerSm = 1;
    w.blocks = 6;
    w.kTiles = 128;  // 1,024 elements of K
    w.sumsKiB = 2;
    const double whole = predictCycles(w, simpleRates(), smallChip());
    w.split = 2;
    const double cut = predictCycles(w, simpleRates(), smallChip());
    QVERIFY(std::abs(cut - 0.6 * whole) < 1);
    Rates rates = simpleRates();
    rates.families[static_cast<std::size_t>(Family::Rewritten)].sums = 10;
    // An SM stores the sums of 1.4 parts, and the one that completes a tile adds 14 / 6.
    const double sums = predictCycles(w, rates, smallChip()) - cut;
    QVERIFY(std::abs(sums - 10 * 2 * (1.4 + 14.0 / 6)) < 1e-6);
    // Without split-K there are none.
    w.split = 1;
    QCOMPARE(predictCycles(w, rates, smallChip()), whole);
  }

  void withoutTheMachineCode() {
    Workload w = work();
    w.loopSlots.reset();
    const Prediction p = predict(w, simpleRates(), smallChip());
    QVERIFY(!p.fromCode);
    QCOMPARE(busy(w, Pipe::Issue), 200.0);  // 80 + 2 * 10 slots
    QVERIFY(std::abs(p.gflopsHigh / p.gflops - 1 / 0.8) < 1e-9);
  }

  void families() {
    const auto of = [](const char* id) { return model::familyOf(stage(id)); };
    QVERIFY(of("naive") == Family::Untiled && of("coalesced") == Family::Untiled);
    QVERIFY(of("shared") == Family::Alternating && of("padded") == Family::WarpTiled);
    QVERIFY(of("fragments") == Family::FragmentsAhead);
    QVERIFY(of("doublebuffered") == Family::Staged);
    QVERIFY(of("async") == Family::Copied && of("rasterised") == Family::Copied);
    QVERIFY(of("tuned") == Family::Pipelined && of("scheduled") == Family::Pipelined);
    QVERIFY(of("rewritten") == Family::Rewritten);
    for (const Family family : {Family::Untiled, Family::Alternating, Family::FragmentsAhead,
                                Family::WarpTiled, Family::Staged})
      QVERIFY(!model::copies(family));
    for (const Family family : {Family::Pipelined, Family::Copied, Family::Rewritten})
      QVERIFY(model::copies(family) && model::overlaps(family));
    QVERIFY(model::overlaps(Family::Staged) && !model::overlaps(Family::WarpTiled));
  }

  // A rung with a rewriter may have left a loop as compiled.
  void aLoopAsCompiledIsPredictedAsTheRungBefore() {
    const Stage& s = stage("rewritten");
    const TileShape tile = s.standardTile();
    const Problem problem{512, 512, 512};
    emulator::Workspace workspace;
    const auto loop = analysis::traceLoop(workspace, usualSubject(s, tile), problem);
    model::KernelShape kernel{1, sass::LoopSize{1102, 1024}};
    const auto familyOfIt = [&] {
      return model::workloadOf(s, tile, problem, loop.totals, loop.kTiles, kernel).family;
    };
    QVERIFY(familyOfIt() == Family::Rewritten);
    kernel.asCompiled = true;
    QVERIFY(familyOfIt() == Family::Pipelined);
    QCOMPARE(model::workloadOf(s, tile, problem, loop.totals, loop.kTiles, kernel).sumsKiB,
             128.0 * 256 * 4 / 1024);
  }

  void whatACompilerOrARunSaysOfALoop() {
    const Stage& s = stage("rewritten");
    runs::RunRecord run;
    run.stage = s.id;
    run.arch = "sm_90";
    run.tile = s.standardTile();
    run.fingerprint = fingerprintOf(s);
    run.blocksPerSm = 1;
    run.loop = {1102, 1024};
    const auto shape = [&] {
      return *model::shapeFrom({&run, 1}, usualSubject(s, run.tile), run.arch);
    };
    QVERIFY(shape().asCompiled);
    run.rewritten = true;
    QVERIFY(!shape().asCompiled);
    const auto& arch = defaultArchitecture();
    QVERIFY(model::shapeOf(s, run.tile, 235, run.loop, arch, true).asCompiled);
    QVERIFY(!model::shapeOf(s, run.tile, 235, run.loop, arch).asCompiled);
    // Another arithmetic is another kernel.
    run.format = Format::Bf16;
    QVERIFY(!model::shapeFrom({&run, 1}, usualSubject(s, run.tile), run.arch));
    const Stage& ring = stage("mmaring");
    std::array<runs::RunRecord, 2> both;
    for (runs::RunRecord& each : both) {
      each.stage = ring.id;
      each.arch = "sm_90";
      each.tile = ring.standardTile();
      each.fingerprint = fingerprintOf(ring);
    }
    both[0].format = Format::Fp16;
    both[0].blocksPerSm = 3;
    both[1].format = Format::Bf16;
    both[1].blocksPerSm = 2;
    const auto blocksIn = [&](Format format) {
      return model::shapeFrom(both, {&ring, ring.standardTile(), format}, "sm_90")->blocksPerSm;
    };
    QCOMPARE(blocksIn(Format::Fp16), 3);
    QCOMPARE(blocksIn(Format::Bf16), 2);
    QCOMPARE(blocksIn({}), 2);
    run.format = Format::Fp32;
    // A rung without a rewriter is never "as compiled": it has no other loop.
    const Stage& tuned = stage("tuned");
    run.stage = tuned.id;
    run.tile = tuned.standardTile();
    run.fingerprint = fingerprintOf(tuned);
    run.rewritten = false;
    QVERIFY(!model::shapeFrom({&run, 1}, usualSubject(tuned, run.tile), run.arch)->asCompiled);
  }

  // The trace's side, by hand: rung 8 at its default tile.
  void theWorkloadOfTheDefaultWarpTile() {
    const Stage& s = stage("warptiled");
    const TileShape tile = s.standardTile();
    const Problem problem{4096, 4096, 4096};
    emulator::Workspace workspace;
    const auto loop = analysis::traceLoop(workspace, usualSubject(s, tile), problem);
    const Workload w = model::workloadOf(s, tile, problem, loop.totals, loop.kTiles,
                                         {3, sass::LoopSize{2362, 2048}});
    QCOMPARE(w.warps, 4.0);
    QCOMPARE(w.kTiles, 256.0);
    QCOMPARE(w.blocks, 1024);
    QCOMPARE(w.ffmas, 64.0 * 64 * 16 / 32);
    QCOMPARE(w.wavefronts, 1280.0 + 320);  // HARDWARE's example, an eighth of it
    QCOMPARE(w.sectors, 128.0 * 16 * 4 * 2 / 32);
    QCOMPARE(w.loopSlots.value(), 2362.0);
    QCOMPARE(w.flops, 2.0 * 4096 * 4096 * 4096);
    // A loop over k holds a sixteenth of it: the fill is added.
    const Workload part = model::workloadOf(s, tile, problem, loop.totals, loop.kTiles,
                                            {3, sass::LoopSize{140, 128}});
    QVERIFY(part.loopSlots.value() > 16 * 140);
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::PredictionTest, EventLoop)
#include "prediction_test.moc"
