// SPDX-License-Identifier: GPL-3.0-or-later
// The access that takes the most time of the memory pipes in the loop over K.
#pragma once

#include <cstdint>
#include <optional>

#include "kernels/analysis/recording.h"

namespace tileloom::analysis {

struct CostliestAccess {
  std::uint32_t index = 0;   // of its first execution by the warp
  double share = 0;          // of all accesses of the warp, 0 to 1
  std::uint64_t passes = 0;  // in the recorded K tiles
};

// For `warp`: executions of one line with the same kind of access to the same array count together.
// A pass is a wavefront of shared memory, or four sectors of global memory, which is a line of L1.
// std::nullopt: the warp accesses nothing in the loop.
std::optional<CostliestAccess> costliestAccess(const Recording& recording, std::uint32_t warp);

}  // namespace tileloom::analysis
