// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/measuring/fastest_tile.h"

#include "kernels/tuning/tile_map.h"

namespace tileloom {

std::optional<FastestTile> fastestTile(std::span<const runs::RunRecord* const> runs,
                                       const Stage& stage, const Problem& problem, Format format,
                                       std::string_view device) {
  const auto best = tuning::fastestOf(runs, stage, problem, device, format);
  if (!best) return std::nullopt;
  FastestTile tile{best->figure.tile, best->figure.gflops.median, best->tiles};
  tile.freshness =
      best->figure.kind == tuning::TileFigure::Kind::Live ? Freshness::Live : Freshness::Recorded;
  return tile;
}

}  // namespace tileloom
