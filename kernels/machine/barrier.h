// SPDX-License-Identifier: GPL-3.0-or-later
// A barrier of warps: __syncthreads() of a block, or a barrier of some of its warps. It opens when
// the last one has arrived; how long the warps need from then on is in latencies.h.
#pragma once

#include <cstdint>

#include "kernels/machine/time.h"

namespace tileloom::machine {

class Barrier {
 public:
  struct Arrival {
    std::uint32_t warp = 0;
    Ticks at = 0;
  };
  void arrive(std::uint32_t warp, Ticks at) {
    ++arrived_;
    if (at >= last_.at) last_ = {warp, at};
  }
  std::uint32_t arrived() const { return arrived_; }
  // Empties it; returns the last arrival.
  Arrival open() {
    const Arrival last = last_;
    *this = {};
    return last;
  }

 private:
  std::uint32_t arrived_ = 0;
  Arrival last_;
};

}  // namespace tileloom::machine
