// SPDX-License-Identifier: GPL-3.0-or-later
// The work of a launch for its tiles that are split along K (split-K, stream-K): the number of
// blocks, and the accesses for their partial sums. A recording shows whole tiles, so these counts
// are not part of it: they follow from the division of the tiles (tile/last_wave.h,
// device/pieces.cuh) and from the functions of device/parts.cuh and device/split.cuh.
#pragma once

#include <cstdint>

#include "kernels/analysis/counts/totals.h"
#include "kernels/tile/residency.h"

namespace tileloom::analysis {

struct CutTiles {
  std::uint64_t tiles = 0;  // split block tiles
  std::uint64_t parts = 0;  // of these tiles
  bool operator==(const CutTiles&) const = default;
};

// For a launch on a GPU with `sms` SMs; `padded` as in launchOf(). None where the rung does not
// split tiles, or SPLIT is 1.
CutTiles cutTilesOf(const Stage& stage, const TileShape& tile, const Problem& padded,
                    int sms = kUsualSms);

// The parts into which the launch splits this block tile, each for a block of its own; 1: it is
// whole. `place` is the tile's place in the launch's grid.
int partsOfTile(const Stage& stage, const TileShape& tile, const Problem& padded,
                const Extent& place, int sms = kUsualSms);

// The accesses of a launch besides those of whole tiles: each warp reads which part it has, parts
// leave their sums and others add them, and flags synchronise them. A wait for a flag counts as one
// load: the number of polls depends on time. Totals does not count atomic operations on flags.
Totals partialSums(const Stage& stage, const TileShape& tile, const Problem& padded,
                   int sms = kUsualSms);

}  // namespace tileloom::analysis
