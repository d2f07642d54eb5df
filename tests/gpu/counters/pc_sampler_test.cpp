// SPDX-License-Identifier: GPL-3.0-or-later
// Sampling, with a fake CUPTI: tests/gpu/fake_sampling.cpp.
#include <QtTest>

#include "kernels/gpu/measure/bench.h"
#include "kernels/gpu/measure/stall_sampling.h"
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

class PcSamplerTest : public QObject {
  Q_OBJECT

  static constexpr Problem kProblem{128, 128, 64};

  static Result<runs::StallSamples> sampled(const char* behaviours) {
    Fake::useSampling(behaviours);
    const Stage& stage = test::stage("shared");
    const auto build =
        buildStage(**Nvrtc::load(), nullptr, standardSubject(stage), defaultArchitecture());
    if (!build) qFatal("%s", build.error().text.c_str());
    auto opened = Bench::open(*Driver::load(), 0, *Nvrtc::load(), nullptr);
    if (!opened) qFatal("%s", opened.error().text.c_str());
    return sampleStalls(**opened, *build, kProblem);
  }
  static std::size_t place(Counter counter) {
    for (std::size_t i = 0; i < runs::kStallReasons; ++i) {
      if (runs::counterOfReason(i) == counter) return i;
    }
    return runs::kOtherReason;
  }

 private slots:
  void init() { Fake::use(); }
  void cleanup() {
    QCOMPARE(Fake::samplingLeaks(), 0);
    QCOMPARE(q(Fake::leaks()), QString());
  }

  void samplesAreCuptis() {
    const auto samples = sampled("kernel=shared,dropped=3");
    QVERIFY2(samples, samples ? "" : samples.error().text.c_str());
    QCOMPARE(q(samples->rung()->id), QStringLiteral("shared"));
    QCOMPARE(q(samples->device), QStringLiteral("Fake H100"));
    QVERIFY(samples->problem == kProblem);
    QCOMPARE(samples->dropped, std::uint64_t{3});
    QVERIFY(samples->log2Period >= 5 && samples->log2Period <= 31);
    // By address, without samples of another kernel; no sample is counted twice.
    QCOMPARE(samples->at.size(), std::size_t{3});
    QCOMPARE(samples->at[0].address, 0x10u);
    QCOMPARE(samples->at[2].address, 0x40u);
    QCOMPARE(samples->at[0].total(), std::uint64_t{7});
    QCOMPARE(samples->at[0].by[place(Counter::StalledSelected)], 3u);
    QCOMPARE(samples->at[0].by[place(Counter::StalledNoInstruction)], 2u);
    QCOMPARE(samples->at[0].by[runs::kOtherReason], 2u);
    QCOMPARE(samples->at[2].by[place(Counter::StalledBarrier)], 5u);
    QCOMPARE(samples->total(), std::uint64_t{14});
  }

  void obstacles_data() {
    QTest::addColumn<QByteArray>("behaviours");
    QTest::addColumn<int>("trouble");
    QTest::addColumn<QString>("says");
    for (const char* function :
         {"cuptiPCSamplingEnable", "cuptiPCSamplingGetNumStallReasons",
          "cuptiPCSamplingGetStallReasons", "cuptiPCSamplingSetConfigurationAttribute",
          "cuptiPCSamplingStart", "cuptiPCSamplingStop", "cuptiPCSamplingGetData"}) {
      QTest::addRow("not allowed: %s", function)
          << QByteArray("kernel=shared,fail=") + function + ":35"
          << static_cast<int>(Trouble::Unsupported)
          << QStringLiteral("NVreg_RestrictProfilingToAdminUsers=0");
    }
    QTest::newRow("no samples") << QByteArray() << static_cast<int>(Trouble::Failed)
                                << QStringLiteral("no sample");
    QTest::newRow("of another kernel")
        << QByteArray("kernel=tuned") << static_cast<int>(Trouble::Failed)
        << QStringLiteral("no sample");
    QTest::newRow("no room") << QByteArray("kernel=shared,remaining=1")
                             << static_cast<int>(Trouble::Failed) << QStringLiteral("room");
  }
  void obstacles() {
    QFETCH(QByteArray, behaviours);
    QFETCH(int, trouble);
    QFETCH(QString, says);
    const auto samples = sampled(behaviours.constData());
    QVERIFY(!samples);
    QCOMPARE(static_cast<int>(samples.error().trouble), trouble);
    QVERIFY2(q(samples.error().text).contains(says), samples.error().text.c_str());
    QCOMPARE(test::sentenceFlaw(samples.error().text), QString());
  }
};

}  // namespace tileloom::gpu

TILELOOM_TEST(tileloom::gpu::PcSamplerTest, Nothing)
#include "pc_sampler_test.moc"
