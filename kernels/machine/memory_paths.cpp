// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/machine/memory_paths.h"

#include <algorithm>
#include <cmath>

#include "kernels/machine/latencies.h"

namespace tileloom::machine {
namespace {

using Kind = MemoryAccess::Kind;

constexpr Ticks kOperandsRead = kOperandsReadCycles * kCycle;

}  // namespace

// Evenly distributed between L2 and DRAM, and the same in each simulation. If all answers came at
// the same time, blocks that share an SM would stay in step, which they do not on a GPU.
Ticks MemoryPaths::latency() {
  constexpr std::uint32_t kFactor = 1664525, kAddend = 1013904223;  // Numerical Recipes' generator
  constexpr int kLowBits = 8;                                       // which repeat too soon
  random_ = random_ * kFactor + kAddend;
  return kCycle *
         (kL2Latency + static_cast<int>((random_ >> kLowBits) % (kDramLatency - kL2Latency + 1)));
}

Ticks MemoryPaths::enter(std::size_t scheduler, const MemoryAccess& access, Ticks at) {
  Ticks from = std::max(at, way_[scheduler]);
  if (access.kind == Kind::Copy) {
    if (copies_.size() == kCopiesWaiting) {
      from = std::max(from, ticks(std::floor(copies_.front())));
      copies_.pop_front();
    }
    lookUp_ = std::max(lookUp_, cyclesOf(from)) + access.lookUp;
    copies_.push_back(lookUp_);
  }
  way_[scheduler] = from + access.wayCycles * kCycle;
  return from;
}

MemoryPaths::Ends MemoryPaths::access(DataPipe& pipe, std::size_t scheduler,
                                      const MemoryAccess& access, Ticks at) {
  const Ticks from = enter(scheduler, access, at);
  const Ticks length = access.wavefronts * kCycle;
  if (access.ofGlobalMemory()) {
    waiting_[scheduler].push_back(from);
    const Ticks end = from + latency();
    pipe.expect(end, length);
    return {end, from + kOperandsRead};
  }
  const Passage passage = pipe.pass(from, length);
  waiting_[scheduler].push_back(passage.begin);
  Ticks& back = back_[scheduler];
  if (access.kind == Kind::SharedLoad)
    back = std::max(back, passage.begin) + kReturnCycles * length;
  constexpr Ticks kAfterReturn = (kSharedLoadLatency - kReturnCycles) * kCycle;
  return {std::max(back, passage.end) + kAfterReturn + access.late * kCycle,
          passage.end + kOperandsRead - kCycle};
}

void MemoryPaths::advance(Ticks now) {
  for (std::deque<Ticks>& each : waiting_)
    while (!each.empty() && each.front() <= now) each.pop_front();
}

}  // namespace tileloom::machine
