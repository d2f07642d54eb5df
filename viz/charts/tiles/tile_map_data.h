// SPDX-License-Identifier: GPL-3.0-or-later
// What the tuning maps show, as plain values.
#pragma once

#include <QString>
#include <optional>
#include <vector>

#include "kernels/tuning/tile_map.h"
#include "viz/charts/speed_scale.h"

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

// A cell of one of several maps.
struct TileMapSpot {
  std::size_t map = 0, column = 0, row = 0;
  bool operator==(const TileMapSpot&) const = default;
};

// The maps that are shown side by side, and what is marked on them. A map is its index in `sweeps`.
struct TileMaps {
  std::vector<TileMapData> sweeps;
  MapLeftOut leftOut;
  TileShape present;  // the tile in the window
  Problem problem;
  bool operator==(const TileMaps&) const = default;

  const tuning::TileCell& cell(const TileMapSpot& spot) const;
  const tuning::TileFigure* figureOf(const TileMapSpot& spot) const;  // nullptr: nothing is known
  // One scale for all cells of all maps: the same colour is the same speed, measured or predicted.
  SpeedScale scale() const;
  bool isPresent(const TileMapSpot& spot) const;  // the present tile is there or belongs there
  bool isFastest(const TileMapSpot& spot) const;  // of the measured tiles on its map
  // The present tile, if it was measured on the device of this map. nullptr: it was not.
  const tuning::TileFigure* presentFigure(std::size_t map) const;
};

}  // namespace tileloom
