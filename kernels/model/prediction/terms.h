// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of a prediction: how long each need of a K tile keeps an SM busy or waiting.
//
// Terms of one pipe add up. The cycles of the pipes are combined so that the fullest one dominates,
// and the waiting is combined with that (cyclesOf). Both combinations are homogeneous of degree 1,
// so by Euler's theorem the cycles are exactly the sum of term times marginalOf over all terms:
// each term has a share of the time, and the shares add up to the whole.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "kernels/model/chip.h"
#include "kernels/model/prediction/workload.h"

namespace tileloom::model {

enum class Term : std::uint8_t {
  // Of the instruction issue:
  MultiplyAdds,       // an issue slot for each
  OtherInstructions,  // an issue slot for each: loads, addresses, counters
  RegisterBanks,      // what a slot takes beyond one cycle
  UnevenWarps,        // the scheduler with the most warps ends last
  InstructionFetch,   // a loop longer than the instruction cache
  // Of the data pipe of L1 and shared memory:
  Wavefronts,  // without those of Conflicts
  Conflicts,
  Sectors,  // of global memory, through the same pipe
  // Of L2 and DRAM:
  L2,
  Dram,
  // Waiting that is not hidden:
  Dependences,    // of a warp's instructions on its own earlier ones
  GlobalLatency,  // until a K tile has arrived from global memory
  SharedLatency,  // until the fragments of a k have arrived from shared memory
  Barriers,       // for the last warp of the block
  Filling,        // until a warp has stored its part of a K tile in shared memory
};
inline constexpr std::size_t kTerms = 15;

// SM cycles of each term, or another value per term.
struct Terms {
  std::array<double, kTerms> values{};
  double& operator[](Term term) { return values[static_cast<std::size_t>(term)]; }
  double operator[](Term term) const { return values[static_cast<std::size_t>(term)]; }
};

// SM cycles of each term for one K tile of `blocks` blocks that share an SM, at least one.
// `smsAtDram` SMs share DRAM; 0: all of them.
Terms termsOf(const Workload& work, const Rates& rates, const Chip& chip, double blocks,
              double smsAtDram = 0);

// The cycles that each pipe is busy.
std::array<double, kPipes> busyOf(const Terms& terms);
// The cycles of all pipes together: of the fullest one, and a little more for the others.
double fullestOf(const std::array<double, kPipes>& busy);
// From one K tile to the next.
double cyclesOf(const Terms& terms, const Rates& rates);

// By how much the cycles grow when a term grows by one cycle, 0 to 1. The terms are not all 0.
Terms marginalOf(const Terms& terms, const Rates& rates);

}  // namespace tileloom::model
