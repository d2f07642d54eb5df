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

  void wideCopies() {
    const Lanes row = lanes([](auto l) { return 4 * l; });
    isCost(copyCost(row, row, kAll, 4), 4, 0);
    // Off by 16 bytes, each quarter's line goes into two.
    const Lanes shifted = lanes([](auto l) { return 4 * l + 4; });
    isCost(copyCost(row, shifted, kAll, 4), 8, 0);
    // Rows of two lanes, 96 bytes apart: a quarter takes from three lines.
    const Lanes rows = lanes([](auto l) { return l / 2 * 24 + l % 2 * 4; });
    isCost(copyCost(rows, row, kAll, 4), 12, 0);
    isCost(copyCost(row, row, 0xFF, 4), 1, 0);
  }
};

}  // namespace tileloom::analysis

TILELOOM_TEST(tileloom::analysis::CopyCostTest, Nothing)
#include "copy_cost_test.moc"
