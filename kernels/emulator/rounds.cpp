// SPDX-License-Identifier: GPL-3.0-or-later
// How the threads of a block take turns where they sleep at more than the block's barrier.
//
// They go on in rounds. In a round each warp goes on from where its lanes sleep to where they sleep
// next: each wait ends its turn, even if there is nothing to wait for, so that what a warp executes
// in a round depends on its program alone. A round is to these stages what the interval between two
// barriers is to the others.
#include <utility>

#include "kernels/emulator/block.h"

namespace tileloom::emulator {

void Block::runWithAgents(const IntervalSink& sink) {
  std::vector<std::uint32_t> alive;
  for (std::uint32_t round = 0;; ++round) {
    alive.clear();
    bool allAtBarrier = true;
    for (std::uint32_t thread = 0; thread < threads_; ++thread) {
      if (!fibers_.alive(thread)) continue;
      alive.push_back(thread);
      allAtBarrier &= agents_->atBlockBarrier(thread);
    }
    if (alive.empty()) {
      agents_->reportLeftovers();
      break;
    }
    if (allAtBarrier) agents_->passBlockBarrier();
    bool moved = false, ended = false;
    for (std::uint32_t warp = 0; warp < warps(); ++warp) {
      recorder_.beginWarp(warp);
      std::uint32_t begun = 0;
      const auto resume = [&](std::uint32_t lane) {
        become(warp, lane, agents_->timeOf(warp) - 1);
        if ((begun >> lane & 1u) == 0) {
          recorder_.beginLane(lane);
        } else {
          recorder_.continueLane(lane);
        }
        begun |= 1u << lane;
        moved = true;
        try {
          fibers_.resume(thread_);
        } catch (const std::bad_alloc&) {
          ended = true;
          faults_.add(faultHere(FaultKind::OutOfMemory));
        }
        recorder_.endLane();
      };
      // Who can go on is known before anybody does: a lane that is woken by another one of its warp
      // has its turn in the next round.
      std::uint32_t ready = 0;
      for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
        const std::uint32_t thread = warp * kWarpSize + lane;
        if (thread < threads_ && fibers_.alive(thread) && agents_->canGoOn(thread))
          ready |= 1u << lane;
      }
      for (std::uint32_t lane = 0; lane < kWarpSize && !ended; ++lane) {
        if ((ready >> lane & 1u) == 0) continue;
        agents_->wake(warp * kWarpSize + lane, warp);
        resume(lane);
      }
      while (meeting_.lanes != 0 && !ended) {
        hold(meeting_, warp, agents_->timeOf(warp) - 1);
        const std::uint32_t lanes = std::exchange(meeting_.lanes, 0);
        for (std::uint32_t lane = 0; lane < kWarpSize && !ended; ++lane) {
          if ((lanes >> lane & 1u) != 0) resume(lane);
        }
      }
      recorder_.endWarp(round, sink);
    }
    if (ended) break;
    if (!moved) {
      agents_->reportDeadlock(alive);
      break;
    }
  }
  fibers_.stop();
}

}  // namespace tileloom::emulator
