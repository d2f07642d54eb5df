// SPDX-License-Identifier: GPL-3.0-or-later
// The shared loads of a stage that are served in pairs of lanes, found in its trace.
#pragma once

#include "kernels/emulator/run.h"
#include "kernels/sass/paired_loads.h"
#include "kernels/tile/subject.h"

namespace tileloom::analysis {

// For all shared loads of 8 and 16 bytes per lane in the trace, as the assembler merges them
// (merging.h).
sass::PairedLoads pairedLoads(const emulator::Trace& trace);

// The first K tiles of a block with this tile, which must be legal: enough of them for every line
// of the loop to be executed. May throw std::bad_alloc.
emulator::Trace traceFirstTiles(emulator::Workspace& workspace, const Subject& subject);
// For that trace.
sass::PairedLoads pairedLoads(emulator::Workspace& workspace, const Stage& stage,
                              const TileShape& tile);

}  // namespace tileloom::analysis
