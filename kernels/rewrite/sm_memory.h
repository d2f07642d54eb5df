// SPDX-License-Identifier: GPL-3.0-or-later
// What the memory instructions of an SM's four schedulers share, for the model of a turn
// (turn_time.h): each scheduler's way to memory, the data pipe of shared memory with the ways back,
// and the look-up of L1's lines. docs/hardware.md (rules 80 and 81) has the micro-kernels that the
// figures are from.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "kernels/tile/architecture.h"

namespace tileloom::rewrite {

// What one memory instruction of a warp asks for.
struct MemoryAccess {
  enum class Kind { SharedLoad, SharedStore, GlobalLoad, Copy };
  Kind kind = Kind::SharedLoad;
  int wavefronts = 1;  // passes of the data pipe; of global memory, when its answer comes
  int late = 0;        // further cycles until the last register of a load is there
  int wayCycles = 0;   // for which it occupies its scheduler's way to memory
  double lookUp = 0;   // cycles that L1 needs to look its lines up; of copies only
};

class SmMemory {
 public:
  // The cycles from which the result is there, and from which the registers of the address and of
  // what is stored may be overwritten.
  struct Ends {
    int result = 0;
    int operands = 0;
  };

  // Whether one more instruction of the scheduler's can be issued, or so many wait on its way that
  // the next one has to wait in its warp.
  bool hasRoom(std::size_t scheduler) const { return waiting_[scheduler].size() < kMostWaiting; }
  // Of an access that is issued in this cycle.
  Ends access(std::size_t scheduler, const MemoryAccess& access, int cycle);
  // To be called in each cycle: instructions leave their ways, and what global memory answers
  // passes the data pipe.
  void advance(int cycle);

 private:
  struct Answer {
    int cycle = 0;
    int wavefronts = 0;
  };
  int enter(std::size_t scheduler, const MemoryAccess& access, int cycle);
  int latency();

  // No micro-kernel has told how many. With 16 the loops of docs/log/performance.md differ by 1.3 %
  // at most.
  static constexpr std::size_t kMostWaiting = 8;
  static constexpr auto kSchedulers = std::size_t{Architecture::kPartitions};
  std::array<std::deque<int>, kSchedulers> waiting_{};  // until which cycle, in their order
  std::array<int, kSchedulers> way_{};   // the cycle from which each scheduler's way is free
  std::array<int, kSchedulers> back_{};  // the same of the way back to it
  int pipe_ = 0;                         // the same of the data pipe
  double lookUp_ = 0;                    // and of the look-up
  std::deque<double> copies_;            // when the latest copies have been looked up
  std::vector<Answer> answers_;          // of global memory, that are still to come
  std::uint32_t random_ = 1;
};

}  // namespace tileloom::rewrite
