// SPDX-License-Identifier: GPL-3.0-or-later
// What public kernels have beside those of this program: sums of a warp under a condition, counts
// of tiles that are divided in uniform registers, and the lesser one of a sum and a number.
#include <QtTest>
#include <algorithm>

#include "tests/executor/launched.h"
#include "tests/support/test_class.h"

namespace tileloom::executor {

class WarpSumsTest : public QObject {
  Q_OBJECT

  std::shared_ptr<const gpu::Nvrtc> nvrtc_;

  static constexpr const char* kText = R"(
extern "C" __global__ void sums(int* out, const int* in) {
  __shared__ int parts[8];
  int v = in[threadIdx.x], warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  for (int d = 16; d > 0; d >>= 1) v += __shfl_xor_sync(~0u, v, d);
  if (lane == 0) parts[warp] = v;
  __syncthreads();
  int all = lane < 8 ? parts[lane] : 0;
  if (warp == 0) {
    for (int d = 4; d > 0; d >>= 1) all += __shfl_xor_sync(~0u, all, d);
  }
  if (threadIdx.x == 0) out[0] = all;
}
extern "C" __global__ void tiles(int* out, const int* in, int n) {
  int count = n % 16 != 0 ? n / 16 + 1 : n / 16, sum = 0;
  for (int tile = 0; tile < count; ++tile) sum += in[tile] * (tile + 1);
  out[threadIdx.x] = sum + count;
}
extern "C" __global__ void bounded(int* out, const int* in) {
  int i = threadIdx.x, a = in[i], b = in[(i + 7) % 256];
  out[i] = max(a - b, -20) + 3 * min(a + b, 30);
}
)";

  static std::vector<int> numbers() {
    std::vector<int> made;
    std::uint32_t state = 7;
    for (int i = 0; i < 256; ++i) {
      state = state * 1664525u + 1013904223u;
      made.push_back(static_cast<int>(state >> 8) % 200 - 60);
    }
    return made;
  }
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

  void sums_data() { addArchitectures(); }
  void sums() {
    QFETCH(QString, arch);
    const auto in = numbers();
    std::vector<Buffer> buffers = {Launched::buffer(std::vector<int>(1)), Launched::buffer(in)};
    QCOMPARE(Launched(*nvrtc_, kText, arch).run("sums", 256, buffers), QString());
    int all = 0;
    for (const int each : in) all += each;
    QCOMPARE(Launched::values<int>(buffers[0])[0], all);
  }

  void tiles_data() { addArchitectures(); }
  void tiles() {
    QFETCH(QString, arch);
    const Launched launched(*nvrtc_, kText, arch);
    const auto in = numbers();
    for (const int n : {0, 1, 16, 17, 192, 193, 4000}) {
      std::vector<Buffer> buffers = {Launched::buffer(std::vector<int>(32)), Launched::buffer(in)};
      QCOMPARE(launched.run("tiles", 32, buffers, {static_cast<std::uint32_t>(n)}), QString());
      const int count = (n + 15) / 16;
      int sum = count;
      for (int tile = 0; tile < count; ++tile)
        sum += in[static_cast<std::size_t>(tile)] * (tile + 1);
      QCOMPARE(Launched::values<int>(buffers[0])[31], sum);
    }
  }

  void bounded_data() { addArchitectures(); }
  void bounded() {
    QFETCH(QString, arch);
    const auto in = numbers();
    std::vector<Buffer> buffers = {Launched::buffer(std::vector<int>(256)), Launched::buffer(in)};
    QCOMPARE(Launched(*nvrtc_, kText, arch).run("bounded", 256, buffers), QString());
    const auto out = Launched::values<int>(buffers[0]);
    for (std::size_t i = 0; i < in.size(); ++i) {
      const int a = in[i], b = in[(i + 7) % 256];
      QCOMPARE(out[i], std::max(a - b, -20) + 3 * std::min(a + b, 30));
    }
  }
};

}  // namespace tileloom::executor

TILELOOM_TEST(tileloom::executor::WarpSumsTest, Nothing)
#include "warp_sums_test.moc"
