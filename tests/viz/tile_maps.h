// SPDX-License-Identifier: GPL-3.0-or-later
// A tuning map of one device: three tiles of a rung, one live, one recorded and one predicted.
#pragma once

#include <algorithm>

#include "kernels/tile/parameters.h"
#include "tests/support/text.h"
#include "viz/charts/tiles/tile_map_data.h"

namespace tileloom::test {

inline const Stage& mappedRung() {
  return stage("warptiled");
}
inline std::vector<tuning::TileFigure> tileFigures() {
  using Kind = tuning::TileFigure::Kind;
  const TileShape t = mappedRung().standardTile();
  return {{t.with(Parameter::BN, 256), {40000, 39900, 40100}, Kind::Live, 165, 3},
          {t, {38000, 37900, 38100}, Kind::Recorded, 165, 3},
          {t.with(Parameter::BN, 64), {30000, 28000, 33000}, Kind::Predicted, -1, 0}};
}
inline std::vector<TileMapData> tileMaps() {
  const auto known = tileFigures();
  const std::span<const tuning::TileFigure> sweeps[] = {known};
  const Stage& rung = mappedRung();
  const auto values = tuning::mapValues(rung, rung.standardTile(), Parameter::BN, Parameter::BM,
                                        tuning::Others::AsNow, sweeps);
  const auto map = tuning::tileMap(rung, rung.standardTile(), values, tuning::Others::AsNow, known,
                                   defaultArchitecture());
  return {{map, known, "H100"}};
}
// The spot of these values on the first map.
inline TileMapSpot spotOf(const TileMaps& maps, int x, int y) {
  const tuning::TileMap& map = maps.sweeps.front().map;
  const auto place = [](const std::vector<int>& values, int value) {
    return static_cast<std::size_t>(std::ranges::find(values, value) - values.begin());
  };
  return {0, place(map.valuesX, x), place(map.valuesY, y)};
}

}  // namespace tileloom::test
