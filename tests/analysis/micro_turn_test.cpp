// SPDX-License-Identifier: GPL-3.0-or-later
// The model of an iteration, compared with recorded micro-cases whose loads are used: how long a
// warp waits for them, alone and beside another one.
#include <QtTest>
#include <cmath>

#include "kernels/rewrite/turn_time.h"
#include "kernels/sass/micro_cases.h"
#include "kernels/sass/micro_results.h"
#include "kernels/sass/register_banks.h"
#include "tests/support/test_class.h"

namespace tileloom::test {

class MicroTurnTest : public QObject {
  Q_OBJECT

  // Cycles per slot of the case, by warps per scheduler.
  static double modelOf(const sass::MicroCase& which, int warpsPerScheduler) {
    const std::vector<sass::Decoded> turn = sass::turnOf(which);
    sass::Listing listing = sass::listingOf(which);
    for (sass::Instruction& each : listing.instructions) each.line = 1;
    sass::PairedLoads pairs;
    pairs.note(1, sass::paired(which.addresses));
    const auto lost = sass::lostCycles(listing, {0, turn.size()}, pairs);
    std::vector<rewrite::Op> ops;
    for (std::size_t i = 0; i < turn.size(); ++i) ops.push_back(rewrite::Op::of(turn[i], i));
    const int warps = 4 * warpsPerScheduler;
    rewrite::Residency residency;
    residency.warps = residency.warpsPerBlock = warps;
    return rewrite::turnTime(ops, lost, residency).cycles / warpsPerScheduler /
           sass::MicroCase::kSlots;
  }

 private slots:
  void loadsAreAwaitedAsLongAsMeasured() {
    int seen = 0;
    for (const sass::MicroCase& each : sass::microCases()) {
      if (!each.name.starts_with("used.")) continue;
      const sass::MicroResult* measured = sass::recordedMicroResults().of(each.name);
      QVERIFY2(measured != nullptr, each.name.c_str());
      // What paired loads wait for a cycle without multiply-adds is known less well.
      const bool pairs = sass::paired(each.addresses);
      const double close = pairs ? 0.075 : 0.01;
      for (const int warps : {1, 2}) {
        const double cycles = measured->cycles[std::size_t(warps - 1)];
        const double off = modelOf(each, warps) / cycles - 1;
        QVERIFY2(std::abs(off) < close, qPrintable(QString("%1, %2 warps: %3 %")
                                                       .arg(QString::fromStdString(each.name))
                                                       .arg(warps)
                                                       .arg(100 * off)));
      }
      ++seen;
    }
    QVERIFY(seen >= 50);
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::MicroTurnTest, Nothing)
#include "micro_turn_test.moc"
