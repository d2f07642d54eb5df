// SPDX-License-Identifier: GPL-3.0-or-later
// Paints what the instruction touches in A and B. Private to viz/loom.
#pragma once

#include "viz/loom/parts/loom_paint.h"

namespace tileloom {

// In one of the two. Close up, only what the shown lane holds.
void paintTouches(const LoomPaint& loom, analysis::Matrix matrix);

}  // namespace tileloom
