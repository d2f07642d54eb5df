// SPDX-License-Identifier: GPL-3.0-or-later
// The model of the sums of tensor cores: cases computed by hand, and random products compared with
// the same rules on doubles.
#include <QtTest>
#include <algorithm>
#include <bit>
#include <cmath>
#include <random>

#include "kernels/executor/short_numbers.h"
#include "tests/executor/accumulation_cases.h"
#include "tests/support/test_class.h"

namespace tileloom::executor {

class AccumulationTest : public QObject {
  Q_OBJECT

  static int exponentOf(double value, int least) {
    return value == 0 ? -4000 : std::max(std::ilogb(value), least);
  }
  // Every step on doubles, which hold all terms and sums of these exponents exactly.
  template <class Format>
  static double summed(const Products& p, std::size_t row, std::size_t column, bool half,
                       const Accumulation& how) {
    const int least = 1 - Format::kBias;
    double c = half ? Half::value(static_cast<std::uint16_t>(p.c[row][column]))
                    : std::bit_cast<float>(p.c[row][column]);
    for (std::size_t first = 0; first < p.depth; first += static_cast<std::size_t>(how.terms)) {
      int most = std::max(exponentOf(c, half ? -14 : -126), -126);
      std::vector<double> terms = {c};
      for (std::size_t k = first;
           k < std::min<std::size_t>(p.depth, first + static_cast<std::size_t>(how.terms)); ++k) {
        const double a = Format::value(static_cast<std::uint16_t>(p.a[row][k])),
                     b = Format::value(static_cast<std::uint16_t>(p.b[k][column]));
        terms.push_back(a * b);
        most = std::max(most, exponentOf(a, least) + exponentOf(b, least));
      }
      const double unit = std::ldexp(1.0, most - how.fraction);
      double sum = 0;
      for (const double each : terms) sum += std::trunc(each / unit);
      sum *= unit;
      if (half) {
        c = Half::value(Half::nearest(sum));
      } else {
        const auto near = static_cast<float>(sum);
        c = std::abs(double{near}) > std::abs(sum) ? std::nextafter(near, 0.0f) : near;
      }
    }
    return c;
  }

  template <class Format>
  static void compare(Factor factor, bool half, const Accumulation& how, unsigned spread) {
    std::mt19937 engine(static_cast<unsigned>(how.fraction) + spread);
    const int fraction = Format::kInfinity == Half::kInfinity ? 10 : 7;
    const auto draw = [&engine] { return static_cast<std::uint32_t>(engine()); };
    const auto element = [&]() -> std::uint32_t {
      if (draw() % 16 == 0) return draw() & (0x8000u | ((1u << fraction) - 1));
      const auto field = static_cast<unsigned>(Format::kBias) + draw() % spread - spread / 2;
      return (draw() & (0x8000u | ((1u << fraction) - 1))) | field << fraction;
    };
    for (int times = 0; times < 20; ++times) {
      Products p;
      p.depth = times % 2 == 0 ? 16 : 8;
      for (auto& row : p.a)
        for (auto& bits : row) bits = element();
      for (auto& row : p.b)
        for (auto& bits : row) bits = element();
      for (auto& row : p.c) {
        for (auto& bits : row) {
          const double value =
              std::ldexp(static_cast<double>(engine()) - 2e9, static_cast<int>(engine() % 24) - 40);
          bits =
              half ? Half::nearest(value) : std::bit_cast<std::uint32_t>(static_cast<float>(value));
        }
      }
      Products sums = p;
      multiplyAdd(sums, factor, half, how);
      for (std::size_t row = 0; row < Products::kRows; ++row) {
        for (std::size_t column = 0; column < Products::kColumns; ++column) {
          const double wanted = summed<Format>(p, row, column, half, how);
          const std::uint32_t bits = sums.c[row][column];
          QCOMPARE(half ? Half::value(static_cast<std::uint16_t>(bits))
                        : double{std::bit_cast<float>(bits)},
                   wanted);
        }
      }
    }
  }

 private slots:
  void byHand() {
    for (const AccumulationCase& each : accumulationCases()) {
      const std::uint32_t sum = sumOf(each, depthOf(each.factor));
      QVERIFY2(sum == each.sum, qPrintable(QString("%1, %2: %3 where %4 is wanted")
                                               .arg(each.capability)
                                               .arg(each.what)
                                               .arg(sum, 8, 16)
                                               .arg(each.sum, 8, 16)));
    }
  }

  void random() {
    // Those of the table, and others: the last ones do not fit into 32 bits.
    const Accumulation others[] = {accumulationOf(80, Factor::Fp16),
                                   accumulationOf(90, Factor::Fp16),
                                   {4, 23},
                                   {3, 21},
                                   {16, 27},
                                   {16, 30}};
    for (const Accumulation& how : others) {
      for (const unsigned spread : {4u, 16u, 28u}) {
        compare<Half>(Factor::Fp16, false, how, spread);
        compare<Half>(Factor::Fp16, true, how, spread / 4 * 2);
        compare<Bfloat>(Factor::Bf16, false, how, spread);
      }
    }
  }

  void unknown() {
    QCOMPARE(accumulationOf(75, Factor::Fp16).terms, 0);
    QCOMPARE(accumulationOf(86, Factor::E4m3).terms, 0);
  }
};

}  // namespace tileloom::executor

TILELOOM_TEST(tileloom::executor::AccumulationTest, Nothing)
#include "accumulation_test.moc"
