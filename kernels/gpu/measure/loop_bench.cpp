// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/gpu/measure/loop_bench.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <optional>
#include <string_view>
#include <utility>

#include "kernels/analysis/counts/occupancy.h"
#include "kernels/gpu/compile/build.h"
#include "kernels/gpu/driver/nvml.h"
#include "kernels/gpu/measure/kernel_arguments.h"
#include "kernels/gpu/measure/operands.h"
#include "kernels/rewrite/rewrite.h"
#include "kernels/runs/statistics.h"
#include "kernels/tile/derived.h"
#include "kernels/tile/last_wave.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/placement.h"
#include "kernels/tile/subject.h"

namespace tileloom::gpu {
namespace {

using Clock = std::chrono::steady_clock;
using rewrite::Changes;

constexpr std::string_view kModelled = "sm_90";  // rewrite/turn_time.h
constexpr int kShortK = 2048, kLongK = 6144;     // about: whole K tiles

struct Version {
  std::optional<Changes> changes;
  bool pairedLoads = false;
  Kernel kernel;
  std::vector<double> milliseconds;  // per iteration
};

// The most square grid of this many blocks, wider than high.
Extent gridOf(int blocks) {
  int down = static_cast<int>(std::sqrt(blocks));
  while (blocks % down != 0) --down;
  return {blocks / down, down};
}

int wholeTiles(int k, int depth) {
  return (k + depth - 1) / depth * depth;
}

class Meter {
 public:
  Meter(const Context& context, const Build& build, const LoopOptions& options)
      : context_(context),
        build_(build),
        options_(options),
        shortK_(wholeTiles(kShortK, build.tile[Parameter::BK])),
        longK_(wholeTiles(kLongK, build.tile[Parameter::BK])) {}

  // A cubin as compiled. All other versions are compared with the first one.
  Result<void> addUntouched(std::span<const char> file, bool pairedLoads) {
    return load(std::nullopt, pairedLoads, file);
  }
  // The same with all versions that the rewriter makes of it.
  Result<void> add(std::span<const char> untouched, int registerLimit, bool pairedLoads) {
    if (auto done = addUntouched(untouched, pairedLoads); !done) return done;
    for (const bool order : {true, false})
      for (const bool loads : {true, false})
        for (const bool barrier : {true, false}) {
          rewrite::Request request;
          request.registerLimit = registerLimit;
          request.changes = {order, loads, barrier};
          const auto rewritten = rewrite::rewriteMainLoop(untouched, request);
          if (!rewritten) continue;  // this version does not exist
          if (auto done = load(request.changes, pairedLoads, rewritten->cubin); !done) return done;
        }
    return {};
  }

  // Allocates room for the results of all versions, once all of them are added.
  Result<void> open() {
    // All of them need the same room.
    int blocks = versions_.front().kernel.blocksPerSm;
    for (const Version& version : versions_) blocks = std::min(blocks, version.kernel.blocksPerSm);
    if (blocks < 1)
      return fail(Trouble::Unsupported,
                  "no block of this tile fits on an SM of this device: choose a smaller one");
    const Extent grid = gridOf(blocks * context_.device().sms);
    problem_ = {grid.y * build_.tile[Parameter::BM], grid.x * build_.tile[Parameter::BN], longK_};
    if (auto done = fillOperands(context_, operands_, problem_); !done) return done;
    if (auto done = padOperands(context_, operands_, problem_); !done) return done;
    for (Event* event : {&from_, &to_}) {
      auto made = context_.event();
      if (!made) return tl::unexpected(made.error());
      *event = std::move(*made);
    }
    return {};
  }

  // Each version computes the same as the untouched loop.
  Result<void> judge() {
    std::vector<char> want;
    if (auto done = dealWholeTiles(longK_); !done) return done;
    for (Version& version : versions_) {
      if (auto done = resetWork(context_, operands_); !done) return done;
      if (auto done = launch(version, longK_, 1); !done) return done;
      if (auto done = context_.wait(deadline()); !done) return done;
      std::vector<char> got(operands_.work.bytes());
      if (auto done = context_.download(std::as_writable_bytes(std::span(got)), operands_.work);
          !done)
        return done;
      if (&version == &versions_.front()) {
        want = std::move(got);
        continue;
      }
      if (got != want)
        return fail(Trouble::WrongResult,
                    "a version of the loop computes another result than the untouched one: nothing "
                    "is timed");
    }
    return {};
  }

  Result<void> round(bool backwards) {
    std::vector<Version*> order;
    for (Version& version : versions_) order.push_back(&version);
    if (backwards) std::ranges::reverse(order);
    for (Version* version : order) {
      const auto less = timed(*version, shortK_);
      if (!less) return tl::unexpected(less.error());
      const auto more = timed(*version, longK_);
      if (!more) return tl::unexpected(more.error());
      const int turns = (longK_ - shortK_) / build_.tile[Parameter::BK];
      version->milliseconds.push_back((*more - *less) / turns);
      if (nvml_) clocks_.push_back(nvml_->read().smClockMHz);
    }
    return {};
  }

  void watch(std::unique_ptr<Nvml> nvml) { nvml_ = std::move(nvml); }

  // 0: the clock is unknown.
  int clockMHz() const {
    return clocks_.empty() ? 0 : static_cast<int>(std::lround(runs::median(clocks_)));
  }
  std::vector<runs::LoopTime> times() const {
    constexpr double kPerMHz = 1000;  // cycles in a millisecond
    std::vector<runs::LoopTime> all;
    for (const Version& version : versions_) {
      std::vector<double> cycles;
      for (const double ms : version.milliseconds) cycles.push_back(ms * kPerMHz * clockMHz());
      all.push_back({version.changes, runs::medianInterval(cycles), version.pairedLoads});
    }
    return all;
  }

 private:
  Clock::time_point deadline() const {
    return Clock::now() +
           std::chrono::microseconds(static_cast<long long>(options_.limitMs * 1000));
  }

  Result<void> load(std::optional<Changes> changes, bool pairedLoads, std::span<const char> cubin) {
    auto kernel = context_.load(cubin, std::string(build_.rung()->id),
                                derive(*build_.rung(), build_.tile).threads, build_.dynamicShared);
    if (!kernel) return tl::unexpected(kernel.error());
    versions_.push_back({changes, pairedLoads, std::move(*kernel), {}});
    return {};
  }

  // Blocks that look up their part of a tile find a whole tile each.
  Result<void> dealWholeTiles(int k) {
    if (!looksUpParts(*build_.rung(), build_.tile)) return {};
    const Extent grid = launchOf(*build_.rung(), build_.tile, problem_).grid;
    const auto u = [](int v) { return static_cast<std::uint32_t>(v); };
    const LastWave whole =
        lastWaveOf(u(grid.x * grid.y), u(k), u(build_.tile[Parameter::BK]), 1, 1);
    const std::vector<std::uint32_t> table = partTable(whole, 0);
    return fillLeft(context_, operands_, table.size() * sizeof(std::uint32_t), table);
  }

  Result<void> launch(const Version& version, int k, int times) {
    // With fewer of them the kernel takes the beginning of A and B for the whole matrices.
    operands_.padded.k = k;
    auto arguments = KernelArguments::of(context_.driver(), *build_.rung(), build_.tile, operands_);
    operands_.padded.k = longK_;
    if (!arguments) return tl::unexpected(arguments.error());
    const Launch shape = launchOf(*build_.rung(), build_.tile, problem_);
    for (int i = 0; i < times; ++i) {
      auto pointers = arguments->pointers();
      if (auto done = context_.launch(
              version.kernel,
              {static_cast<unsigned>(shape.grid.x), static_cast<unsigned>(shape.grid.y),
               static_cast<unsigned>(shape.block.x), static_cast<unsigned>(shape.block.y)},
              pointers);
          !done)
        return done;
    }
    return {};
  }

  // Milliseconds of a launch.
  Result<double> timed(const Version& version, int k) {
    if (auto done = dealWholeTiles(k); !done) return tl::unexpected(done.error());
    if (auto done = context_.record(from_); !done) return tl::unexpected(done.error());
    if (auto done = launch(version, k, options_.launches); !done)
      return tl::unexpected(done.error());
    if (auto done = context_.record(to_); !done) return tl::unexpected(done.error());
    if (auto done = context_.wait(deadline()); !done) return tl::unexpected(done.error());
    auto all = context_.milliseconds(from_, to_);
    if (all) *all /= options_.launches;
    return all;
  }

  const Context& context_;
  const Build& build_;
  const LoopOptions& options_;
  int shortK_, longK_;
  std::vector<Version> versions_;  // the untouched one with the kernel's own lanes first
  Problem problem_;
  Operands operands_;
  Event from_, to_;
  std::unique_ptr<Nvml> nvml_;
  std::vector<double> clocks_;
};

// std::nullopt: the versions with these lanes are left out.
Result<std::optional<Build>> pairedBuild(const Nvrtc& nvrtc, const BuildCache* cache,
                                         const Build& plain, int registerLimit) {
  auto build = buildPaired(nvrtc, cache, plain);
  if (!build && build.error().trouble != Trouble::Unsupported) return tl::unexpected(build.error());
  if (!build || build->resources.spillStores > 0 || build->resources.registers > registerLimit)
    return std::optional<Build>();
  return std::optional(std::move(*build));
}

Result<void> addVersions(Meter& meter, const Nvrtc& nvrtc, const BuildCache* cache,
                         const Build& build, const Architecture& arch) {
  if (!build.rewriting) return meter.addUntouched(build.cubin, false);
  const Derived d = derive(*build.rung(), build.tile);
  const int limit = analysis::mostRegisters(
      arch, {d.threads, build.rewriting->untouchedRegisters, d.sharedBytes});
  const auto paired = pairedBuild(nvrtc, cache, build, limit);
  if (!paired) return tl::unexpected(paired.error());
  if (const auto done = meter.add(build.rewriting->untouched, limit, false); !done) return done;
  return *paired ? meter.add((*paired)->cubin, limit, true) : Result<void>();
}

}  // namespace

Result<runs::LoopTimes> measureLoop(std::shared_ptr<const Driver> driver, int device,
                                    const Nvrtc& nvrtc, const BuildCache* cache,
                                    const Subject& subject, const LoopOptions& options,
                                    const LoopProgress& progress) {
  const Stage& stage = *subject.rung();
  if (stage.ladder != Ladder::Fp32 || subject.tile[Parameter::BK] < 1)
    return fail(Trouble::Unsupported,
                fmt::format("the iterations of {} are not timed: choose a rung of the FP32 ladder "
                            "with the tile parameter BK",
                            stage.id));
  auto opened = Context::open(std::move(driver), device);
  if (!opened) return tl::unexpected(opened.error());
  const Context& context = **opened;
  const Architecture arch = architectureOf(context.device());
  // The rewriter reports this itself for the stages that it knows.
  if (stage.rewriter == 0 && arch.name != kModelled)
    return fail(
        Trouble::Unsupported,
        fmt::format("the model of an iteration is for {}, but {} is {}: the two cannot be compared",
                    kModelled, context.device().name, arch.name));
  auto build = buildStage(nvrtc, cache, subject, arch);
  if (!build) return tl::unexpected(build.error());
  if (build->rewriting && !build->rewriting->done())
    return fail(Trouble::Unsupported,
                fmt::format("there is nothing to compare: the main loop is not rewritten, because "
                            "{}",
                            build->rewriting->whyNot));
  auto nvml = Nvml::open(context.device().bus);
  if (!nvml)
    return fail(Trouble::Missing,
                fmt::format("times cannot be converted to cycles without the SM clock: {}",
                            nvml.error().text));
  runs::LoopTimes all;
  all.when = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
  all.device = context.device().name;
  all.arch = context.device().arch();
  all.driver = (*nvml)->driverVersion();
  all.cuda = nvrtc.version();
  all.subject() = subject;
  all.fingerprint = build->fingerprint;
  Meter meter(context, *build, options);
  meter.watch(std::move(*nvml));
  if (const auto done = addVersions(meter, nvrtc, cache, *build, arch); !done)
    return tl::unexpected(done.error());
  if (const auto done = meter.open(); !done) return tl::unexpected(done.error());
  if (const auto done = meter.judge(); !done) return tl::unexpected(done.error());
  for (int round = 0; round < options.rounds; ++round) {
    if (progress && !progress(round))
      return fail(Trouble::Cancelled, "the measurement was cancelled");
    if (const auto done = meter.round(round % 2 != 0); !done) return tl::unexpected(done.error());
  }
  all.smClockMHz = meter.clockMHz();
  if (all.smClockMHz == 0)
    return fail(Trouble::Missing, "times cannot be converted to cycles: the SM clock is unknown");
  all.times = meter.times();
  return all;
}

}  // namespace tileloom::gpu
