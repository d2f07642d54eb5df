// SPDX-License-Identifier: GPL-3.0-or-later
// Compares the clock with the prediction of the tile panel and with measurements, and the table of
// docs/design/05-timeline.md.
#include "kernels/timeline/agreement.h"

#include <fmt/format.h>

#include <QFile>
#include <QtTest>
#include <cmath>
#include <map>

#include "kernels/analysis/counts/loop_totals.h"
#include "kernels/model/prediction/kernel_shape.h"
#include "kernels/model/prediction/rates.h"
#include "kernels/model/prediction/terms.h"
#include "kernels/runs/recordings.h"
#include "kernels/tile/derived.h"
#include "kernels/tile/placement.h"
#include "kernels/tile/words.h"
#include "kernels/timeline/clock.h"
#include "kernels/timeline/export.h"
#include "kernels/timeline/program.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"
#include "tests/support/unrecorded.h"

#include <nlohmann/json.hpp>

namespace tileloom::timeline {

using test::q;

class AgreementTest : public QObject {
  Q_OBJECT

  static constexpr Problem kProblem{4096, 4096, 4096};
  emulator::Workspace workspace_;

  struct Subject {
    BlockProgram program;
    model::Workload work;
    model::Rates rates;
    Costs costs;
  };
  Subject subject(const Stage& stage) {
    Subject s;
    emulator::TraceRequest request;
    request.subject() = standardSubject(stage);
    request.problem = kProblem;
    request.kTiles = tilesWanted(stage, request.tile);
    request.operands = false;
    s.program = programOf(emulator::traceBlock(workspace_, request));
    s.rates = *model::ratesFor("sm_90");
    const auto kernel =
        model::shapeFrom(runs::recordings(), usualSubject(stage, request.tile), "sm_90");
    if (!kernel) qFatal("no recording of this tile");
    const auto loop = analysis::traceLoop(workspace_, usualSubject(stage, request.tile), kProblem);
    s.work = model::workloadOf(stage, request.tile, kProblem, loop.totals, loop.kTiles, *kernel,
                               s.rates.chip.machine);
    s.costs = costsOf(stage, s.work, s.program, s.rates, model::ceilingsOf({}, {}));
    return s;
  }
  Timeline timelineOf(const Subject& s) {
    auto t = simulate(s.program, s.costs);
    if (!t) qFatal("%s", t.error().c_str());
    return std::move(*t);
  }
  // Cycles of all resident blocks per K tile in the recorded run.
  static double measured(const Stage& stage, int blocks) {
    const auto* run =
        runs::recordedRun(standardSubject(stage), kProblem, std::string(kReferenceDevice));
    if (run == nullptr || !run->gflops.known() || run->smClockMHz <= 0) return 0;
    const Extent grid = launchOf(stage, stage.standardTile(), kProblem).grid;
    const double cycles = 2.0 * kProblem.m * kProblem.n * kProblem.k / (run->gflops.median * 1e9) *
                          run->smClockMHz * 1e6 * kReferenceSms;
    const int step = derive(stage, stage.standardTile()).stepK;
    return cycles / (double(grid.x) * grid.y * (kProblem.k / step)) * blocks;
  }

 private slots:
  // Within 10 % of the prediction, or the difference is named and explained.
  void rungsAgreeOrTheDifferenceIsNamed_data() {
    QTest::addColumn<bool>("agrees");
    for (const char* id : {"warptiled", "padded", "fragments", "async", "rasterised", "tuned"})
      QTest::newRow(id) << true;
    QTest::newRow("doublebuffered") << false;
  }
  void rungsAgreeOrTheDifferenceIsNamed() {
    QFETCH(bool, agrees);
    const Subject s = subject(test::stage(QTest::currentDataTag()));
    const Agreement a = agreementOf(timelineOf(s), s.work, s.rates);
    const std::string words = sentence(a);
    QVERIFY2(a.agrees() == agrees, words.c_str());
    QCOMPARE(a.predicted, model::predict(s.work, s.rates, s.rates.chip).cycles);
    QVERIFY(words.ends_with("."));
    if (agrees) {
      QCOMPARE(a.partCycles, 0.0);
      return;
    }
    // Without the named part both are the same within 10 %, and the sentence has its cycles.
    QVERIFY2(a.explained(), words.c_str());
    QVERIFY(std::abs(a.clock / (a.predicted - a.partCycles) - 1) <= kAgrees);
    QVERIFY2(words.find(grouped(std::uint64_t(a.partCycles + 0.5))) != std::string::npos,
             words.c_str());
    QVERIFY2(words.find("earlier instructions") != std::string::npos, words.c_str());
  }

  // Every sentence, for every kind of difference.
  void sentences() {
    Agreement a;
    a.clock = 1050;
    a.predicted = 1000;
    QCOMPARE(q(sentence(a)),
             q("The clock gives 1,050 cycles per K tile, 5 % above the prediction's 1,000."));
    a.clock = 1300;
    QVERIFY(sentence(a).find("start together") != std::string::npos);
    a.clock = 600;
    QVERIFY(sentence(a).find("none of the parts that it lacks explains") != std::string::npos);
    a.partCycles = 100;
    a.part = model::Term::Dram;
    QVERIFY(sentence(a).find("100 cycles of DRAM") != std::string::npos);
    QVERIFY(sentence(a).find("explains a part") != std::string::npos);
    a.clock = 880;
    QVERIFY(a.explained() && !a.agrees());
    QVERIFY(sentence(a).find("explains a part") == std::string::npos);
  }

  // The point of the picture: what each rung still waits for.
  void rungsShowWhatTheyBuy() {
    const Timeline plain = timelineOf(subject(test::stage("padded")));
    const Timeline ahead = timelineOf(subject(test::stage("fragments")));
    const Timeline buffered = timelineOf(subject(test::stage("doublebuffered")));
    const Timeline ring = timelineOf(subject(test::stage("async")));
    // Loads that are waited for at once, and loads that arrive while others multiply.
    QVERIFY(plain.waiting(On::Memory) > 0.05 && ahead.waiting(On::Memory) > 0.05);
    QVERIFY(buffered.waiting(On::Memory) < 0.01);
    QVERIFY(ring.waiting(On::Copies) < 0.01 && ring.waiting(On::Memory) < 0.01);
    QVERIFY(*buffered.busy(Unit::Fma) > *plain.busy(Unit::Fma) + 0.1);
    QVERIFY(*ring.busy(Unit::Fma) > *plain.busy(Unit::Fma) + 0.05);
  }

  // What L2 delivers for a K tile is what the prediction counts for one: not C, which the FP32
  // rungs read after their last K tile. For rung 6 two tiles of 8,192 bytes at 64 per cycle.
  void l2IsThatOfThePrediction() {
    for (const Stage* stage : everyStage()) {
      if (stage->ladder != Ladder::Fp32 || !runs::hasRecordedRuns(*stage)) continue;
      const Subject s = subject(*stage);
      const Timeline t = timelineOf(s);
      const double cycles = *t.busy(Unit::L2) * t.cyclesPerTile;
      const double predicted =
          model::termsOf(s.work, s.rates, s.rates.chip, t.blocks)[model::Term::L2];
      QVERIFY2(
          std::abs(cycles - predicted) < 0.01 * predicted + 0.5,
          qPrintable(QString("%1: %2, predicted %3").arg(q(stage->id)).arg(cycles).arg(predicted)));
      if (stage->id == "vectorized") QCOMPARE(std::round(cycles), 256.0);
    }
    TILELOOM_SAY_WHICH_LACK_RUNS();
  }

  // The multiplying unit is busy for the multiply-adds of the K tiles of all blocks and no others:
  // 128 per cycle of the FMA pipes, 2,048 of the tensor cores with wgmma.
  void multipliersAreBusyForTheirKTiles() {
    for (const Stage* stage : everyStage()) {
      if (!runs::hasRecordedRuns(*stage)) continue;
      const Subject s = subject(*stage);
      const Timeline t = timelineOf(s);
      if (t.multiplier() == Unit::TensorCore && !t.hasProducts()) continue;
      const Derived d = derive(*stage, stage->standardTile());
      const double perCycle = t.multiplier() == Unit::TensorCore ? 2048 : 128;
      const double cycles = double(d.blockM) * d.blockN * d.stepK * t.blocks / perCycle;
      QVERIFY2(std::abs(*t.busy(t.multiplier()) * t.cyclesPerTile - cycles) < 1e-6 * cycles,
               qPrintable(QString("%1: %2 of %3 cycles, not %4")
                              .arg(q(stage->id))
                              .arg(*t.busy(t.multiplier()))
                              .arg(t.cyclesPerTile)
                              .arg(cycles)));
    }
    TILELOOM_SAY_WHICH_LACK_RUNS();
  }

  // No unit of an SM is busy for longer than a K tile takes.
  void noUnitDoesMoreThanItCan() {
    for (const Stage* stage : everyStage()) {
      if (!runs::hasRecordedRuns(*stage)) continue;
      const Timeline t = timelineOf(subject(*stage));
      for (const Unit unit : {Unit::Issue, Unit::Fma, Unit::TensorCore, Unit::Shared, Unit::L2}) {
        const double share = t.perTile[static_cast<std::size_t>(unit)] / t.cyclesPerTile;
        QVERIFY2(
            share < 1.003,
            qPrintable(QString("%1, unit %2: %3").arg(q(stage->id)).arg(int(unit)).arg(share)));
      }
    }
    TILELOOM_SAY_WHICH_LACK_RUNS();
  }

  // Rungs that wait for their loads at once pay all of a slower memory for each batch of loads; a
  // pipeline that prefetches two K tiles pays almost nothing.
  void slowerMemory() {
    for (const auto& [id, hides] : {std::pair{"fragments", false},
                                    {"swizzled", false},
                                    {"doublebuffered", true},
                                    {"async", true},
                                    {"mmaring", true}}) {
      Subject s = subject(test::stage(id));
      const double usual = timelineOf(s).cyclesPerTile;
      s.costs.delay = 400;
      const double slow = timelineOf(s).cyclesPerTile;
      if (hides) {
        QVERIFY2(slow < usual * 1.05, id);
      } else {
        QVERIFY2(slow > usual + 399, id);
      }
    }
  }

  // The documents agree with the clock.
  void theTableOfTheDocuments() {
    QFile file(TILELOOM_SOURCE_DIR "/docs/design/05-timeline.md");
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QString text = QString::fromUtf8(file.readAll());
    QStringList lacking;
    const auto needs = [&](const std::string& row) {
      if (!text.contains(q(row))) lacking << q(row);
    };
    for (const Stage* stage : everyStage()) {
      const bool asked = stage->ladder == Ladder::Fp32 ? stage->rung >= 8 : true;
      const auto kernel = model::shapeFrom(runs::recordings(), standardSubject(*stage), "sm_90");
      if (!asked || !kernel) continue;
      const Subject s = subject(*stage);
      const Timeline t = timelineOf(s);
      const auto whole = [](double v) { return grouped(std::uint64_t(v + 0.5)); };
      const std::string name = fmt::format("{} `{}`", rungLabel(*stage), stage->id);
      std::string row = fmt::format("| {} | {} | {} |", name, t.blocks, whole(t.cyclesPerTile));
      if (model::isPredicted(*stage)) {
        const double predicted = model::predict(s.work, s.rates, s.rates.chip).cycles;
        row += fmt::format(" {} | {:+.1f} % |", whole(predicted),
                           100 * (t.cyclesPerTile / predicted - 1));
      } else {
        row += " – | – |";
      }
      const double real = measured(*stage, t.blocks);
      if (real > 0)
        row += fmt::format(" {} | {:+.1f} % |", whole(real), 100 * (t.cyclesPerTile / real - 1));
      needs(row);
    }
    for (const Constant& c : constants()) {
      const std::string row = fmt::format("| {} | {} {} | {} |", c.name, c.value, c.unit, c.source);
      needs(row);
    }
    QVERIFY2(lacking.empty(),
             qPrintable("docs/design/05-timeline.md lacks these rows:\n" + lacking.join("\n")));
  }

  // For chrome://tracing and Perfetto: events of a lane never overlap, arrows have both ends.
  void chromeTraceIsWellFormed_data() {
    QTest::addColumn<bool>("unused");
    for (const char* id : {"naive", "warptiled", "async", "tuned", "mmaring"})
      QTest::newRow(id) << true;
  }
  void chromeTraceIsWellFormed() {
    const Subject s = subject(test::stage(QTest::currentDataTag()));
    const Timeline t = timelineOf(s);
    const auto json = nlohmann::json::parse(chromeTrace(t, "a tile"), nullptr, false);
    QVERIFY(!json.is_discarded());
    std::map<int, double> ends;
    std::map<int, std::string> names;
    std::size_t spans = 0, starts = 0, finishes = 0;
    for (const auto& event : json["traceEvents"]) {
      const std::string kind = event["ph"];
      if (kind == "M" && event["name"] == "thread_name")
        names[event["tid"]] = event["args"]["name"];
      if (kind == "X") {
        ++spans;
        const int lane = event["tid"];
        const double begin = event["ts"], length = event["dur"];
        QVERIFY(length >= 0);
        QVERIFY2(begin >= ends[lane], event.dump().c_str());
        ends[lane] = begin + length;
      }
      starts += kind == "s" ? 1 : 0;
      finishes += kind == "f" ? 1 : 0;
    }
    QCOMPARE(names.size(), t.lanes.size());
    std::size_t wanted = 0;
    for (const Lane& lane : t.lanes) wanted += lane.spans.size();
    QCOMPARE(spans, wanted);
    QCOMPARE(starts, t.arrows.size());
    QCOMPARE(finishes, starts);
    QCOMPARE(json["otherData"]["origin"], "predicted");
    // The same as a table: one line per span.
    const std::string table = spanTable(t);
    QCOMPARE(std::size_t(std::ranges::count(table, '\n')), spans + 1);
  }
};

}  // namespace tileloom::timeline

TILELOOM_TEST(tileloom::timeline::AgreementTest, Nothing)
#include "agreement_test.moc"
