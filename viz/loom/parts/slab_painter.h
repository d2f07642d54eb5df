// SPDX-License-Identifier: GPL-3.0-or-later
// Paints the slabs of A and B: the K tile that is multiplied, and the prefetched ones. Private to
// viz/loom.
#pragma once

#include <vector>

#include "viz/loom/parts/loom_paint.h"

namespace tileloom {

// The K tile `ahead` of the one that is multiplied.
void paintLoomSlab(const LoomPaint& loom, analysis::Matrix matrix, int ahead);
// How far the slabs continue outside the picture.
void paintSlabsBeyond(const LoomPaint& loom);
// The numbers of the K tiles; returns their ink.
std::vector<QRectF> numberSlabs(const LoomPaint& loom);

}  // namespace tileloom
