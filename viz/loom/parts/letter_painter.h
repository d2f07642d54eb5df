// SPDX-License-Identifier: GPL-3.0-or-later
// Paints the names of the matrices and the sizes of the block tile and the K tiles. Private to
// viz/loom.
#pragma once

#include <vector>

#include "viz/loom/parts/loom_paint.h"

namespace tileloom {

// The letters A, B and C, where there is room for whole ones. `numbered`: the ink of the K tiles'
// numbers, which no letter covers. Returns whether the name of A is to the left of its slabs, and
// not above them.
bool paintLetters(const LoomPaint& loom, const std::vector<QRectF>& numbered);
// How large the block tile and a K tile are, along their edges where there is room outside.
// `nameBeside`: what paintLetters() returned.
void paintSizes(const LoomPaint& loom, bool nameBeside);

}  // namespace tileloom
