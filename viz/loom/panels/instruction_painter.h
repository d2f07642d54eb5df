// SPDX-License-Identifier: GPL-3.0-or-later
// Draws the operands of one tensor-core instruction over the loom.
#pragma once

#include <QPainter>
#include <QStringList>

#include "viz/base/theme.h"
#include "viz/loom/panels/instruction_panel.h"

namespace tileloom {

// `panel`: of this scene and these contents, see instructionPanel().
void paintInstructionPanel(QPainter& painter, const ThreadPanel& panel, const Scene& scene,
                           const LoomContents& contents, const Theme& theme, const Fonts& fonts);

// Which mma it is and what its operands are: "mma 3 of 32 of the warp · k = 16–31 of K tile 1".
QString productText(const analysis::WarpProduct& product, std::uint32_t stepK);

// What the registers of one lane hold, a line per register: "a0: A[8][16] A[8][17]".
QStringList laneRegisters(const analysis::WarpProduct& product, std::uint32_t lane);

}  // namespace tileloom
