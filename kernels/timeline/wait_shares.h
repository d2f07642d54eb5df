// SPDX-License-Identifier: GPL-3.0-or-later
// What the warps that multiply, and those that bring data to them, wait for on a GPU, as shares of
// their time, from sums of their waits (WarpTime). Next to nothing is added to the kernel for
// these, unlike for stamps.
#pragma once

#include <array>
#include <optional>

#include "kernels/timeline/measured.h"
#include "kernels/timeline/operation.h"

namespace tileloom::timeline {

struct WaitShares {
  std::array<double, kSummed.size()> on{};  // 0.64: of the time of these warps together
  double cycles = 0;                        // that such a warp runs, on average
  int warps = 0;                            // of a block that are such

  // 0 for what no sum is kept of.
  double of(On what) const;
};

// `program`, of the same stage and tile, says who multiplies; of the others those bring data that
// move any. std::nullopt: the waits have not been added up, or are of another number of warps, or
// there are no such warps.
std::optional<WaitShares> waitShares(const Measured& measured, const BlockProgram& program,
                                     Who who = Who::Multiply);

}  // namespace tileloom::timeline
