// SPDX-License-Identifier: GPL-3.0-or-later
// Samples where the warps of a stage stall, with this machine's compiler and GPU.
#pragma once

#include "kernels/base/error.h"
#include "kernels/gpu/compile/build_cache.h"
#include "kernels/gpu/compile/nvrtc.h"
#include "kernels/gpu/measure/bench.h"
#include "kernels/runs/stall_samples.h"
#include "kernels/tile/subject.h"

namespace tileloom::gpu {

// Compiles the stage (or takes it from `cache`, which may be nullptr) for the bench's device, and
// samples one launch. Once per process: see sampleStalls.
Result<runs::StallSamples> sampleStage(Bench& bench, const Nvrtc& nvrtc, const BuildCache* cache,
                                       const Subject& subject, const Problem& problem,
                                       double limitMs);

}  // namespace tileloom::gpu
