// SPDX-License-Identifier: GPL-3.0-or-later
// Counting, with a fake CUPTI: tests/gpu/fake_cupti.cpp.
#include <QtTest>
#include <cmath>
#include <nlohmann/json.hpp>

#include "kernels/gpu/measure/bench.h"
#include "kernels/gpu/measure/counting.h"
#include "kernels/gpu/measure/cycle_ratio.h"
#include "kernels/gpu/measure/sustained_ratio.h"
#include "kernels/runs/counters.h"
#include "kernels/tile/subject.h"
#include "tests/gpu/fake.h"
#include "tests/gpu/sentence.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::gpu {

using runs::Counter;
using test::Fake;
using test::q;

class CountersTest : public QObject {
  Q_OBJECT

  static constexpr Problem kProblem{128, 128, 64};

  static std::unique_ptr<Bench> bench() {
    auto opened = Bench::open(*Driver::load(), 0, *Nvrtc::load(), nullptr);
    if (!opened) qFatal("%s", opened.error().text.c_str());
    return std::move(*opened);
  }

  static Result<runs::RunRecord> counted(std::span<const Counter> which = runs::liveCounters(),
                                         const std::function<bool()>& goOn = {}) {
    const Stage& stage = test::stage("shared");
    const auto build =
        buildStage(**Nvrtc::load(), nullptr, standardSubject(stage), defaultArchitecture());
    if (!build) qFatal("%s", build.error().text.c_str());
    return readCounters(*bench(), *build, kProblem, which, 30000, goOn);
  }

 private slots:
  void init() {
    Fake::use();
    Fake::useCupti("");
  }
  void cleanup() {
    QCOMPARE(Fake::cuptiLeaks(), 0);
    QCOMPARE(q(Fake::leaks()), QString());
  }

  void valuesAreCuptis() {
    Fake::useCupti(
        "value=sm__warps_active.avg.pct_of_peak_sustained_active:17.5,"
        "value=sm__inst_executed.avg.per_cycle_active:2.87,value=dram__bytes.sum:428018432");
    const auto record = counted();
    QVERIFY2(record, record ? "" : record.error().text.c_str());
    const runs::Counters& c = record->counters;
    QCOMPARE(*c[Counter::AchievedOccupancy], 0.175);
    QCOMPARE(*c[Counter::InstructionsPerCycle], 2.87);
    QCOMPARE(*c[Counter::DramBytes], 428018432.0);
    QVERIFY(!c[Counter::SharedLoadInstructions]);  // not requested
    QCOMPARE(*record->achievedOccupancy, 0.175);
    QVERIFY(!record->gflops.known());
    QCOMPARE(q(record->stage), QStringLiteral("shared"));
    QVERIFY(record->registers > 0);
  }

  void everyPassIsALaunch() {
    Fake::useCupti("passes=7");
    QVERIFY(counted(runs::exactCounters()));
    // The stage once more, for the check of its result, and the check.
    QCOMPARE(Fake::calls("cuLaunchKernel"), 7 + 2);
  }

  void whatAChipDoesNotHaveIsLeftOut() {
    Fake::useCupti("unknown=smsp__inst_executed_op_ldgsts.sum,unknown=dram__bytes.sum");
    const auto exact = counted(runs::exactCounters());
    QVERIFY(exact);
    QVERIFY(!exact->counters[Counter::AsyncInstructions]);
    QVERIFY(exact->counters[Counter::AsyncSectors]);
    const auto live = counted();
    QVERIFY(live);
    QVERIFY(!live->counters[Counter::DramBytes]);
  }

  void obstacles_data() {
    QTest::addColumn<QString>("behaviours");
    QTest::addColumn<int>("trouble");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* name, const char* behaviours, Trouble trouble,
                        const char* says) {
      QTest::newRow(name) << behaviours << static_cast<int>(trouble) << says;
    };
    // The driver refuses at every call.
    for (const char* function : {"cuptiProfilerInitialize", "cuptiProfilerGetCounterAvailability",
                                 "cuptiRangeProfilerEnable", "cuptiRangeProfilerSetConfig",
                                 "cuptiRangeProfilerStart", "cuptiRangeProfilerStop"}) {
      QTest::addRow("not allowed: %s", function)
          << QStringLiteral("fail=%1:35").arg(QLatin1String(function))
          << static_cast<int>(Trouble::Unsupported) << "NVreg_RestrictProfilingToAdminUsers=0";
    }
    row("container", "fail=cuptiRangeProfilerEnable:35", Trouble::Unsupported,
        "--cap-add=SYS_ADMIN");
    row("MIG", "fail=cuptiRangeProfilerEnable:43", Trouble::Unsupported, "MIG");
    row("virtual", "fail=cuptiRangeProfilerEnable:40", Trouble::Unsupported, "host");
    row("old GPU", "fail=cuptiProfilerHostInitialize:38", Trouble::Unsupported, "7.5");
    row("new GPU", "fail=cuptiProfilerHostInitialize:46", Trouble::Unsupported, "newer CUDA");
    row("busy", "fail=cuptiRangeProfilerStart:26", Trouble::Unsupported, "another profiler");
    row("memory", "fail=cuptiRangeProfilerEnable:8", Trouble::OutOfMemory, "(8)");
    row("anything", "fail=cuptiRangeProfilerDecodeData:999", Trouble::Failed,
        "CUPTI_ERROR_UNKNOWN (999)");
    row("endless", "passes=100000", Trouble::Failed, "does not finish");
  }
  void obstacles() {
    QFETCH(QString, behaviours);
    QFETCH(int, trouble);
    QFETCH(QString, says);
    Fake::useCupti(behaviours.toStdString());
    const auto record = counted();
    QVERIFY(!record);
    QCOMPARE(static_cast<int>(record.error().trouble), trouble);
    QVERIFY2(q(record.error().text).contains(says), record.error().text.c_str());
    QCOMPARE(test::sentenceFlaw(record.error().text), QString());
  }

  void aLibraryThatIsNotThere() {
    qputenv("TILELOOM_CUPTI", "none");
    QVERIFY(!Cupti::present());
    const auto record = counted();
    QVERIFY(!record);
    QVERIFY(record.error().trouble == Trouble::Missing);
    QVERIFY(q(record.error().text).contains("TILELOOM_CUPTI"));
  }

  void anOldLibrary() {
    qputenv("TILELOOM_CUPTI", TILELOOM_STUB);
    QVERIFY(!Cupti::present());
    const auto record = counted();
    QVERIFY(!record);
    QVERIFY(record.error().trouble == Trouble::Unsupported);
    QVERIFY(q(record.error().text).contains("install a newer version"));
  }

  void countingIsCancelled() {
    int asked = 0;
    const auto record = counted(runs::liveCounters(), [&asked] { return ++asked < 3; });
    QVERIFY(!record);
    QVERIFY(record.error().trouble == Trouble::Cancelled);
  }

  void aWrongKernelIsNotCounted() {
    Fake::use("wrong=17");
    const auto record = counted();
    QVERIFY(!record);
    QVERIFY(record.error().trouble == Trouble::WrongResult);
  }

  static RatioOptions quickly() {
    RatioOptions options;
    options.pairs = 3;
    options.settleMs = 10, options.turnMs = 20, options.batchMs = 5;
    return options;
  }

  static Build halves() {
    const Stage& stage = test::stage("mmaring");
    const auto build =
        buildStage(**Nvrtc::load(), nullptr, {&stage, stage.standardTile(), Format::Fp16},
                   defaultArchitecture(), SourceLines::Left);
    if (!build) qFatal("%s", build.error().text.c_str());
    return *build;
  }

  // Cycles of all kernels that cuBLAS needs for one product are added up.
  void cyclesBesideCublas_data() {
    QTest::addColumn<int>("kernels");
    QTest::newRow("one kernel") << 1;
    QTest::newRow("two, as with a reduction") << 2;
  }
  void cyclesBesideCublas() {
    QFETCH(int, kernels);
    Fake::useCupti(
        "value=sm__cycles_elapsed.max:2000000,library=sm__cycles_elapsed.max:1500000,"
        "value=sm__cycles_elapsed.avg.per_second:1.6e9,"
        "library=sm__cycles_elapsed.avg.per_second:1.5e9,kernels=" +
        std::to_string(kernels));
    const auto s = cycleRatio(*bench(), halves(), kProblem, quickly());
    QVERIFY2(s, s ? "" : s.error().text.c_str());
    QCOMPARE(s->kernel, 2e6);
    QCOMPARE(s->cublas, 1.5e6 * kernels);
    QCOMPARE(s->ratio.median, 0.75 * kernels);  // as of speeds: more cycles of cuBLAS's, faster
    QCOMPARE(s->kernelClockMHz, 1600);
    QCOMPARE(s->cublasClockMHz, 1500);
    QCOMPARE(s->pairs, 3);
  }

  void cyclesOfAnotherChip() {
    Fake::useCupti(
        "unknown=sm__cycles_elapsed.max,value=gpc__cycles_elapsed.max:900,"
        "library=gpc__cycles_elapsed.max:800,unknown=sm__cycles_elapsed.avg.per_second");
    const auto s = cycleRatio(*bench(), halves(), kProblem, quickly());
    QVERIFY2(s, s ? "" : s.error().text.c_str());
    QCOMPARE(s->kernel, 900.0);
    QCOMPARE(s->kernelClockMHz, 0);
    Fake::useCupti("unknown=sm__cycles_elapsed.max,unknown=gpc__cycles_elapsed.max");
    const auto none = cycleRatio(*bench(), halves(), kProblem, quickly());
    QVERIFY(!none && none.error().trouble == Trouble::Unsupported);
    QCOMPARE(test::sentenceFlaw(none.error().text), QString());
  }

  void cyclesNeedPermissionAndCublas() {
    Fake::useCupti("fail=cuptiRangeProfilerEnable:35");
    const auto refused = cycleRatio(*bench(), halves(), kProblem, quickly());
    QVERIFY(!refused && refused.error().trouble == Trouble::Unsupported);
    QVERIFY(q(refused.error().text).contains("NVreg_RestrictProfilingToAdminUsers"));
    Fake::useCupti("kernels=9");
    const auto many = cycleRatio(*bench(), halves(), kProblem, quickly());
    QVERIFY(!many && q(many.error().text).contains("9 kernels where at most 8"));
    qputenv("TILELOOM_CUBLAS", "none");
    const auto alone = bench();
    for (const auto& s : {cycleRatio(*alone, halves(), kProblem, quickly()),
                          sustainedRatio(*alone, halves(), kProblem, quickly())}) {
      QVERIFY(!s && s.error().trouble == Trouble::Missing);
      QCOMPARE(test::sentenceFlaw(s.error().text), QString());
    }
  }

  // Alternately, and each time the other one first.
  void sustainedByTurns() {
    Fake::use("rate=mmaring:1,rate=cublas:1.25,jitter=0,throttle=4,clock=1350,watts=698");
    {
      const auto s = sustainedRatio(*bench(), halves(), kProblem, quickly());
      QVERIFY2(s, s ? "" : s.error().text.c_str());
      QVERIFY(std::fabs(s->ratio.median - 0.8) < 1e-4);
      QVERIFY(std::fabs(s->kernel - 1) < 1e-4 && std::fabs(s->cublas - 1.25) < 1e-4);
      QCOMPARE(s->kernelClockMHz, 1350);
      QCOMPARE(s->cublasWatts, 698.0);
      QCOMPARE(s->throttled, std::vector<std::string>{"power cap"});
      QString turns;
      for (const QString& line : q(Fake::log()).split('\n')) {
        const QChar who = line.startsWith("launch mmaring") ? 'K'
                          : line.startsWith("gemmex")       ? 'L'
                                                            : ' ';
        if (who != ' ' && !turns.endsWith(who)) turns += who;
      }
      QVERIFY2(turns.endsWith("KLKL"), qPrintable(turns));  // K L, L K, K L
    }
    Fake::use("rate=mmaring:1,rate=cublas:1,fail=nvmlInit_v2:3");
    const auto blind = sustainedRatio(*bench(), halves(), kProblem, quickly());
    QVERIFY(blind && blind->ratio.known() && blind->kernelClockMHz == 0 && blind->kernelWatts == 0);
  }

  void aWrongKernelIsNotCompared() {
    Fake::use("wrong=17");
    for (const auto& s : {cycleRatio(*bench(), halves(), kProblem, quickly()),
                          sustainedRatio(*bench(), halves(), kProblem, quickly())}) {
      QVERIFY(!s && s.error().trouble == Trouble::WrongResult);
    }
  }

  void countersSurviveALine() {
    runs::Counters counters;
    counters.set(Counter::InstructionsPerCycle, 2.87);
    counters.set(Counter::FfmaThreadInstructions, 68736253952.0);
    const auto json = toJson(counters);
    QCOMPARE(q(json.dump()),
             QStringLiteral(
                 R"({"instructions_per_cycle":2.87,"ffma_thread_instructions":68736253952})"));
    const auto again = runs::countersFrom(nlohmann::json::parse(json.dump()));
    QVERIFY(again && *again == counters);
  }
};

}  // namespace tileloom::gpu

TILELOOM_TEST(tileloom::gpu::CountersTest, Nothing)
#include "counters_test.moc"
