// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/analysis/tensor/product_pattern.h"

#include <QtTest>
#include <array>

#include "tests/support/test_class.h"

namespace tileloom::test {

using analysis::ProductPattern;
using emulator::Provenance;

// A lane's words of 2 x 2 multiply-adds: two elements of A by two of B, each into a sum of its own.
class ProductPatternTest : public QObject {
  Q_OBJECT

  using Words = std::array<std::uint32_t, 12>;
  static constexpr auto kA = Provenance::Source::A, kB = Provenance::Source::B;
  const std::vector<ProductPattern::Product> m_products = {{0, 5}, {3, 6}, {6, 7}, {9, 8}};

  static Words outer(std::uint32_t row, std::uint32_t column) {
    Words words{};
    for (std::uint32_t i = 0; i < 4; ++i) {
      words[3 * i] = Provenance::element(kA, row + i / 2).bits();
      words[3 * i + 1] = Provenance::element(kB, column + i % 2).bits();
      words[3 * i + 2] = Provenance::accumulator(10 + i).bits();
    }
    return words;
  }

 private slots:
  void countsUsesPerElement() {
    ProductPattern pattern;
    const Words words = outer(100, 7);
    pattern.read(m_products, words.data());
    QCOMPARE(pattern.factors().size(), 4u);
    std::uint32_t uses = 0;
    for (const auto& factor : pattern.factors()) {
      QCOMPARE(factor.count, 2u);
      uses += factor.count;
    }
    QCOMPARE(uses, 8u);
    // The first element of A is last used by the second product, that of B by the third.
    QCOMPARE(words[pattern.factors()[0].offset], Provenance::element(kA, 100).bits());
    QCOMPARE(pattern.factors()[0].stamp, 6u);
    QCOMPARE(words[pattern.factors()[1].offset], Provenance::element(kB, 7).bits());
    QCOMPARE(pattern.factors()[1].stamp, 7u);
    QCOMPARE(pattern.sums().size(), 4u);
    QCOMPARE(pattern.sums()[3].slot, 13u);
    QCOMPARE(pattern.sums()[3].stamp, 8u);
  }

  void holdsForOtherElements() {
    ProductPattern pattern;
    pattern.read(m_products, outer(100, 7).data());
    QVERIFY(pattern.holds(outer(100, 7).data()));
    QVERIFY(pattern.holds(outer(3, 900).data()));
    // Two groups may have one element: each is counted.
    Words same = outer(3, 900);
    for (const std::size_t i : {6u, 9u}) same[i] = same[0];
    QVERIFY(pattern.holds(same.data()));
  }

  void anythingElseBreaksIt() {
    ProductPattern pattern;
    pattern.read(m_products, outer(100, 7).data());
    for (std::size_t i = 0; i < 12; ++i) {
      Words words = outer(3, 900);
      words[i] += 50;
      // The first use of a factor is what the others are compared with.
      QVERIFY2(!pattern.holds(words.data()), qPrintable(QString::number(i)));
    }
    Words words = outer(3, 900);
    for (const std::size_t i : {0u, 3u}) words[i] = Provenance::accumulator(1).bits();
    QVERIFY(!pattern.holds(words.data()));
  }

  void scalingHasNone() {
    ProductPattern pattern;
    Words words = outer(100, 7);
    words[9] = Provenance::accumulator(13).bits();  // alpha * sum + …
    pattern.read(m_products, words.data());
    QVERIFY(!pattern.holds(words.data()));
    pattern.read({}, words.data());
    QVERIFY(pattern.holds(words.data()));  // nothing to follow
    QVERIFY(pattern.factors().empty() && pattern.sums().empty());
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::ProductPatternTest, Nothing)
#include "product_pattern_test.moc"
