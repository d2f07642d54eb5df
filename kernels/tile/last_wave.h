// SPDX-License-Identifier: GPL-3.0-or-later
// The last wave of block tiles, cut along K, for stages with Trait::Parts.
//
// Tiles are given out in waves: as many at a time as the GPU holds blocks. The last wave leaves SMs
// without a tile, unless the number of tiles happens to fit. With SPLIT > 1 its tiles are cut: laid
// end to end, their K is divided evenly into shares, one for each block that the GPU holds, and
// where a share reaches over the end of a tile it is cut there again. Each part is a block of its
// own. Parts start with the longest one, so that whoever is through with a long one takes a short
// one, and all SMs end together: the two parts of one share are as long as one share. (The
// literature calls the division stream-K.)
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "kernels/tile/stage.h"

namespace tileloom {

// What one block computes: some of a tile's K, or all of it.
struct TilePart {
  std::uint32_t tile = 0;              // in the order in which tiles are numbered
  std::uint32_t from = 0, depth = 0;   // along K, in elements
  std::uint32_t which = 0, count = 1;  // of its tile's parts, along K; 1: the tile is whole
  std::uint32_t flag = 0;              // of its tile, among those of all tiles that are cut
  std::uint32_t place = 0;  // where the tile's first part leaves its sums; the others follow
  bool operator==(const TilePart&) const = default;
};

struct LastWave {
  std::vector<TilePart> blocks;  // of the launch, in the order in which they start
  std::uint32_t flags = 0;       // tiles that are cut
  std::uint32_t places = 0;      // parts of these
};

// How a last wave is divided: `cut` tiles into `shares` of equal length, 0 and 0 if it is left as
// it is.
struct WaveDivision {
  std::int64_t cut = 0;
  std::int64_t shares = 0;
  // Into which these tiles fall: ends of shares and ends of tiles cut alike, and some coincide.
  std::int64_t parts() const { return shares + cut - std::gcd(shares, cut); }
};

// Of `tiles` tiles with so many elements of K, where the GPU holds `slots` blocks at a time. Up to
// `split` shares are made for each tile that is cut: it may hold parts of one more. The last wave
// is cut if that saves a tenth of a wave: less would not pay for the sums that are left and added.
WaveDivision divisionOf(std::int64_t tiles, std::int64_t k, std::int64_t slots, int split);

// The blocks of a last wave that is divided so, with as many elements of K in a tile as `k`, which
// is a multiple of `stepK`: a part that would hardly be worth it is left to its neighbour.
std::int64_t partsOf(const WaveDivision& division, std::int64_t k, int stepK);

// The waves of blocks of so many tiles, of whose last wave `parts` are blocks of cut tiles. More of
// them than are held at a time fill one wave, since they are cut so that all end together.
double wavesOf(std::int64_t tiles, std::int64_t cut, std::int64_t parts, std::int64_t atOnce);

// The blocks that a GPU with so many SMs holds at a time, as far as a tile's estimated registers
// and its shared memory tell.
std::int64_t slotsOf(const Stage& stage, const TileShape& tile, int sms);

// `k` is a multiple of `stepK`, as all ends of parts are.
LastWave lastWaveOf(std::uint32_t tiles, std::uint32_t k, std::uint32_t stepK, std::int64_t slots,
                    int split);
// Of a launch on a GPU with so many SMs; `padded` as in launchOf().
LastWave lastWaveOf(const Stage& stage, const TileShape& tile, const Problem& padded, int sms);

// The blocks of block tile `number` of such a launch, without a list of all of them.
int partsOfTileNumber(const Stage& stage, const TileShape& tile, const Problem& padded,
                      std::uint32_t number, int sms);

// Whether blocks may compute parts of tiles: each then looks up its own in a table.
bool looksUpParts(const Stage& stage, const TileShape& tile);

// What such blocks find at the beginning of the memory in which they leave sums (device/parts.cuh):
// eight words for each block, then the flags, which are 0. Behind it come places of `sums` floats.
std::vector<std::uint32_t> partTable(const LastWave& wave, std::uint32_t sums);

}  // namespace tileloom
