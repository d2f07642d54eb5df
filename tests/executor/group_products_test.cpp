// SPDX-License-Identifier: GPL-3.0-or-later
// Each kind of wgmma, executed: formats, layouts of both operands, A in registers, old sums. The
// elements are small integers, so that the host's sums are exact. The layouts are those of the PTX
// manual and of CUTLASS.
#include <QtTest>
#include <cstring>
#include <random>

#include "kernels/executor/short_numbers.h"
#include "tests/executor/group_kernels.h"
#include "tests/executor/launched.h"
#include "tests/support/test_class.h"

namespace tileloom::executor {
namespace {

enum class Type : std::uint8_t { Bf16, Fp16, Tf32, E4m3, E5m2, S8 };

struct Case {
  const char* kernel;
  Type a, b;
  bool alongM = false, alongN = false, registersA = false, negative = false, half = false;
};
constexpr Case kCases[] = {
    {"bf16", Type::Bf16, Type::Bf16},
    {"bf16_b", Type::Bf16, Type::Bf16, false, true},
    {"f16_ab", Type::Fp16, Type::Fp16, true, true},
    {"f16_negative", Type::Fp16, Type::Fp16, false, false, false, true},
    {"tf32", Type::Tf32, Type::Tf32},
    {"e4m3", Type::E4m3, Type::E4m3},
    {"e4m3_e5m2", Type::E4m3, Type::E5m2},
    {"e5m2_e4m3", Type::E5m2, Type::E4m3},
    {"bf16_r", Type::Bf16, Type::Bf16, false, false, true},
    {"bf16_rb", Type::Bf16, Type::Bf16, false, true, true},
    {"tf32_r", Type::Tf32, Type::Tf32, false, false, true},
    {"e5m2_r", Type::E5m2, Type::E5m2, false, false, true},
    {"s8", Type::S8, Type::S8},
    {"f16_half", Type::Fp16, Type::Fp16, false, false, false, false, true},
};

constexpr std::uint32_t kEdge = 64, kAt = 16384;

std::uint32_t bytesOf(Type type) {
  return type == Type::Tf32 ? 4 : type == Type::Bf16 || type == Type::Fp16 ? 2 : 1;
}

// An integer from -2 to 2.
std::uint32_t bitsOf(Type type, int value) {
  switch (type) {
    case Type::Bf16:
      return Bfloat::nearest(value);
    case Type::Fp16:
      return Half::nearest(value);
    case Type::Tf32:
      return std::bit_cast<std::uint32_t>(static_cast<float>(value));
    case Type::E4m3: {
      constexpr std::uint32_t kBits[] = {0x00, 0x38, 0x40};
      return kBits[std::abs(value)] | (value < 0 ? 0x80u : 0u);
    }
    case Type::E5m2: {
      constexpr std::uint32_t kBits[] = {0x00, 0x3c, 0x40};
      return kBits[std::abs(value)] | (value < 0 ? 0x80u : 0u);
    }
    case Type::S8:
      return static_cast<std::uint8_t>(value);
  }
  return 0;
}

// A layout in shared memory, and the descriptor that says so.
struct Layout {
  std::uint32_t lead = 0, stride = 0, swizzle = 0;
  bool along = false;  // rows along m or n

  std::uint64_t descriptor() const {
    const std::uint64_t pattern = swizzle == 128 ? 1 : swizzle == 64 ? 2 : swizzle == 32 ? 3 : 0;
    return std::uint64_t{lead >> 4} << 16 | std::uint64_t{stride >> 4} << 32 | pattern << 62;
  }
  // Of element (line, k).
  std::uint32_t at(std::uint32_t line, std::uint32_t k, std::uint32_t bytes) const {
    if (along) {
      if (swizzle == 0) return line / 8 * stride + k / 8 * lead + k % 8 * 16 + line % 8 * 2;
      const std::uint32_t panel = swizzle / 2;
      return turned(line / panel * lead + k / 8 * stride + k % 8 * swizzle + line % panel * 2);
    }
    const std::uint32_t byte = k * bytes;
    if (swizzle == 0) return line / 8 * stride + byte / 16 * lead + line % 8 * 16 + byte % 16;
    return turned(line / 8 * stride + line % 8 * swizzle + byte);
  }
  std::uint32_t turned(std::uint32_t place) const {
    return place ^ (place / 128 % (swizzle / 16)) << 4;
  }
};
Layout layoutOf(std::uint32_t swizzle, bool along) {
  if (swizzle == 0) return {128, 256, 0, along};
  return along ? Layout{16 * swizzle, 8 * swizzle, swizzle, true}
               : Layout{16, 8 * swizzle, swizzle, false};
}

}  // namespace

class GroupProductsTest : public QObject {
  Q_OBJECT

  std::unique_ptr<Launched> launched_;

 private slots:
  void initTestCase() {
    const auto nvrtc = gpu::Nvrtc::load();
    if (!nvrtc) QSKIP("needs NVRTC");
    launched_ = std::make_unique<Launched>(**nvrtc, kGroupKernels, "90a");
  }

  void products_data() {
    QTest::addColumn<int>("number");
    QTest::addColumn<int>("swizzle");
    QTest::addColumn<bool>("keep");
    for (std::size_t i = 0; i < std::size(kCases); ++i) {
      for (const int swizzle : {0, 32, 64, 128})
        QTest::addRow("%s, swizzle of %d", kCases[i].kernel, swizzle)
            << static_cast<int>(i) << swizzle << (swizzle % 64 == 0);
    }
  }
  void products() {
    QFETCH(int, number);
    QFETCH(int, swizzle);
    QFETCH(bool, keep);
    const Case& its = kCases[number];
    const std::uint32_t bytes = bytesOf(its.a), depth = 32 / bytes;
    const Layout a = layoutOf(static_cast<std::uint32_t>(swizzle), its.alongM),
                 b = layoutOf(static_cast<std::uint32_t>(swizzle), its.alongN);
    std::mt19937 engine(static_cast<unsigned>(number));
    std::vector<int> valuesA(kEdge * depth), valuesB(kEdge * depth);
    for (auto* values : {&valuesA, &valuesB})
      for (int& each : *values) each = static_cast<int>(engine() % 5) - 2;
    std::vector<std::uint8_t> held(32768);
    const auto put = [&](std::size_t at, std::uint32_t bits) {
      std::memcpy(held.data() + at, &bits, bytes);
    };
    for (std::uint32_t line = 0; line < kEdge; ++line) {
      for (std::uint32_t k = 0; k < depth; ++k) {
        put(a.at(line, k, bytes), bitsOf(its.a, valuesA[line * depth + k]));
        put(kAt + b.at(line, k, bytes), bitsOf(its.b, valuesB[line * depth + k]));
      }
    }
    // Fragments of A (PTX ISA, "Register fragments for wgmma").
    std::vector<std::uint32_t> fragments(128 * 4);
    const std::uint32_t parts = 4 / bytes;
    for (std::uint32_t thread = 0; thread < 128; ++thread) {
      for (std::uint32_t i = 0; i < 4 * parts; ++i) {
        const std::uint32_t number4 = i / parts, lane = thread % 32;
        const std::uint32_t row = thread / 32 * 16 + lane / 4 + number4 % 2 * 8;
        const std::uint32_t k = lane % 4 * parts + number4 / 2 * 4 * parts + i % parts;
        fragments[thread * 4 + number4] |= bitsOf(its.a, valuesA[row * depth + k])
                                           << 8 * bytes * (i % parts);
      }
    }
    std::vector<Buffer> buffers = {Launched::buffer(held), Launched::buffer(fragments),
                                   Launched::buffer(std::vector<std::uint32_t>(128 * 32))};
    const std::uint64_t first = a.descriptor(), second = b.descriptor();
    const std::vector<std::uint32_t> numbers = {
        static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(first >> 32),
        static_cast<std::uint32_t>(second), static_cast<std::uint32_t>(second >> 32),
        keep ? 1u : 0u};
    QCOMPARE(launched_->run(its.kernel, 128, buffers, numbers, {}, {1, 1, 1}, 32768), QString());
    const auto got = Launched::values<std::uint32_t>(buffers[2]);
    for (std::uint32_t thread = 0; thread < 128; ++thread) {
      for (std::uint32_t i = 0; i < 32; ++i) {
        const std::uint32_t lane = thread % 32, row = thread / 32 * 16 + lane / 4 + i / 2 % 2 * 8,
                            column = i / 4 * 8 + lane % 4 * 2 + i % 2;
        int sum = 0;
        for (std::uint32_t k = 0; k < depth; ++k)
          sum += valuesA[row * depth + k] * valuesB[column * depth + k];
        if (its.negative) sum = -sum;
        const int old = its.half ? 1 : static_cast<int>(i);
        if (keep) sum += old;
        std::uint32_t wanted = its.a == Type::S8
                                   ? static_cast<std::uint32_t>(sum)
                                   : std::bit_cast<std::uint32_t>(static_cast<float>(sum));
        std::uint32_t is = got[thread * 32 + i];
        if (its.half) {
          wanted = Half::nearest(sum);
          is = got[thread * 32 + i / 2] >> (16 * (i % 2)) & 0xffff;
        }
        if (is != wanted)
          QFAIL(qPrintable(QString("thread %1, sum %2: %3 instead of %4")
                               .arg(thread)
                               .arg(i)
                               .arg(is, 0, 16)
                               .arg(wanted, 0, 16)));
      }
    }
  }
};

}  // namespace tileloom::executor

TILELOOM_TEST(tileloom::executor::GroupProductsTest, Nothing)
#include "group_products_test.moc"
