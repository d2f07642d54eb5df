// SPDX-License-Identifier: GPL-3.0-or-later
// Conversions between integers and floating-point numbers of all widths, directed rounding, and
// instructions on bytes and bits, compared with the host.
#include <QtTest>
#include <algorithm>
#include <bit>
#include <cfenv>
#include <cmath>
#include <random>

#include "kernels/executor/short_numbers.h"
#include "tests/executor/launched.h"
#include "tests/support/test_class.h"

namespace tileloom::executor {
namespace {

constexpr const char* kText = R"(
#define TO(name, type, text) __device__ int name(float x) { \
  type r; asm volatile(text : "=h"(r) : "f"(x)); return r; }
TO(toS8, short, "{.reg .s8 t; cvt.rzi.s8.f32 t, %1; cvt.s16.s8 %0, t;}")
TO(toU8, short, "{.reg .u8 t; cvt.rni.u8.f32 t, %1; cvt.u16.u8 %0, t;}")
TO(toS16, short, "cvt.rmi.s16.f32 %0, %1;")
TO(toU16, unsigned short, "cvt.rpi.u16.f32 %0, %1;")
extern "C" __global__ void narrow(int* out, const float* in, const int* numbers) {
  int i = threadIdx.x, n = blockDim.x, v = numbers[i];
  out[i] = toS8(in[i]);
#if __CUDA_ARCH__ < 900
  out[i + n] = toU8(in[i]);
#endif
  out[i + 2 * n] = toS16(in[i]);
  out[i + 3 * n] = toU16(in[i]);
  float* f = (float*)out;
  f[i + 4 * n] = (signed char)v;
  f[i + 5 * n] = (unsigned char)(v >> 8);
  f[i + 6 * n] = (short)v;
  f[i + 7 * n] = (unsigned short)(v >> 16);
  short h;
  int whole;
  asm volatile("cvt.rn.f16.s32 %0, %1;" : "=h"(h) : "r"(v >> 8));
  out[i + 8 * n] = (unsigned short)h;
  asm volatile("cvt.rzi.s32.f16 %0, %1;" : "=r"(whole) : "h"(h));
  out[i + 9 * n] = whole;
  asm volatile("{.reg .b16 l, h; mov.b32 {l, h}, %1; cvt.rmi.s32.f16 %0, h;}"
      : "=r"(whole) : "r"(v & 0xbfffffff));
  out[i + 12 * n] = whole;
  f[i + 10 * n] = rintf(in[i]);
  f[i + 11 * n] = floorf(in[i]) + ceilf(in[i]) * 0.5f + truncf(in[i]) * 0.25f;
}
extern "C" __global__ void wide(double* out, const double* in, const float* floats) {
  int i = threadIdx.x, n = blockDim.x;
  double x = in[i];
  float* f = (float*)(out + 4 * n);
  out[i] = floor(x);
  out[i + n] = floats[i];
  out[i + 2 * n] = (double)(short)(int)x;
  out[i + 3 * n] = rint(x);
  f[i] = x;
  asm volatile("cvt.rm.f32.f64 %0, %1;" : "=f"(f[i + n]) : "d"(x));
  asm volatile("cvt.rp.f32.f64 %0, %1;" : "=f"(f[i + 2 * n]) : "d"(x));
  float a = floats[i], b = floats[(i + 1) % n], c = floats[(i + 2) % n];
  f[i + 3 * n] = __fmaf_rd(a, b, c);
  f[i + 4 * n] = __fmaf_ru(a, b, c);
  f[i + 5 * n] = __fmaf_rz(a, b, c);
  f[i + 6 * n] = __fadd_ru(a, c * 1e-9f);
  f[i + 7 * n] = __fmul_rd(a, b);
}
extern "C" __global__ void bits(unsigned* out, const int* in) {
  int i = threadIdx.x, n = blockDim.x;
  unsigned a = in[i], b = in[i + 1], c = in[i + 2], r;
  out[i] = __dp4a((int)a, (int)b, (int)c);
  out[i + n] = __dp4a(a, b, c);
  out[i + 2 * n] = __sad((int)a, (int)b, c);
  asm volatile("bmsk.clamp.b32 %0, %1, %2;" : "=r"(r) : "r"(a & 63), "r"(b & 63));
  out[i + 3 * n] = r;
  asm volatile("bmsk.wrap.b32 %0, %1, %2;" : "=r"(r) : "r"(a & 63), "r"(b & 63));
  out[i + 4 * n] = r;
  asm volatile("szext.clamp.s32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b & 63));
  out[i + 5 * n] = r;
  asm volatile("szext.wrap.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b & 63));
  out[i + 6 * n] = r;
#define MODE(number, name) \
  asm volatile("prmt.b32." name " %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); \
  out[i + number * n] = r;
  MODE(7, "f4e") MODE(8, "b4e") MODE(9, "rc8") MODE(10, "ecl") MODE(11, "ecr") MODE(12, "rc16")
}
)";

}  // namespace

class ConversionsTest : public QObject {
  Q_OBJECT

  std::shared_ptr<const gpu::Nvrtc> nvrtc_;
  static constexpr std::size_t kThreads = 64;

  static std::vector<int> numbers(std::size_t count) {
    std::mt19937 engine(9);
    std::vector<int> made(count);
    for (int& each : made) each = static_cast<int>(engine());
    return made;
  }
  template <class Value>
  static std::vector<Value> reals() {
    std::mt19937 engine(4);
    std::vector<Value> made;
    for (std::size_t i = 0; i < kThreads; ++i)
      made.push_back(static_cast<Value>((static_cast<double>(engine()) - 2e9) *
                                        std::ldexp(1.0, static_cast<int>(i % 24) - 40)));
    made[5] = 2.5, made[6] = -3.5, made[7] = 0, made[8] = 127.5, made[9] = -0.5;
    return made;
  }
  static std::uint32_t permuted(std::uint32_t a, std::uint32_t b, const char* places) {
    const std::uint64_t both = std::uint64_t{b} << 32 | a;
    std::uint32_t value = 0;  // from the highest byte on
    for (int k = 0; k < 4; ++k)
      value = value << 8 | static_cast<std::uint32_t>(both >> (8 * (places[k] - '0')) & 0xff);
    return value;
  }
  // The host calculates with this rounding.
  template <class Calculate>
  static float rounding(int how, Calculate&& calculate) {
    std::fesetround(how);
    const volatile float result = calculate();
    std::fesetround(FE_TONEAREST);
    return result;
  }

 private slots:
  void initTestCase() {
    const auto nvrtc = gpu::Nvrtc::load();
    if (!nvrtc) QSKIP("needs NVRTC");
    nvrtc_ = *nvrtc;
  }

  void narrow_data() {
    QTest::addColumn<QString>("arch");
    for (const char* arch : {"80", "90"}) QTest::newRow(arch) << QString(arch);
  }
  void narrow() {
    QFETCH(QString, arch);
    const Launched kernels(*nvrtc_, kText, arch);
    const auto in = reals<float>();
    const auto whole = numbers(kThreads);
    std::vector<Buffer> buffers = {Launched::buffer(std::vector<int>(13 * kThreads)),
                                   Launched::buffer(in), Launched::buffer(whole)};
    QCOMPARE(kernels.run("narrow", kThreads, buffers), QString());
    const auto out = Launched::values<int>(buffers[0]);
    const auto floats = Launched::values<float>(buffers[0]);
    for (std::size_t i = 0; i < kThreads; ++i) {
      const float x = in[i];
      const int v = whole[i];
      const auto at = [&](std::size_t number) { return number * kThreads + i; };
      QCOMPARE(out[at(0)], static_cast<int>(std::clamp(std::trunc(x), -128.0f, 127.0f)));
      if (arch == "80")
        QCOMPARE(out[at(1)], static_cast<int>(std::clamp(std::nearbyint(x), 0.0f, 255.0f)));
      QCOMPARE(out[at(2)], static_cast<int>(std::clamp(std::floor(x), -32768.0f, 32767.0f)));
      QCOMPARE(out[at(3)], static_cast<int>(std::clamp(std::ceil(x), 0.0f, 65535.0f)));
      QCOMPARE(floats[at(4)], static_cast<float>(static_cast<std::int8_t>(v)));
      QCOMPARE(floats[at(5)], static_cast<float>(static_cast<std::uint8_t>(v >> 8)));
      QCOMPARE(floats[at(6)], static_cast<float>(static_cast<std::int16_t>(v)));
      QCOMPARE(floats[at(7)], static_cast<float>(static_cast<std::uint16_t>(v >> 16)));
      const std::uint16_t half = Half::nearest(v >> 8);
      QCOMPARE(out[at(8)], int{half});
      if ((half & 0x7c00) != 0x7c00)
        QCOMPARE(out[at(9)], static_cast<int>(std::trunc(Half::value(half))));
      const auto upper = static_cast<std::uint16_t>((v & 0xbfffffff) >> 16);
      QCOMPARE(out[at(12)], static_cast<int>(std::floor(Half::value(upper))));
      QCOMPARE(floats[at(10)], std::nearbyint(x));
      QCOMPARE(floats[at(11)], std::floor(x) + std::ceil(x) * 0.5f + std::trunc(x) * 0.25f);
    }
  }

  void wide_data() { narrow_data(); }
  void wide() {
    QFETCH(QString, arch);
    const Launched kernels(*nvrtc_, kText, arch);
    const auto in = reals<double>();
    const auto floats = reals<float>();
    std::vector<Buffer> buffers = {Launched::buffer(std::vector<double>(8 * kThreads)),
                                   Launched::buffer(in), Launched::buffer(floats)};
    QCOMPARE(kernels.run("wide", kThreads, buffers), QString());
    const auto out = Launched::values<double>(buffers[0]);
    const auto all = Launched::values<float>(buffers[0]);
    const std::size_t n = kThreads;
    for (std::size_t i = 0; i < n; ++i) {
      const double x = in[i];
      const float a = floats[i], b = floats[(i + 1) % n], c = floats[(i + 2) % n];
      const auto is = [&](std::size_t number) { return all[(8 + number) * n + i]; };
      QCOMPARE(out[i], std::floor(x));
      QCOMPARE(out[i + n], double{a});
      QCOMPARE(out[i + 2 * n],
               double(static_cast<std::int16_t>(static_cast<std::int64_t>(std::trunc(x)))));
      QCOMPARE(out[i + 3 * n], std::nearbyint(x));
      QCOMPARE(is(0), static_cast<float>(x));
      QVERIFY(double{is(1)} <= x && (double{std::nextafter(is(1), HUGE_VALF)} > x));
      QVERIFY(double{is(2)} >= x && (double{std::nextafter(is(2), -HUGE_VALF)} < x));
      QCOMPARE(is(3), rounding(FE_DOWNWARD, [&] { return std::fma(a, b, c); }));
      QCOMPARE(is(4), rounding(FE_UPWARD, [&] { return std::fma(a, b, c); }));
      QCOMPARE(is(5), rounding(FE_TOWARDZERO, [&] { return std::fma(a, b, c); }));
      const float small = c * 1e-9f;
      QCOMPARE(is(6), rounding(FE_UPWARD, [&] { return std::fma(a, 1.0f, small); }));
      QCOMPARE(is(7), rounding(FE_DOWNWARD, [&] { return std::fma(a, b, -0.0f); }));
    }
  }

  void bits_data() { narrow_data(); }
  void bits() {
    QFETCH(QString, arch);
    const Launched kernels(*nvrtc_, kText, arch);
    const auto in = numbers(kThreads + 2);
    std::vector<Buffer> buffers = {Launched::buffer(std::vector<std::uint32_t>(13 * kThreads)),
                                   Launched::buffer(in)};
    QCOMPARE(kernels.run("bits", kThreads, buffers), QString());
    const auto out = Launched::values<std::uint32_t>(buffers[0]);
    for (std::size_t i = 0; i < kThreads; ++i) {
      const auto a = static_cast<std::uint32_t>(in[i]), b = static_cast<std::uint32_t>(in[i + 1]),
                 c = static_cast<std::uint32_t>(in[i + 2]);
      const auto is = [&](std::size_t number) { return out[number * kThreads + i]; };
      std::uint32_t plain = c, withSigns = c;
      for (int k = 0; k < 32; k += 8) {
        plain += (a >> k & 255) * (b >> k & 255);
        withSigns += static_cast<std::uint32_t>(static_cast<std::int8_t>(a >> k) *
                                                static_cast<std::int8_t>(b >> k));
      }
      QCOMPARE(is(0), withSigns);
      QCOMPARE(is(1), plain);
      const auto apart = static_cast<std::uint32_t>(std::abs(std::int64_t{in[i]} - in[i + 1]));
      QCOMPARE(is(2), apart + c);
      const std::uint64_t one = 1;
      const std::uint32_t from = a & 63, count = b & 63;
      QCOMPARE(is(3), from >= 32 ? 0u
                                 : static_cast<std::uint32_t>(((one << std::min(count, 32u)) - 1)
                                                              << from));
      QCOMPARE(is(4), static_cast<std::uint32_t>(((one << (count & 31)) - 1) << (from & 31)));
      const std::uint32_t kept = std::min(count, 32u), unused = 32 - kept;
      QCOMPARE(is(5), kept == 0 ? 0u
                                : static_cast<std::uint32_t>(
                                      static_cast<std::int32_t>(a << unused) >> unused));
      QCOMPARE(is(6), static_cast<std::uint32_t>(a & ((one << (count & 31)) - 1)));
      // From the highest byte on, as the tables of the PTX manual.
      const char* const modes[6][4] = {
          {"3210", "4321", "5432", "6543"}, {"5670", "6701", "7012", "0123"},
          {"0000", "1111", "2222", "3333"}, {"3210", "3211", "3222", "3333"},
          {"0000", "1110", "2210", "3210"}, {"1010", "3232", "1010", "3232"}};
      for (std::size_t mode = 0; mode < 6; ++mode)
        QCOMPARE(is(7 + mode), permuted(a, b, modes[mode][c & 3]));
    }
  }
};

}  // namespace tileloom::executor

TILELOOM_TEST(tileloom::executor::ConversionsTest, Nothing)
#include "conversions_test.moc"
