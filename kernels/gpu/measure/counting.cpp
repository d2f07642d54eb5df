// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/gpu/measure/counting.h"

#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "kernels/gpu/counters/cupti.h"
#include "kernels/gpu/measure/bench.h"

namespace tileloom::gpu {

Result<runs::RunRecord> readCounters(Bench& bench, const Build& build, const Problem& problem,
                                     std::span<const runs::Counter> which, double limitMs,
                                     const std::function<bool()>& goOn) {
  bench.allow(limitMs);
  // Before the kernel is loaded: CUPTI instruments what is loaded afterwards.
  const auto cupti = bench.cupti();
  if (!cupti) return tl::unexpected(cupti.error());
  const auto loaded = bench.prepare(build, problem);
  if (!loaded) return tl::unexpected(loaded.error());
  const Cupti::Launch once = [&]() -> Result<void> {
    if (goOn && !goOn()) return fail(Trouble::Cancelled, "the counting was cancelled");
    bench.allow(limitMs);
    if (const auto done = bench.launch(*loaded); !done) return done;
    return bench.wait();
  };
  if (const auto done = once(); !done) return tl::unexpected(done.error());
  runs::RunRecord record = bench.describe(build, problem, *loaded);
  if (const auto done = bench.checkResult(record); !done) return tl::unexpected(done.error());
  if (const auto done = bench.checkSigns(build, problem, *loaded, record); !done)
    return tl::unexpected(done.error());

  std::vector<std::string> metrics;
  for (const runs::Counter counter : which) metrics.emplace_back(specOf(counter).metric);
  const auto values = (*cupti)->count(bench.context(), metrics, once);
  if (!values) return tl::unexpected(values.error());
  for (std::size_t i = 0; i < which.size(); ++i) {
    const std::optional<double>& value = (*values)[i];
    if (!value || !std::isfinite(*value)) continue;
    record.counters.set(which[i], *value * specOf(which[i]).unit);
  }
  record.achievedOccupancy = record.counters[runs::Counter::AchievedOccupancy];
  return record;
}

}  // namespace tileloom::gpu
