// SPDX-License-Identifier: GPL-3.0-or-later
// The counts of one K tile of a launch, on which predictions, lower bounds and limits are based
// (workload.h, floors.h, limit.h).
//
// The K tile is in the middle of the loop over K, where as much is loaded as multiplied. Rungs that
// prefetch have no such K tile where K is short:
// * On the FP32 ladder such a K is made longer.
// * On the tensor ladder all K tiles are traced, and what is loaded before the loop counts as part
//   of them: so an edge of K, where less is loaded, counts, too.
// * Of a kernel that is not a rung, some K tiles are traced as if K ended after them, and what is
//   loaded before the loop counts as part of them.
#pragma once

#include "kernels/analysis/counts/totals.h"
#include "kernels/tile/subject.h"

namespace tileloom::analysis {

struct LoopTotals {
  Totals totals;             // of `kTiles` K tiles of one block
  Totals after;              // after the loop over K: its stores of C
  std::uint32_t kTiles = 1;  // at least 1
};
// The trace of the first K tile of the first block, or of as many as loopTotals() needs, without
// the factors of their multiply-adds; and its counts.
emulator::Trace traceOneTile(emulator::Workspace& workspace, const Subject& subject,
                             const Problem& problem);
LoopTotals loopTotals(const emulator::Trace& trace);
// Both in one call.
LoopTotals traceLoop(emulator::Workspace& workspace, const Subject& subject,
                     const Problem& problem);

}  // namespace tileloom::analysis
