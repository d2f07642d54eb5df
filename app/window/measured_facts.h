// SPDX-License-Identifier: GPL-3.0-or-later
// What is measured and predicted of the present tile, as the facts of the tile panel.
#pragma once

#include <vector>

#include "viz/panels/facts_panel.h"

namespace tileloom {

class Lab;

// Speed, percent of cuBLAS, prediction, and what was counted; empty before anything is shown.
std::vector<Fact> measuredFacts(const Lab& lab);

// "main loop rewritten", or why it is not; empty where the rung does not rewrite its main loop, or
// nothing is known yet.
QString mainLoop(const Lab& lab);

// Where its speed was measured and at which size: "recorded on H100, 2048³".
QString measuredOrigin(const Lab& lab);

}  // namespace tileloom
