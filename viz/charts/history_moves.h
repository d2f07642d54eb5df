// SPDX-License-Identifier: GPL-3.0-or-later
// What each move of the history was: which knob was turned to which value.
#pragma once

#include <QString>
#include <span>
#include <vector>

#include "viz/charts/chart_data.h"

namespace tileloom::charts {

// What led from the point before it to this one: "BK 8", "rung 9", "4096", "3 knobs", "again"
// (nothing differs), "start" for the first.
QString moveText(std::span<const HistoryPoint> points, int index);

// Consecutive moves of one knob, or one other move.
struct MoveRun {
  int first = 0, last = 0;  // inclusive
  QString full;             // "BK 4 → 32"; of one move what moveText() says
  QString brief;            // "BK"; of another move the same as `full`
};
// From `first` to `last`, without gaps.
std::vector<MoveRun> moveRuns(std::span<const HistoryPoint> points, int first, int last);

}  // namespace tileloom::charts
