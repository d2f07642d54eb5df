// SPDX-License-Identifier: GPL-3.0-or-later
// Machine code of small kernels, compiled by NVRTC and executed here: branches, integers, lanes,
// memory, and what goes wrong. Each is compared with the same computation on the host.
#include <QtTest>
#include <algorithm>
#include <cstring>

#include "kernels/executor/block.h"
#include "kernels/executor/registers.h"
#include "kernels/gpu/compile/nvrtc.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::executor {

using test::q;

class KernelsTest : public QObject {
  Q_OBJECT

  std::shared_ptr<const gpu::Nvrtc> nvrtc_;

  static constexpr const char* kText = R"(
extern "C" __global__ void branches(int* out, const int* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = 0;
  for (int k = 0; k < in[i % n]; ++k) {
    if (k % 7 == 3) continue;
    if (sum > 500 + i) break;
    sum += k * (i & 3);
    while (sum > 1000) sum -= 300;
  }
  switch (i % 5) {
    case 0: sum += 11; break;
    case 1: sum -= 7; break;
    case 2: sum *= 3; break;
    case 3: sum ^= 0x55; break;
    default: sum = -sum;
  }
  out[i] = sum;
}
extern "C" __global__ void integers(long long* out, const int* in, int n) {
  int i = threadIdx.x;
  int a = in[i % n], b = in[(i + 1) % n] | 1;
  unsigned u = a, v = b;
  out[6 * i + 0] = a / b + a % b;
  out[6 * i + 1] = u / v + u % v;
  out[6 * i + 2] = (long long)a * b + (a >> 3) - (u << 2);
  out[6 * i + 3] = ((long long)a << 20) / (b + 3);
  out[6 * i + 4] = __popc(a) + __clz(b) + __brev(u) + __byte_perm(a, b, 0x2461);
  out[6 * i + 5] = min(a, b) + max(u, v) + abs(a - b) + (a < b ? 100 : 7);
}
extern "C" __global__ void lanes(int* out, const int* in) {
  int i = threadIdx.x, v = in[i];
  int s = v;
  for (int d = 16; d > 0; d >>= 1) s += __shfl_xor_sync(~0u, s, d);
  int up = __shfl_up_sync(~0u, v, 3), down = __shfl_down_sync(~0u, v, 5, 8);
  int ballot = __ballot_sync(~0u, v > 0), any = __any_sync(~0u, v == 77);
  out[i] = s + 3 * up + 5 * down + ballot + any + __shfl_sync(~0u, v, i / 2);
}
extern "C" __global__ void memory(float* out, const float* in, int step) {
  __shared__ float tile[32][33];
  float local[16];
  int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[y * 32 + x];
  for (int i = 0; i < 16; ++i) local[i] = in[(x + i * step) % 1024];
  __syncthreads();
  out[y * 32 + x] = tile[x][y] + local[(x * step) & 15] / 3.0f;
}
extern "C" __global__ void uniform(unsigned* out, unsigned n, unsigned m) {
  // The compiler divides in uniform registers, and corrects the quotient under a uniform predicate.
  unsigned block = blockIdx.y * gridDim.x + blockIdx.x, group = block / n;
  unsigned first = group * m, height = m < gridDim.y - first ? m : gridDim.y - first;
  out[block * 32 + threadIdx.x] = group + 100 * (block % n) + 10000 * (block / height) + threadIdx.x;
}
extern "C" __global__ void waits(volatile int* out) {
  // Warp 0 waits for warp 1 to write memory, without a barrier.
  if (threadIdx.x == 32) out[0] = 1;
  if (threadIdx.x == 0) { while (out[0] == 0) {} out[1] = 7; }
}
extern "C" __global__ void masks(unsigned* out) {
  unsigned eq, lt, le, ge, gt;
  asm("mov.u32 %0, %%lanemask_eq;" : "=r"(eq));
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(lt));
  asm("mov.u32 %0, %%lanemask_le;" : "=r"(le));
  asm("mov.u32 %0, %%lanemask_ge;" : "=r"(ge));
  asm("mov.u32 %0, %%lanemask_gt;" : "=r"(gt));
  unsigned* mine = out + 5 * threadIdx.x;
  mine[0] = eq; mine[1] = lt; mine[2] = le; mine[3] = ge; mine[4] = gt;
}
extern "C" __global__ void recursive(int* out, int n);
__device__ __noinline__ int depth(int n, int* out) {
  if (n == 0) return 0;
  out[n] = n;
  return 1 + depth(n - 1, out) * out[n] / n;
}
extern "C" __global__ void recursive(int* out, int n) { out[0] = depth(n, out); }
#if __CUDA_ARCH__ >= 900
extern "C" __global__ void __cluster_dims__(2, 1, 1) pairs(int* out) { out[0] = 1; }
#endif
extern "C" __global__ void outside(int* out, int at) { out[at] = 1; }
extern "C" __global__ void crooked(char* out, int at) { *(int*)(out + at) = 1; }
extern "C" __global__ void endless(int* out) { while (atomicAdd(out, 0) == 0) {} }
extern "C" __global__ void alone(int* out) {
  if (threadIdx.x < 32) { asm volatile("bar.sync 1, 64;"); out[0] = 1; }
}
)";

  sass::Module compiled(const std::string& arch) {
    const std::vector<std::string> options = {"--gpu-architecture=sm_" + arch};
    const auto output = nvrtc_->compile(kText, "kernels.cu", {}, options);
    if (!output) qFatal("%s", output.error().text.c_str());
    return *sass::readModule(output->cubin);
  }

  // Writes values into the parameters, in their order.
  template <class... Values>
  static std::vector<std::uint8_t> parameters(const sass::KernelImage& kernel,
                                              const Values&... values) {
    std::vector<std::uint8_t> bytes(static_cast<std::size_t>(kernel.info.parameterBytes));
    std::size_t number = 0;
    const auto put = [&](const auto& value) {
      const auto at = static_cast<std::size_t>(kernel.info.parameters[number++].at);
      std::memcpy(bytes.data() + at, &value, sizeof value);
    };
    (put(values), ...);
    return bytes;
  }
  template <class Value>
  static Buffer buffer(const char* name, const std::vector<Value>& values) {
    Buffer made{name, std::vector<std::uint8_t>(values.size() * sizeof(Value)), 0};
    std::memcpy(made.bytes.data(), values.data(), made.bytes.size());
    return made;
  }
  template <class Value>
  static std::vector<Value> values(const Buffer& buffer) {
    std::vector<Value> made(buffer.bytes.size() / sizeof(Value));
    std::memcpy(made.data(), buffer.bytes.data(), buffer.bytes.size());
    return made;
  }
  static std::vector<int> numbers(int count) {
    std::vector<int> made;
    std::uint32_t state = 7;
    for (int i = 0; i < count; ++i) {
      state = state * 1664525u + 1013904223u;
      made.push_back(static_cast<int>(state >> 8) % 200 - 60);
    }
    return made;
  }

  static void addArchitectures() {
    QTest::addColumn<QString>("arch");
    for (const char* arch : {"80", "86", "90"}) QTest::newRow(arch) << QString(arch);
  }
  QString failureOf(const sass::Module& module, const char* name, const Extent3& block,
                    std::vector<Buffer>& buffers, int at, const Limits& limits = {}) {
    const sass::KernelImage& kernel = *module.named(name);
    placeBuffers(buffers);
    Launch launch{&module, &kernel, {1, 1, 1}, block, 0, {}};
    launch.parameters = kernel.info.parameters.size() == 1
                            ? parameters(kernel, buffers[0].address)
                            : parameters(kernel, buffers[0].address, at);
    const auto ended = execute(launch, buffers, limits);
    return ended ? QString("it ended") : q(ended.error());
  }

 private slots:
  void initTestCase() {
    const auto nvrtc = gpu::Nvrtc::load();
    if (!nvrtc) QSKIP("needs NVRTC");
    nvrtc_ = *nvrtc;
  }

  void branches_data() { addArchitectures(); }
  void branches() {
    QFETCH(QString, arch);
    const sass::Module module = compiled(arch.toStdString());
    const sass::KernelImage& kernel = *module.named("branches");
    const int n = 37, threads = 3 * 72;
    const auto in = numbers(n);
    std::vector<Buffer> buffers = {buffer("out", std::vector<int>(threads)), buffer("in", in)};
    placeBuffers(buffers);
    const Launch launch{&module,   &kernel,
                        {3, 1, 1}, {72, 1, 1},
                        0,         parameters(kernel, buffers[0].address, buffers[1].address, n)};
    const auto ended = execute(launch, buffers);
    QVERIFY2(ended.has_value(), ended ? "" : ended.error().c_str());
    const auto out = values<int>(buffers[0]);
    for (int i = 0; i < threads; ++i) {
      int sum = 0;
      for (int k = 0; k < in[static_cast<std::size_t>(i % n)]; ++k) {
        if (k % 7 == 3) continue;
        if (sum > 500 + i) break;
        sum += k * (i & 3);
        while (sum > 1000) sum -= 300;
      }
      switch (i % 5) {
        case 0:
          sum += 11;
          break;
        case 1:
          sum -= 7;
          break;
        case 2:
          sum *= 3;
          break;
        case 3:
          sum ^= 0x55;
          break;
        default:
          sum = -sum;
      }
      QCOMPARE(out[static_cast<std::size_t>(i)], sum);
    }
  }

  // Warps take turns, so that one may wait for what another one writes.
  void warpsTakeTurns_data() { addArchitectures(); }
  void warpsTakeTurns() {
    QFETCH(QString, arch);
    const sass::Module module = compiled(arch.toStdString());
    std::vector<Buffer> buffers = {buffer("out", std::vector<int>(2))};
    QCOMPARE(failureOf(module, "waits", {64, 1, 1}, buffers, 0), QString("it ended"));
    QCOMPARE(values<int>(buffers[0])[1], 7);
  }

  void masksOfLanes_data() { addArchitectures(); }
  void masksOfLanes() {
    QFETCH(QString, arch);
    const sass::Module module = compiled(arch.toStdString());
    std::vector<Buffer> buffers = {buffer("out", std::vector<std::uint32_t>(5 * kLanes))};
    QCOMPARE(failureOf(module, "masks", {kLanes, 1, 1}, buffers, 0), QString("it ended"));
    const auto out = values<std::uint32_t>(buffers[0]);
    for (std::uint32_t i = 0; i < kLanes; ++i) {
      const std::uint32_t eq = 1u << i, lt = eq - 1;
      const std::uint32_t wanted[] = {eq, lt, lt | eq, ~lt, ~(lt | eq)};
      for (std::uint32_t k = 0; k < 5; ++k) QCOMPARE(out[5 * i + k], wanted[k]);
    }
  }

  // A thread has the stack that CUDA gives, whatever the file's frame is.
  void callsHaveAStack_data() { addArchitectures(); }
  void callsHaveAStack() {
    QFETCH(QString, arch);
    const sass::Module module = compiled(arch.toStdString());
    std::vector<Buffer> buffers = {buffer("out", std::vector<int>(64))};
    QCOMPARE(failureOf(module, "recursive", {1, 1, 1}, buffers, 9), QString("it ended"));
    QCOMPARE(values<int>(buffers[0])[0], 9);
  }

  void clustersAreRefused() {
    const sass::Module module = compiled("90");
    std::vector<Buffer> buffers = {buffer("out", std::vector<int>(2))};
    QVERIFY(failureOf(module, "pairs", {32, 1, 1}, buffers, 0)
                .contains("which is not a multiple of the cluster of 2"));
  }

  void uniform_data() { addArchitectures(); }
  void uniform() {
    QFETCH(QString, arch);
    const sass::Module module = compiled(arch.toStdString());
    const sass::KernelImage& kernel = *module.named("uniform");
    for (const std::uint32_t n : {1u, 2u, 3u, 5u, 6u, 7u, 15u}) {
      constexpr std::uint32_t kAcross = 5, kDown = 3;
      const std::uint32_t m = n % 3 == 0 ? 2 : 1;
      std::vector<Buffer> buffers = {
          buffer("out", std::vector<std::uint32_t>(kAcross * kDown * kLanes))};
      placeBuffers(buffers);
      const Launch launch{&module,        &kernel, {kAcross, kDown, 1},
                          {kLanes, 1, 1}, 0,       parameters(kernel, buffers[0].address, n, m)};
      const auto ended = execute(launch, buffers);
      QVERIFY2(ended.has_value(), ended ? "" : ended.error().c_str());
      const auto out = values<std::uint32_t>(buffers[0]);
      for (std::uint32_t block = 0; block < kAcross * kDown; ++block) {
        const std::uint32_t group = block / n, first = group * m;
        const std::uint32_t rest = kDown - first, height = m < rest ? m : rest;
        if (height == 0) continue;  // a division by zero has no result to compare
        for (std::uint32_t i = 0; i < kLanes; ++i)
          QCOMPARE(out[block * kLanes + i],
                   group + 100 * (block % n) + 10000 * (block / height) + i);
      }
    }
  }

  void integers_data() { addArchitectures(); }
  void integers() {
    QFETCH(QString, arch);
    const sass::Module module = compiled(arch.toStdString());
    const sass::KernelImage& kernel = *module.named("integers");
    const int n = 61, threads = 96;
    const auto in = numbers(n);
    std::vector<Buffer> buffers = {buffer("out", std::vector<long long>(6 * threads)),
                                   buffer("in", in)};
    placeBuffers(buffers);
    const Launch launch{&module,   &kernel,
                        {1, 1, 1}, {threads, 1, 1},
                        0,         parameters(kernel, buffers[0].address, buffers[1].address, n)};
    const auto ended = execute(launch, buffers);
    QVERIFY2(ended.has_value(), ended ? "" : ended.error().c_str());
    const auto out = values<long long>(buffers[0]);
    const auto reversed = [](std::uint32_t x) {
      std::uint32_t r = 0;
      for (unsigned k = 0; k < 32; ++k) r |= (x >> k & 1) << (31 - k);
      return r;
    };
    for (int i = 0; i < threads; ++i) {
      const int a = in[static_cast<std::size_t>(i % n)];
      const int b = in[static_cast<std::size_t>((i + 1) % n)] | 1;
      const auto u = static_cast<std::uint32_t>(a), v = static_cast<std::uint32_t>(b);
      const auto is = [&](int k) { return out[static_cast<std::size_t>(6 * i + k)]; };
      QCOMPARE(is(0), (long long)(a / b + a % b));
      QCOMPARE(is(1), (long long)(u / v + u % v));
      QCOMPARE(is(2), (long long)a * b + (a >> 3) - (long long)(u << 2));
      QCOMPARE(is(3), (b + 3 == 0) ? is(3) : ((long long)a << 20) / (b + 3));
      std::uint32_t permuted = 0;
      const std::uint64_t both = std::uint64_t{v} << 32 | u;
      for (unsigned k = 0; k < 4; ++k)
        permuted |= static_cast<std::uint32_t>(both >> (8 * (0x2461u >> (4 * k) & 7)) & 0xff)
                    << (8 * k);
      const int zeros = b == 0 ? 32 : __builtin_clz(v);
      const std::uint32_t bits =
          static_cast<std::uint32_t>(__builtin_popcount(u) + zeros) + reversed(u) + permuted;
      QCOMPARE(is(4), (long long)bits);
      const std::uint32_t rest = static_cast<std::uint32_t>(std::min(a, b)) + std::max(u, v) +
                                 static_cast<std::uint32_t>(std::abs(a - b)) + (a < b ? 100u : 7u);
      QCOMPARE(is(5), (long long)rest);
    }
  }

  void lanes_data() { addArchitectures(); }
  void lanes() {
    QFETCH(QString, arch);
    const sass::Module module = compiled(arch.toStdString());
    const sass::KernelImage& kernel = *module.named("lanes");
    const auto in = numbers(32);
    std::vector<Buffer> buffers = {buffer("out", std::vector<int>(32)), buffer("in", in)};
    placeBuffers(buffers);
    const Launch launch{&module,   &kernel,
                        {1, 1, 1}, {32, 1, 1},
                        0,         parameters(kernel, buffers[0].address, buffers[1].address)};
    const auto ended = execute(launch, buffers);
    QVERIFY2(ended.has_value(), ended ? "" : ended.error().c_str());
    const auto out = values<int>(buffers[0]);
    int sum = 0;
    std::uint32_t ballot = 0;
    for (std::size_t i = 0; i < 32; ++i) {
      sum += in[i];
      ballot |= std::uint32_t{in[i] > 0} << i;
    }
    const bool any = std::ranges::find(in, 77) != in.end();
    for (std::size_t i = 0; i < 32; ++i) {
      const int up = in[i >= 3 ? i - 3 : i], down = in[i % 8 + 5 < 8 ? i + 5 : i];
      QCOMPARE(out[i], sum + 3 * up + 5 * down + static_cast<int>(ballot) + any + in[i / 2]);
    }
  }

  void memory_data() { addArchitectures(); }
  void memory() {
    QFETCH(QString, arch);
    const sass::Module module = compiled(arch.toStdString());
    const sass::KernelImage& kernel = *module.named("memory");
    std::vector<float> in;
    for (const int each : numbers(1024)) in.push_back(static_cast<float>(each) / 7);
    std::vector<Buffer> buffers = {buffer("out", std::vector<float>(1024)), buffer("in", in)};
    placeBuffers(buffers);
    const int step = 5;
    const Launch launch{
        &module,     &kernel, {1, 1, 1},
        {32, 32, 1}, 0,       parameters(kernel, buffers[0].address, buffers[1].address, step)};
    const auto ended = execute(launch, buffers);
    QVERIFY2(ended.has_value(), ended ? "" : ended.error().c_str());
    const auto out = values<float>(buffers[0]);
    for (std::size_t y = 0; y < 32; ++y) {
      for (std::size_t x = 0; x < 32; ++x) {
        const float local = in[(x + ((x * 5) & 15) * 5) % 1024];
        const float exact = in[x * 32 + y] + local / 3.0f;
        QVERIFY(std::abs(out[y * 32 + x] - exact) <= 1e-5f * std::abs(exact) + 1e-6f);
      }
    }
  }

  void whatGoesWrong() {
    const sass::Module module = compiled("90");
    std::vector<Buffer> buffers = {buffer("out", std::vector<int>(8))};
    QCOMPARE(failureOf(module, "outside", {1, 1, 1}, buffers, 7), QString("it ended"));
    QVERIFY(failureOf(module, "outside", {1, 1, 1}, buffers, 8)
                .contains("thread 0 accesses 4 bytes of global memory at 0x7f0000000020, where "
                          "there is none"));
    const QString crooked = failureOf(module, "crooked", {1, 1, 1}, buffers, 2);
    QVERIFY2(crooked.contains("which is not a multiple of 4"), qPrintable(crooked));
    QVERIFY(failureOf(module, "endless", {1, 1, 1}, buffers, 0, {10000})
                .contains("the kernel does not end"));
    const QString alone = failureOf(module, "alone", {64, 1, 1}, buffers, 0);
    QVERIFY2(alone.contains("waits at barrier 1 for ever: 32 of 64 threads have come; warp "),
             qPrintable(alone));
    QVERIFY(failureOf(module, "outside", {2048, 1, 1}, buffers, 0)
                .contains("a block has 1 to 1,024 threads, but not 2048"));
    const Launch launch{&module, module.named("outside"), {1, 1, 1}, {1, 1, 1}, 0, {}};
    QCOMPARE(q(whyNot(launch)), QString("the kernel has 12 bytes of parameters, but was given 0"));
  }
};

}  // namespace tileloom::executor

TILELOOM_TEST(tileloom::executor::KernelsTest, Nothing)
#include "kernels_test.moc"
