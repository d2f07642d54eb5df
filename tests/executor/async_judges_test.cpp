// SPDX-License-Identifier: GPL-3.0-or-later
// The judges of mbarriers, TMA, wgmma and clusters: what a kernel leaves out is found, and correct
// kernels are not reported. Rungs lose one kind of instruction in their machine code.
#include <QtTest>
#include <algorithm>
#include <cstring>

#include "kernels/executor/recorded/machine_judges.h"
#include "kernels/gpu/executed/rung_launch.h"
#include "kernels/runs/fidelity.h"
#include "kernels/sass/decode.h"
#include "kernels/tile/placement.h"
#include "kernels/tile/words.h"
#include "tests/executor/launched.h"
#include "tests/support/random.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::executor {

using test::q;

constexpr const char* kText = R"(
typedef unsigned uint;
typedef unsigned long long u64;
__device__ uint address(const void* p) { return (uint)__cvta_generic_to_shared(p); }
__device__ void start(u64* bar, uint count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(address(bar)), "r"(count) : "memory");
}
__device__ void expect(u64* bar, uint bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(address(bar)), "r"(bytes) : "memory");
}
__device__ void arrive(u64* bar) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(address(bar)) : "memory");
}
__device__ void wait(u64* bar, uint parity) {
  asm volatile("{\n.reg .pred p;\nagain:\nmbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n"
               "@!p bra again;\n}" ::"r"(address(bar)), "r"(parity) : "memory");
}
__device__ void bring(void* to, const void* from, uint bytes, u64* bar) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
               ::"r"(address(to)), "l"(from), "r"(bytes), "r"(address(bar)) : "memory");
}
__device__ void fence() { asm volatile("fence.proxy.async;" ::: "memory"); }
__device__ void leave(void* to, const void* from, uint bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;\ncp.async.bulk.commit_group;"
               ::"l"(to), "r"(address(from)), "r"(bytes) : "memory");
}
__device__ void waitForReads() { asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory"); }

// 64 threads: one brings 64 numbers, and all of them read these. bit 0: it waits; bit 1: after a
// barrier of the block the mbarrier exists.
extern "C" __global__ void brings(int* out, const int* in, int steps) {
  __shared__ __align__(128) int tile[64];
  __shared__ __align__(8) u64 bar;
  if (threadIdx.x == 0) start(&bar, 1);
  if (steps & 2) __syncthreads();
  if (threadIdx.x == 0) {
    expect(&bar, 256);
    bring(tile, in, 256, &bar);
  }
  if (steps & 1) wait(&bar, 0);
  out[threadIdx.x] = tile[threadIdx.x];
}
// Two rounds into one tile. bit 0: the second round waits until all warps have read.
extern "C" __global__ void rounds(int* out, const int* in, int steps) {
  __shared__ __align__(128) int tile[64];
  __shared__ __align__(8) u64 full, empty;
  if (threadIdx.x == 0) {
    start(&full, 1);
    start(&empty, 64);
  }
  __syncthreads();
  int sum = 0;
  for (int i = 0; i < 2; ++i) {
    if (threadIdx.x == 0) {
      if (steps & 1) wait(&empty, (i & 1) ^ 1);
      expect(&full, 256);
      bring(tile, in, 256, &full);
    }
    wait(&full, i & 1);
    __syncthreads();
    sum += tile[63 - threadIdx.x];
    arrive(&empty);
  }
  out[threadIdx.x] = sum;
}
// All threads write a tile, which one of them stores. bit 0: a fence; bit 1: it waits until the tile
// has been read, and then the threads write it again.
extern "C" __global__ void leaves(int* out, int steps) {
  __shared__ __align__(128) int tile[64];
  tile[threadIdx.x] = threadIdx.x;
  if (steps & 1) fence();
  __syncthreads();
  if (threadIdx.x == 0) {
    leave(out, tile, 256);
    if (steps & 2) waitForReads();
  }
  __syncthreads();
  tile[63 - threadIdx.x] = 1;
}
// An mbarrier counts cp.async of all threads.
extern "C" __global__ void counted(int* out, const int* in) {
  __shared__ __align__(128) int tile[64];
  __shared__ __align__(8) u64 bar;
  if (threadIdx.x == 0) start(&bar, 64);
  __syncthreads();
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(address(tile + threadIdx.x)), "l"(in + threadIdx.x) : "memory");
  asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(address(&bar)) : "memory");
  wait(&bar, 0);
  out[threadIdx.x] = tile[63 - threadIdx.x];
}
// Each block of a cluster writes the tile of the other one.
extern "C" __global__ void __cluster_dims__(2, 1, 1) exchanges(int* out) {
  __shared__ int tile[64];
  uint rank, its;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(its) : "r"(address(tile + threadIdx.x)), "r"(rank ^ 1));
  asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(its), "r"(rank) : "memory");
  asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
  out[threadIdx.x] = tile[threadIdx.x];
}
)";

class AsyncJudgesTest : public QObject {
  Q_OBJECT

  std::shared_ptr<const gpu::Nvrtc> nvrtc_;

  static QStringList described(recorded::MachineJudges& judges) {
    QStringList all;
    for (const emulator::Fault& fault : judges.faults().kept)
      all.append(q(emulator::describe(fault)));
    return all;
  }
  QStringList judged(const char* name, std::size_t buffers, std::vector<std::uint32_t> numbers,
                     const Extent3& grid = {1, 1, 1}) {
    const Launched compiled(*nvrtc_, kText, "90");
    std::vector<Buffer> memory(buffers, Launched::buffer(std::vector<int>(64)));
    const Launch launch = compiled.launch(name, 64, memory, numbers, grid);
    recorded::MachineJudges judges(launch, name, "small.cubin");
    const auto ended = execute(launch, memory, {}, &judges);
    QStringList found = described(judges);
    if (!ended) found.append(q(ended.error()));
    if (!judges.whyNot().empty()) found.append(q(judges.whyNot()));
    return found;
  }

  static std::vector<char> bytesOf(const sass::CodeWord& word) {
    std::vector<char> bytes(sass::kCodeWordBytes);
    std::memcpy(bytes.data(), &word, bytes.size());
    return bytes;
  }
  // The same kernel without instructions that begin so; 0: it has none.
  static int remove(gpu::Build& build, const sass::KernelImage& kernel, std::string_view begin) {
    std::vector<char> code;
    for (const sass::CodeWord& each : kernel.words)
      std::ranges::copy(bytesOf(each), std::back_inserter(code));
    const auto place =
        std::search(build.cubin.begin(), build.cubin.end(), code.begin(), code.end());
    if (place == build.cubin.end()) return 0;
    // The padding at the end of a kernel has one.
    const std::vector<char> nothing = bytesOf(kernel.words.back());
    int removed = 0;
    for (std::size_t i = 0; i < kernel.words.size(); ++i) {
      const auto decoded = sass::decode(kernel.words[i], 0, 90);
      if (!decoded || !decoded->mnemonic().starts_with(begin)) continue;
      std::ranges::copy(nothing, place + static_cast<std::ptrdiff_t>(i * sass::kCodeWordBytes));
      ++removed;
    }
    return removed;
  }

 private slots:
  void initTestCase() {
    const auto nvrtc = gpu::Nvrtc::load();
    if (!nvrtc) QSKIP("needs NVRTC");
    nvrtc_ = *nvrtc;
  }

  void correct_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("buffers");
    QTest::addColumn<int>("steps");  // -1: it has no such parameter
    QTest::addColumn<int>("blocks");
    QTest::newRow("bulk copy") << "brings" << 2 << 3 << 1;
    QTest::newRow("rounds") << "rounds" << 2 << 1 << 1;
    QTest::newRow("bulk store") << "leaves" << 1 << 3 << 1;
    QTest::newRow("counted cp.async") << "counted" << 2 << -1 << 1;
    QTest::newRow("stores of another block") << "exchanges" << 1 << -1 << 4;
  }
  void correct() {
    QFETCH(QString, name);
    QFETCH(int, buffers);
    QFETCH(int, steps);
    QFETCH(int, blocks);
    std::vector<std::uint32_t> numbers;
    if (steps >= 0) numbers.push_back(static_cast<std::uint32_t>(steps));
    const QStringList found = judged(qPrintable(name), static_cast<std::size_t>(buffers), numbers,
                                     {static_cast<std::uint32_t>(blocks), 1, 1});
    QVERIFY2(found.isEmpty(), qPrintable(found.join('\n')));
  }

  void faults_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("buffers");
    QTest::addColumn<unsigned>("steps");
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QString>("part");
    QTest::newRow("no wait")
        << "brings" << 2 << 2u << "before its"
        << "of the TMA copy of 256 bytes to byte 1024 of shared memory, and has "
           "not waited for phase 0 of the mbarrier at byte 1280";
    QTest::newRow("not started") << "brings" << 2 << 1u << "missing fence"
                                 << "uses the mbarrier at byte 1280 in a wait, which thread 0 has "
                                    "started with no barrier in between";
    QTest::newRow("too early") << "rounds" << 2 << 0u << "before its"
                               << "has not waited for phase 1 of the mbarrier at byte 1280";
    QTest::newRow("no fence")
        << "leaves" << 1 << 2u << "missing fence"
        << "issues a TMA store of byte 1024 of shared memory, which warp 0 has "
           "stored without fence.proxy.async";
    QTest::newRow("overwritten") << "leaves" << 1 << 1u << "race"
                                 << "which the TMA store reads: for this thread "
                                    "(cp.async.bulk.wait_group), group 0";
  }
  void faults() {
    QFETCH(QString, name);
    QFETCH(int, buffers);
    QFETCH(unsigned, steps);
    QFETCH(QString, kind);
    QFETCH(QString, part);
    const QStringList found = judged(qPrintable(name), static_cast<std::size_t>(buffers), {steps});
    const bool has = std::ranges::any_of(
        found, [&](const QString& fault) { return fault.contains(kind) && fault.contains(part); });
    QVERIFY2(has, qPrintable(found.join('\n')));
  }

  void removed_data() {
    QTest::addColumn<QString>("stage");
    QTest::addColumn<QString>("instruction");  // empty: none
    QTest::addColumn<QString>("part");         // of a sentence
    const auto row = [](const char* stage, const char* instruction, const char* part) {
      QTest::addRow("%s without %s", stage, instruction) << stage << instruction << part;
    };
    row("wgmma", "WARPGROUP.DEPBAR", "which a wgmma still updates: group ");
    row("overlapped", "WARPGROUP.DEPBAR", "of these wgmma instructions is still in flight");
    row("cluster", "UCGABAR_WAIT", "has started with no barrier.cluster in between");
    row("stored", "FENCE.VIEW.ASYNC", "has stored without fence.proxy.async");
    row("stored", "DEPBAR", "ends without a cp.async.bulk.wait_group for it");
  }
  void removed() {
    QFETCH(QString, stage);
    QFETCH(QString, instruction);
    QFETCH(QString, part);
    const Stage& its = *stageOfEitherLadder(stage.toStdString());
    const Subject subject = standardSubject(its);
    auto build = gpu::buildStage(*nvrtc_, nullptr, subject, *architectureNamed("sm_90"));
    QVERIFY2(build.has_value(), build ? "" : build.error().text.c_str());
    const Problem problem =
        paddedProblem(its, subject.tile, runs::fidelityProblems(its, subject.tile).front());
    for (const bool whole : {true, false}) {
      if (!whole) {
        const auto complete = gpu::RungLaunch::of(*build, problem);
        QVERIFY(complete.has_value());
        QVERIFY(remove(*build, *complete->launch().kernel, instruction.toStdString()) > 0);
      }
      auto launch = gpu::RungLaunch::of(*build, problem);
      QVERIFY2(launch.has_value(), launch ? "" : launch.error().c_str());
      launch->randomise(1);
      recorded::MachineJudges judges(launch->launch(), std::string(its.id), "rung.cubin");
      const auto ended = launch->execute(&judges);
      const QStringList found = described(judges);
      QCOMPARE(q(judges.whyNot()), QString());
      if (whole) {
        QVERIFY2(ended.has_value(), ended ? "" : ended.error().c_str());
        QCOMPARE(found, QStringList());
      } else {
        const QString failure = ended ? QString() : q(ended.error());
        QVERIFY2(found.join('\n').contains(part), qPrintable(found.join('\n') + failure));
      }
    }
  }

  // No judge reports anything of a rung.
  void rungs_data() {
    QTest::addColumn<const Stage*>("stage");
    for (const Stage& stage : tensorStages())
      if (stage.boxes != nullptr && (!test::briefly() || stage.rung % 3 == 0))
        QTest::newRow(qPrintable(q(stage.id))) << &stage;
  }
  void rungs() {
    QFETCH(const Stage*, stage);
    const Architecture arch = *architectureNamed("sm_90");
    for (const TileShape& tile : runs::fidelityTiles(*stage, 1, arch)) {
      Subject subject = standardSubject(*stage);
      subject.tile = tile;
      const auto build = gpu::buildStage(*nvrtc_, nullptr, subject, arch);
      QVERIFY2(build.has_value(), build ? "" : build.error().text.c_str());
      for (const Problem& asked : runs::fidelityProblems(*stage, tile)) {
        auto launch = gpu::RungLaunch::of(*build, paddedProblem(*stage, tile, asked));
        QVERIFY2(launch.has_value(), launch ? "" : launch.error().c_str());
        launch->randomise(1);
        recorded::MachineJudges judges(launch->launch(), std::string(stage->id), "rung.cubin");
        const auto ended = launch->execute(&judges);
        QVERIFY2(ended.has_value(), ended ? "" : ended.error().c_str());
        QCOMPARE(q(judges.whyNot()), QString());
        QCOMPARE(described(judges), QStringList());
        if (test::briefly()) return;
      }
    }
  }
};

}  // namespace tileloom::executor

TILELOOM_TEST(tileloom::executor::AsyncJudgesTest, Nothing)
#include "async_judges_test.moc"
