// SPDX-License-Identifier: GPL-3.0-or-later
// What a tile's knobs make of the places of things: rows in shared memory, blocks over C.
#pragma once

#include <optional>

#include "kernels/tile/stage.h"

namespace tileloom {

// How many of the 32 banks further on the next row of As begins, for stages that pad its rows (they
// lie BM + PAD words apart); nothing for others.
std::optional<int> banksToNextRow(const Stage& stage, const TileShape& tile);

// Into how many panels of SWIZZLE bytes per row As and Bs are cut; 0 and 0 where their rows stay
// whole. Nothing for stages without panels.
struct Panels {
  int a = 0;
  int b = 0;
};
std::optional<Panels> panelsOf(const Stage& stage, const TileShape& tile);

// Rows and columns of blocks that `count` blocks with consecutive numbers spread over, on a grid
// that is larger than that either way; nothing for stages that do not rasterise.
std::optional<BlockPlace> patchOf(const Stage& stage, const TileShape& tile, int count);

}  // namespace tileloom
