// SPDX-License-Identifier: GPL-3.0-or-later
// From a recording of what warps do to programs for the clock.
//
// A program follows the trace, with what the machine code is known to do otherwise: scalar loads of
// shared memory that the assembler merges are one operation (kernels/analysis/merging.h), and loads
// from global memory on their way to shared memory are issued in batches before the stores that
// wait for them, as in every recorded listing (docs/design/05-timeline.md). Who needs whom follows
// from provenance: multiply-adds need the loads that bring the elements of their dot index, a store
// needs the load that brings what it stores.
#pragma once

#include "kernels/emulator/trace.h"
#include "kernels/timeline/operation.h"

namespace tileloom::timeline {

// The trace may be one without operands of multiply-adds.
BlockProgram programOf(const emulator::Trace& trace);

// How many K tiles a trace must have for the clock to show a steady state of this tile; where the
// latency of memory varies, so many that their average tells something.
std::uint32_t tilesWanted(const Stage& stage, const TileShape& tile, bool varies = false);

}  // namespace tileloom::timeline
