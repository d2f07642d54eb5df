// SPDX-License-Identifier: GPL-3.0-or-later
// What lanes of a warp exchange, and what the warps of a block wait for.
#include <QtTest>
#include <algorithm>
#include <bit>

#include "tests/executor/launched.h"
#include "tests/support/test_class.h"

namespace tileloom::executor {
namespace {

constexpr const char* kText = R"(
extern "C" __global__ void lanes(unsigned* out, const int* in, unsigned mask) {
  int i = threadIdx.x, v = in[i], all;
  out[i] = __match_any_sync(~0u, v);
  out[i + 32] = __match_any_sync(~0u, (long long)v << 33);
  out[i + 64] = __match_all_sync(~0u, v, &all) + 7 * all;
  out[i + 96] = __match_all_sync(~0u, in[0], &all) + 7 * all;
  out[i + 128] = __uni_sync(~0u, v > -100) + 2 * __uni_sync(~0u, v > 3);
  out[i + 160] = __reduce_add_sync(~0u, v);
  out[i + 192] = __reduce_min_sync(~0u, v);
  out[i + 224] = __reduce_max_sync(~0u, (unsigned)v);
  out[i + 256] = __reduce_and_sync(~0u, v);
  out[i + 288] = __reduce_or_sync(~0u, v);
  out[i + 320] = __reduce_xor_sync(~0u, v);
  // Some lanes only, which the mask names.
  if (mask >> i & 1) {
    out[i + 352] = __ballot_sync(mask, v > 0);
    out[i + 384] = __shfl_xor_sync(mask, v, 1);
    __syncwarp(mask);
    out[i + 416] = __reduce_add_sync(mask, v);
  } else {
    out[i + 416] = __popc(__activemask());
  }
#if __CUDA_ARCH__ >= 900
  unsigned lane, chosen;
  asm volatile("{.reg .pred p; elect.sync %0|p, 0xffffffff; selp.u32 %1, 1, 0, p;}"
      : "=r"(lane), "=r"(chosen));
  out[i + 448] = lane * 2 + chosen;
#endif
  __nanosleep(20);
}
extern "C" __global__ void barriers(unsigned* out, const int* in, unsigned which, unsigned count) {
  int i = threadIdx.x, n = blockDim.x;
  __shared__ int box[64];
  out[i] = __syncthreads_count(in[i] > 0);
  out[i + n] = __syncthreads_and(in[i] > -100) + 2 * __syncthreads_and(in[i] > 0);
  out[i + 2 * n] = __syncthreads_or(in[i] > 0) + 2 * __syncthreads_or(in[i] > 1000);
  // Warp 0 writes and goes on, warp 1 waits for it: twice, with two barriers for the way back.
  for (int round = 0; round < 2; ++round) {
    if (i < 32) {
      if (round == 1) asm volatile("bar.sync 4, 64;" ::: "memory");
      box[i] = in[i] + round;
      asm volatile("bar.arrive 3, 64;" ::: "memory");
    } else if (i < 64) {
      asm volatile("bar.sync 3, 64;" ::: "memory");
      out[3 * n + round * 32 + i - 32] = box[i - 32];
      if (round == 0) asm volatile("bar.arrive 4, 64;" ::: "memory");
    }
  }
  // The barrier is a number in a register, with a count and without.
  __syncthreads();
  box[i % 64] = 0;
  __syncthreads();
  if (i < 32) box[i] = i;
  asm volatile("bar.sync %0, %1;" ::"r"(which), "r"(count) : "memory");
  out[3 * n + 64 + i] = box[(i + 1) % 32];
  asm volatile("bar.sync %0;" ::"r"(which) : "memory");
}
)";

}  // namespace

class LanesTest : public QObject {
  Q_OBJECT

  std::shared_ptr<const gpu::Nvrtc> nvrtc_;

  static std::vector<int> numbers(int count) {
    std::vector<int> made;
    for (int i = 0; i < count; ++i) made.push_back(i * i * 7 % 23 - 9);
    return made;
  }

 private slots:
  void initTestCase() {
    const auto nvrtc = gpu::Nvrtc::load();
    if (!nvrtc) QSKIP("needs NVRTC");
    nvrtc_ = *nvrtc;
  }

  void lanes_data() {
    QTest::addColumn<QString>("arch");
    for (const char* arch : {"80", "90"}) QTest::newRow(arch) << QString(arch);
  }
  void lanes() {
    QFETCH(QString, arch);
    const Launched kernels(*nvrtc_, kText, arch);
    const auto in = numbers(32);
    const std::uint32_t mask = 0x0ff0c3fc;
    std::vector<Buffer> buffers = {Launched::buffer(std::vector<std::uint32_t>(480)),
                                   Launched::buffer(in)};
    QCOMPARE(kernels.run("lanes", 32, buffers, {mask}), QString());
    const auto out = Launched::values<std::uint32_t>(buffers[0]);
    std::uint32_t all = ~0u, any = 0, odd = 0, most = 0, sum = 0, some = 0, positive = 0;
    for (std::uint32_t i = 0; i < 32; ++i) {
      const auto bits = static_cast<std::uint32_t>(in[i]);
      all &= bits, any |= bits, odd ^= bits, sum += bits, most = std::max(most, bits);
      if ((mask >> i & 1) == 0) continue;
      some += bits;
      positive |= std::uint32_t{in[i] > 0} << i;
    }
    for (std::uint32_t i = 0; i < 32; ++i) {
      const auto is = [&](std::uint32_t number) { return out[number * 32 + i]; };
      std::uint32_t same = 0;
      for (std::uint32_t j = 0; j < 32; ++j) same |= std::uint32_t{in[j] == in[i]} << j;
      QCOMPARE(is(0), same);
      QCOMPARE(is(1), same);
      QCOMPARE(is(2), 0u);
      QCOMPARE(is(3), 6u);  // all lanes, and 7
      QCOMPARE(is(4), 1u);
      QCOMPARE(is(5), sum);
      QCOMPARE(is(6), static_cast<std::uint32_t>(*std::ranges::min_element(in)));
      QCOMPARE(is(7), most);
      QCOMPARE(is(8), all);
      QCOMPARE(is(9), any);
      QCOMPARE(is(10), odd);
      if ((mask >> i & 1) != 0) {
        QCOMPARE(is(11), positive);
        if ((mask >> (i ^ 1) & 1) != 0) QCOMPARE(is(12), static_cast<std::uint32_t>(in[i ^ 1]));
        QCOMPARE(is(13), some);
      } else {
        QCOMPARE(is(13), static_cast<std::uint32_t>(std::popcount(~mask)));
      }
      if (arch == "90") QCOMPARE(is(14), std::uint32_t{i == 0});
    }
  }

  void barriers_data() { lanes_data(); }
  void barriers() {
    QFETCH(QString, arch);
    const Launched kernels(*nvrtc_, kText, arch);
    const std::uint32_t threads = 96;
    const auto in = numbers(threads);
    std::vector<Buffer> buffers = {
        Launched::buffer(std::vector<std::uint32_t>(3 * threads + 64 + threads)),
        Launched::buffer(in)};
    QCOMPARE(kernels.run("barriers", threads, buffers, {5, threads}), QString());
    const auto out = Launched::values<std::uint32_t>(buffers[0]);
    const auto positive = std::ranges::count_if(in, [](int x) { return x > 0; });
    for (std::uint32_t i = 0; i < threads; ++i) {
      QCOMPARE(out[i], static_cast<std::uint32_t>(positive));
      QCOMPARE(out[i + threads], 1u);
      QCOMPARE(out[i + 2 * threads], 1u);
      QCOMPARE(out[3 * threads + 64 + i], (i + 1) % 32);
    }
    for (std::uint32_t i = 0; i < 64; ++i)
      QCOMPARE(out[3 * threads + i], static_cast<std::uint32_t>(in[i % 32]) + i / 32);
  }
};

}  // namespace tileloom::executor

TILELOOM_TEST(tileloom::executor::LanesTest, Nothing)
#include "lanes_test.moc"
