// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/gpu/measure/speed.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <vector>

#include "kernels/gpu/measure/bench.h"
#include "kernels/gpu/measure/launches.h"
#include "kernels/runs/statistics.h"

namespace tileloom::gpu {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kSampleMs = 1;

}  // namespace

Result<runs::RunRecord> measureSpeed(Bench& bench, const Build& build, const Problem& problem,
                                     const MeasureOptions& options,
                                     const MeasureProgress& progress) {
  const auto started = Clock::now();
  bench.allow(options.limitMs);
  auto loaded = bench.prepare(build, problem);
  if (!loaded) return tl::unexpected(loaded.error());
  const DeviceInfo& info = bench.context().device();
  runs::RunRecord r = bench.describe(build, problem, *loaded);

  // The launch that is checked is also the warm-up, and shows how long one launch lasts.
  if (const auto done = bench.checkSigns(build, problem, *loaded, r); !done)
    return tl::unexpected(done.error());
  const auto kernelMs = bench.timed([&] { return bench.launch(*loaded); });
  if (!kernelMs) return tl::unexpected(kernelMs.error());
  if (const auto done = bench.checkResult(r); !done) return tl::unexpected(done.error());
  const int launches = launchesFor(*kernelMs, kSampleMs);
  int libraryLaunches = 0;
  if (bench.hasCublas()) {
    const auto libraryMs = bench.timed([&] { return bench.library(1); });
    if (!libraryMs) return tl::unexpected(libraryMs.error());
    libraryLaunches = launchesFor(*libraryMs, kSampleMs);
  }

  std::vector<double> speed, librarySpeed, ratio, clocks, watts;
  unsigned long long throttle = 0;
  const auto kernels = [&]() -> Result<void> {
    for (int i = 0; i < launches; ++i) {
      if (const auto done = bench.launch(*loaded); !done) return done;
    }
    return {};
  };
  const auto round = [&]() -> Result<void> {
    bench.allow(options.limitMs);
    if (const auto done = bench.record(0); !done) return done;
    if (const auto done = kernels(); !done) return done;
    if (const auto done = bench.record(1); !done) return done;
    if (const auto done = bench.library(libraryLaunches); !done) return done;
    if (const auto done = bench.record(2); !done) return done;
    if (const auto done = bench.library(libraryLaunches); !done) return done;
    if (const auto done = bench.record(3); !done) return done;
    if (const auto done = kernels(); !done) return done;
    if (const auto done = bench.record(4); !done) return done;
    if (bench.nvml() != nullptr) {  // while the GPU is busy
      const Vitals v = bench.nvml()->read();
      if (v.smClockMHz > 0) clocks.push_back(v.smClockMHz);
      if (v.watts > 0) watts.push_back(v.watts);
      throttle |= v.throttle;
    }
    if (const auto done = bench.wait(); !done) return done;
    double ms[4] = {};
    for (std::size_t i = 0; i < 4; ++i) {
      const auto t = bench.milliseconds(i, i + 1);
      if (!t) return tl::unexpected(t.error());
      ms[i] = std::max(*t, 1e-6);
    }
    const double useful = flopsOf(problem) * 1e-6;
    speed.push_back(useful * 2 * launches / (ms[0] + ms[3]));
    if (bench.hasCublas()) {
      librarySpeed.push_back(useful * 2 * libraryLaunches / (ms[1] + ms[2]));
      ratio.push_back(speed.back() / librarySpeed.back());
    }
    return {};
  };

  while (true) {
    if (const auto done = round(); !done) return tl::unexpected(done.error());
    r.rounds = static_cast<int>(speed.size());
    r.gflops = runs::medianInterval(speed);
    r.cublas = runs::medianInterval(librarySpeed);
    r.ratio = runs::medianInterval(ratio);
    r.smClockMHz = static_cast<int>(runs::median(clocks));
    r.watts = runs::median(watts);
    r.throttled = throttleReasons(throttle);
    const double peak = build.format == Format::Fp32 ? peakGflops(info, r.smClockMHz)
                                                     : tensorPeakGflops(info, r.smClockMHz);
    r.peakPercent = peak > 0 ? 100 * r.gflops.median / peak : 0;
    if (progress && !progress(r)) return fail(Trouble::Cancelled, "the measurement was cancelled");
    const double elapsed =
        std::chrono::duration<double, std::milli>(Clock::now() - started).count();
    const runs::Interval& judged = bench.hasCublas() ? r.ratio : r.gflops;
    if (r.rounds >= options.maxRounds || elapsed >= options.limitMs) break;
    if (r.rounds < options.minRounds) continue;
    if (judged.spread() <= options.spread || elapsed >= options.budgetMs) break;
  }
  return r;
}

}  // namespace tileloom::gpu
