// SPDX-License-Identifier: GPL-3.0-or-later
// Places the tuning maps, their legend and their foot in a picture of a given size.
#pragma once

#include <QFont>
#include <QRectF>
#include <optional>
#include <utility>
#include <vector>

#include "viz/base/theme.h"
#include "viz/charts/tiles/tile_map_data.h"
#include "viz/charts/tiles/tile_map_legend.h"

namespace tileloom {

// The places of a map's parts, computed without a screen.
struct TileMapGeometry {
  QRectF title;
  QRectF cells;  // the whole grid
  QSizeF cell;
  double left = 0;  // width for the row labels
  std::size_t columns = 0, rows = 0;

  // The last row is at the top: larger values are higher, as on an axis.
  QRectF cellRect(std::size_t column, std::size_t row) const;
  std::optional<std::pair<std::size_t, std::size_t>> cellAt(const QPointF& at) const;
};
TileMapGeometry tileMapGeometry(const QRectF& room, std::size_t columns, std::size_t rows,
                                const Fonts& fonts);

// Of all maps. Private to viz/charts.
struct TileMapLayout {
  std::vector<TileMapGeometry> maps;
  charts::LegendData legend;
  charts::LegendGeometry legendPlaces;
  QRectF foot;
  bool numbered = false;  // cells have room for their numbers
  bool worded = false;    // and for words below them
  QFont number;

  std::optional<TileMapSpot> spotAt(const QPointF& at) const;
  QRectF rectOf(const TileMapSpot& spot) const;
};
TileMapLayout tileMapLayout(const TileMaps& maps, const QSizeF& size, const Fonts& fonts);

}  // namespace tileloom
