// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/gpu/measure/cycle_ratio.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "kernels/gpu/counters/cupti.h"
#include "kernels/gpu/measure/bench.h"
#include "kernels/runs/statistics.h"

namespace tileloom::gpu {
namespace {

// Of the kernels of one launch.
struct Cycles {
  double cycles = 0;
  double clockMHz = 0;  // 0: unknown
};

Result<Cycles> cyclesOf(const Cupti& cupti, const Context& context, const Cupti::Launch& launch,
                        std::size_t most) {
  // The SMs' own counter. Devices without it count in the GPC, at the same clock.
  static const std::vector<std::string> kMetrics = {
      "sm__cycles_elapsed.max", "gpc__cycles_elapsed.max", "sm__cycles_elapsed.avg.per_second"};
  const auto kernels = cupti.countKernels(context, kMetrics, launch, most);
  if (!kernels) return tl::unexpected(kernels.error());
  Cycles all;
  double seconds = 0;
  for (const Cupti::Values& values : *kernels) {
    const std::optional<double> cycles = values[0] ? values[0] : values[1];
    if (!cycles || !(*cycles > 0) || !std::isfinite(*cycles)) {
      return fail(Trouble::Unsupported,
                  fmt::format("{} does not count elapsed SM cycles: there is no ratio in cycles",
                              context.device().name));
    }
    all.cycles += *cycles;
    if (values[2] && *values[2] > 0) seconds += *cycles / *values[2];
  }
  if (seconds > 0) all.clockMHz = all.cycles / seconds * 1e-6;
  return all;
}

}  // namespace

Result<runs::SideBySide> cycleRatio(Bench& bench, const Build& build, const Problem& problem,
                                    const RatioOptions& options) {
  if (!bench.hasCublas()) return nothingToCompare();
  const auto cupti = bench.cupti();
  if (!cupti) return tl::unexpected(cupti.error());
  const auto loaded = bench.prepareChecked(build, problem, options.limitMs);
  if (!loaded) return tl::unexpected(loaded.error());
  std::vector<double> ratios;
  std::array<std::vector<double>, 2> cycles, clocks;
  for (int pair = 0; pair < options.pairs; ++pair) {
    for (const bool kernel : {kernelFirst(pair), !kernelFirst(pair)}) {
      const Cupti::Launch once = [&]() -> Result<void> {
        bench.allow(options.limitMs);
        if (auto done = kernel ? bench.launch(*loaded) : bench.library(1); !done) return done;
        return bench.wait();
      };
      // Caches and clock are then as after a launch of the same kernel.
      if (const auto done = once(); !done) return tl::unexpected(done.error());
      const auto read = cyclesOf(**cupti, bench.context(), once, kernel ? 1 : Cupti::kMostKernels);
      if (!read) return tl::unexpected(read.error());
      cycles[kernel ? 0 : 1].push_back(read->cycles);
      if (read->clockMHz > 0) clocks[kernel ? 0 : 1].push_back(read->clockMHz);
    }
    ratios.push_back(cycles[1].back() / cycles[0].back());  // of the speeds
  }
  runs::SideBySide s;
  s.ratio = runs::medianInterval(ratios);
  s.pairs = options.pairs;
  s.kernel = runs::median(cycles[0]);
  s.cublas = runs::median(cycles[1]);
  s.kernelClockMHz = static_cast<int>(std::lround(runs::median(clocks[0])));
  s.cublasClockMHz = static_cast<int>(std::lround(runs::median(clocks[1])));
  return s;
}

}  // namespace tileloom::gpu
