// SPDX-License-Identifier: GPL-3.0-or-later
// What "K tile" means where a kernel keeps no tiles in shared memory.
#pragma once

#include <string>

#include "kernels/tile/stage.h"

namespace tileloom {

// "A K tile of this rung is 32 elements of K: it keeps no tiles in shared memory."; empty for a
// stage that fills tiles.
std::string kTileRemark(const Stage& stage, const TileShape& tile);

}  // namespace tileloom
