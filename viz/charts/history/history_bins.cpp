// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/charts/history/history_bins.h"

#include <algorithm>
#include <cmath>

#include "kernels/runs/statistics.h"
#include "kernels/tile/stage.h"
#include "viz/charts/history/history_series.h"

namespace tileloom::charts {
namespace {

constexpr double kRoomyFrom = 14;  // pixels from one move to the next
constexpr double kCloseFrom = 2.2;
constexpr double kBarWidth = 6;
constexpr double kMedianWidth = 36;  // pixels between medians, for a calm line

int movesIn(double pixels, double pointWidth) {
  return std::max(1, static_cast<int>(std::ceil(pixels / std::max(pointWidth, 1e-3))));
}

}  // namespace

HistoryDensity densityFor(double pointWidth) {
  if (pointWidth >= kRoomyFrom) return HistoryDensity::Roomy;
  return pointWidth >= kCloseFrom ? HistoryDensity::Close : HistoryDensity::Dense;
}

int movesPerBar(double pointWidth) {
  return movesIn(kBarWidth, pointWidth);
}
int movesPerMedian(double pointWidth) {
  return movesIn(kMedianWidth, pointWidth);
}

namespace {

constexpr int kNone = -1, kOther = -2;

// The tile parameter that changed from `a` to `b`; kNone; or kOther: several, or points that may
// not be joined.
int movedParameter(const HistoryPoint& a, const HistoryPoint& b) {
  if (a.rung() == nullptr || !joined(a, b)) return kOther;
  int moved = kNone;
  for (const ParameterSpec& spec : a.rung()->parameters) {
    if (a.tile[spec.parameter] == b.tile[spec.parameter]) continue;
    moved = moved == kNone ? static_cast<int>(spec.parameter) : kOther;
    if (moved == kOther) break;
  }
  return moved;
}

}  // namespace

std::vector<bool> sameDrag(std::span<const HistoryPoint> points) {
  std::vector<bool> same(points.size(), false);
  int dragged = kNone;
  for (std::size_t i = 1; i < points.size(); ++i) {
    const int moved = movedParameter(points[i - 1], points[i]);
    same[i] = moved == kNone || (moved >= 0 && (dragged == kNone || moved == dragged));
    if (moved != kNone) dragged = moved == kOther ? kNone : moved;
  }
  return same;
}

std::vector<HistoryBin> binsOf(std::span<const HistoryPoint> points, int first, int last, int most,
                               const ValueOf& value) {
  std::vector<HistoryBin> bins;
  std::vector<double> values;
  int begin = first;
  const auto close = [&](int end) {
    if (!values.empty()) {
      const auto [low, high] = std::ranges::minmax(values);
      bins.push_back({begin, end, low, runs::median(values), high});
    }
    values.clear();
    begin = end + 1;
  };
  for (int i = first; i <= last; ++i) {
    const HistoryPoint& point = points[static_cast<std::size_t>(i)];
    const bool apart = i > first && !joined(points[static_cast<std::size_t>(i - 1)], point);
    if (i > begin && (apart || i % most == 0)) close(i - 1);
    if (const auto v = value(point)) values.push_back(*v);
  }
  if (begin <= last) close(last);
  return bins;
}

}  // namespace tileloom::charts
