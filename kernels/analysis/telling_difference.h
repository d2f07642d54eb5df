// SPDX-License-Identifier: GPL-3.0-or-later
// Where two recordings are best compared first.
#pragma once

#include <cstdint>

#include "kernels/analysis/recording.h"

namespace tileloom::analysis {

// The instruction of `warp` in `now` at which the two sides look most unlike each other. Of the
// accesses in the K tile of tellingAccess() that have a counterpart at the same step of `baseline`:
// the one whose wasted share differs most, that is bank conflicts of its wavefronts or unneeded
// ones of its sectors; where no such share differs, unneeded ones of its lines. Else the first
// instruction of a kind that the baseline lacks, such as an asynchronous copy. Else the first
// access to the array whose wavefronts or sectors per multiply-add differ by the greatest factor.
// Where nothing differs, tellingAccess() of `now`, or a load from shared memory at which both are
// in step.
std::uint32_t tellingDifference(const Recording& baseline, const Recording& now,
                                std::uint32_t warp);

// What an access wastes, in shares from 0 to 1.
struct Waste {
  double conflicts = 0;  // of its wavefronts
  double sectors = 0;    // beyond those that its bytes need
  double lines = 0;      // the same of lines
};
Waste wasteOf(const AccessCost& cost);

}  // namespace tileloom::analysis
