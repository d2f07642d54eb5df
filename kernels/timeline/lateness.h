// SPDX-License-Identifier: GPL-3.0-or-later
// How much later than others a K tile of A or of B comes where the latency of memory varies.
//
// The numbers follow from what is fetched, and not from when: kernels that differ in when they ask
// meet the same latencies, so that what is left between them is what they make of them. Nobody has
// measured how latencies are distributed; that all of them are equally likely is an assumption.
#pragma once

#include <cstdint>

#include "kernels/analysis/element.h"

namespace tileloom::timeline {

// From 0 to below 1, all equally likely, and each time the same for this K tile of a block that is
// number `block` of those on the SM.
double lateness(std::uint32_t kTile, analysis::Matrix matrix, std::uint32_t block);

}  // namespace tileloom::timeline
