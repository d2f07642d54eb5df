// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/rewrite/sm_memory.h"

#include <algorithm>

namespace tileloom::rewrite {
namespace {

using Kind = MemoryAccess::Kind;

// The result of a load of one wavefront may be used 23 cycles after its issue. Each wavefront
// occupies the data pipe for one cycle and the path back to its scheduler for two (rule 80).
constexpr int kReturnCycles = 2;
constexpr int kSharedLatency = 23 - kReturnCycles;
constexpr int kOperandsRead = 14;  // approximate time until stored values have left their registers
// This many copies may wait for their look-up; the next one blocks its scheduler's path (rule 81).
constexpr std::size_t kCopiesWaiting = 10;
// From L2 and from DRAM (docs/design/05-timeline.md): answers come between the two. If all came at
// the same time, blocks that share an SM would stay in step, which they do not on a GPU.
constexpr int kNearest = 283, kFurthest = 693;

}  // namespace

// Evenly distributed, and the same in each simulation.
int SmMemory::latency() {
  constexpr std::uint32_t kFactor = 1664525, kAddend = 1013904223;  // Numerical Recipes' generator
  constexpr int kLowBits = 8;                                       // which repeat too soon
  random_ = random_ * kFactor + kAddend;
  return kNearest + static_cast<int>((random_ >> kLowBits) % (kFurthest - kNearest + 1));
}

int SmMemory::enter(std::size_t scheduler, const MemoryAccess& access, int cycle) {
  int from = std::max(cycle, way_[scheduler]);
  if (access.kind == Kind::Copy) {
    if (copies_.size() == kCopiesWaiting) {
      from = std::max(from, static_cast<int>(copies_.front()));
      copies_.pop_front();
    }
    lookUp_ = std::max(lookUp_, static_cast<double>(from)) + access.lookUp;
    copies_.push_back(lookUp_);
  }
  way_[scheduler] = from + access.wayCycles;
  return from;
}

SmMemory::Ends SmMemory::access(std::size_t scheduler, const MemoryAccess& access, int cycle) {
  const int from = enter(scheduler, access, cycle);
  if (access.kind == Kind::GlobalLoad || access.kind == Kind::Copy) {
    waiting_[scheduler].push_back(from);
    const int end = from + latency();
    answers_.push_back({end, access.wavefronts});
    return {end, from + kOperandsRead};
  }
  const int start = std::max(pipe_, from);
  waiting_[scheduler].push_back(start);
  pipe_ = start + access.wavefronts;
  int& back = back_[scheduler];
  if (access.kind == Kind::SharedLoad)
    back = std::max(back, start) + kReturnCycles * access.wavefronts;
  return {std::max(back, pipe_) + kSharedLatency + access.late, pipe_ + kOperandsRead - 1};
}

void SmMemory::advance(int cycle) {
  for (std::deque<int>& each : waiting_)
    while (!each.empty() && each.front() <= cycle) each.pop_front();
  std::erase_if(answers_, [this, cycle](const Answer& each) {
    if (each.cycle > cycle) return false;
    pipe_ = std::max(pipe_, cycle) + each.wavefronts;
    return true;
  });
}

}  // namespace tileloom::rewrite
