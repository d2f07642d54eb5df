// SPDX-License-Identifier: GPL-3.0-or-later
// Chooses legal tiles to benchmark with.
#pragma once

#include <cstddef>
#include <random>
#include <vector>

#include "kernels/tile/stage.h"

namespace tileloom::app {

// Up to `count` legal tiles of powers of two and their thirds, drawn at random; fewer if the stage
// has only few.
std::vector<TileShape> randomTiles(const Stage& stage, std::size_t count, std::mt19937& random);

// The legal tiles of powers of two whose first K tile takes the most work, heaviest first.
std::vector<TileShape> heaviestTiles(const Stage& stage, std::size_t count);

}  // namespace tileloom::app
