// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/model/prediction/time_shares.h"

#include <QtTest>
#include <cmath>
#include <numeric>

#include "kernels/model/prediction/rates.h"
#include "kernels/runs/counters.h"
#include "tests/support/test_class.h"

namespace tileloom::test {

using model::Term;
using model::TimeGroup;
using runs::Counter;

class TimeSharesTest : public QObject {
  Q_OBJECT

  static double sum(const model::TimeShares& shares) {
    return std::accumulate(shares.values.begin(), shares.values.end(), 0.0);
  }

 private slots:
  // Three of four cycles issue an instruction; in the others six warps of ten wait at a barrier.
  void countedOnesAddUp() {
    runs::Counters counters;
    for (const Counter counter :
         {Counter::StalledLongScoreboard, Counter::StalledShortScoreboard,
          Counter::StalledMioThrottle, Counter::StalledLgThrottle, Counter::StalledMathPipe,
          Counter::StalledDispatch, Counter::StalledWait, Counter::StalledNoInstruction})
      counters.set(counter, 0.5);
    counters.set(Counter::InstructionsPerCycle, 3);
    QVERIFY(!model::countedShares(counters));  // nothing is known about barriers
    counters.set(Counter::StalledBarrier, 6);
    const auto shares = model::countedShares(counters);
    QVERIFY(shares);
    QCOMPARE((*shares)[TimeGroup::Issue], 0.75);
    QCOMPARE((*shares)[TimeGroup::Barriers], 0.15);
    QCOMPARE((*shares)[TimeGroup::SharedMemory], 0.025);
    QVERIFY(std::abs(sum(*shares) - 1) < 1e-12);
  }

  // The issue slots have the cycles in which they are busy, however much of them is hidden.
  void predictedOnesAddUp() {
    const auto rates = *model::ratesFor("sm_90", {});
    model::Terms terms;
    QCOMPARE(sum(predictedShares(terms, rates)), 0.0);
    terms[Term::MultiplyAdds] = 80;
    terms[Term::OtherInstructions] = 20;
    terms[Term::Wavefronts] = 90;
    terms[Term::Barriers] = 10;
    const model::TimeShares shares = predictedShares(terms, rates);
    QVERIFY(std::abs(sum(shares) - 1) < 1e-12);
    QVERIFY(std::abs(shares[TimeGroup::Issue] - 100 / cyclesOf(terms, rates)) < 1e-12);
    QVERIFY(shares[TimeGroup::SharedMemory] > 0 && shares[TimeGroup::Barriers] > 0);
    QCOMPARE(shares[TimeGroup::GlobalMemory], 0.0);
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::TimeSharesTest, EventLoop)
#include "time_shares_test.moc"
