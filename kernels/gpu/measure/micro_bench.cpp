// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/gpu/measure/micro_bench.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <ctime>

#include "kernels/gpu/compile/cached_code.h"
#include "kernels/gpu/driver/nvml.h"
#include "kernels/runs/statistics.h"
#include "kernels/tile/architecture.h"
#include "kernels/tile/stage.h"

namespace tileloom::gpu {
namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* kKernel = "micro_case";
constexpr unsigned kWarp = 32;
constexpr unsigned kSchedulers = Architecture::kPartitions;
constexpr unsigned kMostWarps = kSchedulers * sass::kMicroWarps.back();

class Meter {
 public:
  Meter(const Context& context, const MicroOptions& options)
      : context_(context),
        options_(options),
        blocks_(static_cast<unsigned>(context.device().sms)),
        clocks_(std::size_t{2} * blocks_ * kMostWarps) {}

  Result<void> open() {
    for (auto [buffer, bytes] : {std::pair{&addresses_, kWarp * sizeof(std::uint32_t)},
                                 std::pair{&ticks_, clocks_.size() * sizeof(clocks_[0])}}) {
      auto made = context_.allocate(bytes);
      if (!made) return tl::unexpected(made.error());
      *buffer = std::move(*made);
    }
    return {};
  }

  Result<sass::MicroResult> measure(std::span<const char> cubin, const sass::MicroCase& which) {
    const auto lanes = bytesOf(which.addresses);
    if (const auto done = context_.upload(addresses_, std::as_bytes(std::span(lanes))); !done)
      return tl::unexpected(done.error());
    const auto kernel = context_.load(cubin, kKernel, kMostWarps * kWarp, 0);
    if (!kernel) return tl::unexpected(kernel.error());
    sass::MicroResult result{which.name, {}};
    for (std::size_t i = 0; i < sass::kMicroWarps.size(); ++i) {
      std::vector<double> launches;
      for (int round = 0; round < options_.rounds; ++round) {
        const auto cycles = launch(*kernel, static_cast<unsigned>(sass::kMicroWarps[i]));
        if (!cycles) return tl::unexpected(cycles.error());
        if (round > 0 || options_.rounds == 1) launches.push_back(*cycles);
      }
      result.cycles[i] = runs::median(launches);
    }
    return result;
  }

 private:
  // Cycles per slot, with this many warps per scheduler.
  Result<double> launch(const Kernel& kernel, unsigned warps) {
    cu::DevicePtr addresses = addresses_.address(), ticks = ticks_.address();
    int turns = options_.turns;
    void* arguments[] = {&addresses, &ticks, &turns};
    const unsigned warpsPerBlock = kSchedulers * warps;
    if (const auto done =
            context_.launch(kernel, {blocks_, 1, warpsPerBlock * kWarp, 1}, arguments);
        !done)
      return tl::unexpected(done.error());
    const auto limit = std::chrono::microseconds(static_cast<long long>(options_.limitMs * 1e3));
    if (const auto done = context_.wait(Clock::now() + limit); !done)
      return tl::unexpected(done.error());
    if (const auto done = context_.download(std::as_writable_bytes(std::span(clocks_)), ticks_);
        !done)
      return tl::unexpected(done.error());
    std::vector<double> spans;
    for (unsigned block = 0; block < blocks_; ++block) {
      const std::int64_t* const first = clocks_.data() + std::size_t{2} * block * warpsPerBlock;
      std::int64_t from = first[0], to = first[1];
      for (unsigned warp = 1; warp < warpsPerBlock; ++warp) {
        from = std::min(from, first[2 * warp]);
        to = std::max(to, first[2 * warp + 1]);
      }
      spans.push_back(static_cast<double>(to - from));
    }
    const double slots = double(options_.turns) * sass::MicroCase::kSlots * warps;
    return runs::median(spans) / slots;
  }

  const Context& context_;
  const MicroOptions& options_;
  unsigned blocks_;
  std::vector<std::int64_t> clocks_;
  Buffer addresses_, ticks_;
};

}  // namespace

Result<std::vector<char>> microTemplate(const Nvrtc& nvrtc, const BuildCache* cache) {
  const auto files = deviceFiles();
  const auto source =
      std::ranges::find(files, "kernels/gpu/measure/micro_case.cu", &SourceFile::name);
  const std::vector<std::string> options = {"--gpu-architecture=sm_90", "--std=c++17",
                                            fmt::format("-DSLOTS={}", sass::MicroCase::kSlots)};
  const std::string key = fmt::format("micro-case {} nvrtc {} {}", source->text, nvrtc.identity(),
                                      fmt::join(options, " "));
  if (auto entry = cachedCode(cache, key)) return std::move(entry->cubin);
  auto output = nvrtc.compile(std::string(source->text), std::string(source->name), {}, options);
  if (!output) return tl::unexpected(output.error());
  if (cache != nullptr) cache->write(key, {output->log, output->cubin});
  return std::move(output->cubin);
}

Result<sass::MicroResults> measureMicroCases(std::shared_ptr<const Driver> driver, int device,
                                             const Nvrtc& nvrtc, const BuildCache* cache,
                                             std::span<const sass::MicroCase> cases,
                                             const MicroOptions& options,
                                             const MicroProgress& progress) {
  auto opened = Context::open(std::move(driver), device);
  if (!opened) return tl::unexpected(opened.error());
  const Context& context = **opened;
  const DeviceInfo& info = context.device();
  if (info.major != 9 || info.minor != 0)
    return fail(Trouble::Unsupported,
                fmt::format("micro-cases are machine code for compute capability 9.0, but {} has "
                            "{}.{}: show recorded ones with --shipped",
                            info.name, info.major, info.minor));
  const auto compiled = microTemplate(nvrtc, cache);
  if (!compiled) return tl::unexpected(compiled.error());
  Meter meter(context, options);
  if (const auto done = meter.open(); !done) return tl::unexpected(done.error());
  sass::MicroResults all{
      .when = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr))),
      .device = info.name,
      .arch = info.arch(),
      .driver = {},
      .cuda = nvrtc.version(),
      .turns = options.turns,
      .results = {}};
  if (const auto nvml = Nvml::open(info.bus)) all.driver = (*nvml)->driverVersion();
  for (const sass::MicroCase& each : cases) {
    if (progress && !progress(each))
      return fail(Trouble::Cancelled, "the measurement was cancelled");
    const auto cubin = microCubin(*compiled, each);
    if (!cubin) return fail(Trouble::Failed, cubin.error());
    auto result = meter.measure(*cubin, each);
    if (!result) return tl::unexpected(result.error());
    all.results.push_back(std::move(*result));
  }
  return all;
}

}  // namespace tileloom::gpu
