// SPDX-License-Identifier: GPL-3.0-or-later
// The size at which the order of the tensor ladder holds: what its last rungs add needs many tiles
// of C.
#pragma once

#include <QString>
#include <span>

#include "viz/charts/chart_data.h"

namespace tileloom {

// The largest cube that the recorded runs of the tensor ladder have.
inline constexpr int kLadderOrderSize = 8192;

// "At 2048³ T10 is the fastest rung (97.7 %), at 8192³ T13 (103.3 % of …)". Empty: the bars, which
// are for `problem`, have the same fastest rung, or too few are known.
QString ladderOrderSentence(std::span<const LadderBar> bars, const Problem& problem);

}  // namespace tileloom
