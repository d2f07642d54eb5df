// SPDX-License-Identifier: GPL-3.0-or-later
// Names each move of the history: which tile parameter was set to which value.
#pragma once

#include <QString>
#include <span>
#include <vector>

#include "viz/charts/chart_data.h"

namespace tileloom::charts {

// The change from the previous point to this one: "BK 8", "rung 9", "4096", "3 parameters", "again"
// (nothing differs), "start" for the first.
QString moveText(std::span<const HistoryPoint> points, int index);

// Consecutive moves of one tile parameter, or one other move.
struct MoveRun {
  int first = 0, last = 0;  // inclusive
  QString full;             // "BK 4 → 32"; for one move moveText()
  QString brief;            // "BK"; for another kind of move the same as `full`
};
// From `first` to `last`, without gaps.
std::vector<MoveRun> moveRuns(std::span<const HistoryPoint> points, int first, int last);

}  // namespace tileloom::charts
