// SPDX-License-Identifier: GPL-3.0-or-later
// What a tile says of the placing: of rows in shared memory, and of blocks over C.
#pragma once

#include <optional>

#include "kernels/tile/placement.h"
#include "kernels/tile/stage.h"

namespace tileloom {

// How many of the 32 banks further the next row of As begins, for stages that pad its rows (rows
// begin BM + PAD words apart); nothing for others.
std::optional<int> banksToNextRow(const Stage& stage, const TileShape& tile);

// The number of panels of SWIZZLE bytes per row of As and of Bs; 0 and 0 where rows stay whole.
// Nothing for stages without panels.
struct Panels {
  int a = 0;
  int b = 0;
};
std::optional<Panels> panelsOf(const Stage& stage, const TileShape& tile);

// Rows and columns of blocks that `count` blocks with consecutive numbers cover, on a grid that is
// larger in both directions; nothing for stages without rasterisation.
std::optional<BlockPlace> patchOf(const Stage& stage, const TileShape& tile, int count);

}  // namespace tileloom
