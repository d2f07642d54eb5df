// SPDX-License-Identifier: GPL-3.0-or-later
// Names the warps of the block tile, where they cover no lane's number. Private to viz/loom.
#pragma once

#include "viz/loom/parts/loom_paint.h"

namespace tileloom {

void nameWarps(const LoomPaint& loom);

// Where every warp reaches from one edge of the block tile to the other and the watched one names
// its lanes, the warps' names are to the right of C. This is their width; 0: they are inside.
double warpNamesBeside(const LoomPaint& loom);

// Whether a label in this place would cover the number of a lane of the watched warp.
bool coversALane(const LoomPaint& loom, const QRectF& tag);

}  // namespace tileloom
