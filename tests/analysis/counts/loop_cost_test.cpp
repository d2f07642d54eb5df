// SPDX-License-Identifier: GPL-3.0-or-later
// The cost of an iteration of the ladder's main loops, with the loads that are paired according to
// their traces.
#include "kernels/analysis/counts/loop_cost.h"

#include <QtTest>

#include "kernels/sass/recorded.h"
#include "kernels/tile/subject.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"
#include "tests/support/unrecorded.h"

namespace tileloom::test {

class LoopCostTest : public QObject {
  Q_OBJECT

 private slots:
  void ofTheRecordedListing_data() { addStageRows(); }
  void ofTheRecordedListing() {
    const Stage& s = stageOfRow();
    TILELOOM_NEEDS_LISTINGS(s);
    for (const std::string_view arch : sass::listedArchitectures(s)) {
      const auto cost = analysis::recordedLoopCost(standardSubject(s), arch);
      QCOMPARE(cost.has_value(), s.ladder == Ladder::Fp32);
      if (!cost) continue;
      const auto code = sass::recordedListing(standardSubject(s), arch);
      const sass::Range loop = sass::mainLoop(code->listing).range;
      QVERIFY(*cost == sass::loopCost(code->listing, loop, analysis::pairedLoads(*code)));
      // For 8.6 the assembler merges loads of rung 7 that the trace has as single ones.
      if (arch == "sm_90") QCOMPARE(cost->unknownLoads, 0);
      QCOMPARE(cost->instructions, int(loop.size()));
    }
    TileShape other = s.standardTile();
    other[s.parameters.front().parameter] += 1;
    QVERIFY(!analysis::recordedLoopCost(usualSubject(s, other), "sm_90"));
  }

  // All wide loads of rung 14 are paired, and few of rung 12's.
  void pairsCostTheTunedRung() {
    const auto tuned = analysis::recordedLoopCost(standardSubject(stage("tuned")), "sm_90");
    const auto async = analysis::recordedLoopCost(standardSubject(stage("async")), "sm_90");
    QVERIFY(tuned->lostToLoads > 100);
    QVERIFY(async->lostToLoads < 20);
  }

  void ofAnotherSourceNothingIsKnown() {
    const Stage& s = stage("tuned");
    auto code = sass::recordedListing(standardSubject(s), "sm_90");
    code->fingerprint = "of another source";
    QVERIFY(analysis::pairedLoads(*code) == sass::PairedLoads());
    const sass::Range loop = sass::mainLoop(code->listing).range;
    const auto cost = sass::loopCost(code->listing, loop, analysis::pairedLoads(*code));
    QCOMPARE(cost.lostToLoads, 0);
    QCOMPARE(cost.unknownLoads, 64);
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::LoopCostTest, Nothing)
#include "loop_cost_test.moc"
