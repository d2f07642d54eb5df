// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/charts/tiles/tile_map_data.h"

#include <algorithm>

namespace tileloom {

using tuning::TileCell;
using tuning::TileFigure;

const TileCell& TileMaps::cell(const TileMapSpot& spot) const {
  return sweeps[spot.map].map.at(spot.column, spot.row);
}

const TileFigure* TileMaps::figureOf(const TileMapSpot& spot) const {
  const auto& figure = cell(spot).figure;
  return figure ? &sweeps[spot.map].figures[*figure] : nullptr;
}

SpeedScale TileMaps::scale() const {
  std::vector<double> speeds;
  for (const TileMapData& sweep : sweeps) {
    for (const TileCell& cell : sweep.map.cells) {
      if (cell.figure) speeds.push_back(sweep.figures[*cell.figure].gflops.median);
    }
  }
  return speedScale(speeds);
}

bool TileMaps::isPresent(const TileMapSpot& spot) const {
  const tuning::TileMap& map = sweeps[spot.map].map;
  return map.valuesX[spot.column] == present[map.x] && map.valuesY[spot.row] == present[map.y];
}

bool TileMaps::isFastest(const TileMapSpot& spot) const {
  const TileFigure* figure = figureOf(spot);
  if (figure == nullptr || figure->kind == TileFigure::Kind::Predicted) return false;
  const TileMapData& sweep = sweeps[spot.map];
  return std::ranges::none_of(sweep.map.cells, [&](const TileCell& cell) {
    return cell.figure && sweep.figures[*cell.figure].kind != TileFigure::Kind::Predicted &&
           sweep.figures[*cell.figure].gflops.median > figure->gflops.median;
  });
}

const TileFigure* TileMaps::presentFigure(std::size_t map) const {
  const std::vector<TileFigure>& figures = sweeps[map].figures;
  const auto found = std::ranges::find_if(figures, [this](const TileFigure& f) {
    return f.tile == present && f.kind != TileFigure::Kind::Predicted;
  });
  return found != figures.end() ? &*found : nullptr;
}

}  // namespace tileloom
