// SPDX-License-Identifier: GPL-3.0-or-later
// Chooses the tiles to measure if there is no time for all.
#pragma once

#include <vector>

#include "kernels/tile/constraints.h"

namespace tileloom::tuning {

// Every legal tile whose tile parameters are powers of two within their ranges. PAD, STAGES and
// GROUP, which do not change what a tile is, take their least value, the usual one and twice that.
std::vector<TileShape> powerOfTwoTiles(const Stage& stage,
                                       const Architecture& arch = defaultArchitecture());

// Up to `count` of them, the most informative first: the default tile, then the tiles that differ
// from it in one tile parameter and in two tile parameters (which the first moves of the sliders
// reach), then each time the tile that is farthest from all before it, by the sum of the tile
// parameters' log2 differences. The list is the same in every call.
std::vector<TileShape> spreadTiles(const Stage& stage, std::size_t count,
                                   const Architecture& arch = defaultArchitecture());

}  // namespace tileloom::tuning
