// SPDX-License-Identifier: GPL-3.0-or-later
// Replays a block's barriers: which phase each is in, what is missing for its end, which warps
// stand at a wait, and which boxes are there.
//
// A recording knows an order and no time. A box is on its way from the instruction that asks for it
// until somebody has waited for its phase; it may be there earlier, but nobody knows. So a phase
// ends here when somebody waits for it and all that it needs has been executed.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "kernels/emulator/trace.h"

namespace tileloom::analysis {

struct BarrierState {
  std::uint32_t count = 0;      // arrivals that end a phase; 0: the barrier has not been started
  std::uint32_t phase = 0;      // the open one: so many have been seen to end
  std::uint32_t pending = 0;    // arrivals that the open phase still needs
  std::uint32_t announced = 0;  // bytes that the open phase was told to expect
  std::uint32_t asked = 0;      // bytes of the boxes that have been asked for and count on it
  std::uint32_t parity() const { return phase & 1; }
};

// A warp's latest instruction, where that is a wait.
struct BarrierWait {
  std::uint32_t barrier = 0;
  std::uint32_t phase = 0;  // that has to end
  bool over = false;        // it has
};

class BarrierReplay {
 public:
  explicit BarrierReplay(const emulator::Trace& trace);

  // Instruction `i` of the view has been executed. Returns the boxes, as numbers in Trace::boxes,
  // that are seen to be there from now on; valid until the next call.
  std::span<const std::uint32_t> execute(const emulator::WarpInterval& view, std::uint32_t i);

  // Of the latest execute(): the boxes that other blocks of the cluster have asked for meanwhile,
  // for this one, too. They are asked for before any that are seen to be there.
  std::span<const std::uint32_t> askedByOthers() const { return visited_; }

  BarrierState state(std::uint32_t barrier) const;
  std::optional<BarrierWait> waitOf(std::uint32_t warp) const;
  // Of a box, by its number in Trace::boxes: whether it has been asked for, and whether it has and
  // is not seen to be there.
  bool asked(std::uint32_t box) const { return asked_[box]; }
  bool underWay(std::uint32_t box) const { return asked_[box] && !there_[box]; }

 private:
  // What a phase of a barrier needs, and what it has.
  struct Phase {
    std::vector<std::uint32_t> boxes;  // that count on it, in the order of the asking
    std::uint32_t asked = 0;           // of them, so far
    std::uint32_t bytes = 0;           // of these
  };
  struct Barrier {
    std::uint32_t count = 0;
    std::vector<std::uint32_t> arrivals;  // the bytes that each has announced
    std::vector<Phase> phases;
    std::uint32_t ended = 0;   // phases that have been seen to end
    std::uint32_t wanted = 0;  // phases that somebody has waited for
  };
  bool complete(const Barrier& barrier) const;  // its open phase
  void see(Barrier& barrier);
  void ask(std::uint32_t box);
  // What other blocks of the cluster have done before this interval of the recorded one.
  void visits(std::uint32_t interval);
  bool before(std::uint32_t interval, std::uint32_t rank, std::uint32_t now) const {
    return interval < now || (interval == now && rank < trace_->rank);
  }

  const emulator::Trace* trace_;
  std::vector<Barrier> barriers_;
  std::vector<std::optional<BarrierWait>> waits_;  // by warp
  std::vector<std::uint32_t> seen_, visited_;
  std::vector<bool> asked_, there_;        // by box
  std::vector<std::uint32_t> otherBoxes_;  // that other blocks ask for, in the order of the asking
  std::size_t nextBox_ = 0, nextArrival_ = 0;  // of other blocks
};

}  // namespace tileloom::analysis
