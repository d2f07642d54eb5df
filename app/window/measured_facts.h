// SPDX-License-Identifier: GPL-3.0-or-later
// Measured and predicted figures of the present tile for the tile panel.
#pragma once

#include <optional>
#include <vector>

#include "kernels/model/why/limit.h"
#include "viz/panels/facts_panel.h"

namespace tileloom {

class Lab;

// Speed, percent of cuBLAS, prediction, and what was counted; empty before anything is shown. For a
// rung without prediction and measurement: the highest speed at the limit of the launch.
std::vector<Fact> measuredFacts(const Lab& lab,
                                const std::optional<model::Limit>& limit = std::nullopt);

// "main loop rewritten", or why it is not; empty where the rung does not rewrite its main loop, or
// nothing is known yet.
QString mainLoop(const Lab& lab);

// Where its speed was measured and at which size: "recorded on H100, 2048³".
QString measuredOrigin(const Lab& lab);

}  // namespace tileloom
