// SPDX-License-Identifier: GPL-3.0-or-later
// On a real GPU, if there is one: every stage's results, at its standard tile and at random ones,
// against cuBLAS. Otherwise skipped with a message.
#include <QCoreApplication>
#include <QtTest>
#include <cstdlib>

#include "kernels/gpu/measure/bench.h"
#include "kernels/gpu/measure/speed.h"
#include "kernels/tile/subject.h"
#include "tests/support/random.h"
#include "tests/support/random_tiles.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::gpu {

using test::q;

class DeviceTest : public QObject {
  Q_OBJECT

  std::shared_ptr<const Driver> driver_;
  std::shared_ptr<const Nvrtc> nvrtc_;
  std::unique_ptr<Bench> bench_;
  Architecture arch_;

  static MeasureOptions quick() {
    MeasureOptions options;
    options.minRounds = 1;
    options.maxRounds = 1;
    options.limitMs = 60000;
    return options;
  }

 private slots:
  void initTestCase() {
    // A variable left over in the environment must not turn this into a test of the fake.
    for (const char* variable :
         {"TILELOOM_LIBCUDA", "TILELOOM_CUBLAS", "TILELOOM_CUBLASLT", "TILELOOM_NVML"}) {
      if (qgetenv(variable).contains("fake")) qunsetenv(variable);
    }
    auto driver = Driver::load();
    if (!driver) QSKIP(qPrintable("NOT TESTED on a GPU: " + q(driver.error().text)));
    auto nvrtc = Nvrtc::load();
    if (!nvrtc) QSKIP(qPrintable("NOT TESTED on a GPU: " + q(nvrtc.error().text)));
    driver_ = *driver;
    nvrtc_ = *nvrtc;
    auto opened = Bench::open(driver_, 0, nvrtc_, nullptr);
    QVERIFY2(opened.has_value(), opened ? "" : opened.error().text.c_str());
    bench_ = std::move(*opened);
    arch_ = architectureOf(bench_->context().device());
    qInfo("%s, driver for CUDA %d", bench_->context().device().name.c_str(), driver_->version());
    for (const std::string& remark : bench_->remarks()) qInfo("%s", remark.c_str());
  }

  void resultsAreRight_data() { test::addFp32StageRows(); }
  void resultsAreRight() {
    const Stage& stage = test::stageOfRow();
    test::Random random(test::seed());
    int measured = 0;
    for (const TileShape& tile : test::legalTiles(stage, 4, random)) {
      const std::string what = test::toString(stage, tile);
      const auto build = buildStage(*nvrtc_, nullptr, usualSubject(stage, tile), arch_);
      if (!build) {  // legal on sm_90 and not here
        QCOMPARE(build.error().trouble, Trouble::BadRequest);
        continue;
      }
      for (const Problem& problem : {Problem{128, 128, 128}, Problem{256, 384, 160},
                                     Problem{100, 77, 45}, Problem{1000, 1000, 1000}}) {
        const auto record = measureSpeed(*bench_, *build, problem, quick());
        if (!record && record.error().trouble == Trouble::Unsupported) {
          qInfo("%s: %s", what.c_str(), record.error().text.c_str());
          break;  // too many registers for one block: the constraint table's estimate is a lower
                  // one
        }
        QVERIFY2(record.has_value(), qPrintable(q(what + ' ' + tileloom::toString(problem) + ": " +
                                                  (record ? "" : record.error().text))));
        QCOMPARE(record->registers, build->resources.registers);
        QVERIFY(record->gflops.known());
        QVERIFY(record->largestError < double(toleranceOf(problem.k)));
        ++measured;
      }
    }
    QVERIFY(measured >= 4);
    qInfo("%d results, seed %u", measured, test::seed());
  }

  // The driver's count agrees with the constraint table and the occupancy.
  void theDeviceIsAsItsArchitectureSays() {
    const DeviceInfo& info = bench_->context().device();
    const auto known = architectureNamed(info.arch());
    if (!known) QSKIP("NOT TESTED: an architecture that is not in the table");
    QCOMPARE(info.warpsPerSm, known->warpsPerSm);
    QCOMPARE(info.blocksPerSm, known->blocksPerSm);
    QCOMPARE(info.sharedPerSm, known->sharedPerSm);
    QCOMPARE(info.sharedPerBlock, known->sharedPerBlock);
  }

  // A wrong result is detected on the device too: the stage's own code for another problem.
  void aWrongResultIsSeen() {
    const Stage& naive = test::stage("naive");
    Build build = *buildStage(*nvrtc_, nullptr, standardSubject(naive), arch_);
    std::string text(sourceText(naive));
    const std::size_t at = text.find("sum += ");
    QVERIFY(at != std::string::npos);
    text.insert(at, "if (k != 17) ");  // one product of each element is left out
    const auto broken = nvrtc_->compile(text, "naive.cuh", deviceFiles(),
                                        compileOptions(standardSubject(naive), build.arch));
    QVERIFY2(broken.has_value(), broken ? "" : broken.error().text.c_str());
    build.cubin = broken->cubin;
    const auto record = measureSpeed(*bench_, build, {1000, 1000, 1000}, quick());
    QVERIFY(!record);
    QCOMPARE(record.error().trouble, Trouble::WrongResult);
    QVERIFY2(record.error().text.find("1000000 of 1000000") != std::string::npos,
             record.error().text.c_str());
  }

  // Last, because the context is unusable afterwards: a kernel that does not end is abandoned, and
  // no later release waits for it. The process's end stops it.
  void zAKernelThatHangsIsGivenUp() {
    const Stage& naive = test::stage("naive");
    Build build = *buildStage(*nvrtc_, nullptr, standardSubject(naive), arch_);
    const std::vector<std::string> options = {"--gpu-architecture=" + build.arch};
    // It ends after about 20 seconds, in case something waits for it all the same.
    const auto endless = nvrtc_->compile(
        "extern \"C\" __global__ void naive(unsigned, unsigned, unsigned, float, const float*, "
        "const float*, float, float*) {\n"
        "  const long long begin = clock64();\n"
        "  while (clock64() - begin < 40000000000ll) {}\n"
        "}\n",
        "endless.cu", {}, options);
    QVERIFY2(endless.has_value(), endless ? "" : endless.error().text.c_str());
    build.cubin = endless->cubin;
    MeasureOptions options1 = quick();
    options1.limitMs = 500;
    const auto started = std::chrono::steady_clock::now();
    const auto seconds = [&] {
      return std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    };
    const auto record = measureSpeed(*bench_, build, {128, 128, 128}, options1);
    QVERIFY(!record);
    QCOMPARE(record.error().trouble, Trouble::TimedOut);
    const double told = seconds();
    bench_.reset();
    const double released = seconds();
    qInfo("told after %.2f s, released after %.2f s", told, released);
    QVERIFY(released < 10);
  }
};

}  // namespace tileloom::gpu

// A normal exit would wait for the hanging kernel: the driver's exit handlers do.
TILELOOM_TEST_THAT_LEAVES_AT_ONCE(tileloom::gpu::DeviceTest, EventLoop)
#include "device_test.moc"
