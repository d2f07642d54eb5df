// SPDX-License-Identifier: GPL-3.0-or-later
// What the memory instructions of an SM's schedulers pass on their way to the data pipe and back:
// each scheduler's path to memory, the look-up of L1's lines, and each scheduler's path back.
// docs/hardware.md (rules 80 and 81) has the micro-kernels that the figures come from.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>

#include "kernels/machine/data_pipe.h"
#include "kernels/machine/scheduler.h"

namespace tileloom::machine {

// The request of one memory instruction of a warp.
struct MemoryAccess {
  enum class Kind { SharedLoad, SharedStore, GlobalLoad, Copy };
  Kind kind = Kind::SharedLoad;
  int wavefronts = 1;  // passes of the data pipe; for global memory, when its answer comes
  int late = 0;        // further cycles until the last register of a load is ready
  int wayCycles = 0;   // for which it occupies its scheduler's path to memory
  double lookUp = 0;   // cycles that L1 needs to look its lines up; of copies only

  bool ofGlobalMemory() const { return kind == Kind::GlobalLoad || kind == Kind::Copy; }
};

class MemoryPaths {
 public:
  // The times from which the result is ready, and from which the registers of the address and of
  // stored values may be overwritten.
  struct Ends {
    Ticks result = 0;
    Ticks operands = 0;
  };

  // Whether one more instruction of the scheduler can be issued. If too many wait on its path, the
  // next one has to wait in its warp.
  bool hasRoom(std::size_t scheduler) const { return waiting_[scheduler].size() < kMostWaiting; }
  // For an access that is issued at `at`, a whole cycle.
  Ends access(DataPipe& pipe, std::size_t scheduler, const MemoryAccess& access, Ticks at);
  // To be called in each cycle: instructions leave their paths.
  void advance(Ticks now);

 private:
  Ticks enter(std::size_t scheduler, const MemoryAccess& access, Ticks at);
  Ticks latency();

  // The number is not known from a micro-kernel. With 16 the loops of docs/log/performance.md
  // differ by at most 1.3 %.
  static constexpr std::size_t kMostWaiting = 8;
  std::array<std::deque<Ticks>, kSchedulers> waiting_{};  // until when, in their order
  std::array<Ticks, kSchedulers> way_{};                  // from when each scheduler's path is free
  std::array<Ticks, kSchedulers> back_{};                 // the same for the path back to it
  double lookUp_ = 0;          // the cycle from which the look-up is free
  std::deque<double> copies_;  // and in which the latest copies have been looked up
  std::uint32_t random_ = 1;
};

}  // namespace tileloom::machine
