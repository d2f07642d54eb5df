// SPDX-License-Identifier: GPL-3.0-or-later
// Variables of a module: __device__ ones with and without an initial value, __constant__ ones,
// pointers to them, and structures as parameters.
#include "kernels/executor/variables.h"

#include <QtTest>
#include <cstring>

#include "kernels/executor/arguments.h"
#include "tests/executor/launched.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::executor {

using test::q;

class VariablesTest : public QObject {
  Q_OBJECT

  std::shared_ptr<const gpu::Nvrtc> nvrtc_;

  static constexpr const char* kText = R"(
__device__ int table[64];
__device__ int counter = 5;
__constant__ int weights[4] = {1, 20, 300, 4000};
__device__ int* pointer = table + 2;
__constant__ int* kept = &counter;
extern "C" __global__ void variables(int* out, int n) {
  int i = threadIdx.x;
  table[i] = i * n;
  if (i == 0) atomicAdd(&counter, n);
  __syncthreads();
  out[i] = table[63 - i] + counter + weights[i & 3] + (i < 60 ? pointer[i] : 0) + *kept;
}
extern "C" __global__ void beyond(int* out, int n) {
  out[threadIdx.x] = 0;
  table[n] = 1;
}
extern "C" __global__ void prints(int* out, int n) {
  if (n > 100) printf("%d", n);
  out[threadIdx.x] = n;
}
struct Given { int n; float scale; int* out; short more; };
extern "C" __global__ void structure(Given given, int n) {
  given.out[threadIdx.x] = (int)(given.n * given.scale) + given.more + n;
}
)";

  static void addArchitectures() {
    QTest::addColumn<QString>("arch");
    for (const char* arch : {"80", "86", "90"}) QTest::newRow(arch) << QString(arch);
  }

 private slots:
  void initTestCase() {
    const auto nvrtc = gpu::Nvrtc::load();
    if (!nvrtc) QSKIP("needs NVRTC");
    nvrtc_ = *nvrtc;
  }

  void variables_data() { addArchitectures(); }
  void variables() {
    QFETCH(QString, arch);
    const Launched launched(*nvrtc_, kText, arch);
    // Each launch begins with the initial values.
    for (int turn = 0; turn < 2; ++turn) {
      std::vector<Buffer> buffers = {Launched::buffer(std::vector<int>(64))};
      QCOMPARE(launched.run("variables", 64, buffers, {3}), QString());
      const auto out = Launched::values<int>(buffers[0]);
      const int weights[] = {1, 20, 300, 4000};
      for (int i = 0; i < 64; ++i)
        QCOMPARE(out[static_cast<std::size_t>(i)],
                 3 * (63 - i) + 8 + weights[i & 3] + (i < 60 ? 3 * (i + 2) : 0) + 8);
    }
  }

  void outsideOfVariables_data() { addArchitectures(); }
  void outsideOfVariables() {
    QFETCH(QString, arch);
    const Launched launched(*nvrtc_, kText, arch);
    std::vector<Buffer> buffers = {Launched::buffer(std::vector<int>(32))};
    QVERIFY(launched.run("beyond", 32, buffers, {1'000'000}).contains("global memory"));
  }

  // A call of CUDA's own functions is refused only where it is reached.
  void functionsOfCuda_data() { addArchitectures(); }
  void functionsOfCuda() {
    QFETCH(QString, arch);
    const Launched launched(*nvrtc_, kText, arch);
    std::vector<Buffer> buffers = {Launched::buffer(std::vector<int>(32))};
    QCOMPARE(launched.run("prints", 32, buffers, {7}), QString());
    QCOMPARE(Launched::values<int>(buffers[0])[31], 7);
    QVERIFY(launched.run("prints", 32, buffers, {700}).contains("cannot be executed"));
  }

  void structures_data() { addArchitectures(); }
  void structures() {
    QFETCH(QString, arch);
    Launched launched(*nvrtc_, kText, arch);
    const sass::KernelImage& kernel = *launched.module().named("structure");
    // 6, 2.5f, the pointer, 100 with what aligns it.
    const std::vector<std::string> texts = {
        "hex:06000000+hex:00002040+out:i32:32:zero+hex:6400000000000000", "1000"};
    auto arguments = argumentsFrom(kernel.info, texts);
    QVERIFY2(arguments.has_value(), arguments ? "" : arguments.error().c_str());
    const Launch launch{&launched.module(), &kernel, {1, 1, 1}, {32, 1, 1}, 0, arguments->bytes};
    const auto ended = execute(launch, arguments->buffers);
    QVERIFY2(ended.has_value(), ended ? "" : ended.error().c_str());
    for (const int each : Launched::values<int>(arguments->buffers[0])) QCOMPARE(each, 1115);
  }

  void tooManyBytes() {
    Launched launched(*nvrtc_, kText, "90");
    launched.module().globalBytes = kMostVariableBytes;
    std::vector<Buffer> buffers = {Launched::buffer(std::vector<int>(64))};
    QVERIFY(launched.run("variables", 64, buffers, {3}).contains("the maximum is 1 GiB"));
  }

  // What a file says about places does not lead outside of the bytes.
  void placesOutside() {
    sass::Module module;
    module.variables = {{"x", sass::Variable::Space::Global, 16, 4}};
    std::vector<std::uint8_t> bytes(12);
    const std::vector<sass::Relocation> outside = {
        {5, 2, "x", 0}, {~std::uint64_t{0}, 2, "x", 0}, {0, 77, "x", 0}};
    writeAddresses(module, outside, bytes);
    writeAddresses(module, outside, bytes, ~std::uint64_t{0});
    QCOMPARE(bytes, std::vector<std::uint8_t>(12));
    writeAddresses(module, std::vector<sass::Relocation>{{4, 2, "x", 3}}, bytes);
    std::uint64_t address = 0;
    std::memcpy(&address, bytes.data() + 4, sizeof address);
    QCOMPARE(address % 256, std::uint64_t{19});
  }
};

}  // namespace tileloom::executor

TILELOOM_TEST(tileloom::executor::VariablesTest, Nothing)
#include "variables_test.moc"
