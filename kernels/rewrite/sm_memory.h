// SPDX-License-Identifier: GPL-3.0-or-later
// What the memory instructions of an SM's four schedulers share, for the model of an iteration
// (turn_time.h): each scheduler's path to memory, the data pipe of shared memory with the paths
// back, and the look-up of L1's lines. docs/hardware.md (rules 80 and 81) has the micro-kernels
// that the figures come from.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "kernels/tile/architecture.h"

namespace tileloom::rewrite {

// The request of one memory instruction of a warp.
struct MemoryAccess {
  enum class Kind { SharedLoad, SharedStore, GlobalLoad, Copy };
  Kind kind = Kind::SharedLoad;
  int wavefronts = 1;  // passes of the data pipe; for global memory, when its answer comes
  int late = 0;        // further cycles until the last register of a load is ready
  int wayCycles = 0;   // for which it occupies its scheduler's path to memory
  double lookUp = 0;   // cycles that L1 needs to look its lines up; of copies only
};

class SmMemory {
 public:
  // The cycles from which the result is ready, and from which the registers of the address and of
  // stored values may be overwritten.
  struct Ends {
    int result = 0;
    int operands = 0;
  };

  // Whether one more instruction of the scheduler can be issued. If too many wait on its path, the
  // next one has to wait in its warp.
  bool hasRoom(std::size_t scheduler) const { return waiting_[scheduler].size() < kMostWaiting; }
  // For an access that is issued in this cycle.
  Ends access(std::size_t scheduler, const MemoryAccess& access, int cycle);
  // To be called in each cycle: instructions leave their paths, and answers of global memory pass
  // through the data pipe.
  void advance(int cycle);

 private:
  struct Answer {
    int cycle = 0;
    int wavefronts = 0;
  };
  int enter(std::size_t scheduler, const MemoryAccess& access, int cycle);
  int latency();

  // The number is not known from a micro-kernel. With 16 the loops of docs/log/performance.md
  // differ by at most 1.3 %.
  static constexpr std::size_t kMostWaiting = 8;
  static constexpr auto kSchedulers = std::size_t{Architecture::kPartitions};
  std::array<std::deque<int>, kSchedulers> waiting_{};  // until which cycle, in their order
  std::array<int, kSchedulers> way_{};   // the cycle from which each scheduler's path is free
  std::array<int, kSchedulers> back_{};  // the same for the path back to it
  int pipe_ = 0;                         // the same for the data pipe
  double lookUp_ = 0;                    // and for the look-up
  std::deque<double> copies_;            // when the latest copies have been looked up
  std::vector<Answer> answers_;          // of global memory, still to come
  std::uint32_t random_ = 1;
};

}  // namespace tileloom::rewrite
