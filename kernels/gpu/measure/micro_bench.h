// SPDX-License-Identifier: GPL-3.0-or-later
// Measures micro-cases (kernels/sass/micro_case.h) on a device: how many cycles their loops take.
#pragma once

#include <functional>
#include <memory>
#include <span>

#include "kernels/gpu/compile/build_cache.h"
#include "kernels/gpu/compile/nvrtc.h"
#include "kernels/gpu/driver/driver.h"
#include "kernels/sass/micro_case.h"
#include "kernels/sass/micro_results.h"

namespace tileloom::gpu {

struct MicroOptions {
  int turns = 300;         // of the loop, in each launch
  int rounds = 5;          // launches of each case and number of warps; the first does not count
  double limitMs = 30000;  // after which a launch counts as hanging
};

// Called before each case; it returns false to cancel.
using MicroProgress = std::function<bool(const sass::MicroCase&)>;

// Each SM executes one block of 4, 8 or 16 warps. The time of a launch is from the first warp's
// start to the last one's end, by the SM clock. Its figure is the median over all SMs, and the
// result is the median over all launches. All cases take about a minute. Trouble::Unsupported: the
// compute capability of the device is not 9.0.
Result<sass::MicroResults> measureMicroCases(std::shared_ptr<const Driver> driver, int device,
                                             const Nvrtc& nvrtc, const BuildCache* cache,
                                             std::span<const sass::MicroCase> cases,
                                             const MicroOptions& options = {},
                                             const MicroProgress& progress = {});

// The kernel around every case, compiled for compute capability 9.0.
Result<std::vector<char>> microTemplate(const Nvrtc& nvrtc, const BuildCache* cache);

}  // namespace tileloom::gpu
