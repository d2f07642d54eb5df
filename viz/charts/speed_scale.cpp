// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/charts/speed_scale.h"

#include <algorithm>
#include <cmath>

#include "viz/charts/chart_style.h"

namespace tileloom {
namespace {

constexpr double kLeastShare = 0.25;  // of the fastest

}  // namespace

double SpeedScale::shareOf(double gflops) const {
  return high > low ? std::clamp((gflops - low) / (high - low), 0.0, 1.0) : 1;
}

std::vector<double> SpeedScale::ticks(int most) const {
  std::vector<double> all;
  if (!known() || most < 1) return all;
  if (high <= low) return {high};
  const auto fill = [&](double step) {
    all.clear();
    for (double v = std::ceil(low / step - 1e-9) * step; v <= high * (1 + 1e-9); v += step)
      all.push_back(v);
  };
  double step = charts::niceStep((high - low) / most);
  fill(step);
  while (all.size() > static_cast<std::size_t>(most)) fill(step = charts::niceStep(step * 1.5));
  if (all.size() < 2 && most >= 2) return {low, high};  // a single speed is not a scale
  return all;
}

SpeedScale speedScale(const std::vector<double>& speeds) {
  if (speeds.empty()) return {};
  const auto [slowest, fastest] = std::ranges::minmax(speeds);
  const double least = kLeastShare * fastest;
  return {std::max(slowest, least), fastest, slowest < least};
}

}  // namespace tileloom
