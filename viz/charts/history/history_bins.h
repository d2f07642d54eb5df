// SPDX-License-Identifier: GPL-3.0-or-later
// Groups consecutive moves into bins if the history has no room to draw each. Every point is in
// exactly one bin.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "viz/charts/chart_data.h"

namespace tileloom::charts {

// The density of the moves, and what is drawn of each.
enum class HistoryDensity {
  Roomy,  // a mark with its interval, joined to its neighbours
  Close,  // a small mark, joined to those of the same drag
  Dense   // bars from minimum to maximum; a line through medians
};
HistoryDensity densityFor(double pointWidth);  // pixels from one move to the next
int movesPerBar(double pointWidth);
int movesPerMedian(double pointWidth);  // of the line through medians

// Whether each move belongs to the same drag as the one before it: the same single parameter has
// changed in both, or nothing has. The first does not.
std::vector<bool> sameDrag(std::span<const HistoryPoint> points);

struct HistoryBin {
  int first = 0, last = 0;  // indices of moves, inclusive
  double low = 0, median = 0, high = 0;
  double middle() const { return (first + last) / 2.0; }
};

// Bins of at most `most` moves from `first` to `last`, in order. They begin at multiples of `most`,
// so that scrolling does not change them, and end where two moves may not be joined (another rung,
// size, device or freshness). Bins without a known value are left out.
using ValueOf = std::function<std::optional<double>(const HistoryPoint&)>;
std::vector<HistoryBin> binsOf(std::span<const HistoryPoint> points, int first, int last, int most,
                               const ValueOf& value);

}  // namespace tileloom::charts
