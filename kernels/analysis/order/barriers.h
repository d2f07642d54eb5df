// SPDX-License-Identifier: GPL-3.0-or-later
// Replays a block's mbarriers: the phase of each, what its end still needs, which warps wait, and
// which boxes have arrived.
//
// A recording has an order and no times. A box is in flight from the instruction that requests it
// until a warp has waited for its phase; it may arrive earlier, but the recording does not show
// when. So a phase ends here when a warp waits for it and all that it needs has been executed.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "kernels/emulator/trace.h"

namespace tileloom::analysis {

struct BarrierState {
  std::uint32_t count = 0;      // arrivals that end a phase; 0: the barrier is not started
  std::uint32_t phase = 0;      // the open one: the number of ended phases
  std::uint32_t pending = 0;    // arrivals that the open phase still needs
  std::uint32_t announced = 0;  // bytes that the open phase expects
  std::uint32_t asked = 0;      // bytes of the requested boxes that count on it
  std::uint32_t parity() const { return phase & 1; }
};

// A warp's latest instruction, if it is a wait.
struct BarrierWait {
  std::uint32_t barrier = 0;
  std::uint32_t phase = 0;  // whose end it waits for
  bool over = false;        // it has ended
};

class BarrierReplay {
 public:
  explicit BarrierReplay(const emulator::Trace& trace);

  // Executes instruction `i` of the view. Returns the boxes, as numbers in Trace::boxes, that count
  // as arrived from now on; valid until the next call.
  std::span<const std::uint32_t> execute(const emulator::WarpInterval& view, std::uint32_t i);

  // For the latest execute(): the boxes that other blocks of the cluster have requested since the
  // one before, for this block, too. These requests precede those boxes that count as arrived.
  std::span<const std::uint32_t> askedByOthers() const { return visited_; }

  BarrierState state(std::uint32_t barrier) const;
  std::optional<BarrierWait> waitOf(std::uint32_t warp) const;
  // For a box, by its number in Trace::boxes: whether it has been requested, and whether it is in
  // flight.
  bool asked(std::uint32_t box) const { return asked_[box]; }
  bool underWay(std::uint32_t box) const { return asked_[box] && !there_[box]; }

 private:
  // The requirements of a phase of a barrier, and their progress.
  struct Phase {
    std::vector<std::uint32_t> boxes;  // that count on it, in the order of the requests
    std::uint32_t asked = 0;           // requested so far
    std::uint32_t bytes = 0;           // of these
  };
  struct Barrier {
    std::uint32_t count = 0;
    std::vector<std::uint32_t> arrivals;  // the bytes that each expects
    std::vector<Phase> phases;
    std::uint32_t ended = 0;   // phases that have ended
    std::uint32_t wanted = 0;  // phases that a warp has waited for
  };
  bool complete(const Barrier& barrier) const;  // its open phase
  void see(Barrier& barrier);
  void ask(std::uint32_t box);
  // Replays what other blocks of the cluster have done before this interval of the recorded one.
  void visits(std::uint32_t interval);
  bool before(std::uint32_t interval, std::uint32_t rank, std::uint32_t now) const {
    return interval < now || (interval == now && rank < trace_->rank);
  }

  const emulator::Trace* trace_;
  std::vector<Barrier> barriers_;
  std::vector<std::optional<BarrierWait>> waits_;  // by warp
  std::vector<std::uint32_t> seen_, visited_;
  std::vector<bool> asked_, there_;            // by box
  std::vector<std::uint32_t> otherBoxes_;      // of other blocks, in the order of their requests
  std::size_t nextBox_ = 0, nextArrival_ = 0;  // of other blocks
};

}  // namespace tileloom::analysis
