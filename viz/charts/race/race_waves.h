// SPDX-License-Identifier: GPL-3.0-or-later
// The order in which the blocks of a racer fill its C: wave after wave. Private to viz/charts.
#pragma once

#include <cstdint>
#include <vector>

#include "viz/charts/race/race_data.h"

namespace tileloom::charts {

struct RacerWaves {
  Extent shape;                      // columns (x) and rows (y) of blocks
  std::vector<std::uint32_t> waves;  // [row * columns + column]: its wave
  std::int64_t count() const;        // at least 1
};
// Without known waves, or with too many blocks to be drawn one by one: 16 rows, one a wave.
RacerWaves racerWaves(const Racer& racer);

// The done part, 0 to 1, of a block of wave `wave` of `waves` when `part` of the matrix is done:
// the blocks of a wave grow together, wave after wave.
double blockFill(double part, std::int64_t wave, std::int64_t waves);

}  // namespace tileloom::charts
