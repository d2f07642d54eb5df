// SPDX-License-Identifier: GPL-3.0-or-later
// Measures the speed of a stage, and its ratio to cuBLAS in short rounds.
#pragma once

#include <functional>

#include "kernels/base/error.h"
#include "kernels/gpu/compile/build.h"
#include "kernels/runs/run_record.h"

namespace tileloom::gpu {

class Bench;

struct MeasureOptions {
  int minRounds = 5;  // of kernel, cuBLAS, cuBLAS, kernel; each round is one sample
  int maxRounds = 200;
  double spread = 0.003;   // of the ratio, at which it ends: see runs::Interval::spread
  double budgetMs = 600;   // no round begins after this time, once there are minRounds
  double limitMs = 30000;  // longest time of a round; no round begins after it in any case
};

// Called after every round with the results so far. It returns false to cancel.
using MeasureProgress = std::function<bool(const runs::RunRecord&)>;

// Checks the result of one launch (Trouble::WrongResult names the first wrong element). For a
// 16-bit arithmetic it first checks a launch with operands of +1 and -1, which must be equal bit
// for bit. Then it times rounds of kernel, cuBLAS, cuBLAS, kernel with events until the interval
// of the ratio is narrow or the budget is spent. A short kernel is launched several times within
// a sample.
Result<runs::RunRecord> measureSpeed(Bench& bench, const Build& build, const Problem& problem,
                                     const MeasureOptions& options,
                                     const MeasureProgress& progress = {});

}  // namespace tileloom::gpu
