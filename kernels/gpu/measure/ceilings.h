// SPDX-License-Identifier: GPL-3.0-or-later
// The ceilings of a device: measured with five kernels that each use one resource only
// (ceilings.cu), or computed from what the driver reports.
#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "kernels/gpu/compile/build_cache.h"
#include "kernels/gpu/compile/nvrtc.h"
#include "kernels/gpu/driver/device_info.h"
#include "kernels/gpu/driver/driver.h"
#include "kernels/model/limits/ceilings.h"

namespace tileloom::gpu {

struct CeilingOptions {
  int rounds = 30;         // samples of each kernel
  double sampleMs = 4;     // approximate length of a sample: long enough for events to cost little
  double warmUpMs = 200;   // of each kernel before the first sample
  double limitMs = 30000;  // after which a launch counts as hanging
};

// Called before each kernel with its name ("DRAM", "L2", "shared memory", "FMA", "mma.sync"). It
// returns false to cancel.
using CeilingProgress = std::function<bool(std::string_view)>;

// Medians with 95 % bootstrap intervals, and the SM clocks while the multiply-adds of each kind ran
// (from NVML). DRAM is measured by copying a buffer of at least 8 times the size of L2, if enough
// memory is free, and counts bytes read and written. L2 is measured by reading a buffer of an
// eighth of its size, bypassing L1. Takes about two seconds.
Result<model::Ceilings> measureCeilings(std::shared_ptr<const Driver> driver, int device,
                                        const Nvrtc& nvrtc, const BuildCache* cache,
                                        const CeilingOptions& options = {},
                                        const CeilingProgress& progress = {});

// Whether mma.sync of bf16 is one of its ceilings.
bool hasTensorCores(const DeviceInfo& device);

// Computed from clocks and widths: FMAs at the highest SM clock, DRAM at two transfers per memory
// clock, shared memory at 32 banks of 4 bytes per SM and cycle. L2 and mma.sync stay unknown. If
// the driver does not report the clocks, all are unknown.
model::Ceilings computedCeilings(const DeviceInfo& device);

}  // namespace tileloom::gpu
