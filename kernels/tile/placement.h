// SPDX-License-Identifier: GPL-3.0-or-later
// Which block computes which part of C: the padded problem, the grid, and where a block of it is.
#pragma once

#include "kernels/tile/stage.h"

namespace tileloom {

// The size that the kernel really computes: rounded up to whole tiles where it has no edge checks.
Problem paddedProblem(const Stage& stage, const TileShape& tile, const Problem& problem);

// Grid and block of one launch on a (padded) problem. For persistent kernels this is the grid of
// block tiles, not of launched blocks (see residentLaunch): views name a block by its tile.
Launch launchOf(const Stage& stage, const TileShape& tile, const Problem& padded);

// Blocks in a cluster: 1 for stages without clusters.
int clusterOf(const Stage& stage, const TileShape& tile);

// Rows and columns of blocks over C, or the place of one block, which is not blockIdx where blocks
// are numbered along the rows or rasterised.
struct BlockPlace {
  int row = 0;
  int column = 0;
  bool operator==(const BlockPlace&) const = default;
};
BlockPlace blocksOver(const Stage& stage, const Extent& grid);
BlockPlace placeOf(const Stage& stage, const TileShape& tile, const Extent& grid,
                   const Extent& block);
// The block at `place`: the inverse of placeOf.
Extent blockAt(const Stage& stage, const TileShape& tile, const Extent& grid,
               const BlockPlace& place);

}  // namespace tileloom
