// SPDX-License-Identifier: GPL-3.0-or-later
// The order in which SMs get the blocks of a grid: in waves of as many as the GPU holds at once.
// GPUs usually assign blocks by linear index, x first, but do not guarantee it, and later waves mix
// with earlier ones as blocks end. The number of waves and the fill of the last one are always
// true.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/analysis/block_map.h"
#include "kernels/tile/stage.h"

namespace tileloom {

struct Waves {
  std::int64_t blocks = 0;  // of the grid
  std::int64_t atOnce = 0;  // that the GPU holds
  std::int64_t count() const { return atOnce > 0 ? (blocks + atOnce - 1) / atOnce : 0; }
  // The share of the slots of all waves that is taken.
  double fill() const {
    return count() > 0 ? static_cast<double>(blocks) / static_cast<double>(count() * atOnce) : 0;
  }
};

// The place of a wave on the grid, as rectangles of blocks: columns and rows of blocks on C.
// `group` is the number of rows that blocks go down before the next column, 1 without
// rasterisation. `wave` counts from 0.
std::vector<analysis::Region> waveRegions(const Extent& grid, bool rowsAlongX, std::int64_t group,
                                          std::int64_t atOnce, std::int64_t wave);

// The wave of a block.
std::int64_t waveOf(const Extent& grid, const Extent& block, std::int64_t atOnce);

// The share of the work of a padded problem that is beyond the requested size; 0 to 1.
double paddingShare(const Problem& padded, const Problem& asked);

}  // namespace tileloom
