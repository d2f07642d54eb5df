// SPDX-License-Identifier: GPL-3.0-or-later
// Barriers cut a warp's instructions into intervals; positions count through all of them.
#include <QtTest>

#include "tests/support/kinds.h"
#include "tests/support/planted.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom {
namespace {

// The second warp leaves before the barrier, the first warp's odd lanes after it.
KERNEL(leavers, BLOCKSIZE* BLOCKSIZE)
(uint M, uint N, uint K, float alpha, gmem<const float> A, gmem<const float> B, float beta,
 gmem<float> C) {
  C[threadIdx.x] = A[threadIdx.x];
  if (threadIdx.x >= 32) return;
  __syncthreads();
  C[threadIdx.x] = B[threadIdx.x];
  if (threadIdx.x % 2 != 0) return;
  __syncthreads();
  C[threadIdx.x] = A[threadIdx.x];
}

}  // namespace

namespace emulator {

class IntervalsTest : public QObject {
  Q_OBJECT

  Workspace workspace_;

  Trace traceStandard(std::string_view id, const Problem& problem) {
    TraceRequest request;
    request.subject() = standardSubject(test::stage(id));
    request.problem = problem;
    return traceBlock(workspace_, request);
  }

  // Fills one tile of shared memory while it computes with another.
  static bool isAhead(const Stage& stage) { return test::fetchesAhead(stage); }

  // One barrier a K tile, fewer than half as many as without; one more where the first tile is
  // filled before the loop. Within an interval a warp uses one tile and fills another.
  static void aTileIsFilledWhileAnotherIsUsed(const Trace& trace) {
    const bool filledBefore = test::simt(*trace.rung()).next != Simt::Next::Copied;
    QCOMPARE(trace.intervals(), trace.kTiles + 1 + (filledBefore ? 1 : 0));
    QVERIFY(trace.kTiles >= 3);
    std::size_t both = 0;
    for (std::uint32_t interval = 0; interval < trace.intervals(); ++interval) {
      for (std::uint32_t warp = 0; warp < trace.warps; ++warp) {
        const WarpInterval view = trace.at(warp, interval);
        QVERIFY(!view.instructions.empty());
        const bool last = interval + 1 == trace.intervals();
        QCOMPARE(view.instructions.back().kind == Kind::Barrier, !last);
        bool fills = false, uses = false;
        for (const Instruction& i : view.instructions) {
          fills |= i.kind == Kind::SharedStore || i.kind == Kind::AsyncCopy;
          uses |= i.kind == Kind::Fma && i.kTile != kNoTile;
          if (i.kTile == kNoTile) {  // before the loop or after it, never within
            QVERIFY(interval == 0 || interval + 1 >= trace.intervals() ||
                    (filledBefore && interval == 1));
          } else {
            QVERIFY(i.kTile < trace.kTiles);
          }
          if (i.kind == Kind::Fma && i.kTile != kNoTile) QVERIFY(i.dot != kNoDot);
        }
        if (interval == 0) QVERIFY(fills && !uses);
        both += fills && uses ? 1 : 0;
      }
    }
    QVERIFY(both >= trace.warps);
  }

 private slots:
  void aTileIsFilledThenUsed_data() { test::addFp32StageRows(); }
  void aTileIsFilledThenUsed() {
    const Stage& stage = test::stageOfRow();
    const Trace trace = traceStandard(stage.id, {40, 40, 60});
    if (!stage.features().sharedTiles) {
      QCOMPARE(trace.intervals(), 1u);
      return;
    }
    if (isAhead(stage)) return aTileIsFilledWhileAnotherIsUsed(trace);
    // Two barriers per K tile, and the epilogue after the last one.
    QCOMPARE(trace.intervals(), 2 * trace.kTiles + 1);
    QVERIFY(trace.kTiles >= 2);
    for (std::uint32_t interval = 0; interval < trace.intervals(); ++interval) {
      const bool last = interval + 1 == trace.intervals();
      const bool fill = interval % 2 == 0 && !last;
      for (std::uint32_t warp = 0; warp < trace.warps; ++warp) {
        const WarpInterval view = trace.at(warp, interval);
        QCOMPARE(view.warp, warp);
        QCOMPARE(view.interval, interval);
        QVERIFY(!view.instructions.empty());
        QCOMPARE(view.instructions.back().kind == Kind::Barrier, !last);
        for (const Instruction& instruction : view.instructions) {
          const bool belongs =
              instruction.kind == Kind::Barrier ? &instruction == &view.instructions.back()
              : last ? instruction.kind == Kind::Fma || isGlobal(instruction.kind)
              : fill ? instruction.kind == Kind::GlobalLoad || instruction.kind == Kind::SharedStore
                     : instruction.kind == Kind::SharedLoad || instruction.kind == Kind::Fma;
          QVERIFY(belongs);
          QCOMPARE(instruction.kTile, last ? kNoTile : interval / 2);
          // The first fragments may be loaded before the first k.
          const bool early =
              test::simt(stage).fragmentsAhead && instruction.kind == Kind::SharedLoad;
          if (!early || instruction.dot != kNoDot) {
            QCOMPARE(instruction.dot != kNoDot, instruction.kind == Kind::SharedLoad ||
                                                    (instruction.kind == Kind::Fma && !last));
          }
        }
      }
    }
  }

  void positionsGoThereAndBack_data() { test::addStageRows(); }
  void positionsGoThereAndBack() {
    const Trace trace = traceStandard(test::stageOfRow().id, {20, 20, 20});
    for (std::uint32_t warp = 0; warp < trace.warps; ++warp) {
      std::uint32_t index = 0;
      for (std::uint32_t interval = 0; interval < trace.intervals(); ++interval) {
        const auto count = static_cast<std::uint32_t>(trace.at(warp, interval).instructions.size());
        for (std::uint32_t i = 0; i < count; ++i, ++index) {
          const Position expected{interval, i};
          QVERIFY(trace.position(warp, index) == expected);
          QCOMPARE(trace.indexOf(warp, expected), index);
        }
      }
      QCOMPARE(trace.length(warp), index);
    }
  }

  void threadsMayLeaveEarly() {
    const Stage stage = test::planted<leavers>();
    const Trace trace = test::tracePlanted(workspace_, stage, 8, {8, 8, 8});
    QVERIFY(trace.faults.empty());
    QCOMPARE(trace.intervals(), 3u);
    QCOMPARE(trace.at(1, 0).instructions.size(), std::size_t{2});
    QVERIFY(trace.at(1, 1).instructions.empty());
    QVERIFY(trace.at(1, 2).instructions.empty());
    QCOMPARE(trace.at(0, 0).instructions.size(), std::size_t{3});
    QCOMPARE(trace.at(0, 1).instructions.size(), std::size_t{3});
    QCOMPARE(trace.at(0, 1).instructions[1].mask, 0xFFFFFFFFu);
    QCOMPARE(trace.at(0, 1).instructions[2].mask, 0x55555555u);  // the threads at the barrier
    QCOMPARE(trace.at(0, 2).instructions.size(), std::size_t{2});
    QCOMPARE(trace.at(0, 2).instructions[0].mask, 0x55555555u);
    // Positions step over the intervals in which a warp is gone.
    QCOMPARE(trace.length(1), 2u);
    QVERIFY((trace.position(1, 1) == Position{0, 1}));
    QVERIFY((trace.position(0, 7) == Position{2, 1}));
  }

  void warpsOfATiledKernelShareOneInstructionList() {
    const Trace trace = traceStandard("warptiled", {128, 128, 16});
    for (std::uint32_t interval = 0; interval < trace.intervals(); ++interval) {
      for (std::uint32_t warp = 1; warp < trace.warps; ++warp) {
        QCOMPARE(trace.at(warp, interval).instructions.data(),
                 trace.at(0, interval).instructions.data());
      }
    }
    QVERIFY(trace.memory() > 128 * 128 * 16 * 3 * sizeof(std::uint32_t));
  }
};

}  // namespace emulator
}  // namespace tileloom

TILELOOM_TEST(tileloom::emulator::IntervalsTest, Nothing)
#include "intervals_test.moc"
