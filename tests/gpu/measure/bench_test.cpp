// SPDX-License-Identifier: GPL-3.0-or-later
// Measures on a fake GPU whose true speed and faults are known: tests/gpu/fake/.
#include "kernels/gpu/measure/bench.h"

#include <QRegularExpression>
#include <QtTest>
#include <cmath>

#include "kernels/gpu/measure/speed.h"
#include "kernels/tile/derived.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/placement.h"
#include "kernels/tile/subject.h"
#include "tests/gpu/fake.h"
#include "tests/gpu/sentence.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::gpu {

using test::Fake;
using test::q;

class BenchTest : public QObject {
  Q_OBJECT

  static constexpr Problem kProblem{128, 128, 64};

  static std::unique_ptr<Bench> bench() {
    auto driver = Driver::load();
    if (!driver) qFatal("%s", driver.error().text.c_str());
    auto nvrtc = Nvrtc::load();
    if (!nvrtc) qFatal("%s", nvrtc.error().text.c_str());
    auto opened = Bench::open(*driver, 0, *nvrtc, nullptr);
    if (!opened) qFatal("%s", opened.error().text.c_str());
    return std::move(*opened);
  }

  static Build buildOf(std::string_view id, std::optional<TileShape> tile = {}) {
    const Stage& stage = test::stage(id);
    auto build =
        buildStage(**Nvrtc::load(), nullptr,
                   usualSubject(stage, tile.value_or(stage.standardTile())), defaultArchitecture());
    if (!build) qFatal("%s", build.error().text.c_str());
    return *build;
  }

  static Build halfBuild(std::string_view id, Format format) {
    const Stage& stage = test::stage(id);
    auto build = buildStage(**Nvrtc::load(), nullptr, {&stage, stage.standardTile(), format},
                            defaultArchitecture(), SourceLines::Left);
    if (!build) qFatal("%s", build.error().text.c_str());
    return *build;
  }

  static MeasureOptions quick() {
    MeasureOptions options;
    options.maxRounds = 8;
    options.budgetMs = 1e9;  // figures do not depend on how busy this machine is
    return options;
  }

  // A tile that 100x77x45 does not fill.
  static TileShape oddTile() {
    return {{Parameter::BM, 64}, {Parameter::BN, 64}, {Parameter::BK, 8}, {Parameter::TM, 8}};
  }

  static bool holds(const runs::Interval& interval, double value, double slack) {
    return interval.low <= value * (1 + slack) && interval.high >= value * (1 - slack);
  }

  static Error failure(std::string_view behaviours, std::string_view stage = "shared",
                       const Problem& problem = kProblem, std::optional<TileShape> tile = {}) {
    Fake::use(behaviours);
    auto measuring = bench();
    const auto record = measureSpeed(*measuring, buildOf(stage, tile), problem, quick());
    return record ? Error{} : record.error();
  }

 private slots:
  void figuresAreTheSimulatedOnes() {
    Fake::use("rate=shared:800,rate=cublas:1600,jitter=0.002,seed=3,registers=32");
    {
      auto measuring = bench();
      QVERIFY(measuring->remarks().empty());
      MeasureOptions options = quick();
      options.minRounds = options.maxRounds = 20;
      const auto record = measureSpeed(*measuring, buildOf("shared"), kProblem, options);
      QVERIFY2(record.has_value(), record ? "" : record.error().text.c_str());
      const runs::RunRecord& r = *record;
      QVERIFY(std::fabs(r.gflops.median / 800 - 1) < 0.002);
      QVERIFY(std::fabs(r.cublas.median / 1600 - 1) < 0.002);
      QVERIFY2(r.ratio.low <= 0.5 && 0.5 <= r.ratio.high,
               qPrintable(QStringLiteral("%1 .. %2").arg(r.ratio.low).arg(r.ratio.high)));
      QVERIFY(r.ratio.spread() < 0.002);
      QCOMPARE(r.rounds, 20);
      QCOMPARE(q(r.device), QStringLiteral("Fake H100"));
      QCOMPARE(q(r.arch), QStringLiteral("sm_90"));
      QCOMPARE(q(r.driver), QStringLiteral("0.0.fake"));
      QCOMPARE(q(r.cuda), QStringLiteral("13.0"));
      QCOMPARE(q(r.stage), QStringLiteral("shared"));
      QVERIFY(r.tile == test::stage("shared").standardTile());
      QVERIFY(r.problem == kProblem);
      QCOMPARE(r.fingerprint, fingerprintOf(test::stage("shared")));
      QVERIFY(QRegularExpression(QStringLiteral("^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ$"))
                  .match(q(r.when))
                  .hasMatch());
      QCOMPARE(r.registers, 32);
      QCOMPARE(r.spillBytes, 0);
      QCOMPARE(r.smClockMHz, 1755);
      QCOMPARE(r.watts, 350.0);
      QVERIFY(r.throttled.empty());
      QCOMPARE(r.quantisationLoss, 0.0);
      QCOMPARE(r.blocksPerSm, 2);  // 32 warps of 32 registers each
      QCOMPARE(r.occupancy, r.blocksPerSm * 32 / 64.0);
      const double peak = 132 * 128 * 2 * 1.755;
      QCOMPARE(r.peakPercent, 100 * r.gflops.median / peak);
      QVERIFY(r.largestError < double(toleranceOf(kProblem.k)));
    }
    QCOMPARE(Fake::leaks(), std::string());
  }

  // A GPU that slows down all the time does not change the ratio, because of the order A B B A.
  // With A B A B the kernel, always first, would look faster.
  void aDriftDoesNotMoveTheRatio() {
    Fake::use("rate=shared:1600,rate=cublas:1600,jitter=0,drift=0.005");
    auto measuring = bench();
    MeasureOptions options = quick();
    options.minRounds = options.maxRounds = 10;
    const auto record = measureSpeed(*measuring, buildOf("shared"), kProblem, options);
    QVERIFY(record);
    QVERIFY2(std::fabs(record->ratio.median - 1) < 2e-4,
             qPrintable(QString::number(record->ratio.median)));
    QVERIFY(record->gflops.median < 1600 * 0.97);  // it did slow down
  }

  void launchesGoABBA() {
    Fake::use("rate=shared:1600,rate=cublas:800");
    auto measuring = bench();
    MeasureOptions options = quick();
    options.minRounds = options.maxRounds = 2;
    QVERIFY(measureSpeed(*measuring, buildOf("shared"), kProblem, options).has_value());
    // Runs of the same entry, by their first words; "check" is in between once.
    QStringList order;
    QList<int> counts;
    for (const QString& line : q(Fake::log()).split(u'\n', Qt::SkipEmptyParts)) {
      const QString word = line.section(u' ', 0, 0) == QStringLiteral("launch")
                               ? line.section(u' ', 1, 1)
                               : line.section(u' ', 0, 0);
      if (!order.isEmpty() && order.back() == word && word != QStringLiteral("record")) {
        ++counts.back();
      } else {
        order << word;
        counts << 1;
      }
      // Pedantic: never TF32.
      if (word == QStringLiteral("sgemm")) QCOMPARE(line, QStringLiteral("sgemm 128x128x64 2"));
    }
    const QString round =
        QStringLiteral("record shared record sgemm record sgemm record shared record");
    QCOMPARE(order.join(u' '), QStringLiteral("sgemm record shared record check "
                                              "record sgemm record ") +
                                   round + u' ' + round);
    // 2 x 128 x 128 x 64 FLOP at 1600 GFLOP/s last 1.31 us: about 763 launches fill a millisecond,
    // but the maximum is 500; for cuBLAS, half as fast here, 382.
    QCOMPARE(counts[9], 500);
    QVERIFY2(std::abs(counts[11] - 382) <= 5, qPrintable(QString::number(counts[11])));
    QCOMPARE(counts[15], counts[9]);
    QCOMPARE(counts[13], counts[11]);
  }

  void longKernelsAreLaunchedOnce() {
    Fake::use("rate=naive:1,rate=cublas:1");
    auto measuring = bench();
    MeasureOptions options = quick();
    options.minRounds = options.maxRounds = 3;
    QVERIFY(measureSpeed(*measuring, buildOf("naive"), kProblem, options).has_value());
    QCOMPARE(q(Fake::log()).count(QStringLiteral("launch naive")), 1 + 3 * 2);
    QCOMPARE(q(Fake::log()).count(QStringLiteral("sgemm")), 1 + 1 + 3 * 2);
  }

  void roundsEndWhenTheIntervalIsNarrow() {
    MeasureOptions options;
    options.budgetMs = 1e9;
    options.minRounds = 5;
    options.maxRounds = 40;
    Fake::use("jitter=0,rate=naive:1,rate=cublas:1");
    QCOMPARE(measureSpeed(*bench(), buildOf("naive"), kProblem, options)->rounds, 5);
    Fake::use("jitter=0.05,rate=naive:1,rate=cublas:1");
    QCOMPARE(measureSpeed(*bench(), buildOf("naive"), kProblem, options)->rounds, 40);
    options.budgetMs = 0;  // spent at once: the fewest rounds nevertheless
    Fake::use("jitter=0.05,rate=naive:1,rate=cublas:1");
    QCOMPARE(measureSpeed(*bench(), buildOf("naive"), kProblem, options)->rounds, 5);
  }

  void everyStageIsMeasured_data() { test::addFp32StageRows(); }
  void everyStageIsMeasured() {
    const Stage& stage = test::stageOfRow();
    Fake::use();
    {
      auto measuring = bench();
      MeasureOptions options = quick();
      options.minRounds = options.maxRounds = 1;
      for (const Problem& problem :
           {Problem{128, 128, 64}, Problem{100, 77, 45}, Problem{1, 1, 1}}) {
        const auto record = measureSpeed(*measuring, buildOf(stage.id), problem, options);
        QVERIFY2(record.has_value(), record ? "" : record.error().text.c_str());
        const Problem padded = paddedProblem(stage, stage.standardTile(), problem);
        const double loss = 1 - double(problem.m) * problem.n * problem.k /
                                    (double(padded.m) * padded.n * padded.k);
        QCOMPARE(record->quantisationLoss, loss);
      }
    }
    QCOMPARE(Fake::leaks(), std::string());
  }

  void tensorRungsAreMeasured_data() {
    QTest::addColumn<QByteArray>("id");
    QTest::addColumn<int>("format");
    for (const Stage& stage : tensorStages()) {
      for (const Format format : stage.formats)
        QTest::addRow("%s %s", stage.id.data(), rowOf(format).name.data())
            << QByteArray(stage.id.data()) << static_cast<int>(format);
    }
  }
  void tensorRungsAreMeasured() {
    QFETCH(QByteArray, id);
    QFETCH(int, format);
    const auto its = static_cast<Format>(format);
    Fake::use("rate=cublas:700000,rate=" + std::string(id.data()) + ":350000,jitter=0");
    {
      auto measuring = bench();
      MeasureOptions options = quick();
      options.minRounds = options.maxRounds = 1;
      for (const Problem& problem : {Problem{128, 256, 64}, Problem{100, 77, 45}}) {
        const auto record = measureSpeed(*measuring, halfBuild(id.data(), its), problem, options);
        QVERIFY2(record.has_value(), record ? "" : record.error().text.c_str());
        QVERIFY(record->format == its);
        // The clock is NVML's.
        QCOMPARE(record->peakPercent,
                 100 * record->gflops.median / (2.0 * 2048 * 132 * 1755 * 1e-3));
        QVERIFY(record->ratio.known());
      }
      // Default math, without reduced-precision reductions.
      const QString type = its == Format::Bf16 ? "14" : "2";
      QVERIFY2(q(Fake::log()).contains("gemmex 100x77x45 type " + type + " math 16"),
               Fake::log().c_str());
      QVERIFY(!q(Fake::log()).contains("sgemm"));
    }
    QCOMPARE(Fake::leaks(), std::string());
  }

  // TMA fills with zeros: buffers are as large as the problem, rounded up to whole chunks.
  void boxesNeedNoPadding() {
    Fake::use();
    auto measuring = bench();
    MeasureOptions options = quick();
    options.minRounds = options.maxRounds = 1;
    for (const char* id : {"tma", "wgmma", "multistage", "overlapped"}) {
      const Build build = halfBuild(id, Format::Bf16);
      const auto record = measureSpeed(*measuring, build, {300, 200, 136}, options);
      QVERIFY2(record.has_value(), record ? "" : record.error().text.c_str());
      QCOMPARE(record->dynamicShared, derive(*build.rung(), build.tile).sharedBytes);
      QCOMPARE(record->staticShared, 0);
      const Derived d = derive(*build.rung(), build.tile);
      QVERIFY(d.blockN == 128 || d.blockN == 256);
      QCOMPARE(record->quantisationLoss, 1 - 300.0 * 200 * 136 / (384.0 * 256 * 192));
      // The tensor map has the size of the matrix, so the result is correct.
      const auto odd = measureSpeed(*measuring, build, {7, 77, 45}, options);
      QVERIFY2(odd.has_value(), odd ? "" : odd.error().text.c_str());
    }
    const QString log = q(Fake::log());
    for (const char* line :
         {"map 300x136 box 128x64 swizzle 3 type 9", "map 136x200 box 64x64 swizzle 3 type 9",
          "map 7x48 box 128x64 swizzle 3 type 9", "map 48x80 box 64x64 swizzle 3 type 9",
          "launch tma 2x3 128x1 32776", "launch wgmma 2x3 128x1 32776",
          "launch multistage 1x3 256x1 196640"}) {
      QVERIFY2(log.contains(line), line);
    }
    Fake::use("fail=cuTensorMapEncodeTiled:801");
    const auto refused =
        measureSpeed(*bench(), halfBuild("wgmma", Format::Bf16), {128, 128, 64}, options);
    QVERIFY(!refused);
    QCOMPARE(test::sentenceFlaw(refused.error().text), QString());
  }

  // A lost product changes at least one ulp: signs show it.
  void oneUnitOfAHalfIsSeen() {
    for (const char* behaviour : {"wrong=17", "nan=17", "zero"}) {
      Fake::use(behaviour);
      auto measuring = bench();
      const auto record =
          measureSpeed(*measuring, halfBuild("mma", Format::Bf16), {128, 128, 64}, quick());
      QVERIFY(!record && record.error().trouble == Trouble::WrongResult);
      QVERIFY2(q(record.error().text).contains("with operands of +1 and -1, whose sums are exact"),
               record.error().text.c_str());
      QCOMPARE(test::sentenceFlaw(record.error().text), QString());
    }
  }

  void halvesWithoutCublas() {
    Fake::use("fail=cublasCreate_v2:1");
    auto measuring = bench();
    const auto record =
        measureSpeed(*measuring, halfBuild("swizzled", Format::Bf16), {100, 77, 45}, quick());
    QVERIFY2(record.has_value(), record ? "" : record.error().text.c_str());
    QVERIFY(!record->cublas.known() && record->gflops.known());
    QVERIFY(q(Fake::log()).contains("launch mma "));  // the reference is another rung
  }

  void cublasWithoutHalves() {
    Fake::use("fail=cublasSetWorkspace_v2:1");
    auto measuring = bench();
    const auto record =
        measureSpeed(*measuring, halfBuild("mma", Format::Fp16), {128, 128, 64}, quick());
    QVERIFY(!record);
    QCOMPARE(test::sentenceFlaw(record.error().text), QString());
    // FP32 goes on.
    QVERIFY(measureSpeed(*measuring, buildOf("shared"), kProblem, quick()).has_value());
  }

  // The time is that of the padded problem, the work that of the problem.
  void paddingCosts() {
    Fake::use("rate=blocktile1d:500,rate=cublas:500,jitter=0");
    auto measuring = bench();
    const auto record =
        measureSpeed(*measuring, buildOf("blocktile1d", oddTile()), {100, 77, 45}, quick());
    QVERIFY2(record.has_value(), record ? "" : record.error().text.c_str());
    const double share = 100.0 * 77 * 45 / (128.0 * 128 * 48);
    QVERIFY(std::fabs(record->quantisationLoss - (1 - share)) < 1e-12);
    QVERIFY(std::fabs(record->ratio.median - share) < 1e-4);
    QVERIFY(std::fabs(record->gflops.median - 500 * share) < 0.1);
    QVERIFY(q(Fake::log()).contains(QStringLiteral("launch blocktile1d 2x2 512x1 0")));
    QVERIFY(q(Fake::log()).contains(QStringLiteral("sgemm 100x77x45 2")));
  }

  void largeTilesAskForDynamicMemory() {
    Fake::use();
    auto measuring = bench();
    const TileShape tile = {{Parameter::BM, 128},
                            {Parameter::BN, 128},
                            {Parameter::BK, 64},
                            {Parameter::TM, 8},
                            {Parameter::TN, 8}};
    const auto record = measureSpeed(*measuring, buildOf("autotuned", tile), kProblem, quick());
    QVERIFY2(record.has_value(), record ? "" : record.error().text.c_str());
    QCOMPARE(record->dynamicShared, 65536);
    QVERIFY(q(Fake::log()).contains(QStringLiteral("launch autotuned 1x1 256x1 65536")));
  }

  // Operands are kept from one measurement to the next, and made again for another problem.
  void operandsAreKept() {
    Fake::use("rate=naive:1,rate=shared:1,rate=cublas:1");
    auto measuring = bench();
    MeasureOptions options = quick();
    options.minRounds = options.maxRounds = 1;
    QVERIFY(measureSpeed(*measuring, buildOf("naive"), kProblem, options).has_value());
    QCOMPARE(Fake::calls("cublasSgemm_v2"), 4);  // the reference, the warm-up and two in the round
    const int allocations = Fake::calls("cuMemAlloc_v2"),
              uploads = Fake::calls("cuMemcpyHtoDAsync_v2");
    QVERIFY(measureSpeed(*measuring, buildOf("shared"), kProblem, options).has_value());
    QCOMPARE(Fake::calls("cuMemAlloc_v2"), allocations);
    QCOMPARE(Fake::calls("cuMemcpyHtoDAsync_v2"), uploads + 1);  // the verdict
    QCOMPARE(Fake::calls("cublasSgemm_v2"), 4 + 3);              // no reference again
    QVERIFY(measureSpeed(*measuring, buildOf("naive"), {130, 128, 64}, options).has_value());
    QVERIFY(measureSpeed(*measuring, buildOf("shared"), kProblem, options).has_value());
  }

  void wrongResultsAreNamed_data() {
    QTest::addColumn<QByteArray>("behaviour");
    QTest::addColumn<QByteArray>("stage");
    QTest::addColumn<QByteArray>("said");
    // Of 100 x 77: element 17 of rows of 77 (naive), and of rows of 128 (padded).
    QTest::newRow("first row") << QByteArray("wrong=17") << QByteArray("naive")
                               << QByteArray("1 of 7700 elements differ from cuBLAS");
    QTest::newRow("its place") << QByteArray("wrong=17") << QByteArray("naive")
                               << QByteArray("row 0, column 17");
    QTest::newRow("another row") << QByteArray("wrong=157") << QByteArray("naive")
                                 << QByteArray("row 2, column 3");
    QTest::newRow("padded") << QByteArray("wrong=389") << QByteArray("blocktile1d")
                            << QByteArray("row 3, column 5");
    QTest::newRow("last") << QByteArray("wrong=7699") << QByteArray("naive")
                          << QByteArray("row 99, column 76");
    QTest::newRow("NaN") << QByteArray("nan=5") << QByteArray("naive")
                         << QByteArray("row 0, column 5");
    QTest::newRow("zeros") << QByteArray("zero") << QByteArray("naive")
                           << QByteArray("7700 of 7700 elements");
  }
  void wrongResultsAreNamed() {
    QFETCH(QByteArray, behaviour);
    QFETCH(QByteArray, stage);
    QFETCH(QByteArray, said);
    const Error error = failure(behaviour.toStdString(), stage.toStdString(), {100, 77, 45},
                                stage == "blocktile1d" ? std::optional(oddTile()) : std::nullopt);
    QCOMPARE(error.trouble, Trouble::WrongResult);
    QVERIFY2(q(error.text).contains(QString::fromUtf8(said)), error.text.c_str());
    QVERIFY(!isFatal(error.trouble));
    QVERIFY(Fake::log().find("launch check") != std::string::npos);
    QCOMPARE(q(Fake::log()).count(QStringLiteral("launch ")), 2);  // it is not timed
    QCOMPARE(Fake::leaks(), std::string());
  }

  // The padding is not part of a result.
  void wrongPaddingIsNoError() {
    Fake::use("wrong=100");  // row 0, column 100 of rows of 128; the problem has 77
    const auto record =
        measureSpeed(*bench(), buildOf("blocktile1d", oddTile()), {100, 77, 45}, quick());
    QVERIFY2(record.has_value(), record ? "" : record.error().text.c_str());
  }

  void aWrongResultIsForgotten() {
    Fake::use("wrong=17,only=shared");
    auto measuring = bench();
    QVERIFY(!measureSpeed(*measuring, buildOf("shared"), kProblem, quick()));
    QVERIFY(measureSpeed(*measuring, buildOf("naive"), kProblem, quick()).has_value());
    QVERIFY(!measureSpeed(*measuring, buildOf("shared"), kProblem, quick()));
  }

  void withoutCublasAnotherRungJudges() {
    Fake::use("rate=naive:500");
    qputenv("TILELOOM_CUBLAS", "none");
    {
      auto measuring = bench();
      QCOMPARE(measuring->remarks().size(), std::size_t{1});
      QVERIFY(measuring->remarks()[0].find("cuBLAS") != std::string::npos);
      const auto record = measureSpeed(*measuring, buildOf("shared"), {100, 77, 45}, quick());
      QVERIFY2(record.has_value(), record ? "" : record.error().text.c_str());
      QVERIFY(record->gflops.known());
      QVERIFY(!record->cublas.known() && !record->ratio.known());
      QVERIFY(q(Fake::log()).startsWith(QStringLiteral("launch naive")));
      QVERIFY(!q(Fake::log()).contains(QStringLiteral("sgemm")));
    }
    QCOMPARE(Fake::leaks(), std::string());
    // Rung 1 is not its own reference.
    Fake::use("wrong=17,only=naive");
    qputenv("TILELOOM_CUBLAS", "none");
    auto measuring = bench();
    const auto naive = measureSpeed(*measuring, buildOf("naive"), kProblem, quick());
    QVERIFY(!naive);
    QCOMPARE(naive.error().trouble, Trouble::WrongResult);
    QVERIFY2(naive.error().text.find("coalesced") != std::string::npos, naive.error().text.c_str());
  }

  void aFailingCublasIsARemarkOrAnError() {
    Fake::use("fail=cublasCreate_v2:1");
    auto measuring = bench();
    QCOMPARE(measuring->remarks().size(), std::size_t{1});
    QVERIFY(measuring->remarks()[0].find("CUBLAS_STATUS_NOT_INITIALIZED") != std::string::npos);
    QVERIFY(measureSpeed(*measuring, buildOf("naive"), kProblem, quick()).has_value());
    for (const auto& [status, trouble] : {std::pair{13, Trouble::Lost},
                                          {3, Trouble::OutOfMemory},
                                          {8, Trouble::Unsupported},
                                          {7, Trouble::Failed}}) {
      const Error error = failure("cublas-fails=" + std::to_string(status));
      QCOMPARE(error.trouble, trouble);
      QCOMPARE(test::sentenceFlaw(error.text), QString());
      QCOMPARE(Fake::leaks(), std::string());
    }
    // Later, while timing.
    const Error late = failure("fail=cublasSgemm_v2:13@10");
    QCOMPARE(late.trouble, Trouble::Lost);
  }

  void withoutNvmlClocksAreUnknown() {
    Fake::use();
    qputenv("TILELOOM_NVML", "none");
    auto measuring = bench();
    QCOMPARE(measuring->remarks().size(), std::size_t{1});
    const auto record = measureSpeed(*measuring, buildOf("shared"), kProblem, quick());
    QVERIFY(record);
    QCOMPARE(record->smClockMHz, 0);
    QCOMPARE(record->watts, 0.0);
    QCOMPARE(record->peakPercent, 0.0);
    QVERIFY(record->driver.empty());
    for (const char* function : {"nvmlInit_v2", "nvmlDeviceGetHandleByPciBusId_v2"}) {
      Fake::use(std::string("fail=") + function + ":9");
      {
        auto other = bench();
        QCOMPARE(other->remarks().size(), std::size_t{1});
        QVERIFY(other->remarks()[0].find("error 9") != std::string::npos);
        QCOMPARE(test::sentenceFlaw(other->remarks()[0]), QString());
      }
      QCOMPARE(Fake::leaks(), std::string());
    }
    Fake::use(
        "fail=nvmlDeviceGetClockInfo:3,fail=nvmlDeviceGetPowerUsage:3,"
        "fail=nvmlDeviceGetCurrentClocksThrottleReasons:3,fail=nvmlSystemGetDriverVersion:3,"
        "throttle=4");
    const auto blind = measureSpeed(*bench(), buildOf("shared"), kProblem, quick());
    QVERIFY(blind);
    QCOMPARE(blind->smClockMHz, 0);
    QVERIFY(blind->throttled.empty());
  }

  void throttleReasonsAreSaid() {
    Fake::use("throttle=4");
    QCOMPARE(measureSpeed(*bench(), buildOf("shared"), kProblem, quick())->throttled,
             std::vector<std::string>{"power cap"});
    Fake::use("throttle=100");  // 0x64
    QCOMPARE(measureSpeed(*bench(), buildOf("shared"), kProblem, quick())->throttled,
             (std::vector<std::string>{"power cap", "software thermal slowdown",
                                       "hardware thermal slowdown"}));
    QVERIFY(throttleReasons(0x1).empty());    // idle
    QVERIFY(throttleReasons(0x2).empty());    // application clocks
    QVERIFY(throttleReasons(0x100).empty());  // display clocks
    QCOMPARE(throttleReasons(~0ull).size(), std::size_t{6});
  }

  void outOfMemoryLeavesTheContextGood() {
    Fake::use("memory=1M");
    {
      auto measuring = bench();
      const auto large = measureSpeed(*measuring, buildOf("naive"), {512, 512, 512}, quick());
      QVERIFY(!large);
      QCOMPARE(large.error().trouble, Trouble::OutOfMemory);
      QCOMPARE(test::sentenceFlaw(large.error().text), QString());
      QVERIFY(measureSpeed(*measuring, buildOf("naive"), kProblem, quick()).has_value());
      // Enough for the problem and not for its padding.
      const auto padded =
          measureSpeed(*measuring, buildOf("blocktile1d", oddTile()), {1, 9000, 1}, quick());
      QVERIFY(!padded);
      QCOMPARE(padded.error().trouble, Trouble::OutOfMemory);
      QVERIFY(measureSpeed(*measuring, buildOf("naive"), kProblem, quick()).has_value());
    }
    QCOMPARE(Fake::leaks(), std::string());
  }

  void anIllegalAddressLosesTheContext() {
    const Error error = failure("illegal-address");
    QCOMPARE(error.trouble, Trouble::Lost);
    QVERIFY(isFatal(error.trouble));
    QVERIFY2(error.text.find("CUDA_ERROR_ILLEGAL_ADDRESS") != std::string::npos,
             error.text.c_str());
    QCOMPARE(test::sentenceFlaw(error.text), QString());
    QCOMPARE(Fake::leaks(), std::string());
    QCOMPARE(failure("illegal-address=20").trouble, Trouble::Lost);
  }

  void aKernelThatHangsIsGivenUp() {
    Fake::use("hang=launch");
    {
      auto measuring = bench();
      MeasureOptions options = quick();
      options.limitMs = 60;
      const auto started = std::chrono::steady_clock::now();
      const auto record = measureSpeed(*measuring, buildOf("shared"), kProblem, options);
      QVERIFY(!record);
      QCOMPARE(record.error().trouble, Trouble::TimedOut);
      QVERIFY(std::chrono::steady_clock::now() - started >= std::chrono::milliseconds(60));
    }  // and nothing waits for it: the fake, like a GPU, would never return
    Fake::use("hang=launch@12");  // while timing
    auto measuring = bench();
    MeasureOptions options = quick();
    options.limitMs = 300;
    const auto record = measureSpeed(*measuring, buildOf("shared"), kProblem, options);
    QVERIFY(!record);
    QCOMPARE(record.error().trouble, Trouble::TimedOut);
  }

  void aSlowKernelWithinTheLimitIsWaitedFor() {
    Fake::use("slow-stage=naive:20,rate=naive:1,rate=cublas:1");
    MeasureOptions options = quick();
    options.minRounds = options.maxRounds = 1;
    QVERIFY(measureSpeed(*bench(), buildOf("naive"), kProblem, options).has_value());
  }

  void progressIsToldAndMayCancel() {
    Fake::use("rate=shared:100,rate=cublas:100,jitter=0.01");
    auto measuring = bench();
    std::vector<runs::RunRecord> seen;
    MeasureOptions options = quick();
    options.minRounds = options.maxRounds = 6;
    const auto whole = measureSpeed(*measuring, buildOf("shared"), kProblem, options,
                                    [&](const runs::RunRecord& r) {
                                      seen.push_back(r);
                                      return true;
                                    });
    QVERIFY(whole);
    QCOMPARE(seen.size(), std::size_t{6});
    for (std::size_t i = 0; i < seen.size(); ++i) {
      QCOMPARE(seen[i].rounds, static_cast<int>(i) + 1);
      QVERIFY(seen[i].gflops.known() && seen[i].ratio.known());
    }
    QVERIFY(seen.back() == *whole);
    int rounds = 0;
    const auto cut = measureSpeed(*measuring, buildOf("shared"), kProblem, options,
                                  [&](const runs::RunRecord&) { return ++rounds < 3; });
    QVERIFY(!cut);
    QCOMPARE(cut.error().trouble, Trouble::Cancelled);
    QCOMPARE(rounds, 3);
    QVERIFY(measureSpeed(*measuring, buildOf("shared"), kProblem, options).has_value());
  }

  void aBlockThatDoesNotFitIsSaidSo() {
    const Error error = failure("registers=250");  // 1024 threads of them
    QCOMPARE(error.trouble, Trouble::Unsupported);
    QVERIFY2(error.text.find("1024 threads with 250 registers") != std::string::npos,
             error.text.c_str());
    QCOMPARE(test::sentenceFlaw(error.text), QString());
  }

  // Wherever the driver fails during a measurement, the result is a sentence and nothing leaks.
  void everyCallMayFail() {
    int failures = 0;
    for (const char* function :
         {"cuMemAlloc_v2", "cuMemcpyHtoDAsync_v2", "cuMemcpyDtoH_v2", "cuMemcpyDtoDAsync_v2",
          "cuMemcpy2DAsync_v2", "cuMemsetD32Async", "cuModuleLoadData", "cuModuleGetFunction",
          "cuFuncGetAttribute", "cuOccupancyMaxActiveBlocksPerMultiprocessor", "cuLaunchKernel",
          "cuStreamQuery", "cuEventCreate", "cuEventRecord", "cuEventElapsedTime"}) {
      for (int from = 1; from <= 12; ++from) {
        Fake::use(std::string("fail=") + function + ":999@" + std::to_string(from) +
                  ",rate=blocktile1d:1,rate=cublas:1");
        {
          auto opened = Bench::open(*Driver::load(), 0, *Nvrtc::load(), nullptr);
          MeasureOptions options = quick();
          options.minRounds = options.maxRounds = 2;
          const auto result = opened ? measureSpeed(**opened, buildOf("blocktile1d", oddTile()),
                                                    {100, 77, 45}, options)
                                     : tl::unexpected(opened.error());
          const bool happened = Fake::calls(function) >= from;
          QCOMPARE(result.has_value(), !happened);
          if (happened) {
            ++failures;
            QCOMPARE(result.error().trouble, Trouble::Failed);
            QCOMPARE(test::sentenceFlaw(result.error().text), QString());
          }
        }
        QCOMPARE(Fake::leaks(), std::string());
      }
    }
    QVERIFY2(failures >= 80, qPrintable(QString::number(failures)));
  }
};

}  // namespace tileloom::gpu

TILELOOM_TEST(tileloom::gpu::BenchTest, EventLoop)
#include "bench_test.moc"
