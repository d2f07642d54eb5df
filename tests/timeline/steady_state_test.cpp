// SPDX-License-Identifier: GPL-3.0-or-later
// The cycles of a K tile where blocks, or warps that never meet, are out of step.
#include "kernels/timeline/steady_state.h"

#include <QtTest>

#include "tests/support/test_class.h"

namespace tileloom::timeline {

class SteadyStateTest : public QObject {
  Q_OBJECT

  static constexpr std::uint32_t kTiles = 7;

  // Starts that are `apart` cycles apart, from `first` on.
  static WarpStarts warp(std::uint32_t block, double first, double apart) {
    WarpStarts starts{block, {}};
    for (std::uint32_t tile = 0; tile < kTiles; ++tile)
      starts.tiles.push_back(machine::ticks(first + apart * tile));
    return starts;
  }
  static double cyclesOf(const std::vector<WarpStarts>& starts, bool meet) {
    BlockProgram program;
    program.kTiles = kTiles;
    program.buffers = 1;
    program.warps.resize(1);
    Operation barrier;
    barrier.work = Work::Barrier;
    barrier.kTile = 0;
    if (meet) program.warps[0].operations = {barrier};
    Timeline t;
    addSteadyState(t, program, starts, Busy());
    return t.cyclesPerTile;
  }

 private slots:
  // K tiles of one block.
  void oneBlock() {
    for (const bool meet : {true, false}) {
      QCOMPARE(cyclesOf({warp(0, 5, 100)}, meet), 100.0);
      QCOMPARE(cyclesOf({warp(0, 5, 100), warp(0, 8, 100)}, meet), 100.0);
      // A block that starts later, and is as fast.
      QCOMPARE(cyclesOf({warp(0, 5, 100), warp(1, 45, 100)}, meet), 100.0);
    }
  }

  // While one block begins four K tiles, of 10 cycles each, the other one begins a third as many:
  // two blocks together need 15 cycles for two K tiles.
  void blocksOutOfStep() {
    QCOMPARE(cyclesOf({warp(0, 0, 10), warp(1, 0, 30)}, true), 15.0);
    // Not the mean of 10 and 30.
    QCOMPARE(cyclesOf({warp(0, 0, 30), warp(1, 0, 10)}, true), 15.0);
  }

  // The first warp of a block stands for warps that meet. If they never do, each counts.
  void warpsOutOfStep() {
    QCOMPARE(cyclesOf({warp(0, 0, 10), warp(0, 0, 30)}, true), 10.0);
    QCOMPARE(cyclesOf({warp(0, 0, 10), warp(0, 0, 30)}, false), 15.0);
  }

  // Warps that multiply nothing are in no sum.
  void warpsWithoutWork() {
    WarpStarts idle{0, std::vector(kTiles, machine::kNever)};
    for (const bool meet : {true, false})
      QCOMPARE(cyclesOf({idle, warp(0, 0, 10), idle}, meet), 10.0);
  }
};

}  // namespace tileloom::timeline

TILELOOM_TEST(tileloom::timeline::SteadyStateTest, Nothing)
#include "steady_state_test.moc"
