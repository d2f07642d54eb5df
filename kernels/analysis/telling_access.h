// SPDX-License-Identifier: GPL-3.0-or-later
// Where a recording is best looked at first.
#pragma once

#include <cstdint>

#include "kernels/analysis/recording.h"

namespace tileloom::analysis {

// An instruction of `warp` that shows what its kernel could do better. It is in the second
// K tile, where the loop has come into its stride, or in the only one that was recorded: of its
// accesses the first one with the most wavefronts by bank conflicts; where there are none, the
// first one with the most sectors beyond those that its bytes need; where nothing is wasted, the
// first load from shared memory, or else the first one from global memory. Where the tensor core
// reads shared memory by itself, the first product of the warp's group. 0: the warp accesses
// nothing in the loop over K.
std::uint32_t tellingAccess(const Recording& recording, std::uint32_t warp);

}  // namespace tileloom::analysis
