// SPDX-License-Identifier: GPL-3.0-or-later
// The extra delay of a K tile of A or of B if the latency of memory varies.
//
// Latencies depend on the tile fetched, not on when it is requested, so two kernels are compared
// under equal latencies. The distribution has not been measured; uniform is an assumption.
#pragma once

#include <cstdint>

#include "kernels/analysis/element.h"

namespace tileloom::timeline {

// From 0 to below 1, uniform, and always the same for this K tile of the block with number `block`
// on the SM.
double lateness(std::uint32_t kTile, analysis::Matrix matrix, std::uint32_t block);

}  // namespace tileloom::timeline
