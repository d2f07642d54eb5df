// SPDX-License-Identifier: GPL-3.0-or-later
// Paints the tuning maps with their legend and foot. Private to viz/charts.
#pragma once

#include <QString>

#include "viz/charts/tiles/tile_map_geometry.h"

class QPainter;

namespace tileloom::charts {

// `foot`: the text below the maps, wrapped.
void paintTileMaps(QPainter& painter, const TileMaps& maps, const TileMapLayout& layout,
                   const QString& foot, const Theme& theme, const Fonts& fonts);

}  // namespace tileloom::charts
