// SPDX-License-Identifier: GPL-3.0-or-later
// The look and colour of each cell of the tuning maps, and what their legend must explain. Private
// to viz/charts.
#pragma once

#include <QColor>
#include <optional>

#include "viz/charts/tiles/tile_map_data.h"
#include "viz/charts/tiles/tile_map_legend.h"

namespace tileloom::charts {

CellLook lookOf(const TileMaps& maps, const TileMapSpot& spot);
// `scale`: that of the maps. std::nullopt: the cell has no colour.
std::optional<QColor> colourOf(const TileMaps& maps, const TileMapSpot& spot,
                               const SpeedScale& scale, const Theme& theme);
LegendData legendOf(const TileMaps& maps, SpeedUnit unit);

}  // namespace tileloom::charts
