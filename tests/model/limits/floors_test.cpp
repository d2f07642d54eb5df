// SPDX-License-Identifier: GPL-3.0-or-later
// Lower bounds on the SM time of a K tile: by hand, and below what was measured.
#include "kernels/model/limits/floors.h"

#include <QtTest>
#include <cmath>

#include "kernels/model/limits/roofline.h"
#include "kernels/model/prediction/rates.h"
#include "kernels/runs/recordings.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/subject.h"
#include "tests/support/random.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::model {

using test::q;

class FloorsTest : public QObject {
  Q_OBJECT

  emulator::Workspace workspace_;

  Floors of(std::string_view id, const TileShape& tile, const Problem& problem,
            const Ceilings* ceilings = ceilingsOf({}, {}), std::string_view arch = "sm_90") {
    const Stage& stage = test::stage(id);
    const analysis::LoopTotals loop =
        analysis::traceLoop(workspace_, usualSubject(stage, tile), problem);
    return floorsOf(stage, tile, loop.totals, loop.kTiles, *architectureNamed(arch), ceilings);
  }
  Floors of(std::string_view id) {
    return of(id, test::stage(id).standardTile(), {2048, 2048, 2048});
  }
  static const Floor* at(const Floors& floors, Unit unit) {
    const auto found = std::ranges::find(floors.all, unit, &Floor::unit);
    return found == floors.all.end() ? nullptr : &*found;
  }

 private slots:
  // T1's standard tile: 128 x 128 x 32, four warps of 64 x 64.
  void firstRungByHand() {
    const Floors floors = of("mma");
    const Floor& tensor = *at(floors, Unit::TensorCores);
    QCOMPARE(tensor.amount, 128.0 * 128 * 32);
    QCOMPARE(tensor.cycles(), 128.0 * 128 * 32 / 2048);
    // Two steps of 16 along K, in each four ldmatrix of A (16 wavefronts) and of B (32) per warp;
    // the tiles are stored 128 bytes at a time, and loaded by lines: 128 rows of A are half a line
    // each, 32 rows of B two lines.
    const Floor& shared = *at(floors, Unit::SharedMemory);
    QCOMPARE(shared.cycles(), 4.0 * 2 * 4 * (16 + 32) + 2 * 128 * 32 * 2 / 128.0 + (128 + 32 * 2));
    QCOMPARE(q(shared.parts),
             QString("1,536 of ldmatrix, 128 of stores, 192 of loads from global memory"));
    QCOMPARE(q(sumOf(shared)), QString("1,856 wavefronts at 1 per cycle (32 banks of 4 bytes)"));
    // 256 mma, 64 ldmatrix, 32 stores and 32 loads; four schedulers.
    QCOMPARE(at(floors, Unit::IssueSlots)->cycles(), (256 + 64 + 32 + 32) / 4.0);
    const Floor& l2 = *at(floors, Unit::L2);
    QCOMPARE(l2.amount, 2.0 * 32 * (128 + 128));
    // If neighbours share lines: rule 65.
    QCOMPARE(l2.perCycle, 59.3);
    QVERIFY(l2.measured && !shared.measured);
    QVERIFY(&floors.binding() == &shared && floors.beyond() == nullptr);
    QVERIFY(std::abs(*floors.tensorShare(shared) - 256.0 / 1856) < 1e-9);
    QCOMPARE(q(sentence(floors)),
             QString("The lower bound of shared memory limits the tensor cores of an SM with work "
                     "to 13.8 % of their documented rate."));
  }

  // The swizzle removes the conflicts, and the pipeline's copies are as many wavefronts as stores.
  void laterRungs() {
    for (const char* id : {"swizzled", "mmaring"}) {
      const Floors floors = of(id);
      QCOMPARE(at(floors, Unit::TensorCores)->cycles(), 512.0);
      // Loads to registers also pass through the pipe: 32 KB are 256 lines.
      const bool copies = test::stage(id).features().asyncCopies;
      QCOMPARE(at(floors, Unit::SharedMemory)->cycles(), copies ? 768.0 : 1024.0);
      QVERIFY(floors.binding().unit == Unit::SharedMemory);
      // What mma.sync has reached is not a limit: it is listed separately if it is lower.
      QVERIFY((floors.beyond() != nullptr) == copies);
      QVERIFY2(q(sentence(floors))
                   .endsWith(copies ? "The measured rate of mma.sync limits them to 61.6 %."
                                    : "work to 50.0 % of their documented rate."),
               sentence(floors).c_str());
    }
    // TMA loads have the rate of the SM's port: 48 KB at 85 bytes per cycle.
    const Floors boxes = of("overlapped");
    QVERIFY(std::abs(at(boxes, Unit::L2)->cycles() - 49152 / 85.0) < 0.1);
    QVERIFY(boxes.binding().unit == Unit::TensorCores && boxes.beyond() == nullptr);
    // Without a swizzle eight rows of a matrix are in one bank.
    const Floors plain =
        of("swizzled", test::stage("swizzled").standardTile().with(Parameter::SWIZZLE, 0),
           {2048, 2048, 2048});
    QVERIFY(at(plain, Unit::SharedMemory)->cycles() > 4 * 768);
  }

  void unknownRates() {
    const TileShape tile = test::stage("mma").standardTile();
    const Problem size{1024, 1024, 1024};
    // No ceilings, or those of another architecture: no L2.
    QVERIFY(at(of("mma", tile, size, nullptr), Unit::L2) == nullptr);
    QVERIFY(at(of("mma", tile, size, ceilingsOf({}, {}), "sm_80"), Unit::L2) == nullptr);
    QCOMPARE(at(of("mma", tile, size, nullptr, "sm_80"), Unit::TensorCores)->perCycle, 1024.0);
    // If mma.sync is measured it has its own line: half the multiply-adds per cycle here.
    Ceilings c = *ceilingsOf({}, {});
    QVERIFY(at(of("mma", tile, size, &c), Unit::MmaSync) == nullptr || c.mmaGflops.known());
    c.mmaClockMHz = 1980;
    c.mmaGflops = {1024 * 2 * 132 * 1980.0 * 1e-3, 1, 1e9};
    const Floors floors = of("mma", tile, size, &c);
    QVERIFY(std::abs(at(floors, Unit::MmaSync)->perCycle - 1024) < 1e-6);
    QVERIFY(at(floors, Unit::MmaSync)->measured);
  }

  // No recorded run beats a lower bound: all shipped runs of the ladder.
  void noRunBeatsIt() {
    int judged = 0;
    for (const runs::RunRecord& run : runs::recordings()) {
      const Stage* stage = nullptr;
      for (const Stage& each : tensorStages()) {
        if (each.id == run.stage) stage = &each;
      }
      // Some hundreds of tiles: the larger sizes are the most informative.
      if (stage == nullptr || run.problem.m < 4096 || ++judged % (test::briefly() ? 8 : 2) != 0)
        continue;
      const Floors floors = of(stage->id, run.tile, run.problem);
      const auto cycles = measuredCycles(*stage, run, kReferenceSms);
      QVERIFY(cycles.has_value());
      const std::string which = test::toString(*stage, run.tile) + " at " + toString(run.problem);
      QVERIFY2(*cycles > floors.binding().cycles(), which.c_str());
      // The clock and the peak of the record give the lower bound of the tensor cores.
      const double share = at(floors, Unit::TensorCores)->cycles() / *cycles;
      if (run.quantisationLoss == 0 && run.peakPercent > 0)
        QVERIFY(std::abs(100 * share / run.peakPercent - 1) < 0.01);
    }
    QVERIFY(judged > 20);
    runs::RunRecord unknown;
    QVERIFY(!measuredCycles(test::stage("mma"), unknown, 132));
  }

  void whichRungsArePredicted() {
    for (const Stage& stage : stages()) {
      QVERIFY(isPredicted(stage));
      QVERIFY(ratesOf(stage, "sm_90").has_value());
    }
    for (const Stage& stage : tensorStages()) {
      QVERIFY(!isPredicted(stage));
      const auto rates = ratesOf(stage, "sm_90");
      QVERIFY(!rates && rates.error() == kNoPrediction);
    }
    QCOMPARE(q(noPredictionSentence()),
             QString("No prediction: it is fitted to the FP32 rungs only."));
  }
};

}  // namespace tileloom::model

TILELOOM_TEST(tileloom::model::FloorsTest, Nothing)
#include "floors_test.moc"
