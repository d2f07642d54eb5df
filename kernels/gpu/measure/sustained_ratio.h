// SPDX-License-Identifier: GPL-3.0-or-later
// Compares a stage with cuBLAS under sustained load.
#pragma once

#include "kernels/base/error.h"
#include "kernels/gpu/compile/build.h"
#include "kernels/gpu/measure/ratio_pairs.h"
#include "kernels/runs/run_record.h"

namespace tileloom::gpu {

class Bench;

// Checks the result, then measures at full load for seconds: kernel and cuBLAS alternately, with
// the SM clock and the board's watts while each of them runs, if NVML is available. Without cuBLAS:
// Trouble::Missing.
Result<runs::SideBySide> sustainedRatio(Bench& bench, const Build& build, const Problem& problem,
                                        const RatioOptions& options);

}  // namespace tileloom::gpu
