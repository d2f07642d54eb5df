// SPDX-License-Identifier: GPL-3.0-or-later
// Measures the time of an iteration of a kernel's main loop on a device: as compiled, and, for a
// stage with a rewriter, rewritten with all changes or with some of them left out; and all of this
// once more with the lanes of rung 14 (paired_lanes.h).
#pragma once

#include <functional>
#include <memory>

#include "kernels/gpu/compile/build_cache.h"
#include "kernels/gpu/compile/nvrtc.h"
#include "kernels/gpu/driver/driver.h"
#include "kernels/runs/loop_times.h"
#include "kernels/tile/subject.h"

namespace tileloom::gpu {

struct LoopOptions {
  int rounds = 9;          // of all versions, forwards and backwards; the median counts
  int launches = 3;        // per sample
  double limitMs = 30000;  // after which a launch counts as hanging
};

// Called before each round; it returns false to cancel.
using LoopProgress = std::function<bool(int round)>;

// Every SM computes as many blocks as fit, once with a short K and once with a long one. The
// difference of both times, divided by the difference in iterations, is the time of an iteration;
// what precedes and follows the loop is in neither. Times are converted to cycles with the SM
// clock, which NVML reports during the measurement. Each version's result is first compared with
// that of the untouched loop, bit for bit (Trouble::WrongResult). Versions that the rewriter
// refuses are left out; so are all with the lanes of rung 14 if the stage's source has no place for
// them, if they spill, or if they need so many registers that fewer blocks fit. It takes about ten
// seconds. Trouble::Unsupported: the stage has a rewriter but its loop is not rewritten, and why;
// or it has no K tiles of BK; or the model of an iteration does not know the device.
// Trouble::Missing: what the machine lacks.
Result<runs::LoopTimes> measureLoop(std::shared_ptr<const Driver> driver, int device,
                                    const Nvrtc& nvrtc, const BuildCache* cache,
                                    const Subject& subject, const LoopOptions& options = {},
                                    const LoopProgress& progress = {});

}  // namespace tileloom::gpu
