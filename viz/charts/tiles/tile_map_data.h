// SPDX-License-Identifier: GPL-3.0-or-later
// What the tuning map shows.
#pragma once

#include <QString>
#include <optional>
#include <vector>

#include "kernels/tuning/tile_map.h"

namespace tileloom {

// One device's map with its figures.
struct TileMapData {
  tuning::TileMap map;
  std::vector<tuning::TileFigure> figures;
  QString title;            // "H100 80GB HBM3"; with predictions only, another title
  QString foretoldOf = {};  // device whose runs the predictions were fitted to
  double cublas = 0;        // GFLOP/s of cuBLAS on this device at this size; 0: unknown
  // The error of the predictions on the measured tiles of the map.
  struct Bias {
    double share = 0;  // median of predicted over measured, less 1: above 0 they are too high
    int tiles = 0;
    bool operator==(const Bias&) const = default;
  };
  std::optional<Bias> bias = std::nullopt;
  QString unpredicted =
      {};  // why nothing is predicted, as a sentence; empty: it is predicted, or will be
  QString library = {};  // the cuBLAS that percentages refer to
  bool operator==(const TileMapData&) const = default;
};

// Values of the two parameters without any legal tile; they have no row or column.
struct MapLeftOut {
  std::vector<int> x, y;
  bool operator==(const MapLeftOut&) const = default;
};

}  // namespace tileloom
