// SPDX-License-Identifier: GPL-3.0-or-later
// Atomic operations on global and shared memory. What each thread gets depends on their order,
// which is that of the lanes here; sums do not.
#include <QtTest>
#include <algorithm>
#include <bit>

#include "kernels/executor/short_numbers.h"
#include "tests/executor/launched.h"
#include "tests/support/test_class.h"

namespace tileloom::executor {
namespace {

// `out` has one number for each kind, and then what the threads got.
constexpr const char* kText = R"(
typedef unsigned long long ulong;
template <class Where>
__device__ void whole(Where* at, unsigned* got, int v) {
  int i = threadIdx.x;
  got[i] = atomicAdd(at, v);
  atomicMin((int*)at + 1, v);
  atomicMax((int*)at + 2, v);
  atomicMin(at + 3, (unsigned)v);
  atomicMax(at + 4, (unsigned)v);
  atomicInc(at + 5, 20);
  atomicDec(at + 6, 20);
  atomicAnd(at + 7, ~(1u << i % 7));
  atomicOr(at + 8, 1u << i);
  atomicXor(at + 9, (unsigned)v);
  got[i + 32] = atomicExch(at + 10, i);
  got[i + 64] = atomicCAS(at + 11, i, i + 1);  // goes on from one lane to the next
  atomicAdd((float*)at + 12, v * 0.5f);
}
template <class Where>
__device__ void wide(Where* at, ulong* got, long long v) {
  int i = threadIdx.x;
  got[i] = atomicAdd(at, (ulong)v << 30);
  atomicMin((long long*)at + 1, v << 30);
  atomicMax(at + 2, (ulong)v);
  got[i + 32] = atomicExch(at + 3, (ulong)i << 35);
  got[i + 64] = atomicCAS(at + 4, (ulong)i << 33, (ulong)(i + 1) << 33);
  atomicAdd((double*)at + 5, v * 0.25);
}
extern "C" __global__ void global32(unsigned* out, const int* in) {
  whole(out, out + 16, in[threadIdx.x]);
}
extern "C" __global__ void global64(ulong* out, const int* in) {
  wide(out, out + 16, in[threadIdx.x]);
}
extern "C" __global__ void shared32(unsigned* out, const int* in) {
  __shared__ unsigned at[16];
  if (threadIdx.x < 16) at[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  whole(at, out + 16, in[threadIdx.x]);
  __syncthreads();
  if (threadIdx.x < 16) out[threadIdx.x] = at[threadIdx.x];
}
extern "C" __global__ void shared64(ulong* out, const int* in) {
  __shared__ ulong at[16];
  if (threadIdx.x < 16) at[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  wide(at, out + 16, in[threadIdx.x]);
  __syncthreads();
  if (threadIdx.x < 16) out[threadIdx.x] = at[threadIdx.x];
}
extern "C" __global__ void halves(unsigned* out, const int* in) {
  unsigned got;
  asm volatile("atom.global.add.noftz.f16x2 %0, [%1], %2;"
      : "=r"(got) : "l"(out), "r"(in[threadIdx.x]) : "memory");
  out[16 + threadIdx.x] = got;
  asm volatile("red.global.add.noftz.f16x2 [%0], %1;"
      :: "l"(out + 1), "r"(in[threadIdx.x]) : "memory");
}
)";

}  // namespace

class AtomicsTest : public QObject {
  Q_OBJECT

  std::shared_ptr<const gpu::Nvrtc> nvrtc_;

  static std::vector<int> numbers() {
    std::vector<int> made;
    for (int i = 0; i < 32; ++i) made.push_back(i * i * 7 % 61 - 25);
    return made;
  }

 private slots:
  void initTestCase() {
    const auto nvrtc = gpu::Nvrtc::load();
    if (!nvrtc) QSKIP("needs NVRTC");
    nvrtc_ = *nvrtc;
  }

  void whole_data() {
    QTest::addColumn<QString>("arch");
    QTest::addColumn<QString>("kernel");
    for (const char* arch : {"80", "90"})
      for (const char* kernel : {"global32", "shared32"})
        QTest::addRow("%s %s", kernel, arch) << QString(arch) << QString(kernel);
  }
  void whole() {
    QFETCH(QString, arch);
    QFETCH(QString, kernel);
    const Launched kernels(*nvrtc_, kText, arch);
    const auto in = numbers();
    std::vector<std::uint32_t> out(16 + 96);
    out[3] = 1000, out[5] = 15, out[6] = 4, out[7] = ~0u;
    const auto before = out;
    std::vector<Buffer> buffers = {Launched::buffer(out), Launched::buffer(in)};
    QCOMPARE(kernels.run(kernel.toLatin1().constData(), 32, buffers), QString());
    out = Launched::values<std::uint32_t>(buffers[0]);
    std::uint32_t sum = 0, odd = 0, least = before[3], most = 0, up = before[5], down = before[6];
    int low = 0, high = 0;
    float halves = 0;
    for (std::size_t i = 0; i < 32; ++i) {
      const auto bits = static_cast<std::uint32_t>(in[i]);
      QCOMPARE(out[48 + i], i == 0 ? 0u : static_cast<std::uint32_t>(i - 1));
      QCOMPARE(out[80 + i], static_cast<std::uint32_t>(i));
      sum += bits, odd ^= bits;
      least = std::min(least, bits), most = std::max(most, bits);
      low = std::min(low, in[i]), high = std::max(high, in[i]);
      up = up >= 20 ? 0 : up + 1;
      down = down == 0 || down > 20 ? 20 : down - 1;
      halves += static_cast<float>(in[i]) * 0.5f;
    }
    QCOMPARE(out[0], sum);
    QCOMPARE(static_cast<int>(out[1]), low);
    QCOMPARE(static_cast<int>(out[2]), high);
    QCOMPARE(out[3], least);
    QCOMPARE(out[4], most);
    QCOMPARE(out[5], up);
    QCOMPARE(out[6], down);
    QCOMPARE(out[7], ~0x7fu);
    QCOMPARE(out[8], ~0u);
    QCOMPARE(out[9], odd);
    QCOMPARE(out[10], 31u);
    QCOMPARE(out[11], 32u);
    QCOMPARE(std::bit_cast<float>(out[12]), halves);
  }

  void wide_data() {
    QTest::addColumn<QString>("arch");
    QTest::addColumn<QString>("kernel");
    for (const char* arch : {"80", "90"})
      for (const char* kernel : {"global64", "shared64"})
        QTest::addRow("%s %s", kernel, arch) << QString(arch) << QString(kernel);
  }
  void wide() {
    QFETCH(QString, arch);
    QFETCH(QString, kernel);
    const Launched kernels(*nvrtc_, kText, arch);
    const auto in = numbers();
    std::vector<Buffer> buffers = {Launched::buffer(std::vector<std::uint64_t>(16 + 96)),
                                   Launched::buffer(in)};
    QCOMPARE(kernels.run(kernel.toLatin1().constData(), 32, buffers), QString());
    const auto out = Launched::values<std::uint64_t>(buffers[0]);
    std::uint64_t sum = 0, most = 0;
    std::int64_t low = 0;
    double quarters = 0;
    for (std::size_t i = 0; i < 32; ++i) {
      const std::int64_t value = in[i];
      QCOMPARE(out[48 + i], i == 0 ? 0 : std::uint64_t{i - 1} << 35);
      QCOMPARE(out[80 + i], std::uint64_t{i} << 33);
      sum += static_cast<std::uint64_t>(value) << 30;
      low = std::min(low, value * (std::int64_t{1} << 30));
      most = std::max(most, static_cast<std::uint64_t>(value));
      quarters += static_cast<double>(value) * 0.25;
    }
    QCOMPARE(out[0], sum);
    QCOMPARE(static_cast<std::int64_t>(out[1]), low);
    QCOMPARE(out[2], most);
    QCOMPARE(out[3], std::uint64_t{31} << 35);
    QCOMPARE(out[4], std::uint64_t{32} << 33);
    QCOMPARE(std::bit_cast<double>(out[5]), quarters);
  }

  void halves_data() {
    QTest::addColumn<QString>("arch");
    for (const char* arch : {"80", "90"}) QTest::newRow(arch) << QString(arch);
  }
  void halves() {
    QFETCH(QString, arch);
    const Launched kernels(*nvrtc_, kText, arch);
    std::vector<int> in;
    for (int i = 0; i < 32; ++i)
      in.push_back(Half::nearest(i - 10) | Half::nearest(i * 0.25) << 16);
    std::vector<Buffer> buffers = {Launched::buffer(std::vector<std::uint32_t>(48)),
                                   Launched::buffer(in)};
    QCOMPARE(kernels.run("halves", 32, buffers), QString());
    const auto out = Launched::values<std::uint32_t>(buffers[0]);
    QCOMPARE(Half::value(static_cast<std::uint16_t>(out[0])), 31.0 * 16 - 320);
    QCOMPARE(Half::value(static_cast<std::uint16_t>(out[0] >> 16)), 31.0 * 4);
    QCOMPARE(out[1], out[0]);
    QCOMPARE(Half::value(static_cast<std::uint16_t>(out[16 + 2])), -10.0 - 9);
  }
};

}  // namespace tileloom::executor

TILELOOM_TEST(tileloom::executor::AtomicsTest, Nothing)
#include "atomics_test.moc"
