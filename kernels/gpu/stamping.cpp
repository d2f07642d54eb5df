// SPDX-License-Identifier: GPL-3.0-or-later
// Launches of a kernel that stamps the clock (stamped_source.h), by turns with the one that does
// not.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "kernels/gpu/bench.h"
#include "kernels/gpu/stamped_source.h"
#include "kernels/runs/statistics.h"
#include "kernels/tile/derived.h"

namespace tileloom::gpu {
namespace {

using Clock = std::chrono::steady_clock;
using timeline::Measured;

constexpr int kPairs = 15;
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

Result<Measured> Bench::stamp(const Build& plain, const Build& stamped, const Problem& problem,
                              double limitMs) {
  const auto limit = std::chrono::microseconds(static_cast<long long>(limitMs * 1e3));
  deadline_ = Clock::now() + limit;
  auto unstamped = loadStage(plain, problem);
  if (!unstamped) return tl::unexpected(unstamped.error());
  Build build = stamped;
  auto loaded = prepare(build, problem);
  if (loaded && loaded->kernel.blocksPerSm > unstamped->kernel.blocksPerSm) {
    // With fewer registers more blocks fit, which would be another launch.
    keepOut(build, unstamped->kernel.blocksPerSm, context_->device());
    loaded = prepare(build, problem);
  }
  if (!loaded) return tl::unexpected(loaded.error());
  unstamped->arguments = loaded->arguments;

  const Derived d = derive(*build.stage, build.tile);
  const auto warps = static_cast<std::size_t>(d.warps);
  std::vector<StampRecord> records(warps * kStampsPerWarp);
  auto buffer = context_->allocate(records.size() * sizeof(StampRecord));
  if (!buffer) return tl::unexpected(buffer.error());
  if (const auto done = context_->clear(*buffer, buffer->bytes()); !done)
    return tl::unexpected(done.error());

  Measured m;
  m.blocks = loaded->shape.grid.x * loaded->shape.grid.y;
  m.block = chosenBlock(m.blocks, context_->device().sms * loaded->kernel.blocksPerSm);
  const StampsAt at{buffer->address(), static_cast<unsigned>(m.block), 0};
  if (const auto done =
          context_->set(loaded->kernel, kStampsVariable, std::as_bytes(std::span(&at, 1)));
      !done) {
    return tl::unexpected(done.error());
  }

  runs::RunRecord record = describe(build, problem, *loaded);
  if (const auto done = checkSigns(build, problem, *loaded, record); !done)
    return tl::unexpected(done.error());
  const auto once = timed([&] { return launch(*loaded); });
  if (!once) return tl::unexpected(once.error());
  if (const auto done = checkResult(operands_, record); !done) return tl::unexpected(done.error());

  const int launches = launchesFor(*once);
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
  std::vector<double> with, without;
  for (int pair = 0; pair < kPairs; ++pair) {
    for (const bool second : {false, true}) {
      const bool stamps = second == (pair % 2 == 0);
      const auto ms = turn(stamps ? *loaded : *unstamped);
      if (!ms) return tl::unexpected(ms.error());
      (stamps ? with : without).push_back(*ms);
    }
  }
  // What the last launch has stamped: each writes over the one before.
  if (const auto done = context_->download(std::as_writable_bytes(std::span(records)), *buffer);
      !done) {
    return tl::unexpected(done.error());
  }
  m.stage = build.stage;
  m.tile = build.tile;
  m.arithmetic = build.arithmetic;
  m.problem = problem;
  m.when = record.when;
  m.device = record.device;
  m.arch = record.arch;
  m.cuda = record.cuda;
  m.sourceHash = record.sourceHash;
  m.clockMHz = static_cast<int>(runs::median(clocks));
  m.blocksPerSm = unstamped->kernel.blocksPerSm;
  m.stampedBlocksPerSm = loaded->kernel.blocksPerSm;
  m.plainMs = runs::median(without);
  m.stampedMs = runs::median(with);
  if (auto read = readStamps(records, loaded->padded.k, d.stepK)) {
    m.warps = std::move(read->warps);
    m.full = read->full;
  } else {
    return tl::unexpected(read.error());
  }
  return m;
}

}  // namespace tileloom::gpu
