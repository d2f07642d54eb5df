// SPDX-License-Identifier: GPL-3.0-or-later
// The virtual clock: a deterministic discrete-event simulation of one SM over the programs of its
// warps. Only pictures depend on it.
//
// Each of four schedulers issues for its warps (warp % 4), in order within a warp: it continues
// with the warp that it issued for last until that one has to wait, and then takes the one that has
// been ready for longest (the lowest number among equals). A warp waits at the first instruction
// that needs a value which is not available. Pipes are queues, served in the order in which
// instructions reach them; data from memory passes through the data pipe when it arrives. All
// resident blocks run the same programs and start together; the lanes are those of the first one.
// docs/design/05-timeline.md says what is left out.
#pragma once

#include <string>
#include <tl/expected.hpp>

#include "kernels/timeline/costs.h"
#include "kernels/timeline/timeline.h"

namespace tileloom::timeline {

// The error is a sentence without a full stop: which warp waits forever, and for what.
tl::expected<Timeline, std::string> simulate(const BlockProgram& program, const Costs& costs);

}  // namespace tileloom::timeline
