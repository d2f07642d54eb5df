// SPDX-License-Identifier: GPL-3.0-or-later
// The instruction at which two recordings are first compared.
#pragma once

#include <cstdint>

#include "kernels/analysis/recording.h"

namespace tileloom::analysis {

// The instruction of `warp` in `now` at which the two sides differ most. Of the accesses in the K
// tile of tellingAccess() that have a counterpart at the same step of `baseline`: the one whose
// wasted share differs most, that is bank conflicts of its wavefronts or unneeded ones of its
// sectors. Else the first instruction of a kind that the baseline lacks, such as an asynchronous
// copy. Else the first access to the array whose wavefronts or sectors per multiply-add differ by
// the greatest factor, from two on; else the one whose share of unneeded lines differs most; else
// the first access by a smaller such factor. If nothing differs, tellingAccess() of `now`, or a
// load from shared memory at which both are in step.
std::uint32_t tellingDifference(const Recording& baseline, const Recording& now,
                                std::uint32_t warp);

// The cost of the accesses of this instruction's kind to its array in its K tile, for each
// multiply-add of a lane: wavefronts of shared memory, else sectors. 0: nothing is multiplied
// there.
double passesPerProduct(const Recording& recording, std::uint32_t warp, std::uint32_t index);

// The waste of an access, in shares from 0 to 1.
struct Waste {
  double conflicts = 0;  // of its wavefronts
  double sectors = 0;    // beyond those that its bytes need
  double lines = 0;      // the same of lines
};
Waste wasteOf(const AccessCost& cost);

}  // namespace tileloom::analysis
