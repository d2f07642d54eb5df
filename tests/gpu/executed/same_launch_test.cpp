// SPDX-License-Identifier: GPL-3.0-or-later
// A launch of a foreign kernel on the host and on the fake GPU, which multiplies matrices: every
// bit of all buffers is compared.
#include "kernels/gpu/executed/same_launch.h"

#include <QtTest>

#include "kernels/gpu/compile/nvrtc.h"
#include "tests/gpu/fake.h"
#include "tests/gpu/sentence.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::gpu {

using test::Fake;
using test::q;

class SameLaunchTest : public QObject {
  Q_OBJECT

  std::vector<char> cubin_;
  sass::Module module_;

  static constexpr const char* kText = R"(
extern "C" __global__ void product(int m, int n, int k, float alpha, const float* a,
                                   const float* b, float beta, float* c) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= m) return;
  float sum = 0;
  for (int i = 0; i < k; ++i) sum += a[y * k + i] * b[i * n + x];
  c[y * n + x] = alpha * sum + beta * c[y * n + x];
}
)";

  static executor::ListedLaunch listed() {
    executor::ListedLaunch launch;
    launch.grid = {3, 2, 1};
    launch.block = {16, 8, 1};
    // Whole numbers: their sums are exact in any order.
    launch.arguments = {
        "13", "37", "5", "2.0", "A:f32:13x5:index", "B:f32:5x37:index", "1.0", "C:f32:13x37:one"};
    return launch;
  }

  static std::unique_ptr<Context> opened() {
    auto driver = Driver::load();
    if (!driver) qFatal("%s", driver.error().text.c_str());
    auto context = Context::open(*driver, 0);
    if (!context) qFatal("%s", context.error().text.c_str());
    return std::move(*context);
  }

  tl::expected<HostLaunch, std::string> executed(const executor::ListedLaunch& launch) const {
    return executedOnHost(module_, module_.kernels.front(), launch, 0);
  }

  static constexpr std::chrono::milliseconds kLimit{2000};

 private slots:
  void initTestCase() {
    const auto nvrtc = Nvrtc::load();
    if (!nvrtc) QSKIP("needs NVRTC");
    const std::vector<std::string> options = {"--gpu-architecture=sm_90"};
    const auto output = (*nvrtc)->compile(kText, "product.cu", {}, options);
    if (!output) qFatal("%s", output.error().text.c_str());
    cubin_ = output->cubin;
    module_ = *sass::readModule(cubin_);
  }

  void allBitsAreEqual() {
    Fake::use("", false);
    const auto host = executed(listed());
    QVERIFY2(host.has_value(), host ? "" : host.error().c_str());
    QCOMPARE(host->elements(), std::size_t{13 * 5 + 5 * 37 + 13 * 37});
    QVERIFY(host->executed.instructions > 0);
    {
      const auto context = opened();
      const auto same = compareOnDevice(*context, cubin_, *host, kLimit);
      QVERIFY2(same.has_value(), same ? "" : same.error().text.c_str());
      QCOMPARE(same->different, std::size_t{0});
    }
    QVERIFY(Fake::log().find("launch product 3x2 16x8 0") != std::string::npos);
    QCOMPARE(q(Fake::leaks()), QString());
  }

  void aDifferenceIsNamed() {
    Fake::use("wrong=17", false);
    const auto host = executed(listed());
    QVERIFY(host.has_value());
    const auto context = opened();
    const auto same = compareOnDevice(*context, cubin_, *host, kLimit);
    QVERIFY2(same.has_value(), same ? "" : same.error().text.c_str());
    QCOMPARE(same->different, std::size_t{1});
    QCOMPARE(q(same->buffer), QString("C"));
    QCOMPARE(same->first, std::size_t{17});
    QVERIFY(same->device != same->executed);
  }

  // Where the host ends with an error, nothing is left to run.
  void whatCannotBeExecuted() {
    executor::ListedLaunch small = listed();
    small.arguments[7] = "C:f32:12x37:one";
    const auto outside = executed(small);
    QVERIFY(!outside.has_value());
    QVERIFY(q(outside.error()).contains("it is right behind the end of C"));
    executor::ListedLaunch few = listed();
    few.arguments.pop_back();
    QVERIFY(q(executed(few).error()).contains("8 parameters"));
  }

  void troublesOfTheDevice_data() {
    QTest::addColumn<QByteArray>("behaviour");
    QTest::addColumn<int>("trouble");
    QTest::newRow("memory") << QByteArray("fail=cuMemAlloc_v2:2") << int(Trouble::OutOfMemory);
    QTest::newRow("upload") << QByteArray("fail=cuMemcpyHtoDAsync_v2:1") << int(Trouble::Failed);
    QTest::newRow("download") << QByteArray("fail=cuMemcpyDtoH_v2:1") << int(Trouble::Failed);
    QTest::newRow("launch") << QByteArray("fail=cuLaunchKernel:1") << int(Trouble::Failed);
    QTest::newRow("address") << QByteArray("illegal-address") << int(Trouble::Lost);
  }
  void troublesOfTheDevice() {
    QFETCH(QByteArray, behaviour);
    QFETCH(int, trouble);
    Fake::use(behaviour.toStdString(), false);
    const auto host = executed(listed());
    QVERIFY(host.has_value());
    const auto context = opened();
    const auto same = compareOnDevice(*context, cubin_, *host, kLimit);
    QVERIFY(!same.has_value());
    QCOMPARE(int(same.error().trouble), trouble);
    QCOMPARE(test::sentenceFlaw(same.error().text), QString());
  }
};

}  // namespace tileloom::gpu

TILELOOM_TEST(tileloom::gpu::SameLaunchTest, Nothing)
#include "same_launch_test.moc"
