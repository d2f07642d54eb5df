// SPDX-License-Identifier: GPL-3.0-or-later
// Removes rows and columns of the tuning map in which no tile is legal: they would take most of its
// room.
#pragma once

#include <QString>
#include <vector>

#include "viz/charts/tiles/tile_map_data.h"

namespace tileloom::charts {

// Removes the rows and columns from all maps in which every cell of every map is illegal, and
// returns their values. Maps without a legal cell, or with different axes, are not changed.
MapLeftOut cropIllegal(std::vector<TileMapData>& maps);

// "No tile with BM 8, 16 or 32 is legal, nor with BN 8.": names what was removed; or empty.
QString leftOutSentence(const TileMapData& map, const MapLeftOut& leftOut);

}  // namespace tileloom::charts
