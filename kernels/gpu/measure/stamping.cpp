// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/gpu/measure/stamping.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "kernels/gpu/compile/stamped_source.h"
#include "kernels/gpu/measure/bench.h"
#include "kernels/gpu/measure/launches.h"
#include "kernels/runs/statistics.h"
#include "kernels/tile/derived.h"

namespace tileloom::gpu {
namespace {

using timeline::Measured;

constexpr std::size_t kRounds = 15;
constexpr double kSampleMs = 5;  // of each turn

// Blocks start in the order of their numbers, as many as fit.
int chosenBlock(int blocks, int atOnce) {
  atOnce = std::max(1, atOnce);
  const int inSecondWave = atOnce + atOnce / 2;
  return inSecondWave < blocks ? inSecondWave : std::min(blocks, atOnce) / 2;
}

// Requests so much shared memory that no more than `blocks` fit on an SM.
void keepOut(Build& build, int blocks, const DeviceInfo& device) {
  const auto most = [](auto bytes) { return static_cast<int>(bytes); };
  const int bytes = most(device.sharedPerSm) / (blocks + 1) + 1 - build.resources.staticShared;
  if (bytes <= most(device.sharedPerBlock))
    build.dynamicShared = std::max(build.dynamicShared, bytes);
}

}  // namespace

Result<Measured> stampStage(Bench& bench, const Build& plain, const Build& stamped,
                            const Build& summed, const Problem& problem, double limitMs) {
  bench.allow(limitMs);
  // A timestamped loop is not rewritten: the cost of timestamps is seen beside the same loop.
  auto unstamped = bench.load(asCompiled(plain), problem);
  if (!unstamped) return tl::unexpected(unstamped.error());
  const Derived d = derive(*stamped.rung(), stamped.tile);
  const auto warps = static_cast<std::size_t>(d.warps);
  Measured m;
  m.blocks = unstamped->shape.grid.x * unstamped->shape.grid.y;
  std::vector<StampRecord> records(warps * kStampsPerWarp);
  std::vector<SumRecord> sums(warps * static_cast<std::size_t>(m.blocks));
  runs::RunRecord record;
  int launches = 1;
  struct Writing {
    LoadedStage kernel;
    Buffer buffer;  // that it writes into
  };
  // Each is checked as soon as it is prepared: a launch changes C, which only prepare() restores.
  const auto checked = [&](Build build, std::size_t bytes) -> Result<Writing> {
    auto kernel = bench.prepare(build, problem);
    if (kernel && kernel->kernel.blocksPerSm > unstamped->kernel.blocksPerSm) {
      // With fewer registers more blocks fit, which would be another launch.
      keepOut(build, unstamped->kernel.blocksPerSm, bench.context().device());
      kernel = bench.prepare(build, problem);
    }
    if (!kernel) return tl::unexpected(kernel.error());
    auto buffer = bench.context().allocate(bytes);
    if (!buffer) return tl::unexpected(buffer.error());
    if (const auto done = bench.context().clear(*buffer, buffer->bytes()); !done)
      return tl::unexpected(done.error());
    m.block = chosenBlock(m.blocks, bench.context().device().sms * kernel->kernel.blocksPerSm);
    const StampsAt at{buffer->address(), static_cast<unsigned>(m.block), 0};
    if (const auto done =
            bench.context().set(kernel->kernel, kStampsVariable, std::as_bytes(std::span(&at, 1)));
        !done) {
      return tl::unexpected(done.error());
    }
    record = bench.describe(build, problem, *kernel);
    if (const auto done = bench.checkSigns(build, problem, *kernel, record); !done)
      return tl::unexpected(done.error());
    const auto once = bench.timed([&] { return bench.launch(*kernel); });
    if (!once) return tl::unexpected(once.error());
    if (const auto done = bench.checkResult(record); !done) return tl::unexpected(done.error());
    launches = launchesFor(*once, kSampleMs);
    return Writing{std::move(*kernel), std::move(*buffer)};
  };
  const auto adding = checked(summed, sums.size() * sizeof(SumRecord));
  if (!adding) return tl::unexpected(adding.error());
  const auto stamping = checked(stamped, records.size() * sizeof(StampRecord));
  if (!stamping) return tl::unexpected(stamping.error());
  unstamped->arguments = stamping->kernel.arguments;

  std::vector<double> clocks;
  const auto turn = [&](const LoadedStage& kernel) -> Result<double> {
    bench.allow(limitMs);
    auto ms = bench.timed([&]() -> Result<void> {
      for (int i = 0; i < launches; ++i) {
        if (auto done = bench.launch(kernel); !done) return done;
      }
      if (bench.nvml() != nullptr) {  // while the GPU is busy
        if (const Vitals v = bench.nvml()->read(); v.smClockMHz > 0) clocks.push_back(v.smClockMHz);
      }
      return {};
    });
    if (ms) *ms = std::max(*ms / launches, 1e-6);
    return ms;
  };
  const std::array<const LoadedStage*, 3> kernels = {&*unstamped, &stamping->kernel,
                                                     &adding->kernel};
  std::array<std::vector<double>, kernels.size()> times;
  for (std::size_t round = 0; round < kRounds; ++round) {
    for (std::size_t i = 0; i < kernels.size(); ++i) {
      // Each comes first equally often, and precedes each of the others.
      const std::size_t which = (round % 2 == 0 ? round + i : round + kernels.size() - i) % 3;
      const auto ms = turn(*kernels[which]);
      if (!ms) return tl::unexpected(ms.error());
      times[which].push_back(*ms);
    }
  }
  // What the last launch has written: each overwrites the previous one.
  if (const auto done =
          bench.context().download(std::as_writable_bytes(std::span(records)), stamping->buffer);
      !done) {
    return tl::unexpected(done.error());
  }
  if (const auto done =
          bench.context().download(std::as_writable_bytes(std::span(sums)), adding->buffer);
      !done) {
    return tl::unexpected(done.error());
  }
  m.subject() = stamped;
  m.problem = problem;
  m.when = record.when;
  m.device = record.device;
  m.arch = record.arch;
  m.cuda = record.cuda;
  m.fingerprint = record.fingerprint;
  m.clockMHz = static_cast<int>(runs::median(clocks));
  m.blocksPerSm = unstamped->kernel.blocksPerSm;
  m.stampedBlocksPerSm = stamping->kernel.kernel.blocksPerSm;
  m.plainMs = runs::median(times[0]);
  m.stampedMs = runs::median(times[1]);
  m.summedMs = runs::median(times[2]);
  auto read = readStamps(records, stamping->kernel.padded.k, d.stepK);
  if (!read) return tl::unexpected(read.error());
  m.warps = std::move(read->warps);
  m.full = read->full;
  auto added = readSums(sums, warps);
  if (!added) return tl::unexpected(added.error());
  m.times = std::move(*added);
  return m;
}

}  // namespace tileloom::gpu
