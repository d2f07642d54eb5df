// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/charts/tiles/tile_map_crop.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>

#include "kernels/tile/parameters.h"
#include "viz/base/text/text.h"

namespace tileloom::charts {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::TileMapView)
};

using tuning::TileCell;
using tuning::TileMap;

bool legal(const TileMap& map, std::size_t column, std::size_t row) {
  return map.at(column, row).kind != TileCell::Kind::Illegal;
}

// The part of a map with these columns and rows.
TileMap partOf(const TileMap& map, const std::vector<std::size_t>& columns,
               const std::vector<std::size_t>& rows) {
  TileMap part = map;
  part.valuesX.clear();
  part.valuesY.clear();
  part.cells.clear();
  for (const std::size_t column : columns) part.valuesX.push_back(map.valuesX[column]);
  for (const std::size_t row : rows) {
    part.valuesY.push_back(map.valuesY[row]);
    for (const std::size_t column : columns) part.cells.push_back(map.at(column, row));
  }
  return part;
}

// "8", "8 or 16", "8, 16 or 32"
QString listOf(const std::vector<int>& values) {
  QStringList words;
  for (const int value : values) words += QString::number(value);
  if (words.size() < 2) return words.join(QString());
  const QString last = words.takeLast();
  return Words::tr("%1 or %2").arg(words.join(QStringLiteral(", ")), last);
}

}  // namespace

MapLeftOut cropIllegal(std::vector<TileMapData>& maps) {
  if (maps.empty()) return {};
  const TileMap& first = maps.front().map;
  const bool alike = std::ranges::all_of(maps, [&first](const TileMapData& data) {
    return data.map.x == first.x && data.map.y == first.y && data.map.valuesX == first.valuesX &&
           data.map.valuesY == first.valuesY;
  });
  if (!alike) return {};
  std::vector<bool> keepColumn(first.columns()), keepRow(first.rows());
  for (const TileMapData& data : maps) {
    for (std::size_t row = 0; row < first.rows(); ++row) {
      for (std::size_t column = 0; column < first.columns(); ++column) {
        if (!legal(data.map, column, row)) continue;
        keepColumn[column] = true;
        keepRow[row] = true;
      }
    }
  }
  MapLeftOut out;
  std::vector<std::size_t> columns, rows;
  for (std::size_t i = 0; i < keepColumn.size(); ++i) {
    if (keepColumn[i])
      columns.push_back(i);
    else
      out.x.push_back(first.valuesX[i]);
  }
  for (std::size_t i = 0; i < keepRow.size(); ++i) {
    if (keepRow[i])
      rows.push_back(i);
    else
      out.y.push_back(first.valuesY[i]);
  }
  if (columns.empty() || (out.x.empty() && out.y.empty())) return {};
  for (TileMapData& data : maps) data.map = partOf(data.map, columns, rows);
  return out;
}

QString leftOutSentence(const TileMapData& data, const MapLeftOut& out) {
  QStringList parts;
  if (!out.y.empty()) parts += Words::tr("%1 %2").arg(toQString(name(data.map.y)), listOf(out.y));
  if (!out.x.empty()) parts += Words::tr("%1 %2").arg(toQString(name(data.map.x)), listOf(out.x));
  if (parts.isEmpty()) return {};
  const QString values = parts.join(Words::tr(" or "));
  return data.map.others == tuning::Others::Best
             ? Words::tr("Left out: no tile with %1 is legal.").arg(values)
             : Words::tr("Left out: with the present other parameters, no tile with %1 is legal.")
                   .arg(values);
}

}  // namespace tileloom::charts
