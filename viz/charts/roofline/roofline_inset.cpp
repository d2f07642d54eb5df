// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/charts/roofline/roofline_inset.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tileloom::charts {
namespace {

constexpr double kNearAcross =
    80;  // two labelled points within these distances, in pixels, are in each other's
constexpr double kNearDown = 20;  // way
constexpr double kCrowded = 2;    // an inset is worth it from this many coinciding pairs on
constexpr double kBetter = 0.6;   // share of the crowding that an inset may leave, at most
constexpr double kPrice =
    0.5;  // penalty of an inset of the whole height: a smaller one enlarges more
constexpr std::size_t kFewest = 4;    // points
constexpr double kTightest = 1.25;    // from the lowest to the highest value of an axis
constexpr double kAir = 20;           // pixels between the outer points and the inset's edges
constexpr double kMostLabels = 0.42;  // of the inset's width
constexpr double kBeside =
    30;  // within this distance from the frame, in pixels, other points are in its way

struct Spot {
  int point = 0;
  double x = 0, y = 0;  // as shares of the panel, upwards
};

// 1 for two points in one place, 0 for two that are not in each other's way.
double crowding(const std::vector<Spot>& spots, const QSizeF& size) {
  double sum = 0;
  for (std::size_t i = 0; i < spots.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      const double across = (spots[i].x - spots[k].x) * size.width() / kNearAcross;
      const double down = (spots[i].y - spots[k].y) * size.height() / kNearDown;
      sum += std::max(0.0, 1 - std::hypot(across, down));
    }
  }
  return sum;
}

// Extends both ends, so that `before` and `after` of `length` pixels are free beyond them.
void widen(double& low, double& high, double before, double after, double length) {
  if (high / low < kTightest) {
    const double middle = std::sqrt(low * high);
    low = middle / std::sqrt(kTightest);
    high = middle * std::sqrt(kTightest);
  }
  const double inner = std::max(0.2 * length, length - before - after);
  const double ratio = high / low;
  low /= std::pow(ratio, before / inner);
  high *= std::pow(ratio, after / inner);
}

}  // namespace

std::vector<int> crowdedPoints(const RooflinePanel& laidOut, const RooflineData& data,
                               const QSizeF& main, const QSizeF& inset) {
  std::vector<Spot> all;
  for (const RooflineMark& mark : laidOut.marks) {
    if (!mark.main) continue;
    all.push_back({mark.point, (mark.at.x() - laidOut.plot.left()) / laidOut.plot.width(),
                   (laidOut.plot.bottom() - mark.at.y()) / laidOut.plot.height()});
  }
  std::ranges::stable_sort(all, {}, &Spot::y);
  const double before = crowding(all, main);
  if (before < kCrowded) return {};
  double least = kBetter * before;
  std::vector<int> best;
  for (std::size_t first = 0; first < all.size(); ++first) {
    for (std::size_t end = first + kFewest; end <= all.size(); ++end) {
      std::vector<int> points;
      for (std::size_t i = first; i < end; ++i) points.push_back(all[i].point);
      const InsetRanges r = rangesAround(data, points, inset, kMostLabels * inset.width());
      const double left = (laidOut.x.at(r.left) - laidOut.plot.left()) / laidOut.plot.width();
      const double right = (laidOut.x.at(r.right) - laidOut.plot.left()) / laidOut.plot.width();
      const double bottom =
          (laidOut.plot.bottom() - laidOut.y.at(r.bottom)) / laidOut.plot.height();
      const double top = (laidOut.plot.bottom() - laidOut.y.at(r.top)) / laidOut.plot.height();
      if (top - bottom > 0.5) continue;  // that would enlarge nothing
      std::vector<Spot> inside, outside;
      for (const Spot& spot : all) {
        const bool in = spot.y >= bottom && spot.y <= top && spot.x >= left && spot.x <= right;
        if (in) {
          inside.push_back(
              {spot.point, (spot.x - left) / (right - left), (spot.y - bottom) / (top - bottom)});
        } else {
          outside.push_back(spot);
        }
      }
      double after = crowding(inside, inset) + crowding(outside, main);
      for (const Spot& spot : outside) {  // points at the frame would seem to be missing
        const double across = std::max({left - spot.x, spot.x - right, 0.0}) * main.width();
        const double down = std::max({bottom - spot.y, spot.y - top, 0.0}) * main.height();
        after += std::max(0.0, 1 - std::hypot(across, down) / kBeside);
      }
      after += kPrice * (top - bottom);
      if (after >= least) continue;
      least = after;
      best = points;
    }
  }
  return best;
}

InsetRanges rangesAround(const RooflineData& data, const std::vector<int>& points,
                         const QSizeF& size, double labels) {
  InsetRanges r{std::numeric_limits<double>::max(), 0, std::numeric_limits<double>::max(), 0};
  for (const int i : points) {
    const RooflinePoint& p = data.point(i);
    const auto speed = speedOf(p);
    if (!speed) continue;
    r.bottom = std::min(r.bottom, *speed);
    r.top = std::max(r.top, *speed);
    for (const model::MemoryLevel level : levelsOf(data.level)) {
      const auto intensity = p.traffic.intensity(level);
      if (!intensity) continue;
      r.left = std::min(r.left, *intensity);
      r.right = std::max(r.right, *intensity);
    }
  }
  if (r.right <= 0 || r.top <= 0) return {1, 10, 1, 10};
  widen(r.left, r.right, kAir, kAir + std::min(labels, kMostLabels * size.width()), size.width());
  widen(r.bottom, r.top, kAir, kAir, size.height());
  return r;
}

}  // namespace tileloom::charts
