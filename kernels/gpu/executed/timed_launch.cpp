// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/gpu/executed/timed_launch.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>
#include <vector>

#include "kernels/gpu/executed/native_launch.h"
#include "kernels/gpu/measure/cublas.h"

namespace tileloom::gpu {
namespace {

// A first launch loads code and warms caches up.
constexpr int kUntimed = 2;

class Timing {
 public:
  Timing(const Context& context, std::chrono::milliseconds limit)
      : context_(context), limit_(limit) {}

  Result<void> open() {
    for (Event* each : {&from_, &to_}) {
      auto made = context_.event();
      if (!made) return tl::unexpected(made.error());
      *each = std::move(*made);
    }
    return {};
  }
  Result<void> wait() const { return context_.wait(std::chrono::steady_clock::now() + limit_); }
  // Milliseconds of what `work` queues.
  Result<double> of(const std::function<Result<void>()>& work) const {
    if (const auto done = context_.record(from_); !done) return tl::unexpected(done.error());
    if (const auto done = work(); !done) return tl::unexpected(done.error());
    if (const auto done = context_.record(to_); !done) return tl::unexpected(done.error());
    if (const auto done = wait(); !done) return tl::unexpected(done.error());
    return context_.milliseconds(from_, to_);
  }

 private:
  const Context& context_;
  std::chrono::milliseconds limit_;
  Event from_, to_;
};

TimedLaunch::Times timesOf(std::vector<double> all) {
  std::ranges::sort(all);
  return {all[all.size() / 2], all.front(), all.back()};
}

}  // namespace

Result<TimedLaunch> timedLaunch(const Context& context, const TimedQuestion& q) {
  TimedLaunch result;
  auto native = NativeLaunch::of(context, q.cubin, *q.launch, *q.arguments);
  if (!native) return tl::unexpected(native.error());
  result.blocksPerSm = native->kernel().blocksPerSm;
  Timing timing(context, q.limit);
  if (const auto done = timing.open(); !done) return tl::unexpected(done.error());

  std::unique_ptr<Cublas> cublas;
  Buffer reference;
  if (q.product) {
    auto opened = Cublas::open(context);
    if (opened)
      cublas = std::move(*opened);
    else
      result.whyNoCublas = opened.error().text;
  } else {
    result.whyNoCublas = "it multiplies only FP32 matrices by rows without gaps here";
  }
  const auto library = [&]() -> Result<void> {
    return cublas->sgemm(q.problem, q.product->alpha, native->buffer(q.product->a),
                         native->buffer(q.product->b), q.product->beta, reference);
  };

  // One launch of each from the same C.
  if (const auto done = timing.of([&] { return native->launch(); }); !done)
    return tl::unexpected(done.error());
  if (cublas) {
    const std::vector<std::uint8_t>& before = q.arguments->buffers[q.product->c].bytes;
    auto made = context.allocate(before.size());
    if (!made) return tl::unexpected(made.error());
    reference = std::move(*made);
    if (const auto done = context.upload(reference, std::as_bytes(std::span(before))); !done)
      return tl::unexpected(done.error());
    if (const auto done = timing.of(library); !done) return tl::unexpected(done.error());
    const auto ours = native->bytesOf(q.product->c);
    if (!ours) return tl::unexpected(ours.error());
    std::vector<std::uint8_t> theirs(before.size());
    if (const auto done = context.download(std::as_writable_bytes(std::span(theirs)), reference);
        !done)
      return tl::unexpected(done.error());
    result.elements = theirs.size() / sizeof(float);
    for (std::size_t at = 0; at + sizeof(float) <= theirs.size(); at += sizeof(float))
      result.different +=
          std::memcmp(ours->data() + at, theirs.data() + at, sizeof(float)) == 0 ? 0 : 1;
  }

  // In alternation: the clock of the GPU drifts.
  std::vector<double> kernel, compared;
  for (int round = -kUntimed; round < q.rounds; ++round) {
    const auto its = timing.of([&] { return native->launch(); });
    if (!its) return tl::unexpected(its.error());
    if (round >= 0) kernel.push_back(*its);
    if (!cublas) continue;
    const auto theirs = timing.of(library);
    if (!theirs) return tl::unexpected(theirs.error());
    if (round >= 0) compared.push_back(*theirs);
  }
  result.kernel = timesOf(std::move(kernel));
  if (cublas) result.cublas = timesOf(std::move(compared));
  return result;
}

}  // namespace tileloom::gpu
