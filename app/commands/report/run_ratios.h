// SPDX-License-Identifier: GPL-3.0-or-later
// The three ratios of a kernel's speed to cuBLAS's: in cycles, in short rounds, and under sustained
// load. They differ, so each is named and has its clock.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/commands/common/measuring.h"
#include "kernels/gpu/measure/ratio_pairs.h"
#include "kernels/runs/run_record.h"

namespace tileloom::app {

// Measures the two that a run does not have and adds them to it. A ratio that cannot be measured
// becomes a sentence in `remarks`. An error is fatal (isFatal) or a wrong result.
Result<void> addRatios(Measuring& measuring, const gpu::RatioOptions& options,
                       runs::RunRecord& record, std::vector<std::string>& remarks);

// A line for each ratio; empty if there is only the run's own.
std::string ratiosText(const runs::RunRecord& record);

}  // namespace tileloom::app
