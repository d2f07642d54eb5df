// SPDX-License-Identifier: GPL-3.0-or-later
// One of an SM's schedulers: which of its warps issues next, and when. It issues for one warp as
// long as that warp can issue (docs/hardware.md, rule 84). When that warp has to wait, an Order
// says which one follows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "kernels/machine/time.h"
#include "kernels/tile/architecture.h"

namespace tileloom::machine {

inline constexpr std::size_t kSchedulers = Architecture::kPartitions;

// A warp stays with one scheduler (rule 26).
constexpr std::size_t schedulerOf(std::size_t warp) {
  return warp % kSchedulers;
}

// Which warp follows one that has to wait.
enum class Order : std::uint8_t {
  // One of the earliest block. Which warp of a block goes first differs from launch to launch: here
  // it is the later one. This is the order of the hardware (rule 84).
  EarliestBlock,
  // The one that has been ready for longest, and of several the one with the lowest number.
  LongestReady,
};

// A warp that is ready to issue, or will be.
struct Candidate {
  std::uint32_t warp = 0, block = 0;
  Ticks ready = kNever;  // since when, or from when; kNever: something must happen first
};

class Scheduler {
 public:
  explicit Scheduler(Order order = Order::EarliestBlock) : order_(order) {}

  // The next issue from `now` on, if nothing happens before that makes another warp ready.
  struct Choice {
    std::uint32_t warp = 0;
    Ticks at = kNever;  // kNever: no warp will be ready
  };
  Choice choose(std::span<const Candidate> warps, Ticks now = 0) const;
  // `warp` issues, and the scheduler has no slot for others until then.
  void issue(std::uint32_t warp, Ticks until) {
    current_ = warp;
    free_ = until;
  }
  Ticks free() const { return free_; }

 private:
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  bool goesBefore(const Candidate& one, const Candidate& other) const;

  Order order_;
  std::uint32_t current_ = kNone;
  Ticks free_ = 0;
};

}  // namespace tileloom::machine
