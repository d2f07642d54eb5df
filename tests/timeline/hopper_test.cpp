// SPDX-License-Identifier: GPL-3.0-or-later
// Hopper's rungs on the clock: T6 waits for every wgmma and leaves the tensor cores idle between K
// tiles, T7 leaves a group in flight and does not; slower memory separates shallow pipelines from
// deep ones.
#include <QtTest>
#include <array>
#include <cmath>
#include <map>

#include "kernels/analysis/counts/loop_totals.h"
#include "kernels/emulator/run.h"
#include "kernels/model/prediction/rates.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/subject.h"
#include "kernels/timeline/clock.h"
#include "kernels/timeline/program.h"
#include "kernels/timeline/standstill.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::timeline {

class HopperTest : public QObject {
  Q_OBJECT

  emulator::Workspace workspace_;

  static constexpr Problem kProblem{4096, 4096, 4096};

  Timeline timelineOf(std::string_view id, int stages, double delay = 0,
                      const Problem& problem = kProblem) {
    const Stage& stage = test::stage(id);
    emulator::TraceRequest request;
    request.subject() = standardSubject(stage);
    if (stages > 0) request.tile[Parameter::STAGES] = stages;
    request.problem = problem;
    request.kTiles = tilesWanted(stage, request.tile);
    request.operands = false;
    const BlockProgram program = programOf(emulator::traceBlock(workspace_, request));
    const auto rates = *model::ratesFor("sm_90");
    const auto loop = analysis::traceLoop(workspace_, usualSubject(stage, request.tile), problem);
    const auto work = model::workloadOf(stage, request.tile, problem, loop.totals, loop.kTiles,
                                        {1, std::nullopt}, rates.chip.machine);
    Costs costs = costsOf(stage, work, program, rates, model::ceilingsOf({}, {}));
    costs.delay = delay;
    auto t = simulate(program, costs);
    if (!t) qFatal("%s", t.error().c_str());
    return std::move(*t);
  }

 private slots:
  void v1HasGapsAndV2HasNone() {
    const Timeline v1 = timelineOf("multistage", 4), v2 = timelineOf("overlapped", 4);
    QCOMPARE(v1.multiplier(), Unit::TensorCore);
    // 128 x 256 x 64: eight wgmma of 128 cycles for each K tile.
    QCOMPARE(v2.cyclesPerTile, 1024.0);
    QVERIFY(*v2.busy(Unit::TensorCore) > 0.999);
    QVERIFY(v1.cyclesPerTile > 1100);
    QVERIFY(*v1.busy(Unit::TensorCore) < 0.93);
    // What L2 delivers for a K tile, 48 KiB at 85 bytes per cycle, is the same whichever warp loads
    // it, and however far ahead: warp specialisation saves none of it.
    const double share = 49152 / 85.0 / 1024;
    QVERIFY(std::abs(*v2.busy(Unit::L2) - share) < 0.001);
    QVERIFY(std::abs(*timelineOf("consumers", 4).busy(Unit::L2) - share) < 0.001);
    QVERIFY(std::abs(*v1.busy(Unit::L2) - share * 1024 / v1.cyclesPerTile) < 0.001);
    // Each K tile of A and B is in flight while others are multiplied: what is left is the time in
    // which a warp notices that a phase is complete.
    QVERIFY(v1.waiting(On::Phase) < 0.05 && v2.waiting(On::Phase) < 0.05);
  }

  // Operands of wgmma pass the data pipe: 16 + N / 4 wavefronts for each m64nNk16 (hardware.md,
  // rule 63), which takes N / 2 cycles of the tensor cores. TMA loads do not pass it.
  void operandsPassTheDataPipe() {
    for (const Stage* stage : everyStage()) {
      if (!stage->features().warpgroupMma) continue;
      const Timeline t = timelineOf(stage->id, 0);
      double columns = 0;
      for (const Lane& lane : t.lanes) {
        if (lane.kind != LaneKind::TensorCore) continue;
        columns = 2 * (lane.spans.front().end - lane.spans.front().begin);
      }
      const double perCycle = (16 + columns / 4) / (columns / 2);
      const double expected = perCycle * t.busy(Unit::TensorCore).value();
      QVERIFY2(columns >= 8 && std::abs(t.busy(Unit::Shared).value() - expected) < 1e-3,
               qPrintable(QString("%1: %2, not %3")
                              .arg(QString::fromUtf8(stage->id))
                              .arg(*t.busy(Unit::Shared))
                              .arg(expected)));
    }
  }

  // The causes of the gaps: warps that still wait, or issue the next wgmma.
  void whyTheTensorCoresStandStill() {
    const auto v1 = standstillOf(timelineOf("multistage", 4)),
               v2 = standstillOf(timelineOf("overlapped", 4));
    QVERIFY(v1 && v2);
    QVERIFY(v2->cycles < 0.5 && v2->parts.empty());
    QVERIFY2(v1->cycles > 100 && v1->cycles < 200, qPrintable(QString::number(v1->cycles)));
    double all = 0;
    for (const Standstill::Part& part : v1->parts) all += part.cycles;
    QVERIFY(std::abs(all - v1->cycles) < 1);
    // They meet at __syncthreads() before the next TMA load.
    QVERIFY(v1->parts.size() > 2 && v1->parts.front().on == On::Warps);
    // No warp waits for a tensor core that a rung does not use.
    QVERIFY(!standstillOf(timelineOf("async", 0)));
  }

  // Warps that bring data, and warps without work, do not dilute the time of warps that multiply.
  void sharesAreOfWhoMultiplies() {
    const Timeline t = timelineOf("consumers", 4);
    QCOMPARE(t.lanesOf(Who::Multiply).size(), std::size_t{8});
    QCOMPARE(t.lanesOf(Who::Bring).size(), std::size_t{1});
    QVERIFY(t.waiting(On::Products) > 0.9);
    QCOMPARE(t.waiting(On::Products, Who::Bring), 0.0);
    QVERIFY(t.waiting(On::Phase, Who::Bring) > 0.3);
    QVERIFY(!timelineOf("overlapped", 4).has(Who::Bring));
  }

  // A slower memory costs three stages something and four nothing.
  void slowerMemory() {
    for (const char* id : {"multistage", "overlapped"}) {
      const double three = timelineOf(id, 3).cyclesPerTile;
      const double four = timelineOf(id, 4).cyclesPerTile;
      QVERIFY2(timelineOf(id, 3, 1500).cyclesPerTile > three + 50, id);
      QCOMPARE(timelineOf(id, 4, 1500).cyclesPerTile, four);
    }
    // One TMA load at a time, which is waited for: all of it.
    const double tma = timelineOf("tma", 0).cyclesPerTile;
    QVERIFY(timelineOf("tma", 0, 600).cyclesPerTile > tma + 500);
  }

  // If the edge of A cuts a box off, L2 delivers what is inside, and zeros cost it nothing: 17 rows
  // of 128 bytes beside 128 of B. The barrier waits for the whole box.
  void zerosFromOutsideDoNotPassL2() {
    for (const char* id : {"tma", "hopper"}) {
      const Timeline t = timelineOf(id, 0, 0, {17, 4096, 4096});
      const double cycles = *t.busy(Unit::L2) * t.cyclesPerTile;
      QVERIFY2(std::abs(cycles - t.blocks * (17 * 128 + 16384) / 85.0) < 1,
               qPrintable(QString::number(cycles)));
    }
  }

  // TMA loads bring both matrices of every K tile, and their bytes are those of the tile.
  void boxes() {
    const Stage& stage = test::stage("overlapped");
    emulator::TraceRequest request;
    request.subject() = standardSubject(stage);
    request.problem = {1024, 1024, 1024};
    request.kTiles = 8;
    request.operands = false;
    const BlockProgram program = programOf(emulator::traceBlock(workspace_, request));
    std::array<std::map<std::uint32_t, std::uint32_t>, 2> bytes;
    for (const Program& warp : program.warps) {
      for (const Operation& op : warp.operations) {
        if (op.work == Work::Box)
          bytes[op.matrix == analysis::Matrix::B ? 1 : 0][op.brings] += op.announced;
      }
    }
    for (const auto& tiles : bytes) QVERIFY(tiles.size() >= 8);
    for (const auto& [tile, n] : bytes[0]) QCOMPARE(n, 128u * 64 * 2);
    for (const auto& [tile, n] : bytes[1]) QCOMPARE(n, 256u * 64 * 2);
  }
};

}  // namespace tileloom::timeline

TILELOOM_TEST(tileloom::timeline::HopperTest, Nothing)
#include "hopper_test.moc"
