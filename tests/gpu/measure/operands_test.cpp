// SPDX-License-Identifier: GPL-3.0-or-later
// The tolerance lies between what rounding can explain and the smallest thing that can go missing.
#include "kernels/gpu/measure/operands.h"

#include <QtTest>
#include <algorithm>
#include <cmath>
#include <set>

#include "tests/gpu/fake.h"
#include "tests/support/random.h"
#include "tests/support/test_class.h"

namespace tileloom::gpu {

using test::Fake;

class OperandsTest : public QObject {
  Q_OBJECT

  // One element of C, summed in FP32 in this order with `parts` partial sums.
  static float element(const std::vector<float>& row, const std::vector<float>& column, float c,
                       const std::vector<std::size_t>& order, std::size_t parts, bool fused) {
    std::vector<float> sums(parts, 0.0f);
    for (std::size_t i = 0; i < order.size(); ++i) {
      float& sum = sums[i % parts];
      const float x = row[order[i]], y = column[order[i]];
      sum = fused ? std::fmaf(x, y, sum) : sum + x * y;
    }
    float total = 0;
    for (const float sum : sums) total += sum;
    return kAlpha * total + kBeta * c;
  }

  static void rows() {
    QTest::addColumn<int>("k");
    for (const int k : {1, 2, 31, 45, 128, 1000, 1024, 4096, 8192}) QTest::addRow("%d", k) << k;
  }

  static std::vector<std::size_t> ascending(int k) {
    std::vector<std::size_t> order(static_cast<std::size_t>(k));
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    return order;
  }

 private slots:
  void numbersAreAsPromised() {
    for (const std::uint32_t seed : {0u, 1u, 2u, 3u, 12345u}) {
      const auto values = randomMatrix(10000, seed);
      int negative = 0;
      double magnitudes = 0;
      for (const float v : values) {
        QVERIFY(std::fabs(v) >= 0.5f && std::fabs(v) < 1.0f);
        negative += v < 0 ? 1 : 0;
        magnitudes += static_cast<double>(std::fabs(v));
      }
      QVERIFY(negative > 4700 && negative < 5300);
      QVERIFY(std::fabs(magnitudes / 10000 - 0.75) < 0.01);
      QVERIFY(std::set<float>(values.begin(), values.end()).size() > 9900);
      QVERIFY(randomMatrix(10000, seed) == values);
    }
    QVERIFY(randomMatrix(100, 1) != randomMatrix(100, 2));
    QVERIFY(randomMatrix(0, 1).empty());
  }

  void halvesAreAsPromised() {
    for (const Format format : {Format::Bf16, Format::Fp16}) {
      const auto signs = randomHalves(10000, 1, format, Values::Signs);
      double sum = 0;
      for (const std::uint16_t bits : signs) {
        const double value = double{halfValue(format, bits)};
        QVERIFY(value == 1 || value == -1);
        sum += value;
      }
      QVERIFY(std::fabs(sum) < 400);  // four standard deviations
      const auto normal = randomHalves(100000, 2, format, Values::Normal);
      double mean = 0, square = 0, fourth = 0;
      for (const std::uint16_t bits : normal) {
        const double value = double{halfValue(format, bits)};
        mean += value / 100000;
        square += value * value / 100000;
        fourth += std::pow(value, 4) / 100000;
      }
      QVERIFY2(
          std::fabs(mean) < 0.02 && std::fabs(square - 1) < 0.03 && std::fabs(fourth - 3) < 0.3,
          qPrintable(QString("%1 %2 %3").arg(mean).arg(square).arg(fourth)));
      QVERIFY(randomHalves(1000, 2, format, Values::Normal) ==
              std::vector(normal.begin(), normal.begin() + 1000));
      QVERIFY(randomHalves(1000, 3, format, Values::Normal) !=
              std::vector(normal.begin(), normal.begin() + 1000));
      const HalfTolerance exact = toleranceOf(8192, format, Values::Signs);
      QVERIFY(exact.absolute == 0 && exact.relative == 0);
    }
  }

  // Which element is missing or doubled, and where, does not matter: the smallest product is 1/4.
  void aDroppedOrDoubledProductIsSeen_data() { rows(); }
  void aDroppedOrDoubledProductIsSeen() {
    QFETCH(int, k);
    const auto a = randomMatrix(static_cast<std::size_t>(k), 1);
    const auto b = randomMatrix(static_cast<std::size_t>(k), 2);
    const std::vector<std::size_t> order = ascending(k);
    const float whole = element(a, b, 0.75f, order, 1, true);
    const float tolerance = toleranceOf(k);
    std::vector<std::size_t> changed;
    for (int dropped = 0; dropped < k; dropped += k < 1100 ? 1 : 17) {
      changed = order;
      changed.erase(changed.begin() + dropped);
      QVERIFY(std::fabs(element(a, b, 0.75f, changed, 1, true) - whole) > 2 * tolerance);
      changed = order;
      changed.push_back(static_cast<std::size_t>(dropped));
      QVERIFY(std::fabs(element(a, b, 0.75f, changed, 1, true) - whole) > 2 * tolerance);
    }
    // Beta C forgotten, or taken twice.
    QVERIFY(std::fabs(kBeta * 0.5f) > 2 * tolerance);
  }

  // The margin is exact: half of the smallest product against the tolerance.
  void theMarginHoldsUpToTheLargestK() {
    for (int k = 1; k <= 32768; k *= 2) QVERIFY(kAlpha * 0.25f > 2 * toleranceOf(k));
    for (int k = 2; k <= 32768; k *= 2) QVERIFY(toleranceOf(k) > toleranceOf(k / 2));
  }

  void roundingIsExplained_data() { rows(); }
  void roundingIsExplained() {
    QFETCH(int, k);
    test::Random random(test::seed());
    double worst = 0;
    for (int row = 0; row < 40; ++row) {
      const auto a = randomMatrix(static_cast<std::size_t>(k), std::uint32_t(2 * row + 11));
      const auto b = randomMatrix(static_cast<std::size_t>(k), std::uint32_t(2 * row + 12));
      std::vector<std::size_t> order = ascending(k);
      const float plain = element(a, b, 0.6f, order, 1, true);
      double exact = 0;
      for (const std::size_t i : order) exact += double(a[i]) * double(b[i]);
      exact = double(kAlpha) * exact + double(kBeta) * double(0.6f);
      const auto differs = [&](float other) {
        worst = std::max(worst, std::fabs(double(other) - double(plain)));
      };
      differs(static_cast<float>(exact));
      differs(element(a, b, 0.6f, order, 1, false));
      for (const std::size_t parts : {2u, 8u, 32u})
        differs(element(a, b, 0.6f, order, parts, true));
      std::ranges::reverse(order);
      differs(element(a, b, 0.6f, order, 1, true));
      for (std::size_t j = order.size() - 1; j > 0; --j)
        std::swap(order[j], order[std::size_t(random.integer(0, int(j)))]);
      differs(element(a, b, 0.6f, order, 4, true));
    }
    qInfo("largest difference %.3g, tolerance %.3g", worst, double(toleranceOf(k)));
    QVERIFY(worst < double(toleranceOf(k)));
  }

  // Why signs are random: with one sign a sum is as large as possible and so is its rounding error,
  // more than a tolerance that still detects a wrong element can allow.
  void withoutRandomSignsTheToleranceWouldNotDo() {
    constexpr int kK = 8192;
    const auto a = randomMatrix(kK, 1);
    const auto order = ascending(kK);
    const float summed = element(a, a, 0.6f, order, 1, true);
    double exact = 0;
    for (const std::size_t i : order) exact += double(a[i]) * double(a[i]);
    exact = double(kAlpha) * exact + double(kBeta) * double(0.6f);
    QVERIFY(std::fabs(double(summed) - exact) > double(toleranceOf(kK)));
  }

  // Padding adds zeros and leaves the rest unchanged; nothing is done twice.
  void paddingSurroundsWithZeros() {
    Fake::use();
    {
      auto context = std::move(*Context::open(*Driver::load(), 0));
      Operands o;
      const Problem problem{5, 3, 7}, padded{8, 4, 8};
      QVERIFY(fillOperands(*context, o, problem).has_value());
      o.wantedBy = "somebody";
      QVERIFY(fillOperands(*context, o, problem).has_value());
      QCOMPARE(o.wantedBy, std::string("somebody"));  // no change, so the reference stays valid
      QVERIFY(padOperands(*context, o, padded).has_value());
      QVERIFY(resetWork(*context, o).has_value());
      QVERIFY(
          context->wait(std::chrono::steady_clock::now() + std::chrono::seconds(20)).has_value());
      const auto matrix = [&](const Buffer& from, int rows, int columns) {
        std::vector<float> values(std::size_t(rows * columns));
        if (from.bytes() != values.size() * sizeof(float)) qFatal("another size");
        if (!context->download(std::as_writable_bytes(std::span(values)), from)) qFatal("no copy");
        return values;
      };
      const auto compare = [&](const Buffer& small, int rows, int columns, const Buffer& large,
                               int newRows, int newColumns) {
        const auto from = matrix(small, rows, columns), to = matrix(large, newRows, newColumns);
        for (int i = 0; i < newRows; ++i) {
          for (int j = 0; j < newColumns; ++j) {
            const float want = i < rows && j < columns ? from[std::size_t(i * columns + j)] : 0.0f;
            if (to[std::size_t(i * newColumns + j)] != want) return false;
          }
        }
        return true;
      };
      QVERIFY(compare(o.a, 5, 7, o.kernelA(), 8, 8));
      QVERIFY(compare(o.b, 7, 3, o.kernelB(), 8, 4));
      QVERIFY(compare(o.c, 5, 3, o.work, 8, 4));
      QVERIFY(compare(o.c, 5, 3, o.want, 5, 3));
      QVERIFY(matrix(o.a, 5, 7) == randomMatrix(35, 1));
      // Back to the problem itself, without copies of A and B.
      QVERIFY(padOperands(*context, o, problem).has_value());
      QCOMPARE(o.kernelA().address(), o.a.address());
      QCOMPARE(o.kernelB().address(), o.b.address());
      QCOMPARE(o.work.bytes(), std::size_t{5 * 3 * 4});
    }
    QCOMPARE(Fake::leaks(), std::string());
  }

  // After a failure nothing looks complete.
  void aFailureLeavesNothingThatLooksWhole() {
    Fake::use("memory=100K");
    auto context = std::move(*Context::open(*Driver::load(), 0));
    Operands o;
    QVERIFY(fillOperands(*context, o, {16, 16, 16}).has_value());
    // Nothing is filled for a format without a baseline.
    for (const Format format : {Format::Tf32, Format::E4m3, Format::E5m2}) {
      const auto refused = fillOperands(*context, o, {16, 16, 16}, format);
      QVERIFY(!refused && refused.error().trouble == Trouble::Unsupported);
      QVERIFY(refused.error().text.starts_with(std::string(rowOf(format).name) + " cannot be"));
    }
    o.wantedBy = "somebody";
    const auto failed = fillOperands(*context, o, {160, 160, 160});
    QVERIFY(!failed);
    QCOMPARE(failed.error().trouble, Trouble::OutOfMemory);
    QVERIFY(!(o.problem == Problem{16, 16, 16}) && !(o.problem == Problem{160, 160, 160}));
    QVERIFY(o.wantedBy.empty());
    QVERIFY(fillOperands(*context, o, {16, 16, 16}).has_value());
    const auto padded = padOperands(*context, o, {160, 160, 160});
    QVERIFY(!padded);
    QVERIFY(!(o.padded == Problem{160, 160, 160}));
    QVERIFY(padOperands(*context, o, {32, 32, 32}).has_value());
  }
};

}  // namespace tileloom::gpu

TILELOOM_TEST(tileloom::gpu::OperandsTest, EventLoop)
#include "operands_test.moc"
