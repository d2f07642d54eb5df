// SPDX-License-Identifier: GPL-3.0-or-later
// What a launch multiplies, as against the problem that it is for.
#pragma once

#include "kernels/tile/stage.h"

namespace tileloom {

// The problem in whole tiles, where the kernel multiplies zeros beyond the edges of A and B, be
// they padding or made by the copy engine; the problem itself where it stops at the edges.
Problem wholeTiles(const Stage& stage, const TileShape& tile, const Problem& problem);

}  // namespace tileloom
