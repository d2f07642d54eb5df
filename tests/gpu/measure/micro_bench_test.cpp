// SPDX-License-Identifier: GPL-3.0-or-later
// Micro-cases on a GPU whose figures are known (gpu/fake), and inserted into their kernel as
// compiled by the real NVRTC, if it is found.
#include "kernels/gpu/measure/micro_bench.h"

#include <QtTest>

#include "kernels/sass/micro_cases.h"
#include "tests/gpu/fake.h"
#include "tests/gpu/sentence.h"
#include "tests/support/test_class.h"

namespace tileloom::gpu {

using test::Fake;

class MicroBenchTest : public QObject {
  Q_OBJECT

  static std::vector<sass::MicroCase> two() {
    auto cases = sass::microCases();
    cases.resize(2);
    return cases;
  }
  static Result<sass::MicroResults> measured(const MicroProgress& progress = {}) {
    const auto driver = Driver::load();
    if (!driver) qFatal("%s", driver.error().text.c_str());
    MicroOptions options;
    options.turns = 100;
    options.rounds = 2;
    options.limitMs = 1000;
    auto result = measureMicroCases(*driver, 0, **Nvrtc::load(), nullptr, two(), options, progress);
    if (!result && isFatal(result.error().trouble)) (*driver)->abandon();
    return result;
  }

 private slots:
  void figuresAreTheSimulatedOnes() {
    Fake::use("memory=64M");
    {
      const auto results = measured();
      QVERIFY2(results.has_value(), results ? "" : results.error().text.c_str());
      QCOMPARE(results->device, std::string("Fake H100"));
      QCOMPARE(results->driver, std::string("0.0.fake"));
      QCOMPARE(results->arch, std::string("sm_90"));
      QCOMPARE(results->turns, 100);
      QCOMPARE(results->results.size(), std::size_t{2});
      for (const sass::MicroResult& each : results->results)
        for (const double cycles : each.cycles) QCOMPARE(cycles, 1.25);
      QVERIFY(sass::microResultsFrom(toText(*results)).has_value());
    }
    QCOMPARE(Fake::leaks(), std::string());
  }

  void troubleIsOneSentence_data() {
    QTest::addColumn<QString>("behaviour");
    QTest::addColumn<int>("trouble");
    QTest::newRow("another generation") << "arch=86" << int(Trouble::Unsupported);
    QTest::newRow("no memory") << "memory=1K" << int(Trouble::OutOfMemory);
    QTest::newRow("hangs") << "hang=launch" << int(Trouble::TimedOut);
  }
  void troubleIsOneSentence() {
    QFETCH(QString, behaviour);
    QFETCH(int, trouble);
    Fake::use(behaviour.toStdString());
    const auto results = measured();
    QVERIFY(!results.has_value());
    QCOMPARE(int(results.error().trouble), trouble);
    QCOMPARE(test::sentenceFlaw(results.error().text), QString());
  }

  void canBeCancelled() {
    Fake::use("memory=64M");
    int seen = 0;
    const auto results = measured([&](const sass::MicroCase&) { return ++seen < 2; });
    QVERIFY(!results && results.error().trouble == Trouble::Cancelled);
    QCOMPARE(seen, 2);
    QCOMPARE(Fake::leaks(), std::string());
  }

  void theRealCompilerTakesIt() {
    qunsetenv("TILELOOM_NVRTC");
    const auto nvrtc = Nvrtc::load();
    if (!nvrtc) QSKIP("no NVRTC here");
    const auto& known = (*nvrtc)->architectures();
    if (std::ranges::find(known, 90) == known.end()) QSKIP("an NVRTC without sm_90");
    const auto compiled = microTemplate(**nvrtc, nullptr);
    QVERIFY2(compiled.has_value(), compiled ? "" : compiled.error().text.c_str());
    for (const sass::MicroCase& each : two()) {
      const auto cubin = sass::microCubin(*compiled, each);
      QVERIFY2(cubin.has_value(), cubin ? "" : cubin.error().c_str());
    }
  }
};

}  // namespace tileloom::gpu

TILELOOM_TEST(tileloom::gpu::MicroBenchTest, Nothing)
#include "micro_bench_test.moc"
