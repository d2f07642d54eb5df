// SPDX-License-Identifier: GPL-3.0-or-later
// The blocks that really start on a GPU, where these are not the block tiles: those of persistent
// kernels, and of launches whose last wave is split.
#pragma once

#include "kernels/tile/placement.h"

namespace tileloom {

// SMs of an H100 (SXM5) and of an H200.
inline constexpr int kUsualSms = 132;

// The launch as it really is on a GPU with `sms` SMs. A persistent kernel has one block per SM, in
// whole clusters, in a row along x; no more than there are tiles, unless tiles are split. Where
// parts of tiles have blocks of their own (last_wave.h), all blocks are in a row along x.
Launch residentLaunch(const Stage& stage, const TileShape& tile, const Problem& padded,
                      int sms = kUsualSms);

// Where the block tile `block` of launchOf is computed: by which block of residentLaunch, and as
// which of that block's tiles, from 0. For other kernels a block is its own tile; in a launch with
// parts of tiles, each block counts as the tile of its number, as if none were split.
struct Resident {
  Extent block{0, 0};
  int walk = 0;
};
Resident residentOf(const Stage& stage, const TileShape& tile, const Problem& padded,
                    const Extent& block, int sms = kUsualSms);

}  // namespace tileloom
