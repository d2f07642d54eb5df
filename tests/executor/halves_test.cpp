// SPDX-License-Identifier: GPL-3.0-or-later
// Instructions on two FP16 or BF16 numbers in a register, compared with the nearest number to the
// exact result, which is found by a search.
#include <QtTest>
#include <algorithm>
#include <bit>
#include <cmath>
#include <random>

#include "tests/executor/launched.h"
#include "tests/support/test_class.h"

namespace tileloom::executor {
namespace {

constexpr const char* kText = R"(
#define OP2(name, type, text) \
  __device__ type name(type a, type b) { type d; asm(text : "=r"(d) : "r"(a), "r"(b)); return d; }
#define OP3(name, text) __device__ unsigned name(unsigned a, unsigned b, unsigned c) { \
  unsigned d; asm(text : "=r"(d) : "r"(a), "r"(b), "r"(c)); return d; }
OP3(fma2, "fma.rn.f16x2 %0, %1, %2, %3;")
OP3(sat2, "fma.rn.sat.f16x2 %0, %1, %2, %3;")
OP3(relu2, "fma.rn.relu.f16x2 %0, %1, %2, %3;")
OP3(bfma2, "fma.rn.bf16x2 %0, %1, %2, %3;")
OP2(add2, unsigned, "add.rn.f16x2 %0, %1, %2;")
OP2(mul2, unsigned, "mul.rn.f16x2 %0, %1, %2;")
OP2(min2, unsigned, "min.f16x2 %0, %1, %2;")
OP2(max2, unsigned, "max.f16x2 %0, %1, %2;")
OP2(bmax2, unsigned, "max.bf16x2 %0, %1, %2;")
OP2(greater2, unsigned, "set.gt.u32.f16x2 %0, %1, %2;")
OP2(number2, unsigned, "set.gt.f16x2.f16x2 %0, %1, %2;")
OP2(most2, unsigned, "set.le.f16x2.f16x2 %0, %1, %2;")
OP2(bgreater2, unsigned, "set.gt.u32.bf16x2 %0, %1, %2;")
OP2(bnumber2, unsigned, "set.gt.bf16x2.bf16x2 %0, %1, %2;")
// Neither is moved to another place: the operands come from memory.
extern "C" __global__ void pairs(unsigned* out, const unsigned* in, unsigned scale) {
  int i = threadIdx.x;
  unsigned a = in[i], b = in[i + 256], c = in[i + 512], n = 256;
  out[i] = fma2(a, b, c);
  out[i + n] = sat2(a, b, c);
  out[i + 2 * n] = relu2(a, b, c);
  out[i + 3 * n] = add2(a, b);
  out[i + 4 * n] = mul2(a, b);
  out[i + 5 * n] = min2(a, b);
  out[i + 6 * n] = max2(a, b);
  out[i + 7 * n] = greater2(a, b);
  out[i + 8 * n] = mul2(a, __byte_perm(b, 0, 0x1010));          // .H0_H0
  out[i + 9 * n] = fma2(__byte_perm(a, 0, 0x3232), b, c);       // .H1_H1
  out[i + 10 * n] = mul2(a, scale);
  out[i + 11 * n] = fma2(a, 0x3e003e00, b);                     // times 1.5
  out[i + 12 * n] = add2(a ^ 0x80008000, b & 0x7fff7fff);
  asm("{.reg .pred p, q; setp.lt.f16x2 p|q, %2, %3; selp.u32 %0, 1, 0, p; selp.u32 %1, 1, 0, q;}"
      : "=r"(*(unsigned*)&out[i + 13 * n]), "=r"(*(unsigned*)&out[i + 14 * n]) : "r"(a), "r"(b));
  out[i + 15 * n] = number2(a, b);
  out[i + 16 * n] = most2(a, 0x3e003e00);  // 1.5
}
extern "C" __global__ void brains(unsigned* out, const unsigned* in) {
  int i = threadIdx.x, n = 256;
  unsigned a = in[i], b = in[i + 256], c = in[i + 512];
  out[i] = bfma2(a, b, c);
  out[i + n] = bmax2(a, b);
  out[i + 2 * n] = bfma2(a, 0x3fc03fc0, b);  // times 1.5
#if __CUDA_ARCH__ >= 900
  out[i + 3 * n] = bgreater2(a, b);
  out[i + 4 * n] = bnumber2(a, b);
  asm("{.reg .pred p, q; setp.lt.bf16x2 p|q, %2, %3; selp.u32 %0, 1, 0, p; selp.u32 %1, 1, 0, q;}"
      : "=r"(*(unsigned*)&out[i + 5 * n]), "=r"(*(unsigned*)&out[i + 6 * n]) : "r"(a), "r"(b));
#endif
}
extern "C" __global__ void singles(float* out, const unsigned* in, const float* wide) {
  int i = threadIdx.x, n = 256;
  float low, high;
  asm("{.reg .b16 l, h; mov.b32 {l, h}, %2; cvt.f32.f16 %0, l; cvt.f32.f16 %1, h;}"
      : "=f"(low), "=f"(high) : "r"(in[i]));
  out[i] = low;
  out[i + n] = high;
  unsigned packed, brains;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(packed) : "f"(wide[i]), "f"(wide[i + n]));
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(brains) : "f"(wide[i]), "f"(wide[i + n]));
  out[i + 2 * n] = __uint_as_float(packed);
  out[i + 3 * n] = __uint_as_float(brains);
}
)";

using Number = std::uint16_t;
using Exact = long double;

// A format's numbers, from the least to the greatest.
class Numbers {
 public:
  explicit Numbers(int fraction) : fraction_(fraction) {
    const int most = 0x7fff >> fraction << fraction;
    for (int bits = 0; bits < most; ++bits) positive_.push_back(magnitude(bits));
  }
  Exact value(Number bits) const {
    const int low = bits & 0x7fff;
    const Exact magnitude = low < static_cast<int>(positive_.size())
                                ? positive_[static_cast<std::size_t>(low)]
                            : low == static_cast<int>(positive_.size()) ? HUGE_VALL
                                                                        : NAN;
    return (bits & 0x8000) != 0 ? -magnitude : magnitude;
  }
  Number nearest(Exact exact) const {
    if (std::isnan(exact)) return 0x7fff;
    const Number sign = std::signbit(exact) ? 0x8000 : 0;
    const Exact x = std::fabs(exact);
    // Half of the step beyond the largest number becomes infinite.
    const Exact step = positive_.back() - positive_[positive_.size() - 2];
    if (x >= positive_.back() + step / 2) return static_cast<Number>(sign | positive_.size());
    auto above = std::ranges::lower_bound(positive_, x) - positive_.begin();
    if (above == static_cast<std::ptrdiff_t>(positive_.size())) --above;
    auto found = above;
    if (above > 0) {
      const Exact up = positive_[static_cast<std::size_t>(above)] - x,
                  down = x - positive_[static_cast<std::size_t>(above) - 1];
      if (down < up || (down == up && (above & 1) != 0)) found = above - 1;
    }
    return static_cast<Number>(sign | found);
  }

 private:
  Exact magnitude(int bits) const {
    const int bias = (1 << (14 - fraction_)) - 1, field = bits >> fraction_;
    const int low = bits & ((1 << fraction_) - 1);
    return field == 0 ? std::ldexp(Exact(low), 1 - bias - fraction_)
                      : std::ldexp(Exact(low + (1 << fraction_)), field - bias - fraction_);
  }
  int fraction_;
  std::vector<Exact> positive_;
};

Number half(std::uint32_t pair, bool upper) {
  return static_cast<Number>(upper ? pair >> 16 : pair);
}

}  // namespace

class HalvesTest : public QObject {
  Q_OBJECT

  std::shared_ptr<const gpu::Nvrtc> nvrtc_;
  static constexpr std::size_t kCount = 256;

  // Random numbers with exponents near 0, so that sums are exact in 64 bits, and special ones.
  static std::vector<std::uint32_t> operands(int fraction) {
    std::mt19937 engine(11);
    const int bias = (1 << (14 - fraction)) - 1;
    const auto number = [&] {
      const auto field = static_cast<std::uint32_t>(bias + static_cast<int>(engine() % 16) - 8);
      const auto drawn = static_cast<std::uint32_t>(engine());
      return (drawn & (0x8000u | ((1u << fraction) - 1))) | field << fraction;
    };
    std::vector<std::uint32_t> made;
    for (std::size_t i = 0; i < 3 * kCount; ++i) made.push_back(number() | number() << 16);
    const std::uint32_t infinity = 0x7fff >> fraction << fraction;
    const std::uint32_t special[] = {
        0, 0x8000, 1, 0x8001, infinity, infinity + 1, 0x8000 | infinity, infinity - 1};
    for (std::size_t i = 0; i < 64; ++i) {
      made[i] = special[i % 8] | made[i] << 16;
      made[i + kCount] = special[i / 8] | made[i + kCount] << 16;
      if (i % 3 == 0) made[i + 2 * kCount] &= 0xffff0000;
    }
    return made;
  }

 private slots:
  void initTestCase() {
    const auto nvrtc = gpu::Nvrtc::load();
    if (!nvrtc) QSKIP("needs NVRTC");
    nvrtc_ = *nvrtc;
  }

  void pairs_data() {
    QTest::addColumn<QString>("arch");
    for (const char* arch : {"80", "90"}) QTest::newRow(arch) << QString(arch);
  }
  void pairs() {
    QFETCH(QString, arch);
    const Launched kernels(*nvrtc_, kText, arch);
    const Numbers numbers(10);
    const auto in = operands(10);
    const std::uint32_t scale = 0xc2003555;  // -3 and 1/3
    std::vector<Buffer> buffers = {Launched::buffer(std::vector<std::uint32_t>(17 * kCount)),
                                   Launched::buffer(in)};
    QCOMPARE(kernels.run("pairs", kCount, buffers, {scale}), QString());
    const auto out = Launched::values<std::uint32_t>(buffers[0]);
    for (std::size_t i = 0; i < kCount; ++i) {
      for (const bool upper : {false, true}) {
        const auto exact = [&](std::uint32_t pair, bool high) {
          return numbers.value(half(pair, high));
        };
        const Exact a = exact(in[i], upper), b = exact(in[i + kCount], upper),
                    c = exact(in[i + 2 * kCount], upper);
        const auto is = [&](std::size_t number) { return half(out[i + number * kCount], upper); };
        const auto nearest = [&](Exact x) { return numbers.nearest(x); };
        const Exact fused = a * b + c;
        QCOMPARE(is(0), nearest(fused));
        QCOMPARE(is(1), std::isnan(fused) ? Number{0}
                                          : nearest(fused > 0 ? std::min(fused, Exact(1)) : 0));
        QCOMPARE(is(2), nearest(fused <= 0 ? 0 : fused));
        QCOMPARE(is(3), nearest(a + b));
        QCOMPARE(is(4), nearest(a * b));
        if (a != b && !std::isnan(a) && !std::isnan(b)) {
          QCOMPARE(is(5), nearest(std::min(a, b)));
          QCOMPARE(is(6), nearest(std::max(a, b)));
        }
        QCOMPARE(is(7), a > b ? Number{0xffff} : Number{0});
        QCOMPARE(is(8), nearest(a * exact(in[i + kCount], false)));
        QCOMPARE(is(9), nearest(exact(in[i], true) * b + c));
        QCOMPARE(is(10), nearest(a * exact(scale, upper)));
        QCOMPARE(is(11), nearest(a * 1.5L + b));
        QCOMPARE(is(12), nearest(std::fabs(b) - a));
        QCOMPARE(out[i + (upper ? 14 : 13) * kCount], std::uint32_t{a < b});
        QCOMPARE(is(15), a > b ? Number{0x3c00} : Number{0});
        QCOMPARE(is(16), a <= 1.5L ? Number{0x3c00} : Number{0});
      }
    }
  }

  void brains_data() { pairs_data(); }
  void brains() {
    QFETCH(QString, arch);
    const Launched kernels(*nvrtc_, kText, arch);
    const Numbers numbers(7);
    const auto in = operands(7);
    std::vector<Buffer> buffers = {Launched::buffer(std::vector<std::uint32_t>(7 * kCount)),
                                   Launched::buffer(in)};
    QCOMPARE(kernels.run("brains", kCount, buffers), QString());
    const auto out = Launched::values<std::uint32_t>(buffers[0]);
    for (std::size_t i = 0; i < kCount; ++i) {
      for (const bool upper : {false, true}) {
        const Exact a = numbers.value(half(in[i], upper)),
                    b = numbers.value(half(in[i + kCount], upper)),
                    c = numbers.value(half(in[i + 2 * kCount], upper));
        QCOMPARE(half(out[i], upper), numbers.nearest(a * b + c));
        if (a != b && !std::isnan(a) && !std::isnan(b))
          QCOMPARE(half(out[i + kCount], upper), numbers.nearest(std::max(a, b)));
        QCOMPARE(half(out[i + 2 * kCount], upper), numbers.nearest(a * 1.5L + b));
        if (arch != "90") continue;
        QCOMPARE(half(out[i + 3 * kCount], upper), a > b ? Number{0xffff} : Number{0});
        QCOMPARE(half(out[i + 4 * kCount], upper), a > b ? Number{0x3f80} : Number{0});
        QCOMPARE(out[i + (upper ? 6 : 5) * kCount], std::uint32_t{a < b});
      }
    }
  }

  void singles_data() { pairs_data(); }
  void singles() {
    QFETCH(QString, arch);
    const Launched kernels(*nvrtc_, kText, arch);
    const Numbers halves(10), brains(7);
    const auto in = operands(10);
    std::mt19937 engine(5);
    std::vector<float> wide;
    for (std::size_t i = 0; i < 2 * kCount; ++i)
      wide.push_back(std::ldexp(static_cast<float>(engine() % 100000) - 5e4f,
                                static_cast<int>(engine() % 48) - 40));
    wide[3] = 65519.99f;
    wide[4] = 65520.0f;
    wide[5] = NAN;
    wide[6] = -HUGE_VALF;
    wide[7] = std::ldexp(3.0f, -26);
    std::vector<Buffer> buffers = {Launched::buffer(std::vector<float>(4 * kCount)),
                                   Launched::buffer(in), Launched::buffer(wide)};
    QCOMPARE(kernels.run("singles", kCount, buffers), QString());
    const auto out = Launched::values<float>(buffers[0]);
    const auto bits = Launched::values<std::uint32_t>(buffers[0]);
    for (std::size_t i = 0; i < kCount; ++i) {
      for (const bool upper : {false, true}) {
        const Exact value = halves.value(half(in[i], upper));
        const float is = out[i + (upper ? kCount : 0)];
        QVERIFY(std::isnan(value) ? std::isnan(is) : Exact(is) == value);
        const float from = wide[i + (upper ? 0 : kCount)];  // the first one becomes the upper half
        QCOMPARE(half(bits[i + 2 * kCount], upper), halves.nearest(from));
        QCOMPARE(half(bits[i + 3 * kCount], upper), brains.nearest(from));
      }
    }
  }
};

}  // namespace tileloom::executor

TILELOOM_TEST(tileloom::executor::HalvesTest, Nothing)
#include "halves_test.moc"
