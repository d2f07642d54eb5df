// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/machine/scheduler.h"

#include <algorithm>

namespace tileloom::machine {

bool Scheduler::goesBefore(const Candidate& one, const Candidate& other) const {
  if (one.warp == current_ || other.warp == current_) return one.warp == current_;
  if (order_ == Order::LongestReady)
    return one.ready != other.ready ? one.ready < other.ready : one.warp < other.warp;
  return one.block != other.block ? one.block < other.block : one.warp > other.warp;
}

Scheduler::Choice Scheduler::choose(std::span<const Candidate> warps, Ticks now) const {
  Ticks earliest = kNever;
  for (const Candidate& each : warps) earliest = std::min(earliest, each.ready);
  if (earliest >= kNever) return {};
  const Ticks at = std::max({earliest, free_, now});
  const Candidate* best = nullptr;
  for (const Candidate& each : warps) {
    if (each.ready <= at && (best == nullptr || goesBefore(each, *best))) best = &each;
  }
  return {best->warp, at};
}

}  // namespace tileloom::machine
