// SPDX-License-Identifier: GPL-3.0-or-later
// The counts of whole blocks and launches, from as few traced K tiles and blocks as tell them.
#pragma once

#include "kernels/analysis/counts/totals.h"

namespace tileloom::analysis {

// One block over the whole of K. Only enough K tiles are emulated for the counts to repeat: they
// depend on addresses modulo one line, and these repeat along K.
Totals wholeBlockTotals(emulator::Workspace& workspace, const emulator::TraceRequest& block);

// The whole launch: one block of each class (distance to the edge, alignment) represents the
// others. Where tiles are split along K, the blocks are those of a GPU with `anyBlock.sms` SMs, and
// their partial sums count, too (partial_sums.h).
Totals gridTotals(emulator::Workspace& workspace, const emulator::TraceRequest& anyBlock);

// The additional instructions of a launch whose main loop is rewritten (kernels/rewrite): guards
// replace jumps, so that each block's last iteration issues the copies and shared stores of a next
// K tile with all lanes predicated off. Nothing for a stage without a rewriter.
Totals predicatedOffByRewriting(emulator::Workspace& workspace,
                                const emulator::TraceRequest& anyBlock);

}  // namespace tileloom::analysis
