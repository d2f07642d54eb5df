// SPDX-License-Identifier: GPL-3.0-or-later
// The tuning maps in words. Private to viz/charts.
#pragma once

#include <QString>
#include <QStringList>

#include "viz/charts/tiles/tile_map_data.h"
#include "viz/charts/tiles/tile_map_legend.h"

namespace tileloom::charts {

// The number on a cell: "36,339", predicted "≈36,300".
QString cellText(const tuning::TileFigure& figure, SpeedUnit unit);
// Below the number, if cells have room: "72 % of cuBLAS", "fastest here", "tile in the window".
QStringList cellWords(const TileMaps& maps, const TileMapSpot& spot, SpeedUnit unit);
// "BM = 64, BN = 128, …: 42,961 GFLOP/s ± 0.1 %, recorded, 84 % of …"
QString cellSentence(const TileMaps& maps, const TileMapSpot& spot);
// "The fastest of 599 measured tiles reaches 43.1 TFLOP/s, 13 % over the default tile: BM=64 …";
// empty: none was measured.
QString bestSentence(const TileMaps& maps, std::size_t map);
// Below the maps: the meaning of their numbers. `hasLooks`: the legend explains the looks, and the
// foot need not. `lines`: the room of the foot. `clickable`: with the hint on clicking.
QString tileMapFoot(const TileMaps& maps, const LegendData& legend, bool hasLooks, double lines,
                    bool clickable);
QString legendToolTip(const TileMaps& maps);

}  // namespace tileloom::charts
