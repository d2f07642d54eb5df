// SPDX-License-Identifier: GPL-3.0-or-later
// Rows and columns of the tuning map in which no tile is legal: they would take most of its room.
#pragma once

#include <QString>
#include <vector>

#include "viz/charts/tile_map_view.h"

namespace tileloom::charts {

// Takes those rows and columns out of all maps in which every cell of every map is illegal, and
// says which values they had. Maps that have no legal cell, or that differ in their axes, stay as
// they are.
MapLeftOut cropIllegal(std::vector<TileMapData>& maps);

// "No tile with BM 8, 16 or 32 is legal, nor with BN 8.": what is left out; or empty.
QString leftOutSentence(const TileMapData& map, const MapLeftOut& leftOut);

}  // namespace tileloom::charts
