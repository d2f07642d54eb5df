// SPDX-License-Identifier: GPL-3.0-or-later
// Blocks of a cluster: they meet at the cluster barrier, arrive at each other's mbarriers, and
// multicast boxes. Every access of a block to another one must happen before that one ends.
#include <fmt/format.h>

#include <algorithm>

#include "kernels/emulator/agents.h"
#include "kernels/emulator/block.h"

namespace tileloom::emulator {

void Agents::join(std::span<Block* const> blocks, std::uint32_t rank) {
  blocks_.assign(blocks.begin(), blocks.end());
  rank_ = rank;
}

Agents* Agents::peer(std::uint32_t rank) const {
  return rank < blocks_.size() ? blocks_[rank]->agents_.get() : nullptr;
}

void Agents::visit(Agents& other, int line, const char* what) {
  other.visits_.push_back({block_.stamp_, rank_, thread(), line, what});
}

void Agents::arriveAt(std::uint32_t number, std::uint32_t rank, int line) {
  block_.recorder_.event(Kind::BarrierArrive, line, 0, 0, {number, rank});
  if (rank == rank_) {
    if (usable(number, line, "arrive_at")) arrive(*this, number, line);
    return;
  }
  Agents* const other = peer(rank);
  if (other == nullptr) {
    add(faultOf(
        FaultKind::OutOfBounds, line,
        fmt::format("arrives at a barrier of the block with rank {}, and its cluster has {}", rank,
                    std::max<std::size_t>(1, blocks_.size()))));
    return;
  }
  if (!usable(*other, number, line, "arrive_at")) return;
  visit(*other, line, "arrives at a barrier of");
  other->remoteArrivals_.push_back({number, other->barriers_[number].phase, round_, rank_,
                                    thread() / kWarpSize, static_cast<std::uint16_t>(line)});
  arrive(*other, number, line);
}

void Agents::meetCluster(int line) {
  count(MeetCluster, line);
  block_.recorder_.event(Kind::ClusterMeet, line);
  sleeps_[thread()] = {Cause::Cluster, 0, 0, 0, line};
  pause();
}

bool Agents::atClusterBarrier(std::uint32_t thread) const {
  return sleeps_[thread].cause == Cause::Cluster;
}

// Threads that have ended count as arrived, and hear of nothing more.
void Agents::passClusterBarrier(std::span<Block* const> blocks) {
  const auto comes = [](const Agents& agents, std::uint32_t warp) {
    const auto first = agents.sleeps_.begin() + std::ptrdiff_t{warp} * kWarpSize;
    const auto lanes = std::min<std::ptrdiff_t>(kWarpSize, agents.sleeps_.end() - first);
    return std::any_of(first, first + lanes,
                       [](const Sleep& sleep) { return sleep.cause == Cause::Cluster; });
  };
  Clock all;
  for (Block* const block : blocks) {
    Agents& agents = *block->agents_;
    for (std::uint32_t warp = 0; warp < agents.clocks_.size(); ++warp) {
      if (!comes(agents, warp)) continue;
      agents.clocks_[warp].heard[agents.warpComponent(warp)] = agents.times_[warp]++;
      all.join(agents.clocks_[warp]);
    }
  }
  for (Block* const block : blocks) {
    Agents& agents = *block->agents_;
    for (std::uint32_t warp = 0; warp < agents.clocks_.size(); ++warp) {
      if (comes(agents, warp)) agents.clocks_[warp] = all;
    }
    for (Sleep& sleep : agents.sleeps_) {
      if (sleep.cause == Cause::Cluster) sleep = {};
    }
    agents.readers_.forget();
    agents.wellWritten_ = agents.wellRead_ = 0;
  }
}

// A block that ends takes its barriers and its shared memory with it.
void Agents::reportVisits() {
  Clock last;
  for (const Clock& clock : clocks_) last.join(clock);
  for (const Visit& visit : visits_) {
    if (last.knows(visit.stamp)) continue;
    Agents& visitor = *peer(visit.rank);
    visitor.block_.thread_ = visit.thread;
    visitor.add(visitor.faultOf(FaultKind::NoFence, visit.line,
                                fmt::format("{} the block with rank {}, which may already have "
                                            "ended: both must execute a meet_cluster() afterwards",
                                            visit.what, rank_)));
    return;
  }
}

}  // namespace tileloom::emulator
