// SPDX-License-Identifier: GPL-3.0-or-later
// What the trace counts of the loop over K, for workloadOf() (workload.h).
#pragma once

#include "kernels/analysis/totals.h"

namespace tileloom::model {

struct LoopTotals {
  analysis::Totals totals;
  std::uint32_t kTiles = 0;
};
// The trace of the first K tile of the first block, without the factors of its multiply-adds, and
// what it counts inside the loop over K.
emulator::Trace traceOneTile(emulator::Workspace& workspace, const Stage& stage,
                             const TileShape& tile, const Problem& problem);
LoopTotals loopTotals(const emulator::Trace& trace);
// Both, for whoever needs no trace.
LoopTotals traceLoop(emulator::Workspace& workspace, const Stage& stage, const TileShape& tile,
                     const Problem& problem);

}  // namespace tileloom::model
