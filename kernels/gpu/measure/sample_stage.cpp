// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/gpu/measure/sample_stage.h"

#include "kernels/gpu/compile/build.h"
#include "kernels/gpu/measure/stall_sampling.h"

namespace tileloom::gpu {

Result<runs::StallSamples> sampleStage(Bench& bench, const Nvrtc& nvrtc, const BuildCache* cache,
                                       const Subject& subject, const Problem& problem,
                                       double limitMs) {
  const auto build = buildStage(nvrtc, cache, subject, architectureOf(bench.context().device()),
                                SourceLines::Left);
  if (!build) return tl::unexpected(build.error());
  return sampleStalls(bench, *build, problem, limitMs);
}

}  // namespace tileloom::gpu
