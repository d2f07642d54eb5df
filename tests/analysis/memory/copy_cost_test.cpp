// SPDX-License-Identifier: GPL-3.0-or-later
// Copies whose cost can be told by hand; whole kernels are compared with the hardware by
// tests/app/fidelity_test.cpp.
#include "kernels/analysis/memory/copy_cost.h"

#include <QtTest>
#include <array>

#include "tests/support/test_class.h"

namespace tileloom::analysis {

class CopyCostTest : public QObject {
  Q_OBJECT

  static constexpr std::uint32_t kAll = 0xFFFFFFFF;
  using Lanes = std::array<std::uint32_t, 32>;
  template <class F>
  static Lanes lanes(F of) {
    Lanes l{};
    for (std::uint32_t i = 0; i < 32; ++i) l[i] = of(i);
    return l;
  }
  static void isCost(const CopyCost& cost, std::uint32_t wavefronts, std::uint32_t conflicts) {
    QCOMPARE(cost.wavefronts, wavefronts);
    QCOMPARE(cost.conflicts, conflicts);
  }

 private slots:
  void floatsInARow() {
    const Lanes row = lanes([](auto l) { return l; });
    isCost(copyCost(row, row, kAll, 1), 1, 0);
    isCost(copyCost(row, row, 0, 1), 0, 0);
  }

  // Runs of 8 floats from rows that are a multiple of a line apart, as rung 12 copies A where K is
  // a multiple of 32: four rows are in the same eight banks of four lines.
  void rowsALineApart() {
    const Lanes from = lanes([](auto l) { return l / 8 * 64 + l % 8; });
    const Lanes to = lanes([](auto l) { return l; });
    isCost(copyCost(from, to, kAll, 1), 4, 3);
    // 56 floats apart they are adjacent.
    const Lanes skewed = lanes([](auto l) { return l / 8 * 56 + l % 8; });
    isCost(copyCost(skewed, to, kAll, 1), 1, 0);
  }

  void bothSidesAddUp() {
    const Lanes from = lanes([](auto l) { return l / 16 * 32 + l % 16; });  // two ways
    const Lanes to = lanes([](auto l) { return l % 8 * 32 + l / 8; });      // eight ways
    isCost(copyCost(from, to, kAll, 1), 2 + 8 - 1, 1 + 7);
  }

  // Rows of `lanes` x 16 bytes: their strides and first bytes in both memories. Counted on an H200:
  // wavefronts, sectors of the request, sectors of the instruction.
  void asCounted_data() {
    QTest::addColumn<QList<int>>("pattern");
    QTest::addColumn<QList<int>>("counted");
    const auto row = [](const QList<int>& pattern, const QList<int>& counted) {
      QString name;
      for (const int each : pattern) name += QStringLiteral("%1 ").arg(each);
      QTest::newRow(qPrintable(name)) << pattern << counted;
    };
    row({4, 384, 0, 64, 0}, {8, 16, 16});
    row({4, 384, 0, 64, 64}, {8, 16, 16});
    row({4, 384, 16, 64, 16}, {24, 24, 24});
    row({4, 384, 16, 64, 96}, {24, 16, 32});
    row({4, 384, 32, 64, 32}, {12, 16, 16});
    row({4, 384, 64, 64, 0}, {8, 16, 16});
    row({4, 384, 64, 64, 64}, {8, 16, 16});
    row({4, 384, 80, 64, 16}, {24, 24, 24});
    row({4, 384, 80, 64, 96}, {28, 24, 32});
    row({4, 384, 96, 64, 32}, {16, 16, 16});
    row({4, 384, 0, 80, 0}, {15, 20, 24});
    row({4, 384, 64, 96, 0}, {10, 16, 16});
    row({4, 384, 0, 144, 0}, {15, 20, 24});
    row({4, 384, 64, 272, 0}, {15, 20, 24});
    row({2, 512, 0, 32, 16}, {32, 32, 32});
    row({2, 512, 32, 32, 16}, {32, 32, 32});
    row({2, 512, 64, 32, 16}, {32, 32, 32});
    row({2, 512, 112, 32, 16}, {32, 32, 32});
    row({8, 512, 0, 128, 16}, {12, 20, 32});
    row({8, 512, 32, 128, 16}, {16, 24, 32});
    row({8, 512, 64, 128, 16}, {20, 24, 32});
    row({8, 512, 112, 128, 16}, {12, 20, 20});
    row({16, 512, 0, 256, 16}, {12, 20, 32});
    row({16, 512, 32, 256, 16}, {14, 22, 32});
    row({16, 512, 64, 256, 16}, {18, 22, 32});
    row({16, 512, 112, 256, 16}, {10, 18, 18});
    row({1, 512, 0, 16, 16}, {32, 32, 32});
    row({1, 512, 32, 16, 16}, {32, 32, 32});
    row({1, 512, 64, 16, 16}, {32, 32, 32});
    row({1, 512, 112, 16, 16}, {32, 32, 32});
    row({32, 512, 0, 512, 16}, {12, 20, 32});
    row({32, 512, 32, 512, 16}, {13, 21, 32});
    row({32, 512, 64, 512, 16}, {17, 21, 32});
    row({32, 512, 112, 512, 16}, {9, 17, 17});
    row({8, 368, 192, 144, 112}, {17, 22, 32});
    row({2, 160, 0, 32, 96}, {16, 16, 16});
    row({8, 432, 0, 208, 208}, {18, 21, 32});
    row({4, 368, 240, 144, 80}, {17, 20, 20});
    row({4, 448, 0, 176, 16}, {15, 20, 24});
    row({1, 608, 176, 80, 16}, {32, 32, 32});
    row({4, 368, 80, 80, 64}, {23, 23, 32});
    row({16, 432, 128, 368, 208}, {16, 20, 32});
  }
  void asCounted() {
    QFETCH(QList<int>, pattern);
    QFETCH(QList<int>, counted);
    const auto at = [&](int first, int stride) {
      return lanes([&, first, stride](std::uint32_t l) {
        const int lane = static_cast<int>(l), perRow = pattern[0];
        return static_cast<std::uint32_t>(first + lane / perRow * stride + lane % perRow * 16) / 4;
      });
    };
    const CopyCost cost = copyCost(at(pattern[2], pattern[1]), at(pattern[4], pattern[3]), kAll, 4);
    isCost(cost, static_cast<std::uint32_t>(counted[0]), 0);
    QCOMPARE(cost.sectors, static_cast<std::uint32_t>(counted[1]));
    QCOMPARE(cost.sectorPairs, static_cast<std::uint32_t>(counted[2]));
  }

  void wideCopies() {
    const Lanes row = lanes([](auto l) { return 4 * l; });
    isCost(copyCost(row, row, kAll, 4), 4, 0);
    // A swizzle may exchange the halves of a sector.
    const Lanes exchanged = lanes([](auto l) { return 4 * (l ^ 1); });
    isCost(copyCost(row, exchanged, kAll, 4), 4, 0);
    // Off by 16 bytes, each line goes into two, and each half of a sector alone.
    const Lanes shifted = lanes([](auto l) { return 4 * l + 4; });
    isCost(copyCost(row, shifted, kAll, 4), 12, 0);
    // Rows of two lanes, 96 bytes apart: a quarter takes from three lines.
    const Lanes rows = lanes([](auto l) { return l / 2 * 24 + l % 2 * 4; });
    isCost(copyCost(rows, row, kAll, 4), 12, 0);
    isCost(copyCost(row, row, 0xFF, 4), 1, 0);
  }
};

}  // namespace tileloom::analysis

TILELOOM_TEST(tileloom::analysis::CopyCostTest, Nothing)
#include "copy_cost_test.moc"
