// SPDX-License-Identifier: GPL-3.0-or-later
// Paints the parts of the warp tile: the subtiles of the shown thread, or the tile of the mma that
// is executed. Private to viz/loom.
#pragma once

#include "viz/loom/parts/loom_paint.h"

namespace tileloom {

void paintSubtiles(const LoomPaint& loom);

}  // namespace tileloom
