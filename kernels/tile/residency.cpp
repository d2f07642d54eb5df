// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/tile/residency.h"

#include <algorithm>

#include "kernels/tile/last_wave.h"
#include "kernels/tile/parameters.h"

namespace tileloom {

Launch residentLaunch(const Stage& stage, const TileShape& tile, const Problem& padded, int sms) {
  Launch launch = launchOf(stage, tile, padded);
  if (looksUpParts(stage, tile)) {
    launch.grid = {static_cast<int>(lastWaveOf(stage, tile, padded, sms).blocks.size()), 1};
    return launch;
  }
  if (!stage.features().persistent) return launch;
  const int cluster = clusterOf(stage, tile);
  const std::int64_t tiles = std::int64_t{launch.grid.x} * launch.grid.y;
  const std::int64_t room = std::max(1, sms / cluster) * std::int64_t{cluster};
  launch.grid = {static_cast<int>(stage.split() == SplitK::Rounds ? room : std::min(tiles, room)),
                 1};
  return launch;
}

Resident residentOf(const Stage& stage, const TileShape& tile, const Problem& padded,
                    const Extent& block, int sms) {
  if (looksUpParts(stage, tile)) {
    return {{block.y * launchOf(stage, tile, padded).grid.x + block.x, 0}, 0};
  }
  if (!stage.features().persistent) return {block, 0};
  const int cluster = clusterOf(stage, tile);
  const int clusters = residentLaunch(stage, tile, padded, sms).grid.x / cluster;
  const std::int64_t number =
      std::int64_t{block.y} * launchOf(stage, tile, padded).grid.x + block.x;
  const std::int64_t its = number / cluster;
  return {{static_cast<int>(its % clusters * cluster + number % cluster), 0},
          static_cast<int>(its / clusters)};
}

}  // namespace tileloom
