// SPDX-License-Identifier: GPL-3.0-or-later
// Medians and their intervals, against values calculated by hand and against their definition.
#include "kernels/runs/statistics.h"

#include <QtTest>
#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/support/random.h"
#include "tests/support/test_class.h"

namespace tileloom::runs {

class StatisticsTest : public QObject {
  Q_OBJECT

  static double deviate(test::Random& random) {  // normal, by the sum of twelve
    double sum = 0;
    for (int i = 0; i < 12; ++i) sum += static_cast<double>(random.real()) / 2;
    return sum;
  }

 private slots:
  void mediansByHand() {
    QCOMPARE(median({}), 0.0);
    QCOMPARE(median(std::vector<double>{3}), 3.0);
    QCOMPARE(median(std::vector<double>{4, 1}), 2.5);
    QCOMPARE(median(std::vector<double>{9, 1, 5}), 5.0);
    QCOMPARE(median(std::vector<double>{7, 1, 100, 3}), 5.0);
    QCOMPARE(median(std::vector<double>{2, 2, 2, 2, 9}), 2.0);
  }

  void intervalsByHand() {
    QVERIFY((medianInterval({}) == runs::Interval{0, 0, 0}));
    QVERIFY((medianInterval(std::vector<double>{3}) == runs::Interval{3, 3, 3}));
    QVERIFY((medianInterval(std::vector<double>{4, 1}) == runs::Interval{2.5, 1, 4}));
    QVERIFY((medianInterval(std::vector<double>(10, 6.5)) == runs::Interval{6.5, 6.5, 6.5}));
    // Of three samples a resample's median is the smallest with probability 7/27, the largest too:
    // both ends are reached.
    QVERIFY((medianInterval(std::vector<double>{2, 1, 3}) == runs::Interval{2, 1, 3}));
    // Of five, the median of a resample is the smallest value if at least three of five draws are
    // it: 0.058, still more than 2.5 %.
    QVERIFY((medianInterval(std::vector<double>{5, 4, 3, 2, 1}) == runs::Interval{3, 1, 5}));
    // Of nine: P(median is the smallest) = 0.0014, P(one of the two smallest) = 0.026: near 2.5 %,
    // so the ends are the second or third smallest and largest.
    const auto nine = medianInterval(std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8, 9});
    QCOMPARE(nine.median, 5.0);
    QVERIFY(nine.low == 2 || nine.low == 3);
    QVERIFY(nine.high == 7 || nine.high == 8);
  }

  // One outlier moves a mean, but not a median.
  void outliersDoNotCount() {
    std::vector<double> samples(21, 0.0);
    for (std::size_t i = 0; i < samples.size(); ++i) samples[i] = 100 + double(i) * 0.01;
    const auto before = medianInterval(samples);
    samples.back() = 1e9;
    const auto after = medianInterval(samples);
    QCOMPARE(after.median, before.median);
    QVERIFY(after.high < 101);
  }

  void coverageIsAsPromised() {
    test::Random random(test::seed());
    constexpr int kSets = 400;
    int covered = 0;
    for (int set = 0; set < kSets; ++set) {
      std::vector<double> samples(30);
      for (double& s : samples) s = 50 + 2 * deviate(random);
      const auto interval = medianInterval(samples);
      QVERIFY(interval.low <= interval.median && interval.median <= interval.high);
      if (interval.low <= 50 && 50 <= interval.high) ++covered;
    }
    const double percent = 100.0 * covered / kSets;
    qInfo("the interval contains the true median in %.2f %% of %d sets, seed %u", percent, kSets,
          test::seed());
    // 95 % within about three standard errors of 400 sets, and what a percentile bootstrap of 30
    // samples may lack.
    QVERIFY2(percent >= 88 && percent <= 99, qPrintable(QString::number(percent)));
  }

  // More samples, narrower interval: by the square root, roughly.
  void intervalsNarrow() {
    test::Random random(test::seed());
    const auto width = [&](std::size_t count) {
      double sum = 0;
      for (int set = 0; set < 40; ++set) {
        std::vector<double> samples(count);
        for (double& s : samples) s = 50 + deviate(random);
        const auto i = medianInterval(samples);
        sum += i.high - i.low;
      }
      return sum;
    };
    const double factor = width(20) / width(180);
    QVERIFY2(factor > 2 && factor < 4.5, qPrintable(QString::number(factor)));
  }

  void theSameSamplesGiveTheSameInterval() {
    test::Random random(test::seed());
    std::vector<double> samples(25);
    for (double& s : samples) s = 50 + deviate(random);
    const std::vector<double> copy = samples;
    const auto first = medianInterval(samples);
    QVERIFY(medianInterval(samples) == first);
    QVERIFY(samples == copy);  // and are unchanged
    // In another order the resamples are other ones; the interval hardly moves.
    for (int i = 0; i < 20; ++i) {
      for (std::size_t j = samples.size() - 1; j > 0; --j)
        std::swap(samples[j], samples[std::size_t(random.integer(0, int(j)))]);
      const auto shuffled = medianInterval(samples);
      QCOMPARE(shuffled.median, first.median);
      QVERIFY(std::fabs(shuffled.low - first.low) < 0.5 * (first.high - first.low));
      QVERIFY(std::fabs(shuffled.high - first.high) < 0.5 * (first.high - first.low));
    }
  }
};

}  // namespace tileloom::runs

TILELOOM_TEST(tileloom::runs::StatisticsTest, EventLoop)
#include "statistics_test.moc"
