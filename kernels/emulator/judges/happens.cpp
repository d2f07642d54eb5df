// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/emulator/judges/happens.h"

#include <algorithm>
#include <utility>

namespace tileloom::emulator::judges {

Happens::Happens(const Place& place, Shadow& shadow, std::uint32_t warps)
    : place_(place),
      shadow_(shadow),
      cluster_{this},
      clocks_(warps),
      times_(warps, 1),
      meetings_(warps > 0 ? event::kNumberedMeetings + warps : 0) {}

void Happens::forget() {
  shadow_.forget();
}

void Happens::endStretch(std::uint32_t warp) {
  clocks_[warp].heard[warpComponent(warp)] = times_[warp]++;
  forget();
}

void Happens::see(const event::BarriersDeclared& e) {
  barriers_.resize(barriers_.size() + e.count);
}

void Happens::see(const event::FenceAsync& e) {
  endStretch(e.at.warp());
  clocks_[e.at.warp()].show();
}

void Happens::see(const event::Arrived& e) {
  endStretch(e.at.warp());
  cluster_[e.rank]->barriers_[e.barrier].arriving.join(clocks_[e.at.warp()]);
}

void Happens::see(const event::BoxArrived& e) {
  const Happens& issuer = *cluster_[e.box->rank];
  barriers_[e.box->barrier].arriving.joinPhases(issuer.clock(e.at.thread));
}

void Happens::see(const event::PhaseEnded& e) {
  BarrierClocks& barrier = barriers_[e.barrier];
  const Clock& before = barrier.ended[barrier.phase % barrier.ended.size()];
  Clock& ended = barrier.ended[++barrier.phase % barrier.ended.size()];
  ended = before;
  ended.join(barrier.arriving);
  ended.heard[barrierComponent(e.barrier)] = barrier.phase;
}

void Happens::see(const event::WaitEnded& e) {
  const BarrierClocks& barrier = barriers_[e.barrier];
  const auto kept = static_cast<std::uint32_t>(barrier.ended.size());
  std::uint32_t phases = e.phase + 1;  // that have ended: none where it is before the first
  if (barrier.phase >= kept) phases = std::max(phases, barrier.phase - kept + 1);
  clocks_[e.thread / kWarpSize].join(barrier.ended[phases % kept]);
  forget();
}

// These are groups of the warpgroup: the parts of the other three warps are complete, too (PTX ISA,
// "wgmma.commit_group").
void Happens::see(const event::ProductsEnded& e) {
  Clock& mine = clocks_[e.warp];
  const std::uint32_t first = e.warp / kWarpsPerGroup * kWarpsPerGroup;
  for (std::uint32_t other = first; other < first + kWarpsPerGroup && other < clocks_.size();
       ++other) {
    std::uint32_t& heard = mine.heard[productsComponent(other)];
    heard = std::max(heard, e.groups);
  }
  forget();
}

void Happens::see(const event::BoxesRead& e) {
  std::uint32_t& heard = clocks_[e.at.warp()].heard[storesComponent(e.at.warp())];
  heard = std::max(heard, e.groups);
  forget();
}

void Happens::see(const event::MeetingArrived& e) {
  endStretch(e.at.warp());
  meetings_[e.meeting].arriving.join(clocks_[e.at.warp()]);
}

void Happens::see(const event::MeetingEnded& e) {
  meetings_[e.meeting].ended = std::exchange(meetings_[e.meeting].arriving, {});
}

void Happens::see(const event::MeetingLeft& e) {
  clocks_[e.thread / kWarpSize].join(meetings_[e.meeting].ended);
  forget();
}

void Happens::see(const event::BlockBarrierPassed&) {
  if (clocks_.empty()) return;
  Clock all;
  for (std::uint32_t warp = 0; warp < clocks_.size(); ++warp) {
    clocks_[warp].heard[warpComponent(warp)] = times_[warp]++;
    all.join(clocks_[warp]);
  }
  std::ranges::fill(clocks_, all);
  forget();
}

// Reported once, to the judges of the block with rank 0. Threads that have ended count as arrived,
// and hear of nothing more.
void Happens::see(const event::ClusterBarrierPassed& e) {
  const auto comes = [&](std::size_t rank, std::uint32_t warp) {
    return (e.warps[rank] >> warp & 1u) != 0;
  };
  Clock all;
  for (std::size_t rank = 0; rank < cluster_.size(); ++rank) {
    Happens& its = *cluster_[rank];
    for (std::uint32_t warp = 0; warp < its.clocks_.size(); ++warp) {
      if (!comes(rank, warp)) continue;
      its.clocks_[warp].heard[its.warpComponent(warp)] = its.times_[warp]++;
      all.join(its.clocks_[warp]);
    }
  }
  for (std::size_t rank = 0; rank < cluster_.size(); ++rank) {
    Happens& its = *cluster_[rank];
    for (std::uint32_t warp = 0; warp < its.clocks_.size(); ++warp) {
      if (comes(rank, warp)) its.clocks_[warp] = all;
    }
    its.forget();
  }
}

void Happens::see(const event::FlagAwaited& e) {
  endStretch(e.at.warp());
}

void Happens::see(const event::WarpResumed&) {
  forget();
}

void Happens::see(const event::Settled&) {
  if (clocks_.empty()) return;
  Clock all;
  for (std::uint32_t i = 0; i < barriers_.size() && i < kBarriersPerBlock; ++i)
    all.heard[barrierComponent(i)] = barriers_[i].phase;
  for (Clock& clock : clocks_) clock.join(all);
  forget();
}

}  // namespace tileloom::emulator::judges
