// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/charts/tiles/tile_map_looks.h"

#include <QCoreApplication>
#include <array>

#include "viz/base/colour_scale.h"

namespace tileloom::charts {
namespace {

using tuning::TileCell;
using tuning::TileFigure;

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::TileMapView)
};

CellLook lookOfFigure(TileFigure::Kind kind) {
  switch (kind) {
    case TileFigure::Kind::Live:
      return CellLook::Live;
    case TileFigure::Kind::Recorded:
      return CellLook::Recorded;
    case TileFigure::Kind::Predicted:
      break;
  }
  return CellLook::Predicted;
}

}  // namespace

CellLook lookOf(const TileMaps& maps, const TileMapSpot& spot) {
  if (const TileFigure* figure = maps.figureOf(spot)) return lookOfFigure(figure->kind);
  const TileCell& cell = maps.cell(spot);
  return cell.kind == TileCell::Kind::Illegal ? CellLook::Illegal : CellLook::Unknown;
}

std::optional<QColor> colourOf(const TileMaps& maps, const TileMapSpot& spot,
                               const SpeedScale& scale, const Theme& theme) {
  const TileFigure* figure = maps.figureOf(spot);
  if (figure == nullptr) return std::nullopt;
  return scaleColour(scale.shareOf(figure->gflops.median), theme);
}

LegendData legendOf(const TileMaps& maps, SpeedUnit unit) {
  LegendData legend{maps.scale(), unit};
  std::array<bool, kCellLooks> seen{};
  for (std::size_t i = 0; i < maps.sweeps.size(); ++i) {
    const TileMapData& sweep = maps.sweeps[i];
    if (sweep.cublas > 0) legend.cublas.push_back({sweep.title, sweep.cublas});
    for (std::size_t row = 0; row < sweep.map.rows(); ++row) {
      for (std::size_t column = 0; column < sweep.map.columns(); ++column) {
        const TileMapSpot spot{i, column, row};
        const CellLook look = lookOf(maps, spot);
        seen[static_cast<std::size_t>(look)] = true;
        if (maps.isPresent(spot)) seen[static_cast<std::size_t>(CellLook::Present)] = true;
        if (maps.isFastest(spot)) seen[static_cast<std::size_t>(CellLook::Fastest)] = true;
        if (look == CellLook::Predicted) legend.foretoldOf = sweep.foretoldOf;
      }
    }
  }
  legend.othersBest =
      !maps.sweeps.empty() && maps.sweeps.front().map.others == tuning::Others::Best;
  if (legend.othersBest) {
    QStringList own;
    for (std::size_t i = 0; i < maps.sweeps.size(); ++i) {
      const TileFigure* figure = maps.presentFigure(i);
      own += figure != nullptr ? inUnit(figure->gflops.median, unit) : Words::tr("not measured");
    }
    own.removeDuplicates();
    legend.presentIs = Words::tr("that tile itself: %1").arg(own.join(Words::tr(", ")));
  }
  for (std::size_t i = 0; i < seen.size(); ++i) {
    if (seen[i]) legend.looks.push_back(static_cast<CellLook>(i));
  }
  return legend;
}

}  // namespace tileloom::charts
