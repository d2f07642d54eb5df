// SPDX-License-Identifier: GPL-3.0-or-later
// What the warps that multiply, and those that bring data to them, wait for on a GPU, as shares of
// their time, from sums of their waits (WarpTime). Unlike timestamps, these sums add almost nothing
// to the kernel.
#pragma once

#include <array>
#include <optional>

#include "kernels/timeline/operation.h"
#include "kernels/timeline/recorded/measured.h"

namespace tileloom::timeline {

struct WaitShares {
  std::array<double, kSummed.size()> on{};  // 0.64: of the time of these warps together
  double cycles = 0;                        // that such a warp runs, on average
  int warps = 0;                            // of a block that are such

  // 0 for waits without a sum.
  double of(On what) const;
};

// `program`, of the same stage and tile, says which warps multiply; the others count if they move
// data. std::nullopt: the waits have not been summed, or are of another number of warps, or no warp
// is of this kind.
std::optional<WaitShares> waitShares(const Measured& measured, const BlockProgram& program,
                                     Who who = Who::Multiply);

}  // namespace tileloom::timeline
