// SPDX-License-Identifier: GPL-3.0-or-later
// Instructions of tensor cores, and those that move their matrices, compared with the host. The
// elements are small integers, so that every order of the sums gives the same.
#include <QtTest>
#include <array>
#include <bit>
#include <random>

#include "kernels/executor/short_numbers.h"
#include "tests/executor/launched.h"
#include "tests/support/test_class.h"

namespace tileloom::executor {
namespace {

// Each kernel loads fragments that lane l has at in + (register) * 32 + l.
constexpr const char* kText = R"(
#define FRAGMENTS const int l = threadIdx.x; unsigned a[4], b[2], c[4]; \
  for (int i = 0; i < 4; ++i) { a[i] = in[i * 32 + l]; c[i] = in[192 + i * 32 + l]; } \
  for (int i = 0; i < 2; ++i) b[i] = in[128 + i * 32 + l];
#define STORE for (int i = 0; i < 4; ++i) out[i * 32 + l] = c[i];
#define C4 "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
#define C2 "+r"(c[0]), "+r"(c[1])
#define A4 "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3])
#define A2 "r"(a[0]), "r"(a[1])
#define B1 "r"(b[0])
#define B2 "r"(b[0]), "r"(b[1])
#define PRODUCT(name, text, sums, ...) extern "C" __global__ void name(unsigned* out, \
    const unsigned* in) { FRAGMENTS asm volatile(text : sums : __VA_ARGS__); STORE }
#define D4A4B2 "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
#define D4A2B1 "{%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
PRODUCT(h16816, "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 " D4A4B2, C4, A4, B2)
PRODUCT(b16816, "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 " D4A4B2, C4, A4, B2)
PRODUCT(h1688, "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 " D4A2B1, C4, A2, B1)
PRODUCT(b1688, "mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 " D4A2B1, C4, A2, B1)
PRODUCT(t1688, "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 " D4A4B2, C4, A4, B2)
PRODUCT(t1684, "mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 " D4A2B1, C4, A2, B1)
PRODUCT(s16816, "mma.sync.aligned.m16n8k16.row.col.s32.s8.u8.s32 " D4A2B1, C4, A2, B1)
PRODUCT(s16832, "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 " D4A4B2, C4, A4, B2)
PRODUCT(u16832, "mma.sync.aligned.m16n8k32.row.col.satfinite.s32.u8.u8.s32 " D4A4B2, C4, A4, B2)
PRODUCT(f16816, "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 "
  "{%0,%1}, {%2,%3,%4,%5}, {%6,%7}, {%0,%1};", C2, A4, B2)
PRODUCT(f1688, "mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 "
  "{%0,%1}, {%2,%3}, {%4}, {%0,%1};", C2, A2, B1)
extern "C" __global__ void doubles(double* out, const double* in) {
  int l = threadIdx.x;
  double c = in[64 + l], d = in[96 + l];
  asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
      : "+d"(c), "+d"(d) : "d"(in[l]), "d"(in[32 + l]));
  out[l] = c;
  out[32 + l] = d;
}
extern "C" __global__ void matrices(unsigned* out, const unsigned* in) {
  __shared__ __align__(16) unsigned tile[256];
  int l = threadIdx.x;
  for (int i = 0; i < 8; ++i) tile[i * 32 + l] = in[i * 32 + l];
  __syncwarp();
  // Rows in another order than lanes.
  unsigned at = (unsigned)__cvta_generic_to_shared(tile) + (l * 5 % 32) * 16;
  unsigned d[4];
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
      : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3]) : "r"(at));
  for (int i = 0; i < 4; ++i) out[i * 32 + l] = d[i];
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
      : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3]) : "r"(at));
  for (int i = 0; i < 4; ++i) out[128 + i * 32 + l] = d[i];
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0,%1}, [%2];"
      : "=r"(d[0]), "=r"(d[1]) : "r"(l < 16 ? at : 0xffffffff));
  for (int i = 0; i < 2; ++i) out[256 + i * 32 + l] = d[i];
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];"
      : "=r"(d[0]) : "r"(l < 8 ? at : 0xffffffff));
  out[320 + l] = d[0];
  asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(d[0]) : "r"(in[l]));
  out[352 + l] = d[0];
#if __CUDA_ARCH__ >= 900
  for (int i = 0; i < 4; ++i) d[i] = in[i * 32 + l];
  asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%4], {%0,%1,%2,%3};"
      :: "r"(d[0]), "r"(d[1]), "r"(d[2]), "r"(d[3]), "r"(at) : "memory");
  asm volatile("stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%2], {%0,%1};"
      :: "r"(d[0]), "r"(d[1]), "r"(at + 512) : "memory");
  __syncwarp();
  for (int i = 0; i < 8; ++i) out[384 + i * 32 + l] = tile[i * 32 + l];
#endif
}
)";

// What a kernel multiplies: elements of `bits`, `parts` in a register.
struct Case {
  const char* kernel;
  std::uint32_t depth, bits;
  enum { Fp16, Bf16, Fp32, Signed, Unsigned, SignedUnsigned } type;
  bool halfSums = false;
};
constexpr Case kCases[] = {
    {"h16816", 16, 16, Case::Fp16},
    {"b16816", 16, 16, Case::Bf16},
    {"h1688", 8, 16, Case::Fp16},
    {"b1688", 8, 16, Case::Bf16},
    {"t1688", 8, 32, Case::Fp32},
    {"t1684", 4, 32, Case::Fp32},
    {"s16816", 16, 8, Case::SignedUnsigned},
    {"s16832", 32, 8, Case::Signed},
    {"u16832", 32, 8, Case::Unsigned},
    {"f16816", 16, 16, Case::Fp16, true},
    {"f1688", 8, 16, Case::Fp16, true},
};

}  // namespace

class MatrixProductsTest : public QObject {
  Q_OBJECT

  std::shared_ptr<const gpu::Nvrtc> nvrtc_;

  static std::uint32_t bitsOf(const Case& of, int value) {
    if (of.type == Case::Fp16) return Half::nearest(value);
    if (of.type == Case::Bf16) return Bfloat::nearest(value);
    if (of.type == Case::Fp32) return std::bit_cast<std::uint32_t>(static_cast<float>(value));
    return static_cast<std::uint32_t>(value) & 0xff;
  }

 private slots:
  void initTestCase() {
    const auto nvrtc = gpu::Nvrtc::load();
    if (!nvrtc) QSKIP("needs NVRTC");
    nvrtc_ = *nvrtc;
  }

  void products_data() {
    QTest::addColumn<QString>("arch");
    for (const char* arch : {"80", "90"}) QTest::newRow(arch) << QString(arch);
  }
  // The fragments are written here once more, from the tables of the PTX manual: group is the
  // lane / 4, and t the lane % 4.
  void products() {
    QFETCH(QString, arch);
    const Launched kernels(*nvrtc_, kText, arch);
    std::mt19937 engine(3);
    for (const Case& each : kCases) {
      const std::uint32_t parts = 32 / each.bits, depth = each.depth;
      const bool integers = each.bits == 8;
      const auto number = [&](bool isSigned) {
        const int value = static_cast<int>(engine() % (integers ? 256 : 17));
        return isSigned ? value - (integers ? 128 : 8) : value;
      };
      std::array<std::array<int, 32>, 16> a{};
      std::array<std::array<int, 8>, 32> b{};
      std::array<std::array<std::int64_t, 8>, 16> c{};
      for (auto& row : a)
        for (std::uint32_t k = 0; k < depth; ++k) row[k] = number(each.type != Case::Unsigned);
      for (std::uint32_t k = 0; k < depth; ++k)
        for (int& value : b[k])
          value = number(each.type != Case::Unsigned && each.type != Case::SignedUnsigned);
      for (auto& row : c)
        for (auto& value : row) value = static_cast<int>(engine() % 199) - 99;
      if (each.type == Case::Unsigned) c[3][5] = 0x7ffffff0;  // saturates

      std::vector<std::uint32_t> in(320);
      const auto element = [&](std::uint32_t at, std::uint32_t i, int value) {
        in[at] |= bitsOf(each, value) << (i * each.bits);
      };
      for (std::uint32_t lane = 0; lane < 32; ++lane) {
        const std::uint32_t group = lane / 4, t = lane % 4;
        for (std::uint32_t i = 0; i < parts; ++i) {
          for (std::uint32_t chunk = 0; chunk < depth / 4 / parts; ++chunk) {
            const std::uint32_t k = chunk * 4 * parts + t * parts + i;
            element(2 * chunk * 32 + lane, i, a[group][k]);
            element((2 * chunk + 1) * 32 + lane, i, a[group + 8][k]);
            element(128 + chunk * 32 + lane, i, b[k][group]);
          }
        }
        for (std::uint32_t i = 0; i < 4; ++i) {
          const auto value = c[group + i / 2 * 8][t * 2 + i % 2];
          if (each.halfSums)
            in[192 + i / 2 * 32 + lane] |= std::uint32_t{Half::nearest(double(value))}
                                           << (i % 2 * 16);
          else
            in[192 + i * 32 + lane] = integers
                                          ? static_cast<std::uint32_t>(value)
                                          : std::bit_cast<std::uint32_t>(static_cast<float>(value));
        }
      }
      std::vector<Buffer> buffers = {Launched::buffer(std::vector<std::uint32_t>(128)),
                                     Launched::buffer(in)};
      QCOMPARE(kernels.run(each.kernel, 32, buffers), QString());
      const auto out = Launched::values<std::uint32_t>(buffers[0]);
      for (std::uint32_t row = 0; row < 16; ++row)
        for (std::uint32_t k = 0; k < depth; ++k)
          for (std::uint32_t column = 0; column < 8; ++column)
            c[row][column] += std::int64_t{a[row][k]} * b[k][column];
      for (std::uint32_t lane = 0; lane < 32; ++lane) {
        for (std::uint32_t i = 0; i < 4; ++i) {
          const auto value = c[lane / 4 + i / 2 * 8][lane % 4 * 2 + i % 2];
          if (each.halfSums)
            QCOMPARE(static_cast<std::uint16_t>(out[i / 2 * 32 + lane] >> (i % 2 * 16)),
                     Half::nearest(double(value)));
          else if (integers)
            QCOMPARE(static_cast<std::int32_t>(out[i * 32 + lane]),
                     static_cast<std::int32_t>(std::min(value, std::int64_t{0x7fffffff})));
          else
            QCOMPARE(std::bit_cast<float>(out[i * 32 + lane]), static_cast<float>(value));
        }
      }
    }
  }

  void doubles_data() { products_data(); }
  void doubles() {
    QFETCH(QString, arch);
    const Launched kernels(*nvrtc_, kText, arch);
    std::vector<double> in;
    for (int i = 0; i < 128; ++i) in.push_back((i * 37 % 101) - 50);
    std::vector<Buffer> buffers = {Launched::buffer(std::vector<double>(64)), Launched::buffer(in)};
    QCOMPARE(kernels.run("doubles", 32, buffers), QString());
    const auto out = Launched::values<double>(buffers[0]);
    for (std::size_t lane = 0; lane < 32; ++lane) {
      for (std::size_t i = 0; i < 2; ++i) {
        double sum = in[64 + i * 32 + lane];
        for (std::size_t k = 0; k < 4; ++k)
          sum += in[lane / 4 * 4 + k] * in[32 + (lane % 4 * 2 + i) * 4 + k];
        QCOMPARE(out[i * 32 + lane], sum);
      }
    }
  }

  void matrices_data() { products_data(); }
  void matrices() {
    QFETCH(QString, arch);
    const Launched kernels(*nvrtc_, kText, arch);
    std::vector<std::uint32_t> in;
    for (std::uint32_t i = 0; i < 256; ++i) in.push_back((2 * i + 1) << 16 | 2 * i);
    std::vector<Buffer> buffers = {Launched::buffer(std::vector<std::uint32_t>(640)),
                                   Launched::buffer(in)};
    QCOMPARE(kernels.run("matrices", 32, buffers), QString());
    const auto out = Launched::values<std::uint32_t>(buffers[0]);
    // Element (row, column) of matrix m in shared memory is its number there.
    const auto element = [](std::uint32_t m, std::uint32_t row, std::uint32_t column) {
      return (m * 8 + row) * 5 % 32 * 8 + column;
    };
    const auto pair = [](std::uint32_t low, std::uint32_t high) { return high << 16 | low; };
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      const std::uint32_t line = lane / 4, first = lane % 4 * 2;
      const auto plain = [&](std::uint32_t m) {
        return pair(element(m, line, first), element(m, line, first + 1));
      };
      const auto turned = [&](std::uint32_t m) {
        return pair(element(m, first, line), element(m, first + 1, line));
      };
      for (std::uint32_t m = 0; m < 4; ++m) {
        QCOMPARE(out[m * 32 + lane], plain(m));
        QCOMPARE(out[128 + m * 32 + lane], turned(m));
        if (m < 2) QCOMPARE(out[256 + m * 32 + lane], plain(m));
      }
      QCOMPARE(out[320 + lane], turned(0));
      // movmatrix: lane l has the elements 2 l and 2 l + 1 of a matrix by rows.
      QCOMPARE(out[352 + lane], pair(first * 8 + line, (first + 1) * 8 + line));
      if (arch != "90") continue;
      // stmatrix: what lane l had is now where ldmatrix reads it.
      for (std::uint32_t m = 0; m < 4; ++m) {
        const std::uint32_t row = (m * 8 + line) * 5 % 32;
        QCOMPARE(out[384 + row * 4 + first / 2], in[m * 32 + lane]);
      }
      for (std::uint32_t m = 0; m < 2; ++m) {
        for (std::uint32_t i = 0; i < 2; ++i) {
          const std::uint32_t row = (m * 8 + first + i) * 5 % 32 + 32;
          const std::uint32_t word = out[384 + row * 4 + line / 2];
          QCOMPARE(word >> (line % 2 * 16) & 0xffff, in[m * 32 + lane] >> (16 * i) & 0xffff);
        }
      }
    }
  }
};

}  // namespace tileloom::executor

TILELOOM_TEST(tileloom::executor::MatrixProductsTest, Nothing)
#include "matrix_products_test.moc"
