// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/charts/tiles/tile_map_words.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

#include "kernels/tile/parameters.h"
#include "viz/base/text/describe.h"
#include "viz/base/text/figure_text.h"
#include "viz/base/text/text.h"
#include "viz/charts/tiles/tile_map_crop.h"

namespace tileloom::charts {
namespace {

using tuning::TileCell;
using tuning::TileFigure;

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::TileMapView)
};

}  // namespace

// Predictions have three digits, which is already more than their precision.
QString cellText(const TileFigure& figure, SpeedUnit unit) {
  if (figure.kind != TileFigure::Kind::Predicted) return inUnit(figure.gflops.median, unit);
  return QStringLiteral("≈") + (unit == SpeedUnit::Giga
                                    ? figures::roughSpeedText(figure.gflops.median)
                                    : inUnit(figure.gflops.median, unit));
}

QStringList cellWords(const TileMaps& maps, const TileMapSpot& spot, SpeedUnit unit) {
  const TileFigure* figure = maps.figureOf(spot);
  if (figure == nullptr) return {};
  QStringList words;
  // cuBLAS of the same run, as everywhere in the window; the legend has one speed of cuBLAS for all
  // tiles.
  const double cublas = maps.sweeps[spot.map].cublas;
  const double share = figure->ofCublas > 0 ? figure->ofCublas
                       : cublas > 0         ? figure->gflops.median / cublas
                                            : 0;
  if (share > 0) words += Words::tr("%1 % of cuBLAS").arg(100 * share, 0, 'f', 1);
  if (maps.isFastest(spot)) words += Words::tr("fastest here");
  if (maps.isPresent(spot)) {
    const TileFigure* own = maps.presentFigure(spot.map);
    words += maps.cell(spot).tile == maps.present ? Words::tr("tile in the window")
             : own == nullptr                     ? Words::tr("not the window's tile")
                              : Words::tr("window's tile: %1").arg(cellText(*own, unit));
  }
  return words;
}

QString cellSentence(const TileMaps& maps, const TileMapSpot& spot) {
  const TileMapData& sweep = maps.sweeps[spot.map];
  const TileCell& cell = maps.cell(spot);
  const QString place = Words::tr("%1 = %2, %3 = %4")
                            .arg(toQString(name(sweep.map.x)))
                            .arg(sweep.map.valuesX[spot.column])
                            .arg(toQString(name(sweep.map.y)))
                            .arg(sweep.map.valuesY[spot.row]);
  if (cell.kind == TileCell::Kind::Illegal)
    return (sweep.map.others == tuning::Others::Best
                ? Words::tr("%1: no legal tile of round values has these; with the present other "
                            "parameters: %2")
                : Words::tr("%1: illegal. %2"))
        .arg(place, QString::fromStdString(cell.rule));
  const QString tile = figures::tileText(sweep.map.stage, cell.tile);
  if (cell.kind == TileCell::Kind::Unknown)
    return Words::tr("%1: legal, not measured at this size").arg(tile);
  const TileFigure& f = sweep.figures[*cell.figure];
  const QString speed = figures::speedText(f.gflops.median);
  if (f.kind == TileFigure::Kind::Predicted) {
    const QString text = sweep.foretoldOf.isEmpty()
                             ? Words::tr("%1: %2 GFLOP/s predicted (%3 to %4)")
                             : Words::tr("%1: %2 GFLOP/s predicted for %5 (%3 to %4)");
    const QString words =
        text.arg(tile, figures::roughSpeedText(f.gflops.median),
                 figures::roughSpeedText(f.gflops.low), figures::roughSpeedText(f.gflops.high));
    return sweep.foretoldOf.isEmpty() ? words : words.arg(sweep.foretoldOf);
  }
  QString text =
      Words::tr("%1: %2 GFLOP/s %3, %4")
          .arg(tile, speed, figures::spreadText(f.gflops),
               f.kind == TileFigure::Kind::Live ? Words::tr("live") : Words::tr("recorded"));
  if (f.registers >= 0)
    text += QStringLiteral("; ") + figures::residencyText(f.registers, f.blocksPerSm);
  if (maps.isPresent(spot) && cell.tile != maps.present) {
    const TileFigure* own = maps.presentFigure(spot.map);
    const QString window = figures::tileText(sweep.map.stage, maps.present);
    text += own != nullptr
                ? Words::tr(". This is not the tile in the window, %1: that one reaches %2 GFLOP/s")
                      .arg(window, figures::speedText(own->gflops.median))
                : Words::tr(". This is not the tile in the window, %1, which was not measured here")
                      .arg(window);
  }
  return text;
}

QString bestSentence(const TileMaps& maps, std::size_t map) {
  const TileMapData& sweep = maps.sweeps[map];
  const auto fastest = tuning::fastestOf(sweep.figures);
  if (!fastest) return {};
  const TileShape& best = fastest->figure.tile;
  const double gflops = fastest->figure.gflops.median;
  const QString speed =
      Words::tr("%1 %2").arg(inUnit(gflops, SpeedUnit::Tera), unitText(SpeedUnit::Tera));
  const QString tile = figures::tileText(sweep.map.stage, best);
  QString text = maps.sweeps.size() > 1 ? Words::tr("%1: ").arg(sweep.title) : QString();
  // With the present other parameters the map may have no cell for it.
  const bool here = std::ranges::any_of(
      sweep.map.cells, [&best](const TileCell& cell) { return cell.tile == best; });
  const QString all = figures::grouped(fastest->tiles);
  text +=
      fastest->tiles == 1 ? Words::tr("the only measured tile reaches")
      : here              ? Words::tr("the fastest of %1 measured tiles reaches").arg(all)
             : Words::tr("the fastest of %1 measured tiles, with any parameters, reaches").arg(all);
  text[0] = text[0].toUpper();
  const TileShape standard = sweep.map.stage->standardTile();
  if (best == standard) return text + Words::tr(" %1: it is the default tile.").arg(speed);
  const auto usual = std::ranges::find_if(sweep.figures, [&standard](const TileFigure& f) {
    return f.tile == standard && f.kind != TileFigure::Kind::Predicted;
  });
  if (usual == sweep.figures.end()) return text + Words::tr(" %1: %2.").arg(speed, tile);
  const double over = 100 * (gflops / usual->gflops.median - 1);
  return text + Words::tr(" %1, %2 % over the default tile: %3.")
                    .arg(speed, QString::number(over, 'f', over < 10 ? 1 : 0), tile);
}

QString tileMapFoot(const TileMaps& maps, const LegendData& legend, bool hasLooks, double lines,
                    bool clickable) {
  if (maps.sweeps.empty()) return Words::tr("No data for this rung at this size.");
  QStringList text = {
      Words::tr("%1 at %2.")
          .arg(unitText(legend.unit), QString::fromStdString(toString(maps.problem)))};
  QStringList best;
  for (std::size_t i = 0; i < maps.sweeps.size(); ++i) best += bestSentence(maps, i);
  best.removeAll(QString());
  if (maps.sweeps.size() > 1)
    text += Words::tr("Both devices share one scale: equal colours are equal speeds.");
  if (!hasLooks) text += looksSentence(legend);
  if (const QString out = leftOutSentence(maps.sweeps.front(), maps.leftOut); !out.isEmpty())
    text += out;
  if (!maps.sweeps.front().unpredicted.isEmpty()) text += maps.sweeps.front().unpredicted;
  for (const TileMapData& sweep : maps.sweeps) {
    const bool measured = std::ranges::any_of(
        sweep.figures, [](const TileFigure& f) { return f.kind != TileFigure::Kind::Predicted; });
    if (!legend.foretoldOf.isEmpty() && measured && sweep.title != sweep.foretoldOf)
      text +=
          Words::tr("The predictions are for %1, not for %2.").arg(sweep.foretoldOf, sweep.title);
  }
  for (const TileMapData& sweep : maps.sweeps) {
    if (!sweep.bias || legend.foretoldOf.isEmpty()) continue;
    const int percent = qRound(100 * std::abs(sweep.bias->share));
    const QString tiles =
        counted(sweep.bias->tiles, Words::tr("On the one tile"), Words::tr("On the %1 tiles"));
    const QString off = percent == 0            ? Words::tr("as high as measured")
                        : sweep.bias->share > 0 ? Words::tr("%1 % too high").arg(percent)
                                                : Words::tr("%1 % too low").arg(percent);
    text += Words::tr("%1 measured on %2, the predictions are %3 in the median.")
                .arg(tiles, sweep.title, off);
  }
  if (clickable) text += Words::tr("Click a cell to use its tile.");
  // Each device has its own line if there are enough lines.
  const bool apart = best.size() > 1 && lines > static_cast<double>(best.size()) + 0.5;
  best += text.join(u' ');
  return best.join(apart ? u'\n' : u' ');
}

QString legendToolTip(const TileMaps& maps) {
  return Words::tr(
             "Colour shows the speed, from the slowest tile shown (or a quarter of "
             "the fastest) to the fastest. Texture shows whether it was measured or "
             "predicted. Percent of cuBLAS: beside the colours it is relative to "
             "the speed of %1 at this size on the same device, the median of all "
             "runs; for a tile it is relative to cuBLAS in the tile's own run.")
      .arg(maps.sweeps.empty() ? QString() : maps.sweeps.front().library);
}

}  // namespace tileloom::charts
