// SPDX-License-Identifier: GPL-3.0-or-later
// The instruction at which a recording is first shown.
#pragma once

#include <cstdint>

#include "kernels/analysis/recording.h"

namespace tileloom::analysis {

// An instruction of `warp` that shows what its kernel could do better. It is in the second K tile,
// where the loop is in its steady state, or in the only recorded one: of its accesses the first one
// with the most wavefronts by bank conflicts; without conflicts, the first one with the most
// sectors beyond those that its bytes need; if nothing is wasted, the first load from shared
// memory, or else the first one from global memory. Where the tensor core reads shared memory by
// itself, the first wgmma. 0: the warp accesses nothing in the loop over K.
std::uint32_t tellingAccess(const Recording& recording, std::uint32_t warp);

}  // namespace tileloom::analysis
