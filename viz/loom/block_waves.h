// SPDX-License-Identifier: GPL-3.0-or-later
// In which order the blocks of a grid come to the SMs: waves of as many as the GPU holds at once.
// GPUs hand blocks out in the order of their linear index, x first; that is usual, not promised,
// and later waves mix with earlier ones as blocks end. What is true in any case is the number of
// waves and how full the last one is.
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
  // Of the places that all waves offer, the share that is taken.
  double fill() const {
    return count() > 0 ? static_cast<double>(blocks) / static_cast<double>(count() * atOnce) : 0;
  }
};

// Where a wave lies on the grid, as rectangles of blocks: columns and rows of blocks on C. `group`
// is the number of rows that blocks run down before the next column, 1 if they are not rasterised.
// `wave` counts from 0.
std::vector<analysis::Region> waveRegions(const Extent& grid, bool rowsAlongX, std::int64_t group,
                                          std::int64_t atOnce, std::int64_t wave);

// The wave of a block.
std::int64_t waveOf(const Extent& grid, const Extent& block, std::int64_t atOnce);

// Of the work that a padded problem does, the share beyond the size that was asked for; 0 to 1.
double paddingShare(const Problem& padded, const Problem& asked);

}  // namespace tileloom
