// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/gpu/measure/sustained_ratio.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <vector>

#include "kernels/gpu/measure/bench.h"
#include "kernels/runs/statistics.h"

namespace tileloom::gpu {
namespace {

struct Turn {
  double ms = 0;  // of a launch
  std::vector<double> clocks, watts;
  unsigned long long throttle = 0;
};

Result<Turn> turnOf(Bench& bench, const std::function<Result<void>()>& work,
                    const RatioOptions& options) {
  bench.allow(options.limitMs);
  const auto once = bench.timed(work);
  if (!once) return tl::unexpected(once.error());
  constexpr double kMostInQueue = 20000;
  const int launches = static_cast<int>(
      std::clamp(std::ceil(options.batchMs / std::max(*once, 1e-3)), 1.0, kMostInQueue));
  Turn turn;
  Vitals vitals;
  const auto batch = [&]() -> Result<void> {
    for (int i = 0; i < launches; ++i) {
      if (auto done = work(); !done) return done;
    }
    return {};
  };
  double settled = *once, measured = 0;
  int counted = 0;
  while (measured < options.turnMs) {
    bench.allow(options.limitMs);
    const auto ms = bench.timed([&]() -> Result<void> {
      if (auto done = batch(); !done) return done;
      // It takes less time than a batch lasts, and does not wait for the GPU.
      if (bench.nvml() != nullptr) vitals = bench.nvml()->read();
      return {};
    });
    if (!ms) return tl::unexpected(ms.error());
    const double took = std::max(*ms, 1e-6);
    if (settled < options.settleMs) {
      settled += took;
      continue;
    }
    measured += took;
    counted += launches;
    if (vitals.smClockMHz > 0) turn.clocks.push_back(vitals.smClockMHz);
    if (vitals.watts > 0) turn.watts.push_back(vitals.watts);
    turn.throttle |= vitals.throttle;
  }
  turn.ms = measured / counted;
  return turn;
}

}  // namespace

Result<runs::SideBySide> sustainedRatio(Bench& bench, const Build& build, const Problem& problem,
                                        const RatioOptions& options) {
  if (!bench.hasCublas()) return nothingToCompare();
  const auto loaded = bench.prepareChecked(build, problem, options.limitMs);
  if (!loaded) return tl::unexpected(loaded.error());
  std::vector<double> ratios;
  std::array<std::vector<double>, 2> speeds, clocks, watts;  // of the kernel, of cuBLAS
  unsigned long long throttle = 0;
  const double useful = flopsOf(problem) * 1e-6;
  for (int pair = 0; pair < options.pairs; ++pair) {
    for (const bool kernel : {kernelFirst(pair), !kernelFirst(pair)}) {
      const auto done = turnOf(
          bench, [&] { return kernel ? bench.launch(*loaded) : bench.library(1); }, options);
      if (!done) return tl::unexpected(done.error());
      const std::size_t which = kernel ? 0 : 1;
      speeds[which].push_back(useful / done->ms);
      clocks[which].insert(clocks[which].end(), done->clocks.begin(), done->clocks.end());
      watts[which].insert(watts[which].end(), done->watts.begin(), done->watts.end());
      throttle |= done->throttle;
    }
    ratios.push_back(speeds[0].back() / speeds[1].back());
  }
  runs::SideBySide s;
  s.ratio = runs::medianInterval(ratios);
  s.pairs = options.pairs;
  s.kernel = runs::median(speeds[0]);
  s.cublas = runs::median(speeds[1]);
  s.kernelClockMHz = static_cast<int>(std::lround(runs::median(clocks[0])));
  s.cublasClockMHz = static_cast<int>(std::lround(runs::median(clocks[1])));
  s.kernelWatts = runs::median(watts[0]);
  s.cublasWatts = runs::median(watts[1]);
  s.throttled = throttleReasons(throttle);
  return s;
}

}  // namespace tileloom::gpu
