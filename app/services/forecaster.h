// SPDX-License-Identifier: GPL-3.0-or-later
// Predictions for what the window shows, from the recording in the loom.
#pragma once

#include <optional>

#include "kernels/analysis/recording.h"
#include "kernels/model/prediction.h"
#include "viz/base/kernel_facts.h"
#include "viz/charts/chart_data.h"

namespace tileloom {

// Of the tile of this recording, whose kernel these facts are of. Nothing where its rung is not
// predicted, where its architecture has no constants, where no block fits an SM, or where no K tile
// was recorded. Microseconds.
std::optional<Forecast> forecastOf(const analysis::Recording& recording, const KernelFacts& kernel);

}  // namespace tileloom
