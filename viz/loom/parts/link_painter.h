// SPDX-License-Identifier: GPL-3.0-or-later
// Paints the lines that join elements of A and B with those of C. Private to viz/loom.
#pragma once

#include "viz/loom/parts/loom_paint.h"

namespace tileloom {

// From the elements that the multiply-add reads to the sums that it updates.
void paintBeams(const LoomPaint& loom);
// Dotted lines from the shown thread's rows of A and columns of B to its tiles of C.
void paintGuides(const LoomPaint& loom);
// A ring around the selected element, and a line to what it contributes to.
void paintSelection(const LoomPaint& loom);

}  // namespace tileloom
