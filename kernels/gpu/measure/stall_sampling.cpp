// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/gpu/measure/stall_sampling.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

#include "kernels/gpu/counters/pc_sampler.h"
#include "kernels/gpu/measure/bench.h"

namespace tileloom::gpu {
namespace {

// The logarithm of the cycles between two samples of an SM, such that a launch of this many
// milliseconds gives about the wanted number of samples.
std::uint32_t samplingPeriod(double ms, const DeviceInfo& device) {
  constexpr double kWanted = 300'000;
  const double cycles = ms * 1e3 * std::max(device.clockMHz, 1) * std::max(device.sms, 1);
  const auto log2 = std::lround(std::log2(std::max(cycles / kWanted, 1.0)));
  // With a shorter period samples are lost: 4 to 70 % of those of launches of 40 to 150 us on an
  // H100.
  constexpr std::uint32_t kNoneLost = 8;
  static_assert(kNoneLost >= PcSampler::kShortestPeriod);
  return std::clamp(static_cast<std::uint32_t>(log2), kNoneLost, PcSampler::kLongestPeriod);
}

}  // namespace

Result<runs::StallSamples> sampleStalls(Bench& bench, const Build& build, const Problem& problem,
                                        double limitMs) {
  bench.allow(limitMs);
  auto sampler = PcSampler::enable(bench.context());  // before the kernel is loaded
  if (!sampler) return tl::unexpected(sampler.error());
  auto loaded = bench.prepare(build, problem);
  if (!loaded) return tl::unexpected(loaded.error());
  const auto once = [&]() -> Result<void> {
    bench.allow(limitMs);
    if (const auto done = bench.record(0); !done) return done;
    if (const auto done = bench.launch(*loaded); !done) return done;
    if (const auto done = bench.record(1); !done) return done;
    return bench.wait();
  };
  if (const auto done = once(); !done) return tl::unexpected(done.error());
  const auto ms = bench.milliseconds(0, 1);
  if (!ms) return tl::unexpected(ms.error());
  runs::RunRecord record = bench.describe(build, problem, *loaded);
  if (const auto done = bench.checkResult(record); !done) return tl::unexpected(done.error());

  runs::StallSamples result;
  result.log2Period = static_cast<int>(samplingPeriod(*ms, bench.context().device()));
  const auto samples = sampler->sample(std::string(build.rung()->id),
                                       static_cast<std::uint32_t>(result.log2Period), once);
  if (!samples) return tl::unexpected(samples.error());
  result.subject() = build;
  result.problem = problem;
  result.when = record.when;
  result.device = record.device;
  result.arch = record.arch;
  result.cuda = record.cuda;
  result.fingerprint = record.fingerprint;
  result.dropped = samples->dropped;
  for (const PcSampler::Sampled& sampled : samples->instructions) {
    runs::SampledInstruction each;
    each.address = static_cast<std::uint32_t>(sampled.address);
    for (const PcSampler::Reason& reason : sampled.reasons) {
      if (const auto place = runs::reasonNamed(reason.name)) each.by[*place] += reason.samples;
    }
    if (each.total() > 0) result.at.push_back(each);
  }
  std::ranges::sort(result.at, {}, &runs::SampledInstruction::address);
  return result;
}

}  // namespace tileloom::gpu
