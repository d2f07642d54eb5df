// SPDX-License-Identifier: GPL-3.0-or-later
// Launches that are found from the machine code alone: orders of parameters, shapes of blocks, ways
// of the grid, and kernels for which there is none.
#include "kernels/own/launch_search.h"

#include <QtTest>

#include "tests/executor/launched.h"
#include "tests/support/random.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::own {

using test::q;

constexpr const char* kSearched = R"(
extern "C" __global__ void __launch_bounds__(256) square(int M, int N, int K, float alpha, const float* A, const float* B,
                                                         float beta, float* C) {
  int j = blockIdx.x * 16 + threadIdx.x, i = blockIdx.y * 16 + threadIdx.y;
  if (i >= M || j >= N) return;
  float sum = 0;
  for (int k = 0; k < K; ++k) sum += A[i * K + k] * B[k * N + j];
  C[i * N + j] = alpha * sum + beta * C[i * N + j];
}
// C first, a tile of 32 x 64 for 128 threads, one number for all tiles.
extern "C" __global__ void __launch_bounds__(128) numbered(float* C, const float* A, const float* B, int M, int N, int K) {
  __shared__ float a[32][8], b[8][64];
  int tiles = N / 64, row = blockIdx.x / tiles * 32, column = blockIdx.x % tiles * 64, t = threadIdx.x;
  float sums[16] = {};
  for (int k = 0; k < K; k += 8) {
    for (int i = t; i < 256; i += 128) a[i / 8][i % 8] = A[(row + i / 8) * K + k + i % 8];
    for (int i = t; i < 512; i += 128) b[i / 64][i % 64] = B[(k + i / 64) * N + column + i % 64];
    __syncthreads();
    for (int d = 0; d < 8; ++d)
      for (int i = 0; i < 16; ++i) sums[i] += a[t / 64 + 2 * i][d] * b[d][t % 64];
    __syncthreads();
  }
  for (int i = 0; i < 16; ++i) C[(row + t / 64 + 2 * i) * N + column + t % 64] = sums[i];
}
// Strides behind each pointer, and the rows along x.
extern "C" __global__ void __launch_bounds__(64) strides(int M, int N, int K, float alpha, const float* A, int lda,
                                                         const float* B, int ldb, float beta, float* C, int ldc) {
  int i = blockIdx.x * 8 + threadIdx.y, j = blockIdx.y * 8 + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < K; ++k) sum += A[i * lda + k] * B[k * ldb + j];
  C[i * ldc + j] = alpha * sum + beta * C[i * ldc + j];
}
// The last row of each tile is left out.
extern "C" __global__ void __launch_bounds__(64) wrong(int M, int N, int K, const float* A, const float* B, float* C) {
  int i = blockIdx.y * 8 + threadIdx.y, j = blockIdx.x * 8 + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < K - (threadIdx.y == 7); ++k) sum += A[i * K + k] * B[k * N + j];
  C[i * N + j] = sum;
}
extern "C" __global__ void adds(float* out, const float* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] += in[i];
}
)";

class LaunchSearchTest : public QObject {
  Q_OBJECT

  std::shared_ptr<const gpu::Nvrtc> nvrtc_;
  std::unique_ptr<executor::Launched> compiled_;

  static QString textOf(const Parameter& p) {
    if (p.kind == Parameter::Kind::Alpha) return "alpha";
    if (p.kind == Parameter::Kind::Beta) return "beta";
    return q(p.kind == Parameter::Kind::Matrix ? p.name : p.text);
  }

 private slots:
  void initTestCase() {
    const auto nvrtc = gpu::Nvrtc::load();
    if (!nvrtc) QSKIP("needs NVRTC");
    nvrtc_ = *nvrtc;
    compiled_ = std::make_unique<executor::Launched>(*nvrtc_, kSearched, "90");
  }

  void found_data() {
    QTest::addColumn<QString>("kernel");
    QTest::addColumn<QString>("parameters");
    QTest::addColumn<QString>("threads");
    QTest::addColumn<QString>("grid");
    QTest::newRow("square") << "square"
                            << "M N K alpha A B beta C"
                            << "16 16 1"
                            << "cdiv(N, 16), cdiv(M, 16), 1";
    QTest::newRow("one number for all tiles") << "numbered"
                                              << "C A B M N K"
                                              << "128 1 1"
                                              << "cdiv(M, 32) * cdiv(N, 64), 1, 1";
    QTest::newRow("strides") << "strides"
                             << "M N K alpha A K B N beta C N"
                             << "8 8 1"
                             << "cdiv(M, 8), cdiv(N, 8), 1";
  }
  void found() {
    QFETCH(QString, kernel);
    QFETCH(QString, parameters);
    QFETCH(QString, threads);
    QFETCH(QString, grid);
    const sass::Module& module = compiled_->module();
    const auto made = foundLaunch(module, *module.named(kernel.toStdString()));
    QVERIFY2(made.has_value(), made ? "" : made.error().c_str());
    QStringList list, sides, blocks;
    for (const Parameter& each : made->file.parameters) list.append(textOf(each));
    for (const std::string& each : made->file.threads) sides.append(q(each));
    for (const std::string& each : made->file.grid) blocks.append(q(each));
    QCOMPARE(list.join(' '), parameters);
    QCOMPARE(sides.join(' '), threads);
    QCOMPARE(blocks.join(", "), grid);
    QVERIFY(made->check.right() && made->check.elements > 0);
    QVERIFY(launchFileFrom(own::textOf(made->file)).value() == made->file);
  }
  void notFound() {
    const sass::Module& module = compiled_->module();
    if (!test::briefly()) {
      const auto wrong = foundLaunch(module, *module.named("wrong"));
      QVERIFY(!wrong.has_value());
      QVERIFY2(q(wrong.error()).contains("no block adds all products of a tile of C"),
               wrong.error().c_str());
    }
    const auto adds = foundLaunch(module, *module.named("adds"));
    QVERIFY2(q(adds.error()).contains("after 0 tries: its parameters are not three pointers"),
             adds.error().c_str());
  }
};

}  // namespace tileloom::own

TILELOOM_TEST(tileloom::own::LaunchSearchTest, Nothing)
#include "launch_search_test.moc"
