// SPDX-License-Identifier: GPL-3.0-or-later
// What a launch does for its tiles that are cut along K (split-K, stream-K): how many blocks there
// are, and which accesses their partial sums take. A recording shows whole tiles, so that these
// counts are no part of it: they follow from how the tiles are cut (tile/last_wave.h,
// device/pieces.cuh) and from the words of device/parts.cuh and device/split.cuh.
#pragma once

#include <cstdint>

#include "kernels/analysis/totals.h"

namespace tileloom::analysis {

struct CutTiles {
  std::uint64_t tiles = 0;  // block tiles that are cut
  std::uint64_t parts = 0;  // of these tiles
  bool operator==(const CutTiles&) const = default;
};

// Of a launch on a GPU with so many SMs; `padded` as in launchOf(). None where the rung cuts no
// tile, or SPLIT is 1.
CutTiles cutTilesOf(const Stage& stage, const TileShape& tile, const Problem& padded,
                    int sms = kUsualSms);

// The parts that the launch cuts this block tile into, each for a block of its own; 1: it is whole.
// `place` is where the tile stands in the launch's grid.
int partsOfTile(const Stage& stage, const TileShape& tile, const Problem& padded,
                const Extent& place, int sms = kUsualSms);

// The accesses that a launch takes beside those of whole tiles: each warp looks up which part is
// its own, parts leave their sums and others add them, and flags say when. A flag that is awaited
// counts as one load: how often a warp looks again depends on time. Atomic operations on flags are
// counted by no member of Totals.
Totals partialSums(const Stage& stage, const TileShape& tile, const Problem& padded,
                   int sms = kUsualSms);

}  // namespace tileloom::analysis
