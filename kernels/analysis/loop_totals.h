// SPDX-License-Identifier: GPL-3.0-or-later
// What a K tile of a launch counts: what predictions, floors and limits are made of (workload.h,
// floors.h, limit.h).
//
// It is one in the middle of the loop over K, which fetches as much as it multiplies. Rungs that
// fetch ahead have no such K tile where K is short:
// * On the FP32 ladder such a K is made longer.
// * On the tensor ladder all K tiles are traced, and what is fetched before the loop counts among
//   them: so an edge of K, where less is fetched, counts, too.
#pragma once

#include "kernels/analysis/totals.h"

namespace tileloom::analysis {

class Recording;

struct LoopTotals {
  Totals totals;             // of `kTiles` K tiles of one block
  Totals after;              // of what the block does after the loop over K: its stores of C
  std::uint32_t kTiles = 1;  // at least 1
};
// The trace of the first K tile of the first block, or of as many as loopTotals() needs, without
// the factors of their multiply-adds; and what it counts.
emulator::Trace traceOneTile(emulator::Workspace& workspace, const Stage& stage,
                             const TileShape& tile, const Problem& problem);
LoopTotals loopTotals(const emulator::Trace& trace);
// Of a recording: as record() made it, else of all that was traced of the loop.
LoopTotals loopTotals(const Recording& recording);
// Both in one call.
LoopTotals traceLoop(emulator::Workspace& workspace, const Stage& stage, const TileShape& tile,
                     const Problem& problem);

}  // namespace tileloom::analysis
