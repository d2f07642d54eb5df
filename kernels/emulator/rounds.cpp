// SPDX-License-Identifier: GPL-3.0-or-later
// How the threads of a block take turns where they wait at more than the block's barrier.
//
// They run in rounds. In a round each warp runs from where its lanes wait to where they wait next:
// each wait ends its turn, even if there is nothing to wait for, so that the instructions of a warp
// in a round depend on its program alone. For these stages a round is what the interval between two
// barriers is for the others.
#include <span>
#include <utility>
#include <vector>

#include "kernels/emulator/block.h"

namespace tileloom::emulator {

// Whether any thread ran.
bool Block::runRound(std::uint32_t round, const IntervalSink& sink) {
  bool moved = false;
  agents_->beginRound(round);
  for (std::uint32_t warp = 0; warp < warps(); ++warp) {
    state_.recorder.beginWarp(warp);
    std::uint32_t begun = 0;
    report(event::WarpResumed{warp});
    const auto continueAs = [&](std::uint32_t lane) {
      state_.thread = warp * kWarpSize + lane;
      if ((begun >> lane & 1u) == 0) {
        state_.recorder.beginLane(lane);
      } else {
        state_.recorder.continueLane(lane);
      }
      begun |= 1u << lane;
      moved = true;
      resume();
    };
    // The threads that can run are determined first: a lane that another lane of its warp wakes
    // runs in the next round.
    std::uint32_t ready = 0;
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
      const std::uint32_t thread = warp * kWarpSize + lane;
      if (thread < state_.threads && state_.fibers.alive(thread) && agents_->canGoOn(thread))
        ready |= 1u << lane;
    }
    for (std::uint32_t lane = 0; lane < kWarpSize && !ended_; ++lane) {
      if ((ready >> lane & 1u) == 0) continue;
      agents_->wake(warp * kWarpSize + lane, warp);
      continueAs(lane);
    }
    while (meeting_.lanes != 0 && !ended_) {
      hold(meeting_, warp);
      const std::uint32_t lanes = std::exchange(meeting_.lanes, 0);
      for (std::uint32_t lane = 0; lane < kWarpSize && !ended_; ++lane) {
        if ((lanes >> lane & 1u) != 0) continueAs(lane);
      }
    }
    state_.recorder.endWarp(round, sink);
  }
  return moved;
}

void Block::runTogether(std::span<Block* const> blocks, std::span<const IntervalSink> sinks) {
  std::vector<judges::Judges*> judged;
  std::vector<Agents*> agents;
  for (Block* const block : blocks) {
    judged.push_back(&block->state_.judges);
    agents.push_back(block->agents_.get());
  }
  judges::Judges::join(judged);
  for (std::uint32_t rank = 0; rank < blocks.size(); ++rank) {
    Block& block = *blocks[rank];
    if (blocks.size() > 1) agents[rank]->join(agents, rank);
    block.begin();
  }
  std::vector<std::vector<std::uint32_t>> alive(blocks.size());
  bool running = true;
  for (std::uint32_t round = 0; running; ++round) {
    bool any = false, allAtCluster = true;
    for (std::size_t rank = 0; rank < blocks.size(); ++rank) {
      const Block& block = *blocks[rank];
      alive[rank].clear();
      bool allAtBarrier = true;
      for (std::uint32_t thread = 0; thread < block.state_.threads; ++thread) {
        if (!block.state_.fibers.alive(thread)) continue;
        alive[rank].push_back(thread);
        allAtBarrier &= block.agents_->atBlockBarrier(thread);
        allAtCluster &= block.agents_->atClusterBarrier(thread);
      }
      any |= !alive[rank].empty();
      if (allAtBarrier && !alive[rank].empty()) block.agents_->passBlockBarrier();
    }
    if (!any) {
      for (Block* const block : blocks) block->agents_->reportLeftovers();
      break;
    }
    if (allAtCluster) Agents::passClusterBarrier(agents);
    bool moved = false;
    for (std::size_t rank = 0; rank < blocks.size(); ++rank) {
      moved |= blocks[rank]->runRound(round, sinks[rank]);
      running &= !blocks[rank]->ended_;
    }
    if (running && !moved) {
      for (std::size_t rank = 0; rank < blocks.size(); ++rank)
        blocks[rank]->agents_->reportDeadlock(alive[rank]);
      break;
    }
  }
  for (Block* const block : blocks) block->state_.fibers.stop();
}

}  // namespace tileloom::emulator
