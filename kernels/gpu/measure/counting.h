// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the hardware counters of a launch of a stage.
#pragma once

#include <functional>
#include <span>

#include "kernels/base/error.h"
#include "kernels/gpu/compile/build.h"
#include "kernels/runs/counters.h"
#include "kernels/runs/run_record.h"

namespace tileloom::gpu {

class Bench;

// Checks the result, then reads the hardware counters of a launch. The record has counters but no
// times, because counting slows a kernel down. The kernel is launched once for each pass that the
// counters need. `goOn` is called before each launch and returns false to cancel. Counters that
// this GPU does not have are left out. Trouble::Missing and ::Unsupported say why none can be
// read.
Result<runs::RunRecord> readCounters(Bench& bench, const Build& build, const Problem& problem,
                                     std::span<const runs::Counter> which, double limitMs = 30000,
                                     const std::function<bool()>& goOn = {});

}  // namespace tileloom::gpu
