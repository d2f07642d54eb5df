// SPDX-License-Identifier: GPL-3.0-or-later
// How the tiles of a launch are distributed over the SMs of a GPU, and how much of them holds
// elements of C.
#pragma once

#include <cstdint>

#include "kernels/tile/stage.h"

namespace tileloom::model {

struct LaunchPlaces {
  std::int64_t blocks = 0;  // computed tiles, including those of a cluster beyond the edge of C
  std::int64_t tiles = 0;   // those with elements of C
  int sms = 0;
  std::int64_t smsWithWork = 0;  // at any time
  double busiest = 0;  // tiles that the busiest SM computes; parts of tiles count as parts
  double average = 0;  // the same of all SMs
  // The elements of C compared with the room in the tiles that hold elements of C.
  int rows = 0, rowsOfTiles = 0;
  int columns = 0, columnsOfTiles = 0;
  double useful = 1;  // share of the multiply-adds that compute elements of C, 0 to 1

  bool operator==(const LaunchPlaces&) const = default;
};

// For a legal tile; an SM holds `blocksPerSm` blocks of it, at least one.
LaunchPlaces placesOf(const Stage& stage, const TileShape& tile, const Problem& problem,
                      int blocksPerSm, int sms);

}  // namespace tileloom::model
