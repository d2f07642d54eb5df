// SPDX-License-Identifier: GPL-3.0-or-later
// Launches of the kernels that stamp the clock or add up what it says (stamped_source.h), by turns
// with the one that does neither.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "kernels/gpu/bench.h"
#include "kernels/gpu/stamped_source.h"
#include "kernels/runs/statistics.h"
#include "kernels/tile/derived.h"

namespace tileloom::gpu {
namespace {

using Clock = std::chrono::steady_clock;
using timeline::Measured;

constexpr std::size_t kRounds = 15;
constexpr double kSampleMs = 5;  // of each turn, so that neither events nor the host's pauses count
constexpr int kMostLaunches = 500;

int launchesFor(double ms) {
  return std::clamp(static_cast<int>(std::ceil(kSampleMs / std::max(ms, 1e-3))), 1, kMostLaunches);
}

// Blocks start in the order of their numbers, as many as there is room for.
int chosenBlock(int blocks, int atOnce) {
  atOnce = std::max(1, atOnce);
  const int inSecondWave = atOnce + atOnce / 2;
  return inSecondWave < blocks ? inSecondWave : std::min(blocks, atOnce) / 2;
}

// Asks for so much shared memory that no more than `blocks` fit into an SM.
void keepOut(Build& build, int blocks, const DeviceInfo& device) {
  const auto most = [](auto bytes) { return static_cast<int>(bytes); };
  const int bytes = most(device.sharedPerSm) / (blocks + 1) + 1 - build.resources.staticShared;
  if (bytes <= most(device.sharedPerBlock))
    build.dynamicShared = std::max(build.dynamicShared, bytes);
}

}  // namespace

Result<Measured> Bench::stamp(const Build& plain, const Build& stamped, const Build& summed,
                              const Problem& problem, double limitMs) {
  const auto limit = std::chrono::microseconds(static_cast<long long>(limitMs * 1e3));
  deadline_ = Clock::now() + limit;
  auto unstamped = loadStage(plain, problem);
  if (!unstamped) return tl::unexpected(unstamped.error());
  // With fewer registers more blocks could fit, which would be another launch.
  const auto asManyBlocks = [&](Build build) -> Result<Loaded> {
    auto loaded = prepare(build, problem);
    if (loaded && loaded->kernel.blocksPerSm > unstamped->kernel.blocksPerSm) {
      keepOut(build, unstamped->kernel.blocksPerSm, context_->device());
      loaded = prepare(build, problem);
    }
    return loaded;
  };
  const auto adding = asManyBlocks(summed);
  if (!adding) return tl::unexpected(adding.error());
  const auto loaded = asManyBlocks(stamped);
  if (!loaded) return tl::unexpected(loaded.error());
  unstamped->arguments = loaded->arguments;

  const Derived d = derive(*stamped.stage, stamped.tile);
  const auto warps = static_cast<std::size_t>(d.warps);
  Measured m;
  m.blocks = loaded->shape.grid.x * loaded->shape.grid.y;
  m.block = chosenBlock(m.blocks, context_->device().sms * loaded->kernel.blocksPerSm);
  std::vector<StampRecord> records(warps * kStampsPerWarp);
  std::vector<SumRecord> sums(warps * static_cast<std::size_t>(m.blocks));
  const auto write = [&](const Kernel& kernel, std::size_t bytes) -> Result<Buffer> {
    auto buffer = context_->allocate(bytes);
    if (!buffer) return buffer;
    if (const auto done = context_->clear(*buffer, buffer->bytes()); !done)
      return tl::unexpected(done.error());
    const StampsAt at{buffer->address(), static_cast<unsigned>(m.block), 0};
    if (const auto done = context_->set(kernel, kStampsVariable, std::as_bytes(std::span(&at, 1)));
        !done) {
      return tl::unexpected(done.error());
    }
    return buffer;
  };
  const auto stampsBuffer = write(loaded->kernel, records.size() * sizeof(StampRecord));
  if (!stampsBuffer) return tl::unexpected(stampsBuffer.error());
  const auto sumsBuffer = write(adding->kernel, sums.size() * sizeof(SumRecord));
  if (!sumsBuffer) return tl::unexpected(sumsBuffer.error());

  runs::RunRecord record = describe(stamped, problem, *loaded);
  int launches = 1;
  for (const Loaded* kernel : {&*adding, &*loaded}) {
    if (const auto done = checkSigns(stamped, problem, *kernel, record); !done)
      return tl::unexpected(done.error());
    const auto once = timed([&] { return launch(*kernel); });
    if (!once) return tl::unexpected(once.error());
    if (const auto done = checkResult(operands_, record); !done)
      return tl::unexpected(done.error());
    launches = launchesFor(*once);
  }

  std::vector<double> clocks;
  const auto turn = [&](const Loaded& kernel) -> Result<double> {
    deadline_ = Clock::now() + limit;
    auto ms = timed([&]() -> Result<void> {
      for (int i = 0; i < launches; ++i) {
        if (auto done = launch(kernel); !done) return done;
      }
      if (nvml_) {  // while the GPU is busy
        if (const Vitals v = nvml_->read(); v.smClockMHz > 0) clocks.push_back(v.smClockMHz);
      }
      return {};
    });
    if (ms) *ms = std::max(*ms / launches, 1e-6);
    return ms;
  };
  const std::array kernels = {&*unstamped, &*loaded, &*adding};
  std::array<std::vector<double>, kernels.size()> times;
  for (std::size_t round = 0; round < kRounds; ++round) {
    for (std::size_t i = 0; i < kernels.size(); ++i) {
      // Each comes first as often as the others, and goes before each of them.
      const std::size_t which = (round % 2 == 0 ? round + i : round + kernels.size() - i) % 3;
      const auto ms = turn(*kernels[which]);
      if (!ms) return tl::unexpected(ms.error());
      times[which].push_back(*ms);
    }
  }
  // What the last launch has written: each writes over the one before.
  if (const auto done =
          context_->download(std::as_writable_bytes(std::span(records)), *stampsBuffer);
      !done) {
    return tl::unexpected(done.error());
  }
  if (const auto done = context_->download(std::as_writable_bytes(std::span(sums)), *sumsBuffer);
      !done) {
    return tl::unexpected(done.error());
  }
  m.stage = stamped.stage;
  m.tile = stamped.tile;
  m.arithmetic = stamped.arithmetic;
  m.problem = problem;
  m.when = record.when;
  m.device = record.device;
  m.arch = record.arch;
  m.cuda = record.cuda;
  m.sourceHash = record.sourceHash;
  m.clockMHz = static_cast<int>(runs::median(clocks));
  m.blocksPerSm = unstamped->kernel.blocksPerSm;
  m.stampedBlocksPerSm = loaded->kernel.blocksPerSm;
  m.plainMs = runs::median(times[0]);
  m.stampedMs = runs::median(times[1]);
  m.summedMs = runs::median(times[2]);
  auto read = readStamps(records, loaded->padded.k, d.stepK);
  if (!read) return tl::unexpected(read.error());
  m.warps = std::move(read->warps);
  m.full = read->full;
  auto added = readSums(sums, warps);
  if (!added) return tl::unexpected(added.error());
  m.times = std::move(*added);
  return m;
}

}  // namespace tileloom::gpu
