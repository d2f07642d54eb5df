// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/charts/race/race_waves.h"

#include <algorithm>

#include "kernels/tile/placement.h"
#include "viz/loom/block_waves.h"

namespace tileloom::charts {
namespace {

constexpr std::int64_t kMostCells = 1 << 16;  // blocks of a grid that are drawn one by one

}  // namespace

std::int64_t RacerWaves::count() const {
  return waves.empty() ? 1 : std::int64_t{std::ranges::max(waves)} + 1;
}

RacerWaves racerWaves(const Racer& r) {
  // Without known waves it fills row by row.
  Extent shape{16, 16};
  std::vector<std::uint32_t> waves;
  const std::int64_t blocks = std::int64_t{r.grid.x} * r.grid.y;
  if (r.rung() != nullptr && r.atOnce > 0 && blocks <= kMostCells) {
    const auto over = blocksOver(*r.rung(), r.grid);
    shape = {over.column, over.row};
    waves.resize(static_cast<std::size_t>(blocks));
    for (int y = 0; y < r.grid.y; ++y) {
      for (int x = 0; x < r.grid.x; ++x) {
        const auto place = placeOf(*r.rung(), r.tile, r.grid, {x, y});
        waves[static_cast<std::size_t>(std::int64_t{place.row} * shape.x + place.column)] =
            static_cast<std::uint32_t>(waveOf(r.grid, {x, y}, r.atOnce));
      }
    }
  } else {
    for (int row = 0; row < shape.y; ++row)
      waves.insert(waves.end(), static_cast<std::size_t>(shape.x), std::uint32_t(row));
  }
  return {shape, std::move(waves)};
}

double blockFill(double part, std::int64_t wave, std::int64_t waves) {
  if (waves <= 0) return 0;
  const double at = part * static_cast<double>(waves) - static_cast<double>(wave);
  return std::clamp(at, 0.0, 1.0);
}

}  // namespace tileloom::charts
