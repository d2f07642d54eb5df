// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/gpu/measure/bench.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <ctime>

#include "kernels/gpu/compile/cached_code.h"
#include "kernels/gpu/counters/pc_sampler.h"
#include "kernels/runs/counters.h"
#include "kernels/runs/statistics.h"
#include "kernels/tile/derived.h"
#include "kernels/tile/residency.h"
#include "kernels/tile/whole_tiles.h"

namespace tileloom::gpu {
namespace {

using Clock = std::chrono::steady_clock;

struct Verdict {  // as in check.cu
  unsigned long long wrong = 0;
  unsigned long long first = ~0ull;
  unsigned int largest = 0;
  unsigned int padding = 0;
};

double flops(const Problem& p) {
  return 2.0 * p.m * p.n * p.k;
}

std::string now() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

// A sample lasts at least about this long, so that the resolution of events (0.5 us) does not
// matter.
constexpr double kSampleMs = 1.0;
constexpr int kMostLaunches = 500;

int launchesFor(double ms) {
  return std::clamp(static_cast<int>(std::ceil(kSampleMs / std::max(ms, 1e-3))), 1, kMostLaunches);
}

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

Result<std::unique_ptr<Bench>> Bench::open(std::shared_ptr<const Driver> driver, int device,
                                           std::shared_ptr<const Nvrtc> nvrtc,
                                           const BuildCache* cache) {
  std::unique_ptr<Bench> bench(new Bench);
  auto context = Context::open(std::move(driver), device);
  if (!context) return tl::unexpected(context.error());
  bench->context_ = std::move(*context);
  bench->nvrtc_ = std::move(nvrtc);
  bench->cache_ = cache;
  const DeviceInfo& info = bench->context_->device();
  if (auto cublas = Cublas::open(*bench->context_)) {
    bench->cublas_ = std::move(*cublas);
  } else {
    if (isFatal(cublas.error().trouble)) return tl::unexpected(cublas.error());
    bench->remarks_.push_back(cublas.error().text);
  }
  if (auto nvml = Nvml::open(info.bus)) {
    bench->nvml_ = std::move(*nvml);
  } else {
    bench->remarks_.push_back(nvml.error().text);
  }

  const auto files = deviceFiles();
  const auto source = std::ranges::find(files, "kernels/gpu/measure/check.cu", &SourceFile::name);
  const std::vector<std::string> options = {"--gpu-architecture=" + info.arch(), "--std=c++17"};
  const std::string key =
      fmt::format("check {} nvrtc {} {}", source->text, bench->nvrtc_->identity(), options[0]);
  std::optional<CacheEntry> entry = cachedCode(cache, key);
  if (!entry) {
    auto output =
        bench->nvrtc_->compile(std::string(source->text), std::string(source->name), {}, options);
    if (!output) return tl::unexpected(output.error());
    entry = CacheEntry{output->log, std::move(output->cubin)};
    if (cache != nullptr) cache->write(key, *entry);
  }
  auto check = bench->context_->load(entry->cubin, "check", 256, 0);
  if (!check) return tl::unexpected(check.error());
  bench->check_ = std::move(*check);
  auto checkHalves = bench->context_->load(entry->cubin, "check_halves", 256, 0);
  if (!checkHalves) return tl::unexpected(checkHalves.error());
  bench->checkHalves_ = std::move(*checkHalves);
  auto verdict = bench->context_->allocate(sizeof(Verdict));
  if (!verdict) return tl::unexpected(verdict.error());
  bench->verdict_ = std::move(*verdict);
  for (Event& event : bench->events_) {
    auto made = bench->context_->event();
    if (!made) return tl::unexpected(made.error());
    event = std::move(*made);
  }
  return bench;
}

Result<Bench::Loaded> Bench::loadStage(const Build& build, const Problem& problem) const {
  return loadKernel(build, build.cubin, problem);
}

Result<Bench::Loaded> Bench::loadKernel(const Build& build, std::span<const char> cubin,
                                        const Problem& problem) const {
  Loaded loaded;
  const Derived d = derive(*build.rung(), build.tile);
  auto kernel =
      context_->load(cubin, std::string(build.rung()->id), d.threads, build.dynamicShared);
  if (!kernel) return tl::unexpected(kernel.error());
  if (kernel->blocksPerSm == 0) {
    return fail(Trouble::Unsupported,
                fmt::format("a block of {} threads with {} registers each and {} bytes of shared "
                            "memory does not fit "
                            "into an SM of {}: choose a smaller tile",
                            d.threads, kernel->registers, d.sharedBytes, context_->device().name));
  }
  loaded.kernel = std::move(*kernel);
  loaded.padded = paddedProblem(*build.rung(), build.tile, problem);
  loaded.shape = residentLaunch(*build.rung(), build.tile, loaded.padded, context_->device().sms);
  return loaded;
}

Result<void> Bench::launch(const Loaded& loaded) const {
  return launch(loaded, loaded.arguments);
}

Result<void> Bench::launch(const Loaded& loaded, KernelArguments arguments) const {
  std::vector<void*> pointers = arguments.pointers();
  const auto u = [](int v) { return static_cast<unsigned>(v); };
  return context_->launch(loaded.kernel,
                          {u(loaded.shape.grid.x), u(loaded.shape.grid.y), u(loaded.shape.block.x),
                           u(loaded.shape.block.y)},
                          pointers);
}

Result<void> Bench::multiply(const Operands& o, const Buffer& into) const {
  return o.format == Format::Fp32 ? cublas_->sgemm(o.problem, kAlpha, o.a, o.b, kBeta, into)
                                  : cublas_->gemmHalves(o.problem, o.format, o.a, o.b, into);
}

Result<void> Bench::library(int times) const {
  for (int i = 0; i < times; ++i) {
    if (auto done = multiply(operands_, operands_.scratch); !done) return done;
  }
  return {};
}

Result<void> Bench::makeReference(Operands& o, const Stage& measured) {
  // Without cuBLAS the reference is another rung. Both are verified on the host, but not from the
  // same source.
  const auto ladder = measured.ladder == Ladder::Tensor ? tensorStages() : stages();
  const Stage& judge = ladder[measured.rung == 1 ? 1 : 0];
  const std::string by(cublas_ ? "cuBLAS" : judge.id);
  if (o.wantedBy == by) return {};
  o.wantedBy.clear();
  const auto forget = [&o](const Error& error) {
    o.problem = Problem{};
    return tl::unexpected(error);
  };
  if (o.c) {
    if (const auto done = context_->copy(o.want, o.c, o.c.bytes()); !done)
      return forget(done.error());
  }
  if (cublas_) {
    if (const auto done = multiply(o, o.want); !done) return forget(done.error());
  } else {
    const auto built = buildStage(*nvrtc_, cache_, {&judge, judge.standardTile(), o.format},
                                  architectureOf(context_->device()), SourceLines::Left);
    if (!built) return forget(built.error());
    const auto loaded = loadStage(*built, o.problem);
    if (!loaded) return forget(loaded.error());
    if (const auto done = padOperands(*context_, o, loaded->padded); !done)
      return forget(done.error());
    if (const auto done = resetWork(*context_, o); !done) return forget(done.error());
    const auto arguments = KernelArguments::of(context_->driver(), judge, built->tile, o);
    if (!arguments) return forget(arguments.error());
    if (const auto done = launch(*loaded, *arguments); !done) return forget(done.error());
    if (const auto done =
            context_->copyRows(o.want, o.bytesOf(1, o.problem.n), o.work, o.bytesOf(1, o.padded.n),
                               o.bytesOf(1, o.problem.n), static_cast<std::size_t>(o.problem.m));
        !done) {
      return forget(done.error());
    }
  }
  if (const auto done = context_->wait(deadline_); !done) return forget(done.error());
  o.wantedBy = by;
  return {};
}

Result<void> Bench::checkResult(const Operands& o, runs::RunRecord& record) {
  Verdict verdict;
  if (const auto done = context_->upload(verdict_, std::as_bytes(std::span(&verdict, 1))); !done)
    return done;
  unsigned m = static_cast<unsigned>(o.problem.m), n = static_cast<unsigned>(o.problem.n),
           ld = static_cast<unsigned>(o.padded.n), fp16 = o.format == Format::Fp16 ? 1 : 0;
  const bool halves = o.format != Format::Fp32;
  float tolerance = toleranceOf(o.problem.k);
  HalfTolerance ofHalves = toleranceOf(o.problem.k, o.format, o.values);
  cu::DevicePtr got = o.work.address(), want = o.want.address(), out = verdict_.address();
  std::vector<void*> arguments = {&m, &n, &got, &ld, &want, &tolerance, &out};
  if (halves) {
    arguments = {&m, &n, &got, &ld, &want, &ofHalves.absolute, &ofHalves.relative, &fp16, &out};
  }
  if (const auto done = context_->launch(
          halves ? checkHalves_ : check_,
          {static_cast<unsigned>(context_->device().sms * 4), 1, 256, 1}, arguments);
      !done) {
    return done;
  }
  if (const auto done = context_->wait(deadline_); !done) return done;
  if (const auto done =
          context_->download(std::as_writable_bytes(std::span(&verdict, 1)), verdict_);
      !done)
    return done;
  record.largestError = static_cast<double>(std::bit_cast<float>(verdict.largest));
  if (verdict.wrong == 0) return {};
  const auto row = verdict.first / n, column = verdict.first % n;
  const std::string how =
      !halves ? fmt::format("differ from {} by more than {:.2g}", o.wantedBy, tolerance)
      : o.values == Values::Signs
          ? fmt::format("differ from {} with operands of +1 and -1, whose sums are exact",
                        o.wantedBy)
          : fmt::format("differ from {} by more than {:.2g} and one ulp of {}", o.wantedBy,
                        ofHalves.absolute, rowOf(o.format).name);
  return fail(
      Trouble::WrongResult,
      fmt::format("the kernel's result is wrong: {} of {} elements {}, the first at row {}, "
                  "column {}; it is not timed",
                  verdict.wrong, static_cast<unsigned long long>(m) * n, how, row, column));
}

// Operands and reference are ready, and C has its initial values.
Result<void> Bench::fill(Operands& o, const Build& build, const Problem& problem, Values values,
                         const Problem& padded) {
  if (auto done = fillOperands(*context_, o, problem, build.format, values); !done) return done;
  if (auto done = makeReference(o, *build.rung()); !done) return done;
  if (auto done = padOperands(*context_, o, padded); !done) return done;
  const LeftMemory left = leftMemory(*build.rung(), build.tile, padded, context_->device().sms);
  if (auto done = fillLeft(*context_, o, left.bytes, left.head); !done) return done;
  return resetWork(*context_, o);
}

// The kernel is loaded, the operands are filled, the reference is known, C has its initial values.
Result<Bench::Loaded> Bench::prepare(const Build& build, const Problem& problem) {
  auto loaded = loadStage(build, problem);
  if (!loaded) return loaded;
  const Values values = build.format == Format::Fp32 ? Values::Uniform : Values::Normal;
  if (const auto done = fill(operands_, build, problem, values, loaded->padded); !done)
    return tl::unexpected(done.error());
  auto arguments = KernelArguments::of(context_->driver(), *build.rung(), build.tile, operands_);
  if (!arguments) return tl::unexpected(arguments.error());
  loaded->arguments = *arguments;
  if (const auto done = judgeRewritten(build, *loaded); !done) return tl::unexpected(done.error());
  return loaded;
}

Result<unsigned long long> Bench::differing(const Buffer& one, const Buffer& other, unsigned m,
                                            unsigned n) {
  Verdict verdict;
  if (const auto done = context_->upload(verdict_, std::as_bytes(std::span(&verdict, 1))); !done)
    return tl::unexpected(done.error());
  float tolerance = 0;
  cu::DevicePtr got = one.address(), want = other.address(), out = verdict_.address();
  std::vector<void*> arguments = {&m, &n, &got, &n, &want, &tolerance, &out};
  const unsigned blocks = static_cast<unsigned>(context_->device().sms * 4);
  if (const auto done = context_->launch(check_, {blocks, 1, 256, 1}, arguments); !done)
    return tl::unexpected(done.error());
  if (const auto done = context_->wait(deadline_); !done) return tl::unexpected(done.error());
  if (const auto done =
          context_->download(std::as_writable_bytes(std::span(&verdict, 1)), verdict_);
      !done) {
    return tl::unexpected(done.error());
  }
  return verdict.wrong;
}

Result<void> Bench::judgeRewritten(const Build& build, Loaded& loaded) {
  if (!build.rewriting) return {};
  loaded.whyNotRewritten = build.rewriting->whyNot;
  loaded.rewritten = build.rewriting->done();
  if (!loaded.rewritten) return {};
  const std::size_t key = std::hash<std::string_view>{}({build.cubin.data(), build.cubin.size()});
  auto judged = judged_.find(key);
  std::optional<Loaded> untouched;
  if (judged == judged_.end() || !judged->second.empty()) {
    auto its = loadKernel(build, build.rewriting->untouched, operands_.problem);
    if (!its) return tl::unexpected(its.error());
    its->arguments = loaded.arguments;
    untouched = std::move(*its);
  }
  if (judged == judged_.end()) {
    const auto kept = context_->allocate(operands_.work.bytes());
    if (!kept && kept.error().trouble == Trouble::OutOfMemory) {
      untouched->whyNotRewritten =
          "there is not enough memory to compare its result with that of the untouched loop";
      loaded = std::move(*untouched);
      return {};
    }
    if (!kept) return tl::unexpected(kept.error());
    const auto resultOf = [this](const Loaded& its) -> Result<void> {
      if (auto done = resetWork(*context_, operands_); !done) return done;
      if (auto done = launch(its); !done) return done;
      return context_->wait(deadline_);
    };
    if (auto done = resultOf(*untouched); !done) return done;
    if (auto done = context_->copy(*kept, operands_.work, operands_.work.bytes()); !done)
      return done;
    if (auto done = resultOf(loaded); !done) return done;
    const auto count = differing(operands_.work, *kept, static_cast<unsigned>(loaded.padded.m),
                                 static_cast<unsigned>(loaded.padded.n));
    if (!count) return tl::unexpected(count.error());
    std::string why;
    if (*count > 0) {
      why =
          fmt::format("its result differed from that of the untouched loop in {} elements", *count);
    }
    judged = judged_.emplace(key, std::move(why)).first;
    if (auto done = resetWork(*context_, operands_); !done) return done;
  }
  if (judged->second.empty()) return {};
  untouched->whyNotRewritten = judged->second;
  loaded = std::move(*untouched);
  return {};
}

// With random numbers a 16-bit result can hide a lost product; with signs it cannot.
Result<void> Bench::checkSigns(const Build& build, const Problem& problem, const Loaded& loaded,
                               runs::RunRecord& record) {
  if (build.format == Format::Fp32) return {};
  if (auto done = fill(signs_, build, problem, Values::Signs, loaded.padded); !done) return done;
  const auto arguments = KernelArguments::of(context_->driver(), *build.rung(), build.tile, signs_);
  if (!arguments) return tl::unexpected(arguments.error());
  if (auto done = launch(loaded, *arguments); !done) return done;
  return checkResult(signs_, record);
}

// What is known about a run before its first launch.
runs::RunRecord Bench::describe(const Build& build, const Problem& problem,
                                const Loaded& loaded) const {
  const DeviceInfo& info = context_->device();
  runs::RunRecord r;
  r.when = now();
  r.device = info.name;
  r.arch = info.arch();
  r.driver = nvml_ ? nvml_->driverVersion() : "";
  r.cuda = build.nvrtc;
  r.stage = build.rung()->id;
  r.format = build.format;
  r.tile = build.tile;
  r.problem = problem;
  r.fingerprint = build.fingerprint;

  const Derived d = derive(*build.rung(), build.tile);
  r.registers = loaded.kernel.registers;
  r.loop = build.rewriting && build.rewriting->done() && !loaded.rewritten
               ? build.rewriting->untouchedLoop
               : build.loop;
  r.rewritten = loaded.rewritten;
  r.whyNotRewritten = loaded.whyNotRewritten;
  r.spillBytes = build.resources.spillStores + build.resources.spillLoads;
  r.staticShared = loaded.kernel.staticShared;
  r.dynamicShared = loaded.kernel.dynamicShared;
  r.blocksPerSm = loaded.kernel.blocksPerSm;
  r.occupancy = info.warpsPerSm > 0 ? double(r.blocksPerSm) * d.warps / info.warpsPerSm : 0;
  r.quantisationLoss = 1.0 - flops(problem) / flops(wholeTiles(*build.rung(), build.tile, problem));
  return r;
}

Result<runs::RunRecord> Bench::count(const Build& build, const Problem& problem,
                                     std::span<const runs::Counter> which, double limitMs,
                                     const std::function<bool()>& goOn) {
  const auto limit = std::chrono::microseconds(static_cast<long long>(limitMs * 1e3));
  deadline_ = Clock::now() + limit;
  // Before the kernel is loaded: CUPTI instruments what is loaded afterwards.
  if (const auto opened = openCupti(); !opened) return tl::unexpected(opened.error());
  const auto loaded = prepare(build, problem);
  if (!loaded) return tl::unexpected(loaded.error());
  const Cupti::Launch once = [&]() -> Result<void> {
    if (goOn && !goOn()) return fail(Trouble::Cancelled, "the counting was cancelled");
    deadline_ = Clock::now() + limit;
    if (const auto done = launch(*loaded); !done) return done;
    return context_->wait(deadline_);
  };
  if (const auto done = once(); !done) return tl::unexpected(done.error());
  runs::RunRecord record = describe(build, problem, *loaded);
  if (const auto done = checkResult(operands_, record); !done) return tl::unexpected(done.error());
  if (const auto done = checkSigns(build, problem, *loaded, record); !done)
    return tl::unexpected(done.error());

  std::vector<std::string> metrics;
  for (const runs::Counter counter : which) metrics.emplace_back(specOf(counter).metric);
  const auto values = cupti_->count(*context_, metrics, once);
  if (!values) return tl::unexpected(values.error());
  for (std::size_t i = 0; i < which.size(); ++i) {
    const std::optional<double>& value = (*values)[i];
    if (!value || !std::isfinite(*value)) continue;
    record.counters.set(which[i], *value * specOf(which[i]).unit);
  }
  record.achievedOccupancy = record.counters[runs::Counter::AchievedOccupancy];
  return record;
}

Result<runs::StallSamples> Bench::sample(const Build& build, const Problem& problem,
                                         double limitMs) {
  const auto limit = std::chrono::microseconds(static_cast<long long>(limitMs * 1e3));
  deadline_ = Clock::now() + limit;
  auto sampler = PcSampler::enable(*context_);  // before the kernel is loaded
  if (!sampler) return tl::unexpected(sampler.error());
  auto loaded = prepare(build, problem);
  if (!loaded) return tl::unexpected(loaded.error());
  const auto once = [&]() -> Result<void> {
    deadline_ = Clock::now() + limit;
    if (const auto done = context_->record(events_[0]); !done) return done;
    if (const auto done = launch(*loaded); !done) return done;
    if (const auto done = context_->record(events_[1]); !done) return done;
    return context_->wait(deadline_);
  };
  if (const auto done = once(); !done) return tl::unexpected(done.error());
  const auto ms = context_->milliseconds(events_[0], events_[1]);
  if (!ms) return tl::unexpected(ms.error());
  runs::RunRecord record = describe(build, problem, *loaded);
  if (const auto done = checkResult(operands_, record); !done) return tl::unexpected(done.error());

  runs::StallSamples result;
  result.log2Period = static_cast<int>(samplingPeriod(*ms, context_->device()));
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

Result<double> Bench::timed(const std::function<Result<void>()>& work) {
  if (const auto done = context_->record(events_[0]); !done) return tl::unexpected(done.error());
  if (const auto done = work(); !done) return tl::unexpected(done.error());
  if (const auto done = context_->record(events_[1]); !done) return tl::unexpected(done.error());
  if (const auto done = context_->wait(deadline_); !done) return tl::unexpected(done.error());
  return context_->milliseconds(events_[0], events_[1]);
}

Result<runs::RunRecord> Bench::measure(const Build& build, const Problem& problem,
                                       const MeasureOptions& options, const Progress& progress) {
  const auto started = Clock::now();
  const auto limit = std::chrono::microseconds(static_cast<long long>(options.limitMs * 1e3));
  deadline_ = started + limit;
  auto loaded = prepare(build, problem);
  if (!loaded) return tl::unexpected(loaded.error());
  const DeviceInfo& info = context_->device();
  runs::RunRecord r = describe(build, problem, *loaded);

  // The launch that is checked is also the warm-up, and shows how long one launch lasts.
  if (const auto done = checkSigns(build, problem, *loaded, r); !done)
    return tl::unexpected(done.error());
  const auto kernelMs = timed([&] { return launch(*loaded); });
  if (!kernelMs) return tl::unexpected(kernelMs.error());
  if (const auto done = checkResult(operands_, r); !done) return tl::unexpected(done.error());
  const int launches = launchesFor(*kernelMs);
  int libraryLaunches = 0;
  if (cublas_) {
    const auto libraryMs = timed([&] { return library(1); });
    if (!libraryMs) return tl::unexpected(libraryMs.error());
    libraryLaunches = launchesFor(*libraryMs);
  }

  std::vector<double> speed, librarySpeed, ratio, clocks, watts;
  unsigned long long throttle = 0;
  const auto kernels = [&]() -> Result<void> {
    for (int i = 0; i < launches; ++i) {
      if (const auto done = launch(*loaded); !done) return done;
    }
    return {};
  };
  const auto round = [&]() -> Result<void> {
    deadline_ = Clock::now() + limit;
    const auto record = [&](int i) {
      return context_->record(events_[static_cast<std::size_t>(i)]);
    };
    if (const auto done = record(0); !done) return done;
    if (const auto done = kernels(); !done) return done;
    if (const auto done = record(1); !done) return done;
    if (const auto done = library(libraryLaunches); !done) return done;
    if (const auto done = record(2); !done) return done;
    if (const auto done = library(libraryLaunches); !done) return done;
    if (const auto done = record(3); !done) return done;
    if (const auto done = kernels(); !done) return done;
    if (const auto done = record(4); !done) return done;
    if (nvml_) {  // while the GPU is busy
      const Vitals v = nvml_->read();
      if (v.smClockMHz > 0) clocks.push_back(v.smClockMHz);
      if (v.watts > 0) watts.push_back(v.watts);
      throttle |= v.throttle;
    }
    if (const auto done = context_->wait(deadline_); !done) return done;
    double ms[4] = {};
    for (std::size_t i = 0; i < 4; ++i) {
      const auto t = context_->milliseconds(events_[i], events_[i + 1]);
      if (!t) return tl::unexpected(t.error());
      ms[i] = std::max(*t, 1e-6);
    }
    const double useful = flops(problem) * 1e-6;
    speed.push_back(useful * 2 * launches / (ms[0] + ms[3]));
    if (cublas_) {
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
    const runs::Interval& judged = cublas_ ? r.ratio : r.gflops;
    if (r.rounds >= options.maxRounds || elapsed >= options.limitMs) break;
    if (r.rounds < options.minRounds) continue;
    if (judged.spread() <= options.spread || elapsed >= options.budgetMs) break;
  }
  return r;
}

}  // namespace tileloom::gpu
