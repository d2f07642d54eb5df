// SPDX-License-Identifier: GPL-3.0-or-later
// Latencies that vary: the same everywhere and each time, and spread over the whole range.
#include "kernels/timeline/lateness.h"

#include <QtTest>
#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "tests/support/test_class.h"

namespace tileloom::timeline {

using analysis::Matrix;

class LatenessTest : public QObject {
  Q_OBJECT

 private slots:
  // Other numbers would give other pictures: those of the documents and the sentences of the
  // examples are from these.
  void theSameOnEveryMachine() {
    QCOMPARE(lateness(0, Matrix::A, 0), kFirst[0]);
    QCOMPARE(lateness(0, Matrix::B, 0), kFirst[1]);
    QCOMPARE(lateness(1, Matrix::A, 0), kFirst[2]);
    QCOMPARE(lateness(0, Matrix::A, 1), kFirst[3]);
  }

  void allEquallyLikely() {
    constexpr int kTiles = 4000, kBins = 10;
    std::array<int, kBins> bins{};
    std::set<double> all;
    double sum = 0;
    for (std::uint32_t tile = 0; tile < kTiles; ++tile) {
      for (const Matrix matrix : {Matrix::A, Matrix::B}) {
        const double late = lateness(tile, matrix, 0);
        QVERIFY(late >= 0 && late < 1);
        ++bins[static_cast<std::size_t>(late * kBins)];
        all.insert(late);
        sum += late;
      }
    }
    // Four standard deviations of chance.
    constexpr double kDraws = 2 * kTiles, kEach = kDraws / kBins;
    for (const int n : bins) QVERIFY(std::abs(n - kEach) < 4 * std::sqrt(kEach));
    QVERIFY(std::abs(sum / kDraws - 0.5) < 4 * std::sqrt(1 / 12.0 / kDraws));
    QVERIFY(double(all.size()) > kDraws - 10);
  }

  // One K tile says nothing about the next one, nor A about B, nor one block about another.
  void noneFollowsFromAnother() {
    constexpr int kTiles = 4000;
    const auto correlation = [](auto one, auto other) {
      double sum = 0;
      for (std::uint32_t tile = 0; tile < kTiles; ++tile)
        sum += (one(tile) - 0.5) * (other(tile) - 0.5);
      return 12 * sum / kTiles;
    };
    const auto a = [](std::uint32_t tile) { return lateness(tile, Matrix::A, 0); };
    const double most = 4 / std::sqrt(double(kTiles));
    QVERIFY(std::abs(correlation(a, [&](auto t) { return a(t + 1); })) < most);
    QVERIFY(std::abs(correlation(a, [](auto t) { return lateness(t, Matrix::B, 0); })) < most);
    QVERIFY(std::abs(correlation(a, [](auto t) { return lateness(t, Matrix::A, 1); })) < most);
    QVERIFY(correlation(a, a) > 0.9);
  }

 private:
  static constexpr std::array kFirst{14819496.0 / (1 << 24), 7239838.0 / (1 << 24),
                                     1784201.0 / (1 << 24), 1231175.0 / (1 << 24)};
};

}  // namespace tileloom::timeline

TILELOOM_TEST(tileloom::timeline::LatenessTest, Nothing)
#include "lateness_test.moc"
