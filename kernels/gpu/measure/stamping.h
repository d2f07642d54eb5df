// SPDX-License-Identifier: GPL-3.0-or-later
// Launches the kernels that record timestamps or sum waiting times (stamped_source.h), alternately
// with the kernel that does neither.
#pragma once

#include "kernels/base/error.h"
#include "kernels/gpu/compile/build.h"
#include "kernels/timeline/recorded/measured.h"

namespace tileloom::gpu {

class Bench;

// Checks the results of the timestamped kernels, reads what one block of `stamped` has recorded
// and what all warps of `summed` have added up, and times launches of all three kernels
// alternately. `stamped` and `summed` are buildStamped() of `plain`. The block is in the middle
// of a wave: of the second one if there are enough blocks, else of the first.
// Trouble::Unsupported: the kernel has no operation that is timestamped.
Result<timeline::Measured> stampStage(Bench& bench, const Build& plain, const Build& stamped,
                                      const Build& summed, const Problem& problem,
                                      double limitMs = 30000);

}  // namespace tileloom::gpu
