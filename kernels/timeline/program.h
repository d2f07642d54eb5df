// SPDX-License-Identifier: GPL-3.0-or-later
// Makes programs for the clock from a recording.
//
// A program follows the trace, except for known differences of the machine code: scalar loads of
// shared memory that the assembler merges are one operation (kernels/analysis/memory/merging.h),
// and loads from global memory for shared memory are issued in batches before the stores that wait
// for them, as in every recorded listing (docs/design/05-timeline.md). Dependences follow from
// provenance: multiply-adds need the loads that bring the elements of their k, a store needs the
// load that brings its data.
#pragma once

#include "kernels/emulator/trace.h"
#include "kernels/timeline/operation.h"

namespace tileloom::timeline {

// The trace may have been recorded without operands of multiply-adds.
BlockProgram programOf(const emulator::Trace& trace);

// How many K tiles a trace must have for the clock to show a steady state of this tile; if the
// latency of memory varies, enough for a meaningful average.
std::uint32_t tilesWanted(const Stage& stage, const TileShape& tile, bool varies = false);

}  // namespace tileloom::timeline
