// SPDX-License-Identifier: GPL-3.0-or-later
// Measures what a turn of a kernel's main loop takes on a device: as it was compiled, and, of a
// stage with a rewriter, rewritten with all changes or with some of them left out; and all of this
// once more with the lanes of rung 14 (paired_lanes.h).
#pragma once

#include <functional>
#include <memory>

#include "kernels/gpu/build_cache.h"
#include "kernels/gpu/driver.h"
#include "kernels/gpu/nvrtc.h"
#include "kernels/runs/loop_times.h"

namespace tileloom::gpu {

struct LoopOptions {
  int rounds = 9;          // of all versions, there and back; the median counts
  int launches = 3;        // per sample
  double limitMs = 30000;  // after which a launch counts as hanging
};

// Called before each round; it returns false to cancel.
using LoopProgress = std::function<bool(int round)>;

// Every SM computes as many blocks as it has room for, once with a short K and once with a long
// one: the difference of both times, divided by the turns between, is what a turn takes, and what
// comes before and behind the loop is in neither. Times become cycles by the SM's clock, which
// NVML tells while it measures. Each version's result is compared with the untouched loop's first,
// bit for bit (Trouble::WrongResult). Versions are left out which the rewriter refuses; and all
// with the lanes of rung 14 where the stage's source has no place for them, where they spill, or
// where they need so many registers that fewer blocks would have room. It takes about ten seconds.
// Trouble::Unsupported: the stage has a rewriter and its loop is not rewritten, and why; or it has
// no K tiles of BK; or the model of a turn does not know the device. Trouble::Missing: what a
// machine lacks.
Result<runs::LoopTimes> measureLoop(std::shared_ptr<const Driver> driver, int device,
                                    const Nvrtc& nvrtc, const BuildCache* cache, const Stage& stage,
                                    const TileShape& tile, const LoopOptions& options = {},
                                    const LoopProgress& progress = {});

}  // namespace tileloom::gpu
