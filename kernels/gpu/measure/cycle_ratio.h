// SPDX-License-Identifier: GPL-3.0-or-later
// Compares a stage with cuBLAS in elapsed SM cycles, which do not depend on the clock.
#pragma once

#include "kernels/base/error.h"
#include "kernels/gpu/compile/build.h"
#include "kernels/gpu/measure/ratio_pairs.h"
#include "kernels/runs/run_record.h"

namespace tileloom::gpu {

class Bench;

// Checks the result, then counts the cycles of single launches of kernel and cuBLAS alternately,
// each after a launch that is not counted. Needs what readCounters() needs (counting.h). Without
// cuBLAS: Trouble::Missing.
Result<runs::SideBySide> cycleRatio(Bench& bench, const Build& build, const Problem& problem,
                                    const RatioOptions& options);

}  // namespace tileloom::gpu
