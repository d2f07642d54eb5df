// SPDX-License-Identifier: GPL-3.0-or-later
// Paints the block tile of C: its cloth, the frames of threads and warps, and what the instruction
// loads from C or stores to it. Private to viz/loom.
#pragma once

#include "viz/loom/parts/loom_paint.h"

namespace tileloom {

void paintBlockTile(const LoomPaint& loom);
// Updated sums are not among them: they glow in the cloth.
void paintTouchesInC(const LoomPaint& loom);

}  // namespace tileloom
