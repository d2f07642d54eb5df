// SPDX-License-Identifier: GPL-3.0-or-later
// The last wave of block tiles, split along K, for stages with SplitK::Parts.
//
// Tiles are issued in waves: as many at a time as the GPU holds blocks. The last wave leaves SMs
// without a tile, unless the number of tiles happens to fit. With SPLIT > 1 its tiles are split:
// their K ranges, laid end to end, are divided evenly into shares, one for each block that the GPU
// holds, and a share that reaches over the end of a tile is split there again. Each part is a block
// of its own. Parts start with the longest one, so that an SM that ends a long part takes a short
// one, and all SMs end together: the two parts of one share are as long as one share. (The
// literature calls this division stream-K.)
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "kernels/tile/stage.h"

namespace tileloom {

// What one block computes: a part of a tile's K, or all of it.
struct TilePart {
  std::uint32_t tile = 0;              // in the order in which tiles are numbered
  std::uint32_t from = 0, depth = 0;   // along K, in elements
  std::uint32_t which = 0, count = 1;  // of its tile's parts, along K; 1: the tile is whole
  std::uint32_t flag = 0;              // of its tile, among those of all split tiles
  std::uint32_t place = 0;  // of the tile's first part's sums; those of the others follow
  bool operator==(const TilePart&) const = default;
};

struct LastWave {
  std::vector<TilePart> blocks;  // of the launch, in the order in which they start
  std::uint32_t flags = 0;       // split tiles
  std::uint32_t places = 0;      // parts of these
};

// How a last wave is divided: `cut` tiles into `shares` of equal length; 0 and 0 if it is not
// split.
struct WaveDivision {
  std::int64_t cut = 0;
  std::int64_t shares = 0;
  // Parts of these tiles: ends of shares and ends of tiles both split, and some coincide.
  std::int64_t parts() const { return shares + cut - std::gcd(shares, cut); }
};

// For `tiles` tiles with `k` elements of K each, where the GPU holds `slots` blocks at a time. Each
// split tile gets up to `split` shares, and may hold parts of one more. The last wave is split if
// that saves at least a tenth of a wave: less would not pay for storing and adding the partial
// sums.
WaveDivision divisionOf(std::int64_t tiles, std::int64_t k, std::int64_t slots, int split);

// The blocks of a last wave with this division, where a tile has `k` elements of K, a multiple of
// `stepK`: a part that would be too short to pay off is left to its neighbour.
std::int64_t partsOf(const WaveDivision& division, std::int64_t k, int stepK);

// The waves of a launch with `tiles` tiles, of which `cut` are split into `parts` blocks in the
// last wave. More parts than are held at a time still fill one wave, since they are split so that
// all SMs end together.
double wavesOf(std::int64_t tiles, std::int64_t cut, std::int64_t parts, std::int64_t atOnce);

// The blocks that a GPU with `sms` SMs holds at a time, by a tile's estimated registers and its
// shared memory.
std::int64_t slotsOf(const Stage& stage, const TileShape& tile, int sms);

// `k` is a multiple of `stepK`, as all ends of parts are.
LastWave lastWaveOf(std::uint32_t tiles, std::uint32_t k, std::uint32_t stepK, std::int64_t slots,
                    int split);
// For a launch on a GPU with `sms` SMs; `padded` as in launchOf().
LastWave lastWaveOf(const Stage& stage, const TileShape& tile, const Problem& padded, int sms);

// The number of blocks that compute block tile `number` of such a launch, without a list of all.
int partsOfTileNumber(const Stage& stage, const TileShape& tile, const Problem& padded,
                      std::uint32_t number, int sms);

// Whether blocks may compute parts of tiles: each block then reads its part from a table.
bool looksUpParts(const Stage& stage, const TileShape& tile);

// What such blocks read at the beginning of the memory in which they store partial sums
// (device/parts.cuh): eight words for each block, then the flags, which are 0. After them come
// places of `sums` floats.
std::vector<std::uint32_t> partTable(const LastWave& wave, std::uint32_t sums);

}  // namespace tileloom
