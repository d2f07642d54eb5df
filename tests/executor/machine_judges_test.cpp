// SPDX-License-Identifier: GPL-3.0-or-later
// The judges of machine code: what small kernels do wrong in shared memory is found, and what is
// correct in a way that only machine code shows is not reported.
#include <QtTest>

#include "kernels/executor/recorded/machine_judges.h"
#include "kernels/gpu/executed/rung_launch.h"
#include "kernels/tile/placement.h"
#include "tests/executor/launched.h"
#include "tests/support/random.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::executor {

using test::q;

class MachineJudgesTest : public QObject {
  Q_OBJECT

  std::shared_ptr<const gpu::Nvrtc> nvrtc_;

  static constexpr const char* kText = R"(
extern "C" __global__ void races(int* out) {
  __shared__ int tile[64];
  tile[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = tile[63 - threadIdx.x];
}
extern "C" __global__ void meets(int* out) {
  __shared__ int tile[64];
  tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = tile[63 - threadIdx.x];
}
extern "C" __global__ void overwrites(int* out) {
  __shared__ int tile[64];
  tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  int other = tile[63 - threadIdx.x];
  tile[threadIdx.x] = other + 1;
  out[threadIdx.x] = tile[threadIdx.x];
}
extern "C" __global__ void inWarp(int* out) {
  __shared__ int tile[64];
  tile[threadIdx.x] = threadIdx.x;
  __syncwarp();
  out[threadIdx.x] = tile[threadIdx.x ^ 31];
}
extern "C" __global__ void numbered(int* out) {
  __shared__ int tile[32];
  if (threadIdx.x < 32) {
    tile[threadIdx.x] = threadIdx.x;
    asm volatile("bar.arrive 1, 64;" ::: "memory");
  } else {
    asm volatile("bar.sync 1, 64;" ::: "memory");
    out[threadIdx.x - 32] = tile[63 - threadIdx.x];
  }
}
extern "C" __global__ void unwritten(int* out) {
  __shared__ int tile[64];
  if (threadIdx.x < 40) tile[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = tile[63 - threadIdx.x];
}
extern "C" __global__ void halves(short* out) {
  __shared__ short tile[64];
  // Neighbouring halves of a word belong to two warps.
  unsigned place = threadIdx.x % 32 * 2 + threadIdx.x / 32;
  tile[place] = threadIdx.x;
  out[threadIdx.x] = tile[place];
}
extern "C" __global__ void copies(int* out, const int* in, int wait) {
  __shared__ int tile[64];
  unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(tile + threadIdx.x));
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(in + threadIdx.x) : "memory");
  asm volatile("cp.async.commit_group;" ::: "memory");
  if (wait) asm volatile("cp.async.wait_group 0;" ::: "memory");
  out[threadIdx.x] = tile[threadIdx.x];
}
)";

  struct Judged {
    QStringList faults;
    QString failure;
  };
  Judged judged(const char* name, std::size_t buffers, std::vector<std::uint32_t> numbers = {}) {
    const Launched compiled(*nvrtc_, kText, "90");
    std::vector<Buffer> memory(buffers, Launched::buffer(std::vector<int>(64)));
    Launch launch = compiled.launch(name, 64, memory, numbers);
    recorded::MachineJudges judges(launch, name, "small.cubin");
    const auto ended = execute(launch, memory, {}, &judges);
    Judged made;
    if (!ended) made.failure = q(ended.error());
    for (const emulator::Fault& fault : judges.faults().kept)
      made.faults.append(q(emulator::describe(fault)));
    return made;
  }

 private slots:
  void initTestCase() {
    const auto nvrtc = gpu::Nvrtc::load();
    if (!nvrtc) QSKIP("needs NVRTC");
    nvrtc_ = *nvrtc;
  }

  void race() {
    const Judged found = judged("races", 1);
    QCOMPARE(found.failure, QString());
    // The first warp reads what is not written yet. The second one overwrites that, and reads what
    // the first one has written.
    const QString all = found.faults.join('\n');
    QCOMPARE(found.faults.size(), 3);
    QVERIFY2(found.faults[0].startsWith("read of unwritten shared memory: thread 0 of block (0, 0) "
                                        "loads byte "),
             qPrintable(all));
    QVERIFY2(found.faults[1].contains("which warp 0 reads with no barrier in between"),
             qPrintable(all));
    QVERIFY2(found.faults[2].startsWith("race: thread 32 of block (0, 0) loads byte "),
             qPrintable(all));
    QVERIFY2(found.faults[2].contains("which warp 0 has accessed with no barrier in between"),
             qPrintable(all));
  }
  void overwritten() {
    const Judged found = judged("overwrites", 1);
    const QString all = found.faults.join('\n');
    QCOMPARE(found.faults.size(), 2);
    for (const QString& fault : found.faults)
      QVERIFY2(fault.startsWith("race: thread ") && fault.contains(", which warp "),
               qPrintable(all));
  }
  void correct_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("buffers");
    QTest::newRow("barrier") << "meets" << 1;
    QTest::newRow("lanes of a warp") << "inWarp" << 1;
    QTest::newRow("numbered barrier") << "numbered" << 1;
    QTest::newRow("halves of a word") << "halves" << 1;
  }
  void correct() {
    QFETCH(QString, name);
    QFETCH(int, buffers);
    const Judged found = judged(qPrintable(name), static_cast<std::size_t>(buffers));
    QCOMPARE(found.failure, QString());
    QCOMPARE(found.faults, QStringList());
  }
  void unwritten() {
    const Judged found = judged("unwritten", 1);
    QCOMPARE(found.faults.size(), 1);
    // Thread 0 reads word 63, which no thread has written.
    QVERIFY2(found.faults[0].startsWith(
                 "read of unwritten shared memory: thread 0 of block (0, 0) loads byte "),
             qPrintable(found.faults[0]));
  }
  void copiesAreWaitedFor() {
    QCOMPARE(judged("copies", 2, {1}).faults, QStringList());
    const Judged found = judged("copies", 2, {0});
    QCOMPARE(found.faults.size(), 1);
    QVERIFY2(found.faults[0].startsWith(
                 "read of shared memory before its asynchronous copy was waited for: thread 0"),
             qPrintable(found.faults[0]));
  }

  // No judge reports anything of a rung.
  void rungs_data() {
    QTest::addColumn<const Stage*>("stage");
    for (const auto ladder : {stages(), tensorStages()})
      for (const Stage& stage : ladder)
        if (stage.boxes == nullptr && (!test::briefly() || stage.rung % 4 == 0))
          QTest::newRow(qPrintable(q(stage.id))) << &stage;
  }
  void rungs() {
    QFETCH(const Stage*, stage);
    const auto build =
        gpu::buildStage(*nvrtc_, nullptr, standardSubject(*stage), *architectureNamed("sm_90"));
    QVERIFY2(build.has_value(), build ? "" : build.error().text.c_str());
    auto launch = gpu::RungLaunch::of(*build, {130, 140, 48});
    QVERIFY2(launch.has_value(), launch ? "" : launch.error().c_str());
    launch->randomise(1);
    recorded::MachineJudges judges(launch->launch(), std::string(stage->id), "rung.cubin");
    QCOMPARE(q(judges.whyNot()), QString());
    const auto ended = launch->execute(&judges);
    QVERIFY2(ended.has_value(), ended ? "" : ended.error().c_str());
    QStringList faults;
    for (const emulator::Fault& fault : judges.faults().kept)
      faults.append(q(emulator::describe(fault)));
    QCOMPARE(faults, QStringList());
  }
};

}  // namespace tileloom::executor

TILELOOM_TEST(tileloom::executor::MachineJudgesTest, Nothing)
#include "machine_judges_test.moc"
