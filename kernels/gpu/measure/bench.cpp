// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/gpu/measure/bench.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>
#include <optional>
#include <string_view>
#include <utility>

#include "kernels/gpu/measure/kernel_arguments.h"
#include "kernels/tile/derived.h"
#include "kernels/tile/whole_tiles.h"

namespace tileloom::gpu {
namespace {

using Clock = std::chrono::steady_clock;

std::string now() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
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
  auto check = ResultCheck::open(*bench->context_, *bench->nvrtc_, cache);
  if (!check) return tl::unexpected(check.error());
  bench->check_ = std::move(*check);
  for (Event& event : bench->events_) {
    auto made = bench->context_->event();
    if (!made) return tl::unexpected(made.error());
    event = std::move(*made);
  }
  return bench;
}

Result<const Cupti*> Bench::cupti() {
  if (cupti_) return cupti_.get();
  auto opened = Cupti::open();
  if (!opened) return tl::unexpected(opened.error());
  cupti_ = std::move(*opened);
  return cupti_.get();
}

void Bench::allow(double limitMs) {
  deadline_ = Clock::now() + std::chrono::microseconds(static_cast<long long>(limitMs * 1e3));
}

Result<void> Bench::wait() const {
  return context_->wait(deadline_);
}

Result<LoadedStage> Bench::load(const Build& build, const Problem& problem) const {
  return loadStage(*context_, build, build.cubin, problem);
}

Result<void> Bench::launch(const LoadedStage& loaded) const {
  return launchStage(*context_, loaded, loaded.arguments);
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
    const auto loaded = load(*built, o.problem);
    if (!loaded) return forget(loaded.error());
    if (const auto done = padOperands(*context_, o, loaded->padded); !done)
      return forget(done.error());
    if (const auto done = resetWork(*context_, o); !done) return forget(done.error());
    const auto arguments = KernelArguments::of(context_->driver(), judge, built->tile, o);
    if (!arguments) return forget(arguments.error());
    if (const auto done = launchStage(*context_, *loaded, *arguments); !done)
      return forget(done.error());
    if (const auto done =
            context_->copyRows(o.want, o.bytesOf(1, o.problem.n), o.work, o.bytesOf(1, o.padded.n),
                               o.bytesOf(1, o.problem.n), static_cast<std::size_t>(o.problem.m));
        !done) {
      return forget(done.error());
    }
  }
  if (const auto done = wait(); !done) return forget(done.error());
  o.wantedBy = by;
  return {};
}

Result<void> Bench::checkOperands(const Operands& o, runs::RunRecord& record) const {
  const auto largest = check_->check(o, deadline_);
  if (!largest) return tl::unexpected(largest.error());
  record.largestError = *largest;
  return {};
}

Result<void> Bench::checkResult(runs::RunRecord& record) const {
  return checkOperands(operands_, record);
}

Result<void> Bench::fill(Operands& o, const Build& build, const Problem& problem, Values values,
                         const Problem& padded) {
  if (auto done = fillOperands(*context_, o, problem, build.format, values); !done) return done;
  if (auto done = makeReference(o, *build.rung()); !done) return done;
  if (auto done = padOperands(*context_, o, padded); !done) return done;
  const LeftMemory left = leftMemory(*build.rung(), build.tile, padded, context_->device().sms);
  if (auto done = fillLeft(*context_, o, left.bytes, left.head); !done) return done;
  return resetWork(*context_, o);
}

Result<LoadedStage> Bench::prepare(const Build& build, const Problem& problem) {
  auto loaded = load(build, problem);
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

Result<LoadedStage> Bench::prepareChecked(const Build& build, const Problem& problem,
                                          double limitMs) {
  allow(limitMs);
  auto loaded = prepare(build, problem);
  if (!loaded) return loaded;
  if (const auto done = launch(*loaded); !done) return tl::unexpected(done.error());
  if (const auto done = wait(); !done) return tl::unexpected(done.error());
  runs::RunRecord checked;
  if (const auto done = checkResult(checked); !done) return tl::unexpected(done.error());
  if (const auto done = checkSigns(build, problem, *loaded, checked); !done)
    return tl::unexpected(done.error());
  return loaded;
}

Result<void> Bench::judgeRewritten(const Build& build, LoadedStage& loaded) {
  if (!build.rewriting) return {};
  loaded.whyNotRewritten = build.rewriting->whyNot;
  loaded.rewritten = build.rewriting->done();
  if (!loaded.rewritten) return {};
  const std::size_t key = std::hash<std::string_view>{}({build.cubin.data(), build.cubin.size()});
  auto judged = judged_.find(key);
  std::optional<LoadedStage> untouched;
  if (judged == judged_.end() || !judged->second.empty()) {
    auto its = loadStage(*context_, build, build.rewriting->untouched, operands_.problem);
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
    const auto resultOf = [this](const LoadedStage& its) -> Result<void> {
      if (auto done = resetWork(*context_, operands_); !done) return done;
      if (auto done = launch(its); !done) return done;
      return wait();
    };
    if (auto done = resultOf(*untouched); !done) return done;
    if (auto done = context_->copy(*kept, operands_.work, operands_.work.bytes()); !done)
      return done;
    if (auto done = resultOf(loaded); !done) return done;
    const auto count =
        check_->differing(operands_.work, *kept, static_cast<unsigned>(loaded.padded.m),
                          static_cast<unsigned>(loaded.padded.n), deadline_);
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
Result<void> Bench::checkSigns(const Build& build, const Problem& problem,
                               const LoadedStage& loaded, runs::RunRecord& record) {
  if (build.format == Format::Fp32) return {};
  if (auto done = fill(signs_, build, problem, Values::Signs, loaded.padded); !done) return done;
  const auto arguments = KernelArguments::of(context_->driver(), *build.rung(), build.tile, signs_);
  if (!arguments) return tl::unexpected(arguments.error());
  if (auto done = launchStage(*context_, loaded, *arguments); !done) return done;
  return checkOperands(signs_, record);
}

runs::RunRecord Bench::describe(const Build& build, const Problem& problem,
                                const LoadedStage& loaded) const {
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
  r.quantisationLoss =
      1.0 - flopsOf(problem) / flopsOf(wholeTiles(*build.rung(), build.tile, problem));
  return r;
}

Result<void> Bench::record(std::size_t event) const {
  return context_->record(events_[event]);
}

Result<double> Bench::milliseconds(std::size_t from, std::size_t to) const {
  return context_->milliseconds(events_[from], events_[to]);
}

Result<double> Bench::timed(const std::function<Result<void>()>& work) const {
  if (const auto done = record(0); !done) return tl::unexpected(done.error());
  if (const auto done = work(); !done) return tl::unexpected(done.error());
  if (const auto done = record(1); !done) return tl::unexpected(done.error());
  if (const auto done = wait(); !done) return tl::unexpected(done.error());
  return milliseconds(0, 1);
}

}  // namespace tileloom::gpu
