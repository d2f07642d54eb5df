// SPDX-License-Identifier: GPL-3.0-or-later
// The driver's answers, good and bad. Every function of the table fails in turn: the result is one
// sentence, no crash and no leak.
#include "kernels/gpu/driver/driver.h"

#include <QtTest>
#include <array>

#include "kernels/gpu/compile/nvrtc.h"
#include "tests/gpu/fake.h"
#include "tests/gpu/sentence.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::gpu {

using test::Fake;

class DriverTest : public QObject {
  Q_OBJECT

  static std::vector<char> cubin() {
    const auto nvrtc = Nvrtc::load();
    if (!nvrtc) qFatal("%s", nvrtc.error().text.c_str());
    const std::vector<std::string> options = {"--gpu-architecture=sm_90"};
    const auto out = (*nvrtc)->compile("KERNEL(naive, 1)", "naive.cu", {}, options);
    if (!out) qFatal("%s", out.error().text.c_str());
    return out->cubin;
  }

  // Uses every function of the table once, and stops at the first error. Wrong figures, if nothing
  // failed, are thrown as a text.
  static Result<void> everything() {
    const std::vector<char> code = cubin();
    auto driver = Driver::load();
    if (!driver) return tl::unexpected(driver.error());
    auto opened = Context::open(*driver, 0);
    if (!opened) return tl::unexpected(opened.error());
    const Context& c = **opened;
    const auto free = c.freeBytes();
    if (!free) return tl::unexpected(free.error());
    constexpr std::size_t kBytes = 16 * sizeof(float);
    Buffer buffers[4];
    for (Buffer& b : buffers) {
      auto made = c.allocate(kBytes);
      if (!made) return tl::unexpected(made.error());
      b = std::move(*made);
    }
    auto kernel = c.load(code, "naive", 16, 1024);
    if (!kernel) return tl::unexpected(kernel.error());
    const std::array<std::byte, 16> variable{};
    if (const auto done = c.set(*kernel, "tileloom_stamps", variable); !done) return done;
    Event events[2];
    for (Event& e : events) {
      auto made = c.event();
      if (!made) return tl::unexpected(made.error());
      e = std::move(*made);
    }
    const std::vector<float> ones(16, 1.0f);
    for (const Buffer* b : {&buffers[0], &buffers[1]}) {
      if (const auto done = c.upload(*b, std::as_bytes(std::span(ones))); !done) return done;
    }
    if (const auto done = c.clear(buffers[2], kBytes); !done) return done;
    if (const auto done = c.copyRows(buffers[3], 16, buffers[2], 16, 16, 4); !done) return done;
    if (const auto done = c.copy(buffers[2], buffers[3], kBytes); !done) return done;
    if (const auto done = c.record(events[0]); !done) return done;
    unsigned m = 4, n = 4, k = 4;
    float alpha = 1, beta = 0;
    cu::DevicePtr a = buffers[0].address(), b = buffers[1].address(), to = buffers[2].address();
    void* arguments[] = {&m, &n, &k, &alpha, &a, &b, &beta, &to};
    if (const auto done = c.launch(*kernel, {1, 1, 4, 4}, arguments); !done) return done;
    if (const auto done = c.record(events[1]); !done) return done;
    if (const auto done = c.wait(std::chrono::steady_clock::now() + std::chrono::seconds(20));
        !done)
      return done;
    const auto ms = c.milliseconds(events[0], events[1]);
    if (!ms) return tl::unexpected(ms.error());
    std::vector<float> result(16);
    if (const auto done = c.download(std::as_writable_bytes(std::span(result)), buffers[2]); !done)
      return done;
    if (result != std::vector<float>(16, 4.0f)) throw std::runtime_error("wrong product");
    if (!(*ms > 0)) throw std::runtime_error("no time passed");
    return {};
  }

  static std::shared_ptr<const Driver> driver() {
    auto loaded = Driver::load();
    if (!loaded) qFatal("%s", loaded.error().text.c_str());
    return *loaded;
  }
  static std::unique_ptr<Context> context() {
    auto opened = Context::open(driver(), 0);
    if (!opened) qFatal("%s", opened.error().text.c_str());
    return std::move(*opened);
  }
  static std::chrono::steady_clock::time_point soon() {
    return std::chrono::steady_clock::now() + std::chrono::seconds(20);
  }

 private slots:
  void theWholeTableWorks() {
    Fake::use();
    const auto done = everything();
    QVERIFY2(done.has_value(), done ? "" : done.error().text.c_str());
    QCOMPARE(Fake::leaks(), std::string());
  }

  void theDeviceIsDescribed() {
    Fake::use("devices=2");
    const auto loaded = driver();
    QCOMPARE(loaded->version(), 13000);
    QCOMPARE(loaded->path(), std::string(TILELOOM_FAKE_CUDA));
    QCOMPARE(loaded->devices().size(), std::size_t{2});
    DeviceInfo want;
    want.index = 1;
    want.name = "Fake H100";
    want.bus = "0000:18:00.0";
    want.major = 9;
    want.sms = 132;
    want.warpsPerSm = 64;
    want.blocksPerSm = 32;
    want.registersPerSm = 65536;
    want.sharedPerSm = 228 * 1024;
    want.sharedPerBlock = 227 * 1024;
    want.l2Bytes = 50 << 20;
    want.memoryBytes = 80ull << 30;
    want.clockMHz = 1980;
    want.memoryClockMHz = 2619;
    want.busBits = 5120;
    QVERIFY(loaded->devices()[1] == want);
    const Architecture arch = architectureOf(want);
    const Architecture known = architectureNamed("sm_90").value();
    QCOMPARE(arch.name, known.name);
    QCOMPARE(arch.warpsPerSm, known.warpsPerSm);
    QCOMPARE(arch.blocksPerSm, known.blocksPerSm);
    QCOMPARE(arch.sharedPerSm, known.sharedPerSm);
    QCOMPARE(arch.sharedPerBlock, known.sharedPerBlock);
    // 132 SMs x 128 FMA x 2 x 1980 MHz, as NVIDIA's data sheet has it: 66.9 TFLOP/s.
    QCOMPARE(peakGflops(want, 1980), 132.0 * 128 * 2 * 1.98);
    QCOMPARE(peakGflops(want, 0), 0.0);
    QCOMPARE(fmasPerCycle(8, 0), 64);
    QCOMPARE(fmasPerCycle(8, 6), 128);
    QCOMPARE(fmasPerCycle(12, 0), 128);
  }

  void anUnknownArchitectureHasItsOwnLimits() {
    DeviceInfo info;
    info.major = 99;
    info.minor = 1;
    info.warpsPerSm = 7;
    const Architecture arch = architectureOf(info);
    QCOMPARE(arch.name, std::string_view("this device"));
    QCOMPARE(arch.major, 99);
    QCOMPARE(arch.minor, 1);
    QCOMPARE(arch.warpsPerSm, 7);
  }

  void noDeviceIsMissing() {
    Fake::use("no-device");
    auto none = Driver::load();
    QVERIFY(!none);
    QCOMPARE(none.error().trouble, Trouble::Missing);
    QCOMPARE(test::sentenceFlaw(none.error().text), QString());
    Fake::use("devices=0");
    none = Driver::load();
    QVERIFY(!none);
    QCOMPARE(none.error().trouble, Trouble::Missing);
    QCOMPARE(test::sentenceFlaw(none.error().text), QString());
    Fake::use("init-fails=999");
    none = Driver::load();
    QVERIFY(!none);
    QCOMPARE(none.error().trouble, Trouble::Failed);
    QVERIFY(none.error().text.find("CUDA_ERROR_999") != std::string::npos);
  }

  void aDeviceThatIsNotThereIsABadRequest() {
    Fake::use();
    for (const int index : {-1, 1, 1000}) {
      const auto opened = Context::open(driver(), index);
      QVERIFY(!opened);
      QCOMPARE(opened.error().trouble, Trouble::BadRequest);
      QCOMPARE(test::sentenceFlaw(opened.error().text), QString());
    }
  }

  void everyClassOfErrorHasItsTrouble_data() {
    QTest::addColumn<int>("number");
    QTest::addColumn<int>("trouble");
    const auto add = [](int number, Trouble trouble) {
      QTest::addRow("%d", number) << number << static_cast<int>(trouble);
    };
    add(cu::kOutOfMemory, Trouble::OutOfMemory);
    add(cu::kNoDevice, Trouble::Missing);
    add(cu::kNotInitialized, Trouble::Missing);
    add(cu::kNoBinaryForGpu, Trouble::Unsupported);
    add(cu::kLaunchOutOfResources, Trouble::Unsupported);
    // cuda.h says for each: the process is left in an inconsistent state, or similar.
    for (const int lost : {214, 700, 702, 709, 710, 714, 715, 716, 717, 718, 719})
      add(lost, Trouble::Lost);
    for (const int other : {1, 4, 101, 200, 201, 218, 400, 500, 801, 999, 123456})
      add(other, Trouble::Failed);
  }
  void everyClassOfErrorHasItsTrouble() {
    QFETCH(int, number);
    QFETCH(int, trouble);
    Fake::use();
    const auto loaded = driver();
    const Error error = loaded->error(number, "while testing");
    QCOMPARE(static_cast<int>(error.trouble), trouble);
    QCOMPARE(isFatal(error.trouble), error.trouble == Trouble::Lost);
    QVERIFY2(error.text.find("while testing") != std::string::npos, error.text.c_str());
    QVERIFY2(error.text.find("CUDA_ERROR_") != std::string::npos, error.text.c_str());
    QCOMPARE(test::sentenceFlaw(error.text), QString());
    const auto checked = loaded->check(number, "while testing");
    QVERIFY(!checked);
    QCOMPARE(checked.error().text, error.text);
    QVERIFY(loaded->check(cu::kSuccess, "while testing").has_value());
  }

  void troublesHaveNames() {
    for (int i = 0; i <= static_cast<int>(Trouble::Failed); ++i) {
      const auto trouble = static_cast<Trouble>(i);
      QCOMPARE(troubleNamed(name(trouble)), trouble);
    }
    QCOMPARE(troubleNamed("no such trouble"), Trouble::Failed);
    QCOMPARE(name(static_cast<Trouble>(99)), std::string_view("failed"));
  }

  void everyFunctionMayFail_data() {
    QTest::addColumn<QByteArray>("function");
    QTest::addColumn<bool>("reported");
    const auto add = [](const char* name, bool reported) {
      QTest::newRow(name) << QByteArray(name) << reported;
    };
    for (const char* name : {"cuInit",
                             "cuDeviceGetCount",
                             "cuDeviceGet",
                             "cuDeviceGetName",
                             "cuDeviceTotalMem_v2",
                             "cuDeviceGetAttribute",
                             "cuDevicePrimaryCtxRetain",
                             "cuCtxSetCurrent",
                             "cuMemGetInfo_v2",
                             "cuMemAlloc_v2",
                             "cuMemcpyHtoDAsync_v2",
                             "cuMemcpyDtoH_v2",
                             "cuMemcpyDtoDAsync_v2",
                             "cuMemcpy2DAsync_v2",
                             "cuMemsetD32Async",
                             "cuModuleLoadData",
                             "cuModuleGetFunction",
                             "cuModuleGetGlobal_v2",
                             "cuFuncGetAttribute",
                             "cuFuncSetAttribute",
                             "cuOccupancyMaxActiveBlocksPerMultiprocessor",
                             "cuLaunchKernel",
                             "cuStreamCreate",
                             "cuStreamQuery",
                             "cuEventCreate",
                             "cuEventRecord",
                             "cuEventElapsedTime"}) {
      add(name, true);
    }
    // Informational, or called in a destructor: the error has no receiver.
    for (const char* name :
         {"cuDriverGetVersion", "cuDeviceGetPCIBusId", "cuDevicePrimaryCtxRelease_v2",
          "cuMemFree_v2", "cuModuleUnload", "cuStreamDestroy_v2", "cuEventDestroy_v2",
          "cuCtxSynchronize", "cuGetErrorName", "cuGetErrorString"}) {
      add(name, false);
    }
    // All of cu::Table except cuTensorMapEncodeTiled: see tensor_map_test.cpp.
    static_assert(sizeof(cu::Table) == 38 * sizeof(void*));
  }
  void everyFunctionMayFail() {
    QFETCH(QByteArray, function);
    QFETCH(bool, reported);
    // A code of each class, at the second call as well as at the first: a half-made object is
    // undone.
    for (const int number : {2, 100, 1, 700, 999}) {
      for (const int from : {1, 2}) {
        Fake::use(QStringLiteral("fail=%1:%2@%3")
                      .arg(QLatin1String(function))
                      .arg(number)
                      .arg(from)
                      .toStdString());
        const auto done = everything();
        QCOMPARE(Fake::leaks(), std::string());
        const bool happened = Fake::calls(function.constData()) >= from;
        if (!reported || !happened) {
          QVERIFY2(done.has_value(), done ? "" : done.error().text.c_str());
          continue;
        }
        QVERIFY2(!done.has_value(), function.constData());
        QCOMPARE(test::sentenceFlaw(done.error().text), QString());
        if (number == 2) QCOMPARE(done.error().trouble, Trouble::OutOfMemory);
        if (number == 700) QCOMPARE(done.error().trouble, Trouble::Lost);
        if (number == 999) QCOMPARE(done.error().trouble, Trouble::Failed);
      }
    }
  }

  // A driver that cannot even name its error.
  void errorsWithoutNamesAreNumbers() {
    Fake::use("fail=cuGetErrorName:1,fail=cuGetErrorString:1,fail=cuStreamCreate:218");
    const auto opened = Context::open(driver(), 0);
    QVERIFY(!opened);
    QVERIFY2(opened.error().text.find("218") != std::string::npos, opened.error().text.c_str());
    QCOMPARE(test::sentenceFlaw(opened.error().text), QString());
  }

  void aVariableHasItsSize() {
    Fake::use();
    const auto c = context();
    const std::vector<char> code = cubin();
    const auto kernel = c->load(code, "naive", 16, 1024);
    QVERIFY(kernel);
    const std::array<std::byte, 8> half{};
    const auto done = c->set(*kernel, "tileloom_stamps", half);
    QVERIFY(!done);
    QVERIFY2(done.error().text.find("16 bytes") != std::string::npos, done.error().text.c_str());
    QCOMPARE(test::sentenceFlaw(done.error().text), QString());
    QVERIFY(!c->set(*kernel, "another", half));
  }

  void memoryIsLimited() {
    Fake::use("memory=1M");
    const auto c = context();
    QCOMPARE(c->freeBytes().value(), std::size_t{1 << 20});
    const auto half = c->allocate(512 << 10);
    QVERIFY(half);
    QCOMPARE(c->freeBytes().value(), std::size_t{512 << 10});
    const auto more = c->allocate((512 << 10) + 4);
    QVERIFY(!more);
    QCOMPARE(more.error().trouble, Trouble::OutOfMemory);
    QVERIFY2(more.error().text.find("0.5 MiB") != std::string::npos, more.error().text.c_str());
    QVERIFY(c->allocate(512 << 10).has_value());  // the context is still good
  }

  void whatIsMovedIsReleasedOnce() {
    Fake::use();
    {
      const auto c = context();
      Buffer one = std::move(*c->allocate(64));
      Buffer two = std::move(*c->allocate(64));
      const auto address = one.address();
      two = std::move(one);
      QCOMPARE(two.address(), address);
      Buffer three(std::move(two));
      QVERIFY(three);
      QVERIFY(!two);
      Event first = std::move(*c->event());
      Event second(std::move(first));
      first = std::move(*c->event());
    }
    QCOMPARE(Fake::leaks(), std::string());
    QCOMPARE(Fake::calls("cuMemFree_v2"), 2);
    QCOMPARE(Fake::calls("cuEventDestroy_v2"), 2);
  }

  void copiesOutOfBoundsAreRefused() {
    Fake::use();
    const auto c = context();
    const Buffer b = std::move(*c->allocate(64));
    std::vector<std::byte> more(65);
    QVERIFY(!c->upload(b, more));
    QVERIFY(!c->download(more, b));
    QVERIFY(!c->clear(b, 68));
    QVERIFY(!c->copyRows(b, 32, b, 32, 32, 3));
    QVERIFY(c->copyRows(b, 32, b, 32, 32, 2).has_value());
  }

  // The context stays usable after a refused launch.
  void refusedLaunches() {
    Fake::use("registers=200");
    const auto c = context();
    const Kernel kernel = std::move(*c->load(cubin(), "naive", 256, 0));
    QCOMPARE(kernel.registers, 200);
    QCOMPARE(kernel.blocksPerSm, 1);
    void* arguments[8] = {};
    unsigned zero = 0;
    float none = 0;
    cu::DevicePtr null = 0;
    for (int i = 0; i < 3; ++i) arguments[i] = &zero;
    arguments[3] = arguments[6] = &none;
    arguments[4] = arguments[5] = arguments[7] = &null;
    const auto many = c->launch(kernel, {1, 1, 32, 32}, arguments);  // 1024 x 200 registers
    QVERIFY(!many);
    QCOMPARE(many.error().trouble, Trouble::Unsupported);
    const auto more = c->launch(kernel, {1, 1, 64, 32}, arguments);
    QVERIFY(!more);
    QCOMPARE(more.error().trouble, Trouble::Failed);
    QVERIFY(!c->launch(kernel, {0, 1, 32, 1}, arguments));
    QVERIFY(!c->launch(kernel, {1, 65536, 32, 1}, arguments));
    QVERIFY(c->freeBytes().has_value());
  }

  void sharedMemoryAboveTheStaticLimitIsAskedFor() {
    Fake::use();
    const auto c = context();
    auto kernel = c->load(cubin(), "naive", 256, 100 * 1024);
    QVERIFY(kernel);
    QCOMPARE(kernel->dynamicShared, 100 * 1024);
    QCOMPARE(Fake::calls("cuFuncSetAttribute"), 1);
    const auto tooMuch = c->load(cubin(), "naive", 256, 228 * 1024);
    QVERIFY(!tooMuch);
    QCOMPARE(test::sentenceFlaw(tooMuch.error().text), QString());
  }

  void cubinsThatDoNotFit() {
    Fake::use();
    const auto c = context();
    const std::vector<char> text(200, 'x');
    QVERIFY(!c->load(text, "naive", 32, 0));
    QVERIFY(!c->load(cubin(), "warptiled", 32, 0));  // of another kernel
    Fake::use("arch=80");
    const auto older = context();
    const auto foreign = older->load(cubin(), "naive", 32, 0);
    QVERIFY(!foreign);
    QCOMPARE(foreign.error().trouble, Trouble::Unsupported);
    QVERIFY2(foreign.error().text.find("smaller tile") == std::string::npos,
             foreign.error().text.c_str());
  }

  void waitingEndsAtTheDeadlineAndGivesNothingBack() {
    Fake::use("hang=launch");
    auto loaded = driver();
    {
      auto c = std::move(*Context::open(loaded, 0));
      const Buffer b = std::move(*c->allocate(64));
      const Kernel kernel = std::move(*c->load(cubin(), "naive", 16, 0));
      const Event event = std::move(*c->event());
      unsigned m = 4, n = 4, k = 4;
      float alpha = 1, beta = 0;
      cu::DevicePtr at = b.address();
      void* arguments[] = {&m, &n, &k, &alpha, &at, &at, &beta, &at};
      QVERIFY(c->launch(kernel, {1, 1, 4, 4}, arguments).has_value());
      QVERIFY(!loaded->abandoned());
      const auto ended = c->wait(std::chrono::steady_clock::now() + std::chrono::milliseconds(30));
      QVERIFY(!ended);
      QCOMPARE(ended.error().trouble, Trouble::TimedOut);
      QVERIFY(isFatal(ended.error().trouble));
      QCOMPARE(test::sentenceFlaw(ended.error().text), QString());
      QVERIFY(loaded->abandoned());
    }  // on a GPU, and in the fake, each of the four destructors would wait for the kernel
    QCOMPARE(Fake::calls("cuMemFree_v2"), 0);
    QCOMPARE(Fake::calls("cuModuleUnload"), 0);
  }

  void anIllegalAddressIsSticky() {
    Fake::use("illegal-address");
    {
      const auto c = context();
      const Buffer b = std::move(*c->allocate(64));
      const Kernel kernel = std::move(*c->load(cubin(), "naive", 16, 0));
      unsigned m = 4, n = 4, k = 4;
      float alpha = 1, beta = 0;
      cu::DevicePtr at = b.address();
      void* arguments[] = {&m, &n, &k, &alpha, &at, &at, &beta, &at};
      QVERIFY(c->launch(kernel, {1, 1, 4, 4}, arguments).has_value());
      const auto ended = c->wait(soon());
      QVERIFY(!ended);
      QCOMPARE(ended.error().trouble, Trouble::Lost);
      QVERIFY(!c->freeBytes());
      QCOMPARE(c->freeBytes().error().trouble, Trouble::Lost);
    }
    QCOMPARE(Fake::leaks(), std::string());
  }

  // The fake itself catches what the tests of Bench rely on.
  void aKernelThatLeavesItsMemoryIsSeen() {
    Fake::use();
    const auto c = context();
    const Buffer b = std::move(*c->allocate(64));
    const Kernel kernel = std::move(*c->load(cubin(), "naive", 16, 0));
    unsigned m = 5, n = 4, k = 4;
    float alpha = 1, beta = 0;
    cu::DevicePtr at = b.address();
    void* arguments[] = {&m, &n, &k, &alpha, &at, &at, &beta, &at};
    QVERIFY(c->launch(kernel, {1, 1, 4, 4}, arguments).has_value());
    QVERIFY(!c->wait(soon()));
  }

  void workIsDoneOnlyOnceItIsWaitedFor() {
    Fake::use();
    const auto c = context();
    const Buffer b = std::move(*c->allocate(64));
    std::vector<float> values(16, 7.0f);
    QVERIFY(c->upload(b, std::as_bytes(std::span(values))).has_value());
    QVERIFY(c->clear(b, 64).has_value());
    QVERIFY(c->download(std::as_writable_bytes(std::span(values)), b).has_value());
    QCOMPARE(values[0], 7.0f);
    QVERIFY(c->wait(soon()).has_value());
    QVERIFY(c->download(std::as_writable_bytes(std::span(values)), b).has_value());
    QCOMPARE(values[0], 0.0f);
  }
};

}  // namespace tileloom::gpu

TILELOOM_TEST(tileloom::gpu::DriverTest, EventLoop)
#include "driver_test.moc"
