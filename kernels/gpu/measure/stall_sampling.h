// SPDX-License-Identifier: GPL-3.0-or-later
// Samples where the warps of a launch of a stage stall.
#pragma once

#include "kernels/base/error.h"
#include "kernels/gpu/compile/build.h"
#include "kernels/runs/stall_samples.h"

namespace tileloom::gpu {

class Bench;

// Checks the result, then samples the program counters of the warps in one launch, often enough
// for some hundred thousand samples. Once per process: see PcSampler. Trouble::Missing and
// ::Unsupported say why sampling is not possible.
Result<runs::StallSamples> sampleStalls(Bench& bench, const Build& build, const Problem& problem,
                                        double limitMs = 30000);

}  // namespace tileloom::gpu
