// SPDX-License-Identifier: GPL-3.0-or-later
// Blocks of a cluster: they meet at the cluster barrier, arrive at each other's mbarriers, and
// multicast boxes.
#include <algorithm>

#include "kernels/emulator/agents.h"

namespace tileloom::emulator {

void Agents::join(std::span<Agents* const> cluster, std::uint32_t rank) {
  cluster_.assign(cluster.begin(), cluster.end());
  rank_ = rank;
}

Agents* Agents::peer(std::uint32_t rank) const {
  return rank < cluster_.size() ? cluster_[rank] : nullptr;
}

void Agents::arriveAt(std::uint32_t number, std::uint32_t rank, int line) {
  report(event::BarrierArrive{here(line), number, rank});
  if (rank == rank_) {
    if (usable(*this, number, line, "arrive_at")) arrive(*this, number, line);
    return;
  }
  constexpr const char* kWhat = "arrives at a barrier of";
  if (!judges().allows(event::PeerUse{here(line), rank, kWhat})) return;
  Agents& other = *peer(rank);
  if (!usable(other, number, line, "arrive_at")) return;
  report(event::Visit{here(line), rank, kWhat});
  other.report(event::RemoteArrived{{number, other.barriers_[number].phase, round_, rank_,
                                     thread() / kWarpSize, static_cast<std::uint16_t>(line)}});
  arrive(other, number, line);
}

void Agents::meetCluster(int line) {
  report(event::ClusterMeet{here(line)});
  sleeps_[thread()] = {event::Cause::Cluster, 0, 0, 0, line};
  pause();
}

bool Agents::atClusterBarrier(std::uint32_t thread) const {
  return sleeps_[thread].cause == event::Cause::Cluster;
}

void Agents::passClusterBarrier(std::span<Agents* const> cluster) {
  std::vector<std::uint32_t> warps;  // that have arrived, by rank
  for (Agents* const agents : cluster) {
    std::vector<Sleep>& sleeps = agents->sleeps_;
    std::uint32_t come = 0;
    for (std::uint32_t thread = 0; thread < sleeps.size(); ++thread) {
      if (sleeps[thread].cause != event::Cause::Cluster) continue;
      come |= 1u << thread / kWarpSize;
      sleeps[thread] = {};
    }
    warps.push_back(come);
  }
  cluster.front()->report(event::ClusterBarrierPassed{warps});
}

}  // namespace tileloom::emulator
