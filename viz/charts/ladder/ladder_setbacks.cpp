// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/charts/ladder/ladder_setbacks.h"

#include <QCoreApplication>
#include <algorithm>

#include "kernels/tile/parameters.h"
#include "viz/base/text/figure_text.h"
#include "viz/base/text/text.h"

namespace tileloom::charts {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::LadderChart)
};

bool below(const runs::Interval& value, const runs::Interval& before) {
  return value.known() && before.known() && value.high < before.low &&
         value.spread() <= runs::kNoisySpread && before.spread() <= runs::kNoisySpread;
}

const LadderBar& barAt(std::span<const LadderBar> bars, int row) {
  return bars[static_cast<std::size_t>(row)];
}

// "its default tile has BK 16 instead of 8", "its default tile is the same, with GROUP=16 added"
QString tileDifference(const LadderBar& bar, const LadderBar& before) {
  QStringList changed, added;
  for (const ParameterSpec& spec : bar.rung()->parameters) {
    const QString parameter = toQString(name(spec.parameter));
    const int now = bar.tile[spec.parameter];
    if (before.rung()->spec(spec.parameter) == nullptr) {
      added += QStringLiteral("%1=%2").arg(parameter).arg(now);
    } else if (before.tile[spec.parameter] != now) {
      changed +=
          Words::tr("%1 %2 instead of %3").arg(parameter).arg(now).arg(before.tile[spec.parameter]);
    }
  }
  const QString list = changed.join(QStringLiteral(", ")), more = added.join(u' ');
  if (changed.isEmpty() && added.isEmpty()) return Words::tr("the default tile is the same");
  if (changed.isEmpty()) return Words::tr("the default tile is the same, with %1 added").arg(more);
  if (added.isEmpty()) return Words::tr("its default tile has %1").arg(list);
  return Words::tr("its default tile has %1, and %2 added").arg(list, more);
}

// The assignment of lanes to loads differs too, and is not a tile parameter.
QString loadDifference(const LadderBar& bar, const LadderBar& before) {
  // Rungs with PAD fetch A in runs of a sector, down the rows.
  if (bar.rung()->has(Parameter::PAD) == before.rung()->has(Parameter::PAD)) return {};
  return Words::tr("its lanes are assigned differently to the loads of A");
}

// Compares the best tile of each rung, with the number of tiles searched: a smaller sweep misses
// more.
QString bestDifference(const FastestTile& now, const FastestTile& then, const QString& rung) {
  const double gain = now.gflops / then.gflops - 1;
  const QString words =
      (gain > 0 ? Words::tr("its fastest recorded tile is %1 % faster than rung %2's")
                : Words::tr("its fastest recorded tile is %1 % slower than rung %2's"))
          .arg(figures::percentText(100 * std::abs(gain)))
          .arg(rung);
  if (now.tiles == 0 || then.tiles == 0 || now.tiles == then.tiles) return words;
  const QString counts =
      (now.tiles == 1 ? Words::tr("%1 of its tiles is recorded, and %2 of rung %3")
                      : Words::tr("%1 of its tiles are recorded, and %2 of rung %3"))
          .arg(figures::grouped(now.tiles), figures::grouped(then.tiles))
          .arg(rung);
  return Words::tr("%1 (%2)").arg(words, counts);
}

}  // namespace

std::vector<LadderSetback> setbacksOf(std::span<const LadderBar> bars) {
  std::vector<LadderSetback> found;
  for (int row = 1; row < static_cast<int>(bars.size()); ++row) {
    const LadderBar &bar = barAt(bars, row), &before = barAt(bars, row - 1);
    if (bar.rung() == nullptr || before.rung() == nullptr || bar.device != before.device ||
        bar.rung()->ladder != before.rung()->ladder ||
        bar.rung()->rung != before.rung()->rung + 1 || bar.freshness == Freshness::Stale ||
        before.freshness == Freshness::Stale)
      continue;
    if (below(bar.ratio, before.ratio))
      found.push_back({row, row - 1, 1 - bar.ratio.median / before.ratio.median});
  }
  return found;
}

const LadderSetback* setbackAt(std::span<const LadderSetback> setbacks, int row) {
  const auto at = std::ranges::find(setbacks, row, &LadderSetback::row);
  return at == setbacks.end() ? nullptr : &*at;
}

QString setbackText(std::span<const LadderBar> bars, const LadderSetback& setback) {
  // By a run at a higher clock it may have more GFLOP/s.
  const LadderBar &bar = barAt(bars, setback.row), &before = barAt(bars, setback.before);
  return (bar.gflops.median < before.gflops.median
              ? Words::tr("%1 % slower than rung %2")
              : Words::tr("%1 % slower than rung %2 against cuBLAS"))
      .arg(figures::percentText(100 * setback.share))
      .arg(figures::rungText(*barAt(bars, setback.before).rung()));
}

QStringList setbackFacts(std::span<const LadderBar> bars, std::span<const LadderFigures> figures,
                         const LadderSetback& setback) {
  const LadderBar &bar = barAt(bars, setback.row), &before = barAt(bars, setback.before);
  QStringList facts{tileDifference(bar, before)};
  if (const QString loads = loadDifference(bar, before); !loads.isEmpty()) facts += loads;
  if (figures.size() != bars.size()) return facts;
  const LadderFigures& now = figures[static_cast<std::size_t>(setback.row)];
  const LadderFigures& then = figures[static_cast<std::size_t>(setback.before)];
  if (now.fastest && then.fastest)
    facts += bestDifference(*now.fastest, *then.fastest, figures::rungText(*before.rung()));
  if (now.occupancy && then.occupancy && *now.occupancy != *then.occupancy) {
    const QString share = figures::percentText(100 * *now.occupancy);
    const QString was = figures::percentText(100 * *then.occupancy);
    facts += now.registers > 0 && then.registers > 0
                 ? Words::tr(
                       "occupancy %1 % instead of %2 %, with %3 registers per thread instead "
                       "of %4")
                       .arg(share, was)
                       .arg(now.registers)
                       .arg(then.registers)
                 : Words::tr("occupancy %1 % instead of %2 %").arg(share, was);
  }
  if (now.conflictShare && then.conflictShare) {
    const QString share = figures::grouped(100 * *now.conflictShare, 1);
    const QString was = figures::grouped(100 * *then.conflictShare, 1);
    if (share != was)
      facts += Words::tr("bank conflicts %1 % of the wavefronts instead of %2 %").arg(share, was);
  }
  return facts;
}

QString setbackSentence(std::span<const LadderBar> bars, std::span<const LadderFigures> figures,
                        const LadderSetback& setback) {
  const LadderBar &bar = barAt(bars, setback.row), &before = barAt(bars, setback.before);
  const QString first =
      Words::tr(
          "Rung %1 is %2 at this size on this device: %3 % of cuBLAS in the same run against "
          "%4 % (%5 GFLOP/s against %6)")
          .arg(figures::rungText(*bar.rung()), setbackText(bars, setback),
               figures::percentText(100 * bar.ratio.median),
               figures::percentText(100 * before.ratio.median),
               figures::speedText(bar.gflops.median), figures::speedText(before.gflops.median));
  return Words::tr("%1. What differs: %2.")
      .arg(first, setbackFacts(bars, figures, setback).join(QStringLiteral("; ")));
}

}  // namespace tileloom::charts
