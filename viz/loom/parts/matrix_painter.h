// SPDX-License-Identifier: GPL-3.0-or-later
// Paints the whole matrices, which a zoomed out loom shows: their areas, sizes and names, and the
// blocks on C. Private to viz/loom.
#pragma once

#include "viz/loom/parts/loom_paint.h"

namespace tileloom {

// C stays when the loom zooms in; A and B fade out.
void paintWholeMatrices(const LoomPaint& loom);
// The name and size of C, while it is whole.
void nameWholeC(const LoomPaint& loom);

}  // namespace tileloom
