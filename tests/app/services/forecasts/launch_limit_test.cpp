// SPDX-License-Identifier: GPL-3.0-or-later
// The window names the same limit as the commands: theirs is from a trace of one K tile, the
// window's from the recording in the loom.
#include "app/services/forecasts/launch_limit.h"

#include <QtTest>
#include <cmath>

#include "app/services/forecasts/forecaster.h"
#include "kernels/analysis/counts/loop_totals.h"
#include "kernels/analysis/counts/totals.h"
#include "kernels/runs/recordings.h"
#include "kernels/tile/subject.h"
#include "tests/support/random.h"
#include "tests/support/random_tiles.h"
#include "tests/support/recorded.h"
#include "tests/support/test_class.h"
#include "tests/support/unrecorded.h"

namespace tileloom {

class LaunchLimitTest : public QObject {
  Q_OBJECT

 private slots:
  void theSameAsTheCommands() {
    test::Random random(test::seed());
    const Architecture arch = *architectureNamed("sm_90");
    const model::Ceilings* ceilings = model::ceilingsOf({}, {});
    emulator::Workspace workspace;
    for (const Stage* stage : everyStage()) {
      if (test::briefly() && stage->rung % 4 != 0) continue;
      const TileShape tile = stage->standardTile();
      const Problem problem{1 << random.integer(4, 13), 1 << random.integer(4, 13),
                            1 << random.integer(6, 12)};
      KernelFacts kernel;
      kernel.arch = "sm_90";
      model::KernelFacts facts;
      if (stage->ladder == Ladder::Fp32) {
        if (!runs::hasRecordedRuns(*stage) && !test::mustBeRecorded(*stage)) continue;
        const auto* run = runs::recordedRun(usualSubject(*stage, tile), {4096, 4096, 4096});
        QVERIFY(run != nullptr);
        kernel.registers = run->registers;
        kernel.blocks = run->blocksPerSm;
        kernel.loop = run->loop;
        facts = model::factsOf(*run);
      }
      const auto recording = test::recorded({.stage = stage->id, .problem = problem, .kTiles = 2});
      const auto shown = launchLimit(*recording, &kernel, arch, ceilings);
      const analysis::LoopTotals loop =
          analysis::traceLoop(workspace, usualSubject(*stage, tile), problem);
      const auto said = model::limitOf({.subject = usualSubject(*stage, tile),
                                        .problem = problem,
                                        .loop = loop,
                                        .arch = arch,
                                        .facts = &facts,
                                        .rates = shippedRates("sm_90"),
                                        .ceilings = ceilings});
      const std::string which = test::toString(*stage, tile) + " at " + toString(problem);
      QVERIFY2(shown.has_value() && said.has_value(), which.c_str());
      QVERIFY2(shown->kind == said->kind && std::abs(shown->share - said->share) < 0.01,
               (which + ": " + sentence(*shown) + " " + sentence(*said)).c_str());
      if (stage->ladder != Ladder::Fp32) continue;
      const auto forecast = forecastOf(*recording, kernel);
      QVERIFY(forecast && forecast->limit == QString::fromStdString(shortText(*shown)));
    }
    TILELOOM_SAY_WHICH_LACK_RUNS();
  }

  void whatIsNotKnown() {
    const auto recording = test::recorded({.stage = "hopper", .problem = {256, 256, 512}});
    const Architecture arch = *architectureNamed("sm_90");
    QVERIFY(!launchLimit(*recording, nullptr, arch, nullptr));
    QVERIFY(launchLimit(*recording, nullptr, arch, model::ceilingsOf({}, {})));
    const auto fp32 = test::recorded({.stage = "warptiled"});
    QVERIFY(!launchLimit(*fp32, nullptr, arch, model::ceilingsOf({}, {})));
    QVERIFY(shippedRates("sm_10") == nullptr);
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::LaunchLimitTest, EventLoop)
#include "launch_limit_test.moc"
