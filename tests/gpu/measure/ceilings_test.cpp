// SPDX-License-Identifier: GPL-3.0-or-later
// Ceilings, measured on a GPU whose true ones are known (gpu/fake), and compiled by the real
// NVRTC if it is found.
#include "kernels/gpu/measure/ceilings.h"

#include <QtTest>
#include <algorithm>
#include <cmath>

#include "kernels/gpu/compile/build.h"
#include "tests/gpu/fake.h"
#include "tests/gpu/sentence.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::gpu {

using test::Fake;

class CeilingsTest : public QObject {
  Q_OBJECT

  static CeilingOptions quick() {
    CeilingOptions options;
    options.rounds = 9;
    options.warmUpMs = 5;
    options.limitMs = 1000;
    return options;
  }
  static Result<model::Ceilings> measured(const CeilingProgress& progress = {}) {
    const auto driver = Driver::load();
    if (!driver) qFatal("%s", driver.error().text.c_str());
    auto result = measureCeilings(*driver, 0, **Nvrtc::load(), nullptr, quick(), progress);
    if (!result && isFatal(result.error().trouble)) (*driver)->abandon();
    return result;
  }
  static bool about(const runs::Interval& interval, double value) {
    return std::abs(interval.median / value - 1) < 0.003 && interval.low <= interval.median &&
           interval.median <= interval.high && interval.spread() < 0.005;
  }

 private slots:
  void figuresAreTheSimulatedOnes() {
    Fake::use(
        "memory=64M,jitter=0.001,clock=1755,rate=ceiling_fma:59000,rate=ceiling_dram:3000,"
        "rate=ceiling_l2:5500,rate=ceiling_shared:29000,rate=ceiling_mma:612000");
    std::vector<std::string> seen;
    {
      const auto c = measured([&](std::string_view what) {
        seen.emplace_back(what);
        return true;
      });
      QVERIFY2(c.has_value(), c ? "" : c.error().text.c_str());
      QVERIFY(about(c->fmaGflops, 59000));
      QVERIFY(about(c->dramGBs, 3000));
      QVERIFY(about(c->l2GBs, 5500));
      QVERIFY(about(c->sharedGBs, 29000));
      QVERIFY(about(c->mmaGflops, 612000));
      QCOMPARE(c->smClockMHz, 1755);
      QCOMPARE(c->mmaClockMHz, 1755);
      QCOMPARE(c->device, std::string("Fake H100"));
      QCOMPARE(c->driver, std::string("0.0.fake"));
      QCOMPARE(c->sms, 132);
      QCOMPARE(c->l2CacheBytes, double(50 << 20));
      QVERIFY(c->origin == model::CeilingOrigin::Live);
      QVERIFY(model::ceilingsFromLine(toLine(*c)).has_value());
    }
    QCOMPARE(seen, (std::vector<std::string>{"DRAM", "L2", "shared memory", "FMA", "mma.sync"}));
    QCOMPARE(Fake::leaks(), std::string());
  }

  void troubleIsOneSentence_data() {
    QTest::addColumn<QString>("behaviour");
    QTest::addColumn<int>("trouble");
    QTest::newRow("no memory") << "memory=16K" << int(Trouble::OutOfMemory);
    QTest::newRow("does not compile") << "fail=nvrtcCompileProgram:6" << int(Trouble::Compilation);
  }
  void troubleIsOneSentence() {
    QFETCH(QString, behaviour);
    QFETCH(int, trouble);
    Fake::use(("memory=64M," + behaviour).toStdString());
    const auto c = measured();
    QVERIFY(!c.has_value());
    QCOMPARE(int(c.error().trouble), trouble);
    // The compiler's own messages may end in any way.
    if (trouble != int(Trouble::Compilation))
      QCOMPARE(test::sentenceFlaw(c.error().text), QString());
    QCOMPARE(Fake::leaks(), std::string());
  }

  void canBeCancelled() {
    Fake::use("memory=64M");
    const auto c = measured([](std::string_view what) { return what != "L2"; });
    QVERIFY(!c && c.error().trouble == Trouble::Cancelled);
    QCOMPARE(Fake::leaks(), std::string());
  }

  void computedFromClocksAndWidths() {
    DeviceInfo device;
    device.name = "Invented";
    device.major = 9;
    device.sms = 132;
    device.clockMHz = 1980;
    device.memoryClockMHz = 2619;
    device.busBits = 5120;
    device.l2Bytes = 50 << 20;
    const model::Ceilings c = computedCeilings(device);
    QVERIFY(std::abs(c.fmaGflops.median - 66908.16) < 0.01);
    QVERIFY(std::abs(c.dramGBs.median - 3352.32) < 0.01);  // 3.35 TB/s, as NVIDIA says
    QVERIFY(std::abs(c.sharedGBs.median - 33454.08) < 0.01);
    QVERIFY(!c.l2GBs.known() && !c.mmaGflops.known());
    QVERIFY(c.origin == model::CeilingOrigin::Computed);
    device.clockMHz = 0;
    QVERIFY(!computedCeilings(device).fmaGflops.known());
  }

  // The kernels compile without spills for each generation that NVRTC knows.
  void theRealCompilerTakesThem() {
    qunsetenv("TILELOOM_NVRTC");
    const auto nvrtc = Nvrtc::load();
    if (!nvrtc) QSKIP("no NVRTC here");
    const auto files = deviceFiles();
    const auto source =
        std::ranges::find(files, "kernels/gpu/measure/ceilings.cu", &SourceFile::name);
    QVERIFY(source != files.end());
    for (const Architecture& arch : buildableFor(**nvrtc)) {
      if (arch.major == 8 && arch.minor != 0) continue;  // nearly the same
      const std::vector<std::string> options = {"--gpu-architecture=" + std::string(arch.name),
                                                "--std=c++17", "--ptxas-options=-v",
                                                "-DTHREADS=256", "-DSTEP=16"};
      const auto output =
          (*nvrtc)->compile(std::string(source->text), std::string(source->name), {}, options);
      QVERIFY2(output.has_value(), output ? "" : output.error().text.c_str());
      const Resources resources = resourcesOf(output->log);
      QVERIFY(resources.registers > 16);
      std::size_t kernels = 0;
      for (std::size_t at = 0;
           (at = output->log.find(" bytes spill stores", at)) != std::string::npos; ++at) {
        QCOMPARE(output->log.substr(at - 2, 2), std::string(" 0"));
        ++kernels;
      }
      QCOMPARE(kernels, std::size_t{5});
    }
  }
};

}  // namespace tileloom::gpu

TILELOOM_TEST(tileloom::gpu::CeilingsTest, EventLoop)
#include "ceilings_test.moc"
