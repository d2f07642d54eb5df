// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/gpu/measure/result_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "kernels/gpu/compile/cached_code.h"

namespace tileloom::gpu {
namespace {

struct Verdict {  // as in check.cu
  unsigned long long wrong = 0;
  unsigned long long first = ~0ull;
  unsigned int largest = 0;
  unsigned int padding = 0;
};

}  // namespace

Result<std::unique_ptr<ResultCheck>> ResultCheck::open(const Context& context, const Nvrtc& nvrtc,
                                                       const BuildCache* cache) {
  std::unique_ptr<ResultCheck> made(new ResultCheck);
  made->context_ = &context;
  const auto files = deviceFiles();
  const auto source = std::ranges::find(files, "kernels/gpu/measure/check.cu", &SourceFile::name);
  const std::vector<std::string> options = {"--gpu-architecture=" + context.device().arch(),
                                            "--std=c++17"};
  const std::string key =
      fmt::format("check {} nvrtc {} {}", source->text, nvrtc.identity(), options[0]);
  std::optional<CacheEntry> entry = cachedCode(cache, key);
  if (!entry) {
    auto output = nvrtc.compile(std::string(source->text), std::string(source->name), {}, options);
    if (!output) return tl::unexpected(output.error());
    entry = CacheEntry{output->log, std::move(output->cubin)};
    if (cache != nullptr) cache->write(key, *entry);
  }
  auto check = context.load(entry->cubin, "check", 256, 0);
  if (!check) return tl::unexpected(check.error());
  made->check_ = std::move(*check);
  auto checkHalves = context.load(entry->cubin, "check_halves", 256, 0);
  if (!checkHalves) return tl::unexpected(checkHalves.error());
  made->checkHalves_ = std::move(*checkHalves);
  auto verdict = context.allocate(sizeof(Verdict));
  if (!verdict) return tl::unexpected(verdict.error());
  made->verdict_ = std::move(*verdict);
  return made;
}

Result<double> ResultCheck::check(const Operands& o, Deadline deadline) const {
  Verdict verdict;
  if (const auto done = context_->upload(verdict_, std::as_bytes(std::span(&verdict, 1))); !done)
    return tl::unexpected(done.error());
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
    return tl::unexpected(done.error());
  }
  if (const auto done = context_->wait(deadline); !done) return tl::unexpected(done.error());
  if (const auto done =
          context_->download(std::as_writable_bytes(std::span(&verdict, 1)), verdict_);
      !done)
    return tl::unexpected(done.error());
  if (verdict.wrong == 0) return static_cast<double>(std::bit_cast<float>(verdict.largest));
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

Result<unsigned long long> ResultCheck::differing(const Buffer& one, const Buffer& other,
                                                  unsigned m, unsigned n, Deadline deadline) const {
  Verdict verdict;
  if (const auto done = context_->upload(verdict_, std::as_bytes(std::span(&verdict, 1))); !done)
    return tl::unexpected(done.error());
  float tolerance = 0;
  cu::DevicePtr got = one.address(), want = other.address(), out = verdict_.address();
  std::vector<void*> arguments = {&m, &n, &got, &n, &want, &tolerance, &out};
  const unsigned blocks = static_cast<unsigned>(context_->device().sms * 4);
  if (const auto done = context_->launch(check_, {blocks, 1, 256, 1}, arguments); !done)
    return tl::unexpected(done.error());
  if (const auto done = context_->wait(deadline); !done) return tl::unexpected(done.error());
  if (const auto done =
          context_->download(std::as_writable_bytes(std::span(&verdict, 1)), verdict_);
      !done) {
    return tl::unexpected(done.error());
  }
  return verdict.wrong;
}

}  // namespace tileloom::gpu
