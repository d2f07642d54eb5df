// SPDX-License-Identifier: GPL-3.0-or-later
// Measures what a device can do at most, by four kernels that do one thing each (ceilings.cu), or
// computes it from what the driver says.
#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "kernels/gpu/build_cache.h"
#include "kernels/gpu/device_info.h"
#include "kernels/gpu/driver.h"
#include "kernels/gpu/nvrtc.h"
#include "kernels/model/ceilings.h"

namespace tileloom::gpu {

struct CeilingOptions {
  int rounds = 30;         // samples of each kernel
  double sampleMs = 4;     // that a sample lasts, about: the clock settles, events do not count
  double warmUpMs = 200;   // of each kernel before the first sample
  double limitMs = 30000;  // after which a launch counts as hanging
};

// Called before each kernel with its name ("FMA", "DRAM", "L2", "shared memory"); false cancels.
using CeilingProgress = std::function<bool(std::string_view)>;

// Medians with 95 % bootstrap intervals, and the SM clock while the multiply-adds ran (NVML). DRAM:
// bytes read and written by a copy of a buffer of 8 times L2 at least, as far as memory is free.
// L2: a buffer of an eighth of it, read past L1. Takes about two seconds.
Result<model::Ceilings> measureCeilings(std::shared_ptr<const Driver> driver, int device,
                                        const Nvrtc& nvrtc, const BuildCache* cache,
                                        const CeilingOptions& options = {},
                                        const CeilingProgress& progress = {});

// From clocks and widths: FMAs at the highest SM clock, DRAM at two transfers a memory clock, 32
// banks of 4 bytes an SM and cycle; L2 unknown. Nothing is known where the driver tells no clock.
model::Ceilings computedCeilings(const DeviceInfo& device);

}  // namespace tileloom::gpu
