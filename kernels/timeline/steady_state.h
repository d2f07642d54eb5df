// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the K tiles of a simulation that repeat, and what one of them takes.
#pragma once

#include <span>
#include <vector>

#include "kernels/machine/time.h"
#include "kernels/timeline/busy.h"
#include "kernels/timeline/operation.h"
#include "kernels/timeline/timeline.h"

namespace tileloom::timeline {

// When a warp begins to multiply each K tile; kNever: it does not.
struct WarpStarts {
  std::uint32_t block = 0;
  std::vector<machine::Ticks> tiles;
};

// The timeline has its lanes. `starts` are of all warps of all blocks.
void addSteadyState(Timeline& timeline, const BlockProgram& program,
                    std::span<const WarpStarts> starts, const Busy& busy);

}  // namespace tileloom::timeline
