// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/runs/statistics.h"

#include <algorithm>
#include <random>
#include <vector>

namespace tileloom::runs {
namespace {

double medianInPlace(std::vector<double>& v) {
  const auto middle = v.begin() + static_cast<std::ptrdiff_t>(v.size() / 2);
  std::nth_element(v.begin(), middle, v.end());
  if (v.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(v.begin(), middle)) / 2;
}

}  // namespace

double median(std::span<const double> samples) {
  if (samples.empty()) return 0;
  std::vector<double> copy(samples.begin(), samples.end());
  return medianInPlace(copy);
}

Interval medianInterval(std::span<const double> samples) {
  if (samples.empty()) return {};
  Interval interval{median(samples), *std::ranges::min_element(samples),
                    *std::ranges::max_element(samples)};
  if (samples.size() < 3) return interval;
  constexpr std::size_t kResamples = 1000;
  std::minstd_rand random(12345);
  std::vector<double> medians, resample(samples.size());
  medians.reserve(kResamples);
  for (std::size_t i = 0; i < kResamples; ++i) {
    for (double& value : resample) value = samples[random() % samples.size()];
    medians.push_back(medianInPlace(resample));
  }
  std::ranges::sort(medians);
  interval.low = medians[kResamples * 25 / 1000];
  interval.high = medians[kResamples * 975 / 1000 - 1];
  return interval;
}

}  // namespace tileloom::runs
