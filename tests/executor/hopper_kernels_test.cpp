// SPDX-License-Identifier: GPL-3.0-or-later
// Small kernels with mbarriers, bulk copies and clusters, executed: results, and the sentence of
// each mistake.
#include <QtTest>
#include <numeric>

#include "tests/executor/launched.h"
#include "tests/support/test_class.h"

namespace tileloom::executor {

constexpr const char* kSource = R"(
typedef unsigned uint;
typedef unsigned long long u64;
__device__ uint address(const void* p) { return (uint)__cvta_generic_to_shared(p); }
__device__ void start(u64* bar, uint count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(address(bar)), "r"(count) : "memory");
}
__device__ void arrive(u64* bar) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(address(bar)) : "memory");
}
__device__ uint tried(u64* bar, uint parity) {
  uint over;
  asm volatile("{\n.reg .pred p;\nmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
               "selp.u32 %0, 1, 0, p;\n}" : "=r"(over) : "r"(address(bar)), "r"(parity) : "memory");
  return over;
}
__device__ uint tested(u64* bar, uint parity) {
  uint over;
  asm volatile("{\n.reg .pred p;\nmbarrier.test_wait.parity.shared::cta.b64 p, [%1], %2;\n"
               "selp.u32 %0, 1, 0, p;\n}" : "=r"(over) : "r"(address(bar)), "r"(parity) : "memory");
  return over;
}
__device__ void wait(u64* bar, uint parity) { while (!tried(bar, parity)) {} }
__device__ void meet() {
  asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
}
__device__ uint rank() { uint r; asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(r)); return r; }
__device__ uint mapped(const void* p, uint rank) {
  uint its;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(its) : "r"(address(p)), "r"(rank));
  return its;
}

// Warps hand a number on, round by round.
extern "C" __global__ void phases(uint* out) {
  __shared__ __align__(8) u64 bar;
  __shared__ uint held[2][96];
  if (threadIdx.x == 0) start(&bar, blockDim.x);
  __syncthreads();
  uint parity = 0, mine = 1;
  for (uint i = 0; i < 5; ++i) {
    held[parity][threadIdx.x] = mine;
    arrive(&bar);
    wait(&bar, parity);
    mine += held[parity][(threadIdx.x + 32) % 96];
    parity ^= 1;
  }
  out[threadIdx.x] = mine;
}
// The same with the states that arrivals return, as cuda::barrier waits.
extern "C" __global__ void tokens(uint* out) {
  __shared__ __align__(8) u64 bar;
  __shared__ uint held[2][96];
  if (threadIdx.x == 0) start(&bar, blockDim.x);
  __syncthreads();
  uint mine = 1;
  for (uint i = 0; i < 5; ++i) {
    held[i % 2][threadIdx.x] = mine;
    u64 state;
    uint over = 0;
    asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1];" : "=l"(state) : "r"(address(&bar)) : "memory");
    while (!over)
      asm volatile("{\n.reg .pred p;\nmbarrier.try_wait.shared::cta.b64 p, [%1], %2;\n"
                   "selp.u32 %0, 1, 0, p;\n}" : "=r"(over) : "r"(address(&bar)), "l"(state) : "memory");
    mine += held[i % 2][(threadIdx.x + 32) % 96];
  }
  out[threadIdx.x] = mine;
}
// The first warp waits without sleeping.
extern "C" __global__ void polled(uint* out) {
  __shared__ __align__(8) u64 bar;
  if (threadIdx.x == 0) start(&bar, 32);
  __syncthreads();
  if (threadIdx.x < 32) {
    while (!tested(&bar, 0)) {}
    out[threadIdx.x] = 7;
  } else {
    arrive(&bar);
    out[threadIdx.x] = 8;
  }
}
// Thread 0 waits; thread 1 of the same warp lets it go on.
extern "C" __global__ void within(uint* out) {
  __shared__ __align__(8) u64 bar;
  if (threadIdx.x == 0) start(&bar, 1);
  __syncthreads();
  if (threadIdx.x == 0) wait(&bar, 0);
  else if (threadIdx.x == 1) arrive(&bar);
  out[threadIdx.x] = threadIdx.x;
}
extern "C" __global__ void forever(uint* out) {
  __shared__ __align__(8) u64 bar;
  if (threadIdx.x == 0) start(&bar, 3);
  __syncthreads();
  if (threadIdx.x == 33) arrive(&bar);
  wait(&bar, 0);
  out[threadIdx.x] = 1;
}
extern "C" __global__ void tooOften(uint* out) {
  __shared__ __align__(8) u64 bar;
  if (threadIdx.x == 0) {
    start(&bar, 1);
    asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], 16;" ::"r"(address(&bar)) : "memory");
  }
  __syncthreads();
  arrive(&bar);
  out[threadIdx.x] = 1;
}
// Bytes in a row come and go.
extern "C" __global__ void bulk(const uint* in, uint* out) {
  __shared__ __align__(16) uint held[256];
  __shared__ __align__(8) u64 bar;
  if (threadIdx.x == 0) {
    start(&bar, 1);
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 1024;" ::"r"(address(&bar)) : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 1024, [%2];"
                 ::"r"(address(held)), "l"(in), "r"(address(&bar)) : "memory");
  }
  __syncthreads();
  wait(&bar, 0);
  held[threadIdx.x] += 1;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 1024;\n"
                 "cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;"
                 ::"l"(out), "r"(address(held)) : "memory");
  }
}
// Each block of a cluster writes the memory of the next one, and arrives there.
extern "C" __global__ void __cluster_dims__(4, 1, 1) ring(uint* out) {
  __shared__ uint held[64];
  __shared__ __align__(8) u64 bar;
  const uint me = rank(), next = (me + 1) % 4;
  if (threadIdx.x == 0) start(&bar, 64);
  meet();
  asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(mapped(held + threadIdx.x, next)), "r"(me * 100 + threadIdx.x) : "memory");
  asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(mapped(&bar, next)) : "memory");
  wait(&bar, 0);
  uint theirs;
  asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(theirs) : "r"(mapped(held + threadIdx.x, (me + 2) % 4)));
  (void)theirs;
  meet();
  asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(theirs) : "r"(mapped(held + threadIdx.x, (me + 2) % 4)));
  atomicAdd(&held[threadIdx.x], 0);
  out[blockIdx.x * 64 + threadIdx.x] = held[threadIdx.x] + 1000 * theirs;
  meet();
}
// A store that counts as bytes at an mbarrier of the other block.
extern "C" __global__ void __cluster_dims__(2, 1, 1) sent(uint* out) {
  __shared__ uint held[32];
  __shared__ __align__(8) u64 bar;
  if (threadIdx.x == 0) {
    start(&bar, 1);
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 128;" ::"r"(address(&bar)) : "memory");
  }
  meet();
  const uint other = rank() ^ 1;
  asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b32 [%0], %1, [%2];"
               ::"r"(mapped(held + threadIdx.x, other)), "r"(rank() * 50 + threadIdx.x), "r"(mapped(&bar, other)) : "memory");
  wait(&bar, 0);
  out[blockIdx.x * 32 + threadIdx.x] = held[threadIdx.x];
  meet();
}
// The first block waits for what the last one writes.
extern "C" __global__ void awaits(volatile uint* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x + 1 < gridDim.x) {
    while (out[blockIdx.x + 1] == 0) __nanosleep(20);
  }
  out[blockIdx.x] = blockIdx.x + 1;
}
)";

class HopperKernelsTest : public QObject {
  Q_OBJECT

  std::unique_ptr<Launched> launched_;

  QString run(const char* name, std::uint32_t blocks, std::uint32_t threads,
              std::vector<Buffer>& buffers) {
    return launched_->run(name, threads, buffers, {}, {}, {blocks, 1, 1});
  }

 private slots:
  void initTestCase() {
    const auto nvrtc = gpu::Nvrtc::load();
    if (!nvrtc) QSKIP("needs NVRTC");
    launched_ = std::make_unique<Launched>(**nvrtc, kSource, "90a");
  }

  void phases() {
    std::vector<Buffer> buffers = {Launched::buffer(std::vector<std::uint32_t>(96))};
    QCOMPARE(run("phases", 1, 96, buffers), QString());
    QCOMPARE(Launched::values<std::uint32_t>(buffers[0]), std::vector<std::uint32_t>(96, 32));
  }
  void statesOfArrivals() {
    std::vector<Buffer> buffers = {Launched::buffer(std::vector<std::uint32_t>(96))};
    QCOMPARE(run("tokens", 1, 96, buffers), QString());
    QCOMPARE(Launched::values<std::uint32_t>(buffers[0]), std::vector<std::uint32_t>(96, 32));
  }
  void polled() {
    std::vector<Buffer> buffers = {Launched::buffer(std::vector<std::uint32_t>(64))};
    QCOMPARE(run("polled", 1, 64, buffers), QString());
    const auto got = Launched::values<std::uint32_t>(buffers[0]);
    QCOMPARE(got.front(), 7u);
    QCOMPARE(got.back(), 8u);
  }
  void threadsOfOneWarp() {
    std::vector<Buffer> buffers = {Launched::buffer(std::vector<std::uint32_t>(32))};
    QCOMPARE(run("within", 1, 32, buffers), QString());
    QCOMPARE(Launched::values<std::uint32_t>(buffers[0]).back(), 31u);
  }
  void deadlock() {
    std::vector<Buffer> buffers = {Launched::buffer(std::vector<std::uint32_t>(64))};
    const QString why = run("forever", 1, 64, buffers);
    QVERIFY2(why.startsWith("block (0, 0, 0): at 0x") &&
                 why.contains("warp 0 waits for ever for the end of phase 0 of the mbarrier at "
                              "0x400: 2 arrivals and 0 bytes are missing"),
             qPrintable(why));
  }
  void tooManyArrivals() {
    std::vector<Buffer> buffers = {Launched::buffer(std::vector<std::uint32_t>(32))};
    const QString why = run("tooOften", 1, 32, buffers);
    QVERIFY2(why.endsWith("the mbarrier at 0x400 cannot count this: the arrivals (1) are more "
                          "than those missing in this phase (0)"),
             qPrintable(why));
  }
  void bulkCopies() {
    std::vector<std::uint32_t> in(256);
    std::iota(in.begin(), in.end(), 1u);
    std::vector<Buffer> buffers = {Launched::buffer(in),
                                   Launched::buffer(std::vector<std::uint32_t>(256))};
    QCOMPARE(run("bulk", 1, 256, buffers), QString());
    for (std::uint32_t& each : in) ++each;
    QCOMPARE(Launched::values<std::uint32_t>(buffers[1]), in);
  }
  void clusters() {
    std::vector<Buffer> buffers = {Launched::buffer(std::vector<std::uint32_t>(8 * 64))};
    QCOMPARE(run("ring", 8, 64, buffers), QString());
    const auto got = Launched::values<std::uint32_t>(buffers[0]);
    for (std::uint32_t block = 0; block < 8; ++block) {
      for (std::uint32_t i = 0; i < 64; ++i) {
        const std::uint32_t before = (block + 3) % 4, theirs = (block + 1) % 4;
        QCOMPARE(got[block * 64 + i], before * 100 + i + 1000 * (theirs * 100 + i));
      }
    }
    QCOMPARE(run("ring", 6, 64, buffers),
             QString("the grid has 6 x 1 x 1 blocks, which is not a multiple of the cluster of 4 x "
                     "1 x 1"));
  }
  void remoteStores() {
    std::vector<Buffer> buffers = {Launched::buffer(std::vector<std::uint32_t>(64))};
    QCOMPARE(run("sent", 2, 32, buffers), QString());
    const auto got = Launched::values<std::uint32_t>(buffers[0]);
    for (std::uint32_t i = 0; i < 64; ++i) QCOMPARE(got[i], (1 - i / 32) * 50 + i % 32);
  }
  // A block that waits for one that begins later.
  void laterBlocks() {
    std::vector<Buffer> buffers = {Launched::buffer(std::vector<std::uint32_t>(20))};
    QCOMPARE(run("awaits", 20, 32, buffers), QString());
    QCOMPARE(Launched::values<std::uint32_t>(buffers[0]).front(), 1u);
  }
};

}  // namespace tileloom::executor

TILELOOM_TEST(tileloom::executor::HopperKernelsTest, Nothing)
#include "hopper_kernels_test.moc"
