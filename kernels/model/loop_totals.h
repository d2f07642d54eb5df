// SPDX-License-Identifier: GPL-3.0-or-later
// What the trace counts of the loop over K, for workloadOf() (workload.h).
#pragma once

#include "kernels/analysis/totals.h"

namespace tileloom::model {

// For whoever has nothing traced yet: of the first K tile of the first block.
struct LoopTotals {
  analysis::Totals totals;
  std::uint32_t kTiles = 0;
};
LoopTotals traceLoop(emulator::Workspace& workspace, const Stage& stage, const TileShape& tile,
                     const Problem& problem);

}  // namespace tileloom::model
