// SPDX-License-Identifier: GPL-3.0-or-later
// Compares kernel and cuBLAS in cycles and under sustained load. Short rounds (bench.cpp) neither
// share one clock nor reach the power limit, which takes some seconds.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "kernels/gpu/measure/bench.h"
#include "kernels/runs/statistics.h"

namespace tileloom::gpu {
namespace {

using Clock = std::chrono::steady_clock;

// ABBAAB…: the second one finds a warmer GPU, so each is second equally often.
bool kernelFirst(int pair) {
  return pair % 2 == 0;
}

tl::unexpected<Error> nothingToCompare() {
  return fail(Trouble::Missing,
              "there is nothing to compare with, because cuBLAS was not found: install it or omit "
              "--ratios");
}

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

struct Bench::Turn {
  double ms = 0;  // of a launch
  std::vector<double> clocks, watts;
  unsigned long long throttle = 0;
};

Result<void> Bench::openCupti() {
  if (cupti_) return {};
  auto opened = Cupti::open();
  if (!opened) return tl::unexpected(opened.error());
  cupti_ = std::move(*opened);
  return {};
}

Result<Bench::Loaded> Bench::prepareChecked(const Build& build, const Problem& problem,
                                            double limitMs) {
  deadline_ = Clock::now() + std::chrono::microseconds(static_cast<long long>(limitMs * 1e3));
  auto loaded = prepare(build, problem);
  if (!loaded) return loaded;
  if (const auto done = launch(*loaded); !done) return tl::unexpected(done.error());
  if (const auto done = context_->wait(deadline_); !done) return tl::unexpected(done.error());
  runs::RunRecord checked;
  if (const auto done = checkResult(operands_, checked); !done) return tl::unexpected(done.error());
  if (const auto done = checkSigns(build, problem, *loaded, checked); !done)
    return tl::unexpected(done.error());
  return loaded;
}

Result<Bench::Turn> Bench::turn(const std::function<Result<void>()>& work,
                                const RatioOptions& options) {
  const auto limit = std::chrono::microseconds(static_cast<long long>(options.limitMs * 1e3));
  deadline_ = Clock::now() + limit;
  const auto once = timed(work);
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
    deadline_ = Clock::now() + limit;
    const auto ms = timed([&]() -> Result<void> {
      if (auto done = batch(); !done) return done;
      // It takes less time than a batch lasts, and does not wait for the GPU.
      if (nvml_) vitals = nvml_->read();
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

Result<runs::SideBySide> Bench::sustained(const Build& build, const Problem& problem,
                                          const RatioOptions& options) {
  if (!cublas_) return nothingToCompare();
  const auto loaded = prepareChecked(build, problem, options.limitMs);
  if (!loaded) return tl::unexpected(loaded.error());
  std::vector<double> ratios;
  std::array<std::vector<double>, 2> speeds, clocks, watts;  // of the kernel, of cuBLAS
  unsigned long long throttle = 0;
  const double useful = 2.0 * problem.m * problem.n * problem.k * 1e-6;
  for (int pair = 0; pair < options.pairs; ++pair) {
    for (const bool kernel : {kernelFirst(pair), !kernelFirst(pair)}) {
      const auto done = turn([&] { return kernel ? launch(*loaded) : library(1); }, options);
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

Result<runs::SideBySide> Bench::cycles(const Build& build, const Problem& problem,
                                       const RatioOptions& options) {
  if (!cublas_) return nothingToCompare();
  if (const auto opened = openCupti(); !opened) return tl::unexpected(opened.error());
  const auto loaded = prepareChecked(build, problem, options.limitMs);
  if (!loaded) return tl::unexpected(loaded.error());
  const auto limit = std::chrono::microseconds(static_cast<long long>(options.limitMs * 1e3));
  std::vector<double> ratios;
  std::array<std::vector<double>, 2> cycles, clocks;
  for (int pair = 0; pair < options.pairs; ++pair) {
    for (const bool kernel : {kernelFirst(pair), !kernelFirst(pair)}) {
      const Cupti::Launch once = [&]() -> Result<void> {
        deadline_ = Clock::now() + limit;
        if (auto done = kernel ? launch(*loaded) : library(1); !done) return done;
        return context_->wait(deadline_);
      };
      // Caches and clock are then as after a launch of the same kernel.
      if (const auto done = once(); !done) return tl::unexpected(done.error());
      const auto read = cyclesOf(*cupti_, *context_, once, kernel ? 1 : Cupti::kMostKernels);
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
