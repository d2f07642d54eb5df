// SPDX-License-Identifier: GPL-3.0-or-later
// Legal tiles for tests, found with the constraint table only, so that no rule is written twice.
#pragma once

#include <vector>

#include "kernels/tile/stage.h"
#include "tests/support/random.h"

namespace tileloom::test {

// Any values within the parameters' ranges, mostly with many divisors; legal or not.
TileShape anyTile(const Stage& stage, Random& random);

// `count` distinct legal tiles, the standard one first; fewer only if the stage has hardly more.
std::vector<TileShape> legalTiles(const Stage& stage, std::size_t count, Random& random);

// A problem of up to 2 x 2 blocks and three K tiles, often one that the tile does not divide, of at
// most `work` multiply-adds after padding or else of one block and one K tile.
Problem problemFor(const Stage& stage, const TileShape& tile, long long work, Random& random);

}  // namespace tileloom::test
