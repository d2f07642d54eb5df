// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/model/prediction/terms.h"

#include <QtTest>
#include <cmath>
#include <random>

#include "kernels/model/prediction/rates.h"
#include "tests/support/random.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::test {

using model::Term;
using model::Terms;

class TermsTest : public QObject {
  Q_OBJECT

  const model::Rates m_rates = *model::ratesFor("sm_90", {});

 private slots:
  // Euler's theorem, and the derivatives against differences.
  void sharesAddUpToTheCycles() {
    std::mt19937 random(7);
    for (int i = 0; i < 200; ++i) {
      Terms terms;
      for (double& term : terms.values) term = random() % 4 == 0 ? 0 : double(random() % 1000);
      terms[Term::MultiplyAdds] += 1;
      const double cycles = cyclesOf(terms, m_rates);
      const Terms marginal = marginalOf(terms, m_rates);
      double sum = 0;
      for (std::size_t t = 0; t < model::kTerms; ++t) {
        sum += terms.values[t] * marginal.values[t];
        QVERIFY(marginal.values[t] >= 0 && marginal.values[t] <= 1);
        Terms more = terms;
        const double step = 1e-4;
        more.values[t] += step;
        const double slope = (cyclesOf(more, m_rates) - cycles) / step;
        // Next to zero the derivative of the waiting changes fast.
        if (terms.values[t] > 0) QVERIFY(std::abs(slope - marginal.values[t]) < 1e-3);
      }
      QVERIFY(std::abs(sum - cycles) < 1e-6 * cycles);
    }
  }

  void eachNeedHasItsTerm() {
    model::Workload w;
    w.family = model::Family::WarpTiled;
    w.warps = 3;
    w.stepK = 8;
    w.ffmas = 100;
    w.loopSlots = 120;
    w.wavefronts = 50;
    w.conflicts = 20;
    w.sectors = 10;
    w.fills = 4;
    w.turns = 8;
    w.codeKiB = 20;
    w.l2Bytes = 640;
    model::Rates rates = m_rates;
    rates.families[static_cast<std::size_t>(w.family)] = {1.5, 0.5, 300, 1, 10, 20, 5, 2, 0};
    rates.sectorCycles = 0.5;
    rates.l2Bytes = 64;
    model::Chip chip = rates.chip;
    chip.dramBytesPerSecond = 0;  // unknown
    w.dramBytes = 1e9;
    const Terms t = termsOf(w, rates, chip, 2);
    QCOMPARE(t[Term::MultiplyAdds], 150.0);  // six warps on four schedulers
    QCOMPARE(t[Term::OtherInstructions], 30.0);
    QCOMPARE(t[Term::RegisterBanks], 90.0);      // half a cycle more for each of 180 slots
    QCOMPARE(t[Term::UnevenWarps], 90.0);        // two warps on the fullest: half a warp more
    QCOMPARE(t[Term::InstructionFetch], 128.0);  // 4 KiB too long, 8 iterations, 2 warps
    QCOMPARE(t[Term::Wavefronts], 60.0);
    QCOMPARE(t[Term::Conflicts], 40.0);
    QCOMPARE(t[Term::Sectors], 10.0);
    QCOMPARE(t[Term::L2], 20.0);
    QCOMPARE(t[Term::Dram], 0.0);
    QCOMPARE(t[Term::Dependences], 90.0);
    QCOMPARE(t[Term::GlobalLatency], 300.0);
    QCOMPARE(t[Term::SharedLatency], 88.0);
    QCOMPARE(t[Term::Barriers], 60.0);
    QCOMPARE(t[Term::Filling], 20.0);
    const auto busy = busyOf(t);
    QCOMPARE(busy[static_cast<std::size_t>(model::Pipe::Issue)], 150.0 + 30 + 90 + 90 + 128);
    QVERIFY(model::fullestOf(busy) >= busy[0]);
    QVERIFY(cyclesOf(t, rates) > model::fullestOf(busy));
    // Two blocks hide half of each other's waiting, and nothing of the work of pipes.
    rates.families[static_cast<std::size_t>(w.family)].hidden = 1;
    const Terms hidden = termsOf(w, rates, chip, 2);
    QCOMPARE(hidden[Term::GlobalLatency], 150.0);
    QCOMPARE(hidden[Term::Barriers], 30.0);
    QVERIFY(busyOf(hidden) == busy);
    QCOMPARE(termsOf(w, rates, chip, 1)[Term::GlobalLatency], 300.0);
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::TermsTest, EventLoop)
#include "terms_test.moc"
