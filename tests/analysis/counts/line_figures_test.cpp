// SPDX-License-Identifier: GPL-3.0-or-later
// The margin's sums against the totals that the hardware's counters confirm, for every stage.
#include "kernels/analysis/counts/line_figures.h"

#include <QtTest>

#include "kernels/analysis/counts/totals.h"
#include "kernels/analysis/recording.h"
#include "kernels/emulator/fragment_layout.h"
#include "tests/support/recorded.h"
#include "tests/support/test_class.h"

namespace tileloom::test {

class LineFiguresTest : public QObject {
  Q_OBJECT

 private slots:
  void sumsAreTheTotals_data() { addStageRows(); }
  void sumsAreTheTotals() {
    const auto recording = recorded({.stage = stageOfRow().id, .problem = {256, 256, 256}});
    analysis::LineFigures sum;
    int last = 0;
    for (const analysis::LineFigures& f : analysis::lineFigures(recording->trace)) {
      QVERIFY(f.line > last);  // sorted, each once
      last = f.line;
      QVERIFY(f.instructions > 0);
      sum.fmas += f.fmas;
      sum.wavefronts += f.wavefronts;
      sum.conflicts += f.conflicts;
      sum.sectors += f.sectors;
    }
    const analysis::Totals& t = recording->totals();
    QCOMPARE(sum.fmas, t.ffmaThreadInstructions + t.tensorMultiplyAdds());
    QCOMPARE(sum.wavefronts, t.sharedLoadWavefronts + t.matrixLoadWavefronts + t.fillWavefronts());
    QCOMPARE(sum.conflicts, t.sharedLoadConflicts + t.matrixLoadConflicts + t.fillConflicts());
    QCOMPARE(sum.sectors, t.fetchSectors() - t.boxSectors + t.globalStoreSectors);
  }

  void aLine() {
    // Rung 5 reads As float by float: TM loads per k, two wavefronts each.
    const auto recording = recorded({.stage = "blocktile2d"});
    const auto& trace = recording->trace;
    const int line = lineOf(*trace.rung(), "regM[m] = As[");
    for (const analysis::LineFigures& f : analysis::lineFigures(trace)) {
      if (f.line != line) continue;
      const std::uint64_t loads = trace.warps * 2 * 8 * 8;  // K tiles, k, TM
      QCOMPARE(f, (analysis::LineFigures{f.line, loads, 0, 2 * loads, loads, 0}));
      return;
    }
    QFAIL("the line is not executed");
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::LineFiguresTest, EventLoop)
#include "line_figures_test.moc"
