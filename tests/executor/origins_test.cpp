// SPDX-License-Identifier: GPL-3.0-or-later
// Small products of matrices in ways that rungs do not have: the recording knows of each element of
// C which products it is the sum of.
#include <QtTest>

#include "kernels/analysis/block_product.h"
#include "kernels/executor/recorded/machine_recorder.h"
#include "tests/executor/launched.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::executor {

using emulator::Provenance;
using test::q;

class OriginsTest : public QObject {
  Q_OBJECT

  std::shared_ptr<const gpu::Nvrtc> nvrtc_;

  // 16 x 16 elements of C by 256 threads, K = 16.
  static constexpr const char* kText = R"(
// TMA brings both matrices as bytes in a row.
extern "C" __global__ void bulk(const float* A, const float* B, float* C) {
  __shared__ __align__(128) float a[256], b[256];
  __shared__ __align__(8) unsigned long long bar;
  unsigned at = (unsigned)__cvta_generic_to_shared(&bar), t = threadIdx.x;
  if (t == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(at) : "memory");
  __syncthreads();
  if (t == 0) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 2048;" ::"r"(at) : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 1024, [%2];"
                 ::"r"((unsigned)__cvta_generic_to_shared(a)), "l"(A), "r"(at) : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 1024, [%2];"
                 ::"r"((unsigned)__cvta_generic_to_shared(b)), "l"(B), "r"(at) : "memory");
  }
  asm volatile("{\n.reg .pred p;\nagain:\nmbarrier.try_wait.parity.shared::cta.b64 p, [%0], 0;\n"
               "@!p bra again;\n}" ::"r"(at) : "memory");
  float sum = 0;
  for (int k = 0; k < 16; ++k) sum += a[t / 16 * 16 + k] * b[k * 16 + t % 16];
  C[t] = sum;
}
extern "C" __global__ void plain(const float* A, const float* B, float* C) {
  int r = threadIdx.x / 16, c = threadIdx.x % 16;
  float sum = 0;
  for (int k = 0; k < 16; ++k) sum += A[r * 16 + k] * B[k * 16 + c];
  C[r * 16 + c] = 1.5f * sum + 0.5f * C[r * 16 + c];
}
extern "C" __global__ void local(const float* A, const float* B, float* C, int turn) {
  int r = threadIdx.x / 16, c = threadIdx.x % 16;
  float row[16];
  for (int k = 0; k < 16; ++k) row[k ^ turn] = A[r * 16 + k];
  float sum = 0;
  for (int k = 0; k < 16; ++k) sum += row[k ^ turn] * B[k * 16 + c];
  C[r * 16 + c] = sum;
}
extern "C" __global__ void exchanged(const float* A, const float* B, float* C) {
  __shared__ float sums[256];
  int r = threadIdx.x / 16, c = threadIdx.x % 16;
  float sum = 0;
  for (int k = 0; k < 16; ++k) sum += A[r * 16 + k] * B[k * 16 + c];
  sums[threadIdx.x] = sum;
  __syncthreads();
  C[c * 16 + r] = sums[c * 16 + r];
}
extern "C" __global__ void shuffled(const float* A, const float* B, float* C) {
  int r = threadIdx.x / 16, c = threadIdx.x % 16;
  float mine = A[threadIdx.x], sum = 0;
  for (int k = 0; k < 16; ++k) sum += __shfl_sync(~0u, mine, k, 16) * B[k * 16 + c];
  C[r * 16 + c] = __shfl_xor_sync(~0u, __shfl_xor_sync(~0u, sum, 5), 5);
}
extern "C" __global__ void masked(const float* A, const float* B, float* C, int n) {
  __shared__ float a[16][17], b[16][17];
  int r = threadIdx.x / 16, c = threadIdx.x % 16;
  a[r][c] = r < n ? A[r * 16 + c] : 0.0f;
  b[r][c] = c < n ? B[r * 16 + c] : 0.0f;
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < 16; ++k) sum += a[r][k] * b[k][c];
  if (r < n && c < n) C[r * 16 + c] = sum;
}
extern "C" __global__ void wrong(const float* A, const float* B, float* C) {
  int r = threadIdx.x / 16, c = threadIdx.x % 16;
  float sum = 0;
  for (int k = 0; k < 16; ++k) sum += A[k * 16 + r] * B[k * 16 + c];
  C[r * 16 + c] = sum;
}
extern "C" __global__ void twice(const float* A, const float* B, float* C) {
  int r = threadIdx.x / 16, c = threadIdx.x % 16;
  float sum = 0;
  for (int k = 0; k < 16; ++k) sum += A[r * 16 + (k & 14)] * B[(k & 14) * 16 + c];
  C[r * 16 + c] = sum;
}
)";

  // A pair of neighbours along N for each thread, of numbers of 16 bits.
  static constexpr const char* kHalves = R"(
__device__ unsigned fma2(unsigned a, unsigned b, unsigned c) {
  unsigned d;
  asm("fma.rn.f16x2 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  return d;
}
extern "C" __global__ void halves(const unsigned short* A, const unsigned* B, unsigned* C) {
  int r = threadIdx.x / 8, c = threadIdx.x % 8;
  unsigned sum = 0;
  for (int k = 0; k < 16; ++k) {
    unsigned a = A[r * 16 + k];
    sum = fma2(__byte_perm(a, a, 0x1010), B[k * 8 + c], sum);
  }
  C[r * 8 + c] = sum;
}
)";

  struct Seen {
    analysis::BlockProduct product;
    recorded::Known known;
  };
  Seen seen(const char* text, const char* name, std::uint32_t threads, std::uint32_t bytes,
            std::vector<std::uint32_t> numbers = {}) {
    const Launched compiled(*nvrtc_, text, "90");
    std::vector<Buffer> memory(3, Launched::buffer(std::vector<std::uint8_t>(256 * bytes)));
    Launch launch = compiled.launch(name, threads, memory, numbers);
    recorded::RecordRequest request;
    request.launch = &launch;
    request.buffers = memory;
    request.roles = {{0, Provenance::Source::A, 16, 16, bytes},
                     {1, Provenance::Source::B, 16, 16, bytes},
                     {2, Provenance::Source::C, 16, 16, bytes}};
    recorded::MachineRecorder recorder(std::move(request));
    const auto ended = execute(launch, memory, {}, &recorder);
    if (!ended) qFatal("%s", ended.error().c_str());
    return {analysis::blockProductOf(recorder.take()), recorder.known()};
  }

 private slots:
  void initTestCase() {
    const auto nvrtc = gpu::Nvrtc::load();
    if (!nvrtc) QSKIP("needs NVRTC");
    nvrtc_ = *nvrtc;
  }

  void everyElement_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<bool>("takesNumber");
    QTest::newRow("a scaled sum") << "plain" << false;
    QTest::newRow("through local memory") << "local" << true;
    QTest::newRow("sums through shared memory") << "exchanged" << false;
    QTest::newRow("through other lanes") << "shuffled" << false;
    QTest::newRow("through bulk copies") << "bulk" << false;
  }
  void everyElement() {
    QFETCH(QString, name);
    QFETCH(bool, takesNumber);
    const Seen is =
        seen(kText, qPrintable(name), 256, 4,
             takesNumber ? std::vector<std::uint32_t>{3} : std::vector<std::uint32_t>{});
    QCOMPARE(is.product.elements, std::uint64_t{256});
    QCOMPARE(is.product.complete, std::uint64_t{256});
    QCOMPARE(is.product.products, std::uint64_t{256 * 16});
    QCOMPARE(is.product.foreign + is.product.repeated, std::uint64_t{0});
    QVERIFY(is.product.isRectangle());
    QCOMPARE(is.known.multiplied, std::uint64_t{256 * 16});
    QCOMPARE(is.known.stored, is.known.ofStored);
  }
  // Zeros beside an edge are no elements.
  void masked() {
    const Seen is = seen(kText, "masked", 256, 4, {11});
    QCOMPARE(is.product.elements, std::uint64_t{121});
    QCOMPARE(is.product.complete, std::uint64_t{121});
    QCOMPARE(is.product.lastRow, 10u);
    QCOMPARE(is.product.lastColumn, 10u);
  }
  void wrongIndex() {
    const Seen is = seen(kText, "wrong", 256, 4);
    // Only where row and k are equal is the element of A the right one.
    QCOMPARE(is.product.complete, std::uint64_t{0});
    QVERIFY(is.product.foreign > 0);
  }
  void sameProductTwice() {
    const Seen is = seen(kText, "twice", 256, 4);
    QCOMPARE(is.product.repeated, std::uint64_t{256 * 8});
    QCOMPARE(is.product.complete, std::uint64_t{0});
  }
  void halves() {
    const Seen is = seen(kHalves, "halves", 128, 2);
    QCOMPARE(is.product.elements, std::uint64_t{256});
    QCOMPARE(is.product.complete, std::uint64_t{256});
    QCOMPARE(is.known.multiplied, is.known.ofMultiplied);
    QCOMPARE(is.known.stored, std::uint64_t{256});
  }
};

}  // namespace tileloom::executor

TILELOOM_TEST(tileloom::executor::OriginsTest, Nothing)
#include "origins_test.moc"
