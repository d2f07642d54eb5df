// SPDX-License-Identifier: GPL-3.0-or-later
// The access to memory that costs a launch most of its predicted cycles.
#pragma once

#include <cstdint>
#include <optional>

#include "kernels/analysis/recording.h"
#include "kernels/model/prediction/costs.h"

namespace tileloom::model {

struct CostlyAccess {
  std::uint32_t index = 0;  // of an execution by the warp, in the last K tile that was recorded
  double share = 0;         // of the predicted time of the launch, 0 to 1
  Cost cost{};              // the largest part of it
};

// One of the accesses to A and B inside the loop over K that `warp` executes; `costs` is of the
// recorded tile. The cycles of each cost are divided by what they come from: those of bank
// conflicts by conflicts, those of the shared-memory data pipe by the other wavefronts, waiting for
// fragments by wavefronts of loads, and L1, L2, DRAM and waiting for global memory by sectors.
// std::nullopt: the warp accesses nothing there, or nothing costs a cycle.
std::optional<CostlyAccess> costliestAccess(const analysis::Recording& recording,
                                            std::uint32_t warp, const TileCosts& costs);

}  // namespace tileloom::model
