// SPDX-License-Identifier: GPL-3.0-or-later
// Predictions for what the window shows, from the recording in the loom.
#pragma once

#include <optional>

#include "kernels/analysis/recording.h"
#include "kernels/model/prediction/prediction.h"
#include "viz/base/text/kernel_facts.h"
#include "viz/charts/chart_data.h"

namespace tileloom {

// For the tile of this recording, whose kernel has these facts. std::nullopt if its rung is not
// predicted, its architecture has no constants, no block fits an SM, or no K tile was recorded.
// Microseconds.
std::optional<Forecast> forecastOf(const analysis::Recording& recording, const KernelFacts& kernel);

}  // namespace tileloom
