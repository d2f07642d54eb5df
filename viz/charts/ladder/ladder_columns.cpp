// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/charts/ladder/ladder_columns.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <algorithm>

#include "kernels/tile/literature.h"
#include "viz/base/text/figure_text.h"
#include "viz/charts/roofline/roofline_words.h"

namespace tileloom::charts {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::LadderChart)
};

constexpr double kBetween = 11;  // pixels between two columns

// The most important column is first; the last one is dropped first.
constexpr std::array kImportance = {
    LadderColumn::Speed,     LadderColumn::Share,     LadderColumn::LiteratureSpeed,
    LadderColumn::Registers, LadderColumn::Occupancy, LadderColumn::Dram,
    LadderColumn::Shared,    LadderColumn::Conflicts, LadderColumn::LiteratureShare};
static_assert(kImportance.size() == kLadderColumns);

QString dash() {
  return QStringLiteral("–");
}

QString percentOf(double share) {
  return figures::grouped(100 * share, 1);
}

std::optional<LiteratureFigure> literature(const LadderBar& bar) {
  if (bar.rung() == nullptr) return std::nullopt;
  return literatureOf(*bar.rung());
}

}  // namespace

ColumnHead headOf(LadderColumn column) {
  switch (column) {
    case LadderColumn::Speed:
      return {Words::tr("speed"), Words::tr("GFLOP/s")};
    case LadderColumn::Share:
      return {Words::tr("cuBLAS"), Words::tr("%")};
    case LadderColumn::Registers:
      return {Words::tr("regs"), Words::tr("per thread")};
    case LadderColumn::Occupancy:
      return {Words::tr("occup."), Words::tr("%")};
    case LadderColumn::Dram:
      return {Words::tr("DRAM"), Words::tr("FLOP/B")};
    case LadderColumn::Shared:
      return {Words::tr("L1/shared"), Words::tr("FLOP/B")};
    case LadderColumn::Conflicts:
      return {Words::tr("conflicts"), Words::tr("%")};
    case LadderColumn::LiteratureSpeed:
      return {Words::tr("A6000"), Words::tr("GFLOP/s")};
    case LadderColumn::LiteratureShare:
      return {Words::tr("A6000"), Words::tr("%")};
  }
  return {};
}

QString cellOf(LadderColumn column, const LadderBar& bar, const LadderFigures& figures) {
  const auto intensity = [&](const std::optional<double>& value) {
    return value ? intensityText(*value) : figures.traced ? dash() : QString();
  };
  switch (column) {
    case LadderColumn::Speed:
      return bar.gflops.known() ? figures::grouped(bar.gflops.median) : dash();
    case LadderColumn::Share:
      return bar.ratio.known() ? figures::percentText(100 * bar.ratio.median) : dash();
    case LadderColumn::Registers:
      if (figures.registers < 0) return dash();
      return figures.spillBytes > 0 ? Words::tr("%1, spills").arg(figures.registers)
                                    : QString::number(figures.registers);
    case LadderColumn::Occupancy:
      return figures.occupancy ? percentOf(*figures.occupancy) : dash();
    case LadderColumn::Dram:
      // As for speeds, predicted values are marked.
      return figures.dramIntensity && !figures.dramCounted
                 ? Words::tr("≈ %1").arg(intensityText(*figures.dramIntensity))
                 : intensity(figures.dramIntensity);
    case LadderColumn::Shared:
      return intensity(figures.sharedIntensity);
    case LadderColumn::Conflicts:
      // Without shared memory there are no bank conflicts.
      if (!figures.conflictShare) return figures.traced ? dash() : QString();
      return percentOf(*figures.conflictShare);
    case LadderColumn::LiteratureSpeed: {
      const auto figure = literature(bar);
      return figure ? figures::grouped(figure->gflops) : dash();
    }
    case LadderColumn::LiteratureShare: {
      const auto figure = literature(bar);
      return figure ? figures::grouped(figure->percentOfCublas, 1) : dash();
    }
  }
  return {};
}

std::vector<PlacedColumn> placeColumns(std::span<const LadderBar> bars,
                                       std::span<const LadderFigures> figures, double room,
                                       const QFont& body, const QFont& small) {
  const QFontMetricsF cells(body), heads(small);
  const auto widthOf = [&](LadderColumn column) {
    const ColumnHead head = headOf(column);
    double width =
        std::max(heads.horizontalAdvance(head.title), heads.horizontalAdvance(head.unit));
    for (std::size_t i = 0; i < bars.size() && i < figures.size(); ++i)
      width = std::max(width, cells.horizontalAdvance(cellOf(column, bars[i], figures[i])));
    return width + kBetween;
  };
  std::vector<PlacedColumn> chosen;
  double used = 0;
  for (const LadderColumn column : kImportance) {
    const double width = widthOf(column);
    if (used + width > room) break;
    chosen.push_back({column, 0, width});
    used += width;
  }
  if (chosen.size() < 2) return {};
  std::ranges::sort(chosen, {}, &PlacedColumn::column);
  double left = 0;
  for (PlacedColumn& column : chosen) {
    column.left = left;
    left += column.width;
  }
  return chosen;
}

}  // namespace tileloom::charts
