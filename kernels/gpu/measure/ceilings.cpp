// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/gpu/measure/ceilings.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>

#include "kernels/gpu/compile/cached_code.h"
#include "kernels/gpu/driver/nvml.h"
#include "kernels/runs/statistics.h"
#include "kernels/tile/architecture.h"
#include "kernels/tile/stage.h"

namespace tileloom::gpu {
namespace {

using Clock = std::chrono::steady_clock;

constexpr unsigned kThreads = 256;                       // per block
constexpr unsigned kStep = 16;                           // independent sums, loads a round
constexpr std::size_t kVector = 16;                      // bytes of a float4
constexpr std::size_t kL2Step = 4 * kThreads * kVector;  // bytes that a block reads at a time
constexpr std::size_t kUnknownL2 = 32u << 20;
constexpr double kMostRounds = 1e6;
constexpr double kMmaFlops = 2.0 * 16 * 8 * 16;  // of one mma of a warp

struct Load {
  const char* kernel;
  std::string_view title;
  std::size_t bytes;  // of each buffer
  unsigned blocks;
  // FLOPs or bytes of one launch in one of its rounds.
  double work;
};

class Meter {
 public:
  Meter(const Context& context, const CeilingOptions& options)
      : context_(context), options_(options) {}

  Result<void> open(const std::string& bus) {
    for (Event& event : events_) {
      auto made = context_.event();
      if (!made) return tl::unexpected(made.error());
      event = std::move(*made);
    }
    if (auto nvml = Nvml::open(bus)) nvml_ = std::move(*nvml);
    return {};
  }

  std::string driverVersion() const { return nvml_ ? nvml_->driverVersion() : ""; }
  int clockMHz() const { return static_cast<int>(runs::median(clocks_)); }

  // In 1e9 per second.
  Result<runs::Interval> measure(std::span<const char> cubin, const Load& load) {
    auto kernel = context_.load(cubin, load.kernel, kThreads, 0);
    if (!kernel) return tl::unexpected(kernel.error());
    auto from = buffer(load.bytes), to = buffer(load.bytes);
    if (!from) return tl::unexpected(from.error());
    if (!to) return tl::unexpected(to.error());
    clocks_.clear();
    // The time of one round shows how many make a sample.
    auto once = milliseconds(*kernel, load, *from, *to, 1);
    if (!once) return tl::unexpected(once.error());
    double ms = *once;
    unsigned rounds = 1;
    for (int i = 0; i < 6 && ms < options_.sampleMs / 2; ++i) {
      const double more = rounds * options_.sampleMs / std::max(ms, 1e-3);
      rounds = static_cast<unsigned>(std::clamp(more, 1.0, kMostRounds));
      once = milliseconds(*kernel, load, *from, *to, rounds);
      if (!once) return tl::unexpected(once.error());
      ms = *once;
    }
    for (double warm = 0; warm < options_.warmUpMs; warm += std::max(ms, 0.1)) {
      const auto t = milliseconds(*kernel, load, *from, *to, rounds);
      if (!t) return tl::unexpected(t.error());
    }
    clocks_.clear();
    std::vector<double> speeds;
    for (int i = 0; i < options_.rounds; ++i) {
      const auto t = milliseconds(*kernel, load, *from, *to, rounds);
      if (!t) return tl::unexpected(t.error());
      speeds.push_back(load.work * rounds / (std::max(*t, 1e-6) * 1e6));
    }
    return runs::medianInterval(speeds);
  }

 private:
  Result<Buffer> buffer(std::size_t bytes) {
    auto made = context_.allocate(bytes);
    if (!made) return made;
    if (const auto done = context_.clear(*made, bytes); !done) return tl::unexpected(done.error());
    return made;
  }

  Result<double> milliseconds(const Kernel& kernel, const Load& load, const Buffer& from,
                              const Buffer& to, unsigned rounds) {
    cu::DevicePtr source = from.address(), target = to.address();
    unsigned long long count = load.bytes / kVector;
    void* arguments[] = {&source, &target, &count, &rounds};
    if (const auto done = context_.record(events_[0]); !done) return tl::unexpected(done.error());
    if (const auto done = context_.launch(kernel, {load.blocks, 1, kThreads, 1}, arguments); !done)
      return tl::unexpected(done.error());
    if (const auto done = context_.record(events_[1]); !done) return tl::unexpected(done.error());
    if (nvml_) {  // while the GPU is busy
      if (const Vitals v = nvml_->read(); v.smClockMHz > 0) clocks_.push_back(v.smClockMHz);
    }
    const auto limit = std::chrono::microseconds(static_cast<long long>(options_.limitMs * 1e3));
    if (const auto done = context_.wait(Clock::now() + limit); !done)
      return tl::unexpected(done.error());
    return context_.milliseconds(events_[0], events_[1]);
  }

  const Context& context_;
  const CeilingOptions& options_;
  std::unique_ptr<Nvml> nvml_;
  std::array<Event, 2> events_;
  std::vector<double> clocks_;
};

Result<std::vector<char>> compiled(const Nvrtc& nvrtc, const BuildCache* cache,
                                   const std::string& arch) {
  const auto files = deviceFiles();
  const auto source =
      std::ranges::find(files, "kernels/gpu/measure/ceilings.cu", &SourceFile::name);
  const std::vector<std::string> options = {"--gpu-architecture=" + arch, "--std=c++17",
                                            fmt::format("-DTHREADS={}", kThreads),
                                            fmt::format("-DSTEP={}", kStep)};
  const std::string key = fmt::format("ceilings {} nvrtc {} {}", source->text, nvrtc.identity(),
                                      fmt::join(options, " "));
  if (auto entry = cachedCode(cache, key)) return std::move(entry->cubin);
  auto output = nvrtc.compile(std::string(source->text), std::string(source->name), {}, options);
  if (!output) return tl::unexpected(output.error());
  if (cache != nullptr) cache->write(key, {output->log, output->cubin});
  return std::move(output->cubin);
}

model::Ceilings describe(const DeviceInfo& device) {
  model::Ceilings c;
  c.when = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
  c.device = device.name;
  c.arch = device.arch();
  c.l2CacheBytes = device.l2Bytes;
  c.sms = device.sms;
  return c;
}

std::size_t wholeSteps(std::size_t bytes) {
  return std::max<std::size_t>(1, bytes / kL2Step) * kL2Step;
}

}  // namespace

bool hasTensorCores(const DeviceInfo& device) {
  return tensorPerCycle(device.major, device.minor) > 0;
}

Result<model::Ceilings> measureCeilings(std::shared_ptr<const Driver> driver, int device,
                                        const Nvrtc& nvrtc, const BuildCache* cache,
                                        const CeilingOptions& options,
                                        const CeilingProgress& progress) {
  auto opened = Context::open(std::move(driver), device);
  if (!opened) return tl::unexpected(opened.error());
  const Context& context = **opened;
  const DeviceInfo& info = context.device();
  const auto cubin = compiled(nvrtc, cache, info.arch());
  if (!cubin) return tl::unexpected(cubin.error());
  const auto free = context.freeBytes();
  if (!free) return tl::unexpected(free.error());

  const std::size_t l2 = info.l2Bytes > 0 ? static_cast<std::size_t>(info.l2Bytes) : kUnknownL2;
  const std::size_t large =
      wholeSteps(std::min(std::max<std::size_t>(8 * l2, 512u << 20), *free / 4));
  const std::size_t small = wholeSteps(std::min(l2 / 8, *free / 4));
  const auto sms = static_cast<unsigned>(info.sms);
  const unsigned blocks = sms * 8;  // 64 warps per SM
  const double threads = double(blocks) * kThreads;

  Meter meter(context, options);
  if (const auto done = meter.open(info.bus); !done) return tl::unexpected(done.error());
  model::Ceilings c = describe(info);
  c.driver = meter.driverVersion();
  c.cuda = nvrtc.version();
  struct Ceiling {
    Load load;
    runs::Interval model::Ceilings::*into;
    int model::Ceilings::*clock = nullptr;
  };
  std::vector<Ceiling> all = {
      {{"ceiling_dram", "DRAM", large, blocks, 2.0 * double(large)}, &model::Ceilings::dramGBs},
      {{"ceiling_l2", "L2", small, blocks, double(blocks) * double(small)},
       &model::Ceilings::l2GBs},
      {{"ceiling_shared", "shared memory", kL2Step, blocks, threads * kStep * kVector},
       &model::Ceilings::sharedGBs},
      {{"ceiling_fma", "FMA", kL2Step, blocks, threads * 2 * kStep * kStep},
       &model::Ceilings::fmaGflops,
       &model::Ceilings::smClockMHz},
  };
  if (hasTensorCores(info)) {
    // Two blocks per SM have room for all their accumulators: 16 warps, each with kStep mma
    // instructions in flight.
    const unsigned few = sms * 2;
    const double warps = double(few) * kThreads / 32;
    all.push_back({{"ceiling_mma", "mma.sync", kL2Step, few, warps * kMmaFlops * kStep * kStep},
                   &model::Ceilings::mmaGflops,
                   &model::Ceilings::mmaClockMHz});
  }
  for (const auto& [load, into, clock] : all) {
    if (progress && !progress(load.title))
      return fail(Trouble::Cancelled, "the measurement was cancelled");
    const auto measured = meter.measure(*cubin, load);
    if (!measured) return tl::unexpected(measured.error());
    c.*into = *measured;
    if (clock != nullptr) c.*clock = meter.clockMHz();
  }
  c.origin = model::CeilingOrigin::Live;
  return c;
}

model::Ceilings computedCeilings(const DeviceInfo& device) {
  model::Ceilings c = describe(device);
  const auto exactly = [](double value) { return runs::Interval{value, value, value}; };
  const double mhz = device.clockMHz;
  c.fmaGflops = exactly(peakGflops(device, device.clockMHz));
  c.dramGBs = exactly(2.0 * device.memoryClockMHz * 1e6 * device.busBits / 8 / 1e9);
  c.sharedGBs = exactly(128.0 * device.sms * mhz * 1e6 / 1e9);
  c.smClockMHz = device.clockMHz;
  c.origin = model::CeilingOrigin::Computed;
  return c;
}

}  // namespace tileloom::gpu
