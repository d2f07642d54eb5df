// SPDX-License-Identifier: GPL-3.0-or-later
// Elements of every width, at even and odd places.
#include "kernels/emulator/memory.h"

#include <QtTest>
#include <array>
#include <vector>

#include "tests/support/random.h"
#include "tests/support/test_class.h"

namespace tileloom::emulator {

class MemoryTest : public QObject {
  Q_OBJECT

  static constexpr std::uint32_t kCount = 37;

  static std::uint32_t mask(int width) { return width == 32 ? 0xFFFF'FFFF : (1u << width) - 1; }

 private slots:
  void eachElementHasItsOwnBits() {
    test::Random random(test::seed());
    for (const int width : {4, 8, 16, 32}) {
      std::vector<std::byte> bytes((kCount * static_cast<std::size_t>(width) + 7) / 8);
      std::vector<std::uint32_t> want(kCount);
      for (int i = 0; i < 100; ++i) {
        const auto at = static_cast<std::uint32_t>(random.integer(0, kCount - 1));
        // Bits above the element's do not reach its neighbours.
        const auto bits = static_cast<std::uint32_t>(random.integer(0, 0x7FFF'FFFF)) | 0x8000'0000;
        setElementBits(bytes.data(), at, width, bits);
        want[at] = bits & mask(width);
        for (std::uint32_t each = 0; each < kCount; ++each)
          QCOMPARE(elementBits(bytes.data(), each, width), want[each]);
      }
    }
  }

  void theFirstOfTwoIsTheLowerHalf() {
    std::array<std::byte, 2> bytes{};
    setElementBits(bytes.data(), 0, 4, 0x1);
    setElementBits(bytes.data(), 1, 4, 0x2);
    setElementBits(bytes.data(), 3, 4, 0xF);
    QCOMPARE(bytes[0], std::byte{0x21});
    QCOMPARE(bytes[1], std::byte{0xF0});
  }
};

}  // namespace tileloom::emulator

TILELOOM_TEST(tileloom::emulator::MemoryTest, Nothing)
#include "memory_test.moc"
