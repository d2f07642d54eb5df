// SPDX-License-Identifier: GPL-3.0-or-later
// One planted bug for each thing that can go wrong, and the same code without the bug.
#include <QtTest>
#include <new>

#include "tests/support/planted.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom {
namespace {

// The bug is in one thread of one block: the fault has to name it.
#define THE_CULPRIT (blockIdx.x == 1 && threadIdx.x == 37)

// Shared arrays of which a kernel may use only one.
#define SHARED(count_a, count_b)          \
  SHARED_TILES(As, count_a, Bs, count_b); \
  static_cast<void>(As), static_cast<void>(Bs)

KERNEL(store_past_the_end, BLOCKSIZE* BLOCKSIZE)
(uint M, uint N, uint K, float alpha, gmem<const float> A, gmem<const float> B, float beta,
 gmem<float> C) {
  if (THE_CULPRIT) PLANTED(C[M * N + 2] = A[0]);
  C[threadIdx.x] = B[threadIdx.x];
}

KERNEL(out_of_memory, BLOCKSIZE* BLOCKSIZE)
(uint M, uint N, uint K, float alpha, gmem<const float> A, gmem<const float> B, float beta,
 gmem<float> C) {
  C[threadIdx.x] = B[threadIdx.x];
  __syncthreads();
  if (THE_CULPRIT) throw std::bad_alloc();
  C[threadIdx.x] = B[threadIdx.x];
}

KERNEL(load_past_the_end, BLOCKSIZE* BLOCKSIZE)
(uint M, uint N, uint K, float alpha, gmem<const float> A, gmem<const float> B, float beta,
 gmem<float> C) {
  if (THE_CULPRIT) PLANTED(C[0] = A[M * K]);
}

KERNEL(load_before_the_start, BLOCKSIZE* BLOCKSIZE)
(uint M, uint N, uint K, float alpha, gmem<const float> A, gmem<const float> B, float beta,
 gmem<float> C) {
  if (THE_CULPRIT) PLANTED(C[0] = (B + -3)[1]);
}

KERNEL(wide_load_over_the_end, BLOCKSIZE* BLOCKSIZE)
(uint M, uint N, uint K, float alpha, gmem<const float> A, gmem<const float> B, float beta,
 gmem<float> C) {
  if (THE_CULPRIT) PLANTED(store4(C, load4(A + (M * K - 2))));
}

KERNEL(store_past_a_shared_array, BLOCKSIZE* BLOCKSIZE)
(uint M, uint N, uint K, float alpha, gmem<const float> A, gmem<const float> B, float beta,
 gmem<float> C) {
  SHARED(64, 64);
  Bs[threadIdx.x] = B[0];  // the array after As: on a GPU the bug would go unnoticed
  if (THE_CULPRIT) PLANTED(As[64] = A[0]);
}

KERNEL(register_past_its_array, BLOCKSIZE* BLOCKSIZE)
(uint M, uint N, uint K, float alpha, gmem<const float> A, gmem<const float> B, float beta,
 gmem<float> C) {
  REGISTERS(float, regM, 4);
  if (THE_CULPRIT) PLANTED(regM[4] = A[0]);
}

KERNEL(misaligned_global_load, BLOCKSIZE* BLOCKSIZE)
(uint M, uint N, uint K, float alpha, gmem<const float> A, gmem<const float> B, float beta,
 gmem<float> C) {
  store4(C, load4(A + 4));
  if (THE_CULPRIT) PLANTED(store4(C, load4(A + 6)));
}

KERNEL(misaligned_shared_store, BLOCKSIZE* BLOCKSIZE)
(uint M, uint N, uint K, float alpha, gmem<const float> A, gmem<const float> B, float beta,
 gmem<float> C) {
  SHARED(64, 64);
  if (THE_CULPRIT) PLANTED(store4(Bs + 9, load4(A)));
}

KERNEL(unwritten, BLOCKSIZE* BLOCKSIZE)
(uint M, uint N, uint K, float alpha, gmem<const float> A, gmem<const float> B, float beta,
 gmem<float> C) {
  SHARED(64, 65);
  As[threadIdx.x] = A[threadIdx.x];
  Bs[threadIdx.x] = B[threadIdx.x];
  __syncthreads();
  C[threadIdx.x] = As[63 - threadIdx.x];
  if (THE_CULPRIT) PLANTED(C[threadIdx.x] = Bs[64]);
}

// Thread 37 reads what thread 36 wrote with no barrier between.
KERNEL(read_after_write, BLOCKSIZE* BLOCKSIZE)
(uint M, uint N, uint K, float alpha, gmem<const float> A, gmem<const float> B, float beta,
 gmem<float> C) {
  SHARED(64, 64);
  As[threadIdx.x] = A[threadIdx.x];
  if (THE_CULPRIT) PLANTED(C[0] = As[threadIdx.x - 1]);
}

KERNEL(write_after_read, BLOCKSIZE* BLOCKSIZE)
(uint M, uint N, uint K, float alpha, gmem<const float> A, gmem<const float> B, float beta,
 gmem<float> C) {
  SHARED(64, 64);
  As[threadIdx.x] = A[threadIdx.x];
  __syncthreads();
  C[threadIdx.x] = As[threadIdx.x];
  if (THE_CULPRIT) PLANTED(As[11] = B[0]);
}

KERNEL(write_after_reads, BLOCKSIZE* BLOCKSIZE)
(uint M, uint N, uint K, float alpha, gmem<const float> A, gmem<const float> B, float beta,
 gmem<float> C) {
  SHARED(64, 64);
  As[threadIdx.x] = A[threadIdx.x];
  __syncthreads();
  C[threadIdx.x] = As[5];
  if (THE_CULPRIT) PLANTED(As[5] = B[0]);
}

KERNEL(write_after_write, BLOCKSIZE* BLOCKSIZE)
(uint M, uint N, uint K, float alpha, gmem<const float> A, gmem<const float> B, float beta,
 gmem<float> C) {
  SHARED(64, 64);
  As[threadIdx.x] = A[threadIdx.x];
  if (THE_CULPRIT) PLANTED(As[20] = B[0]);
}

// All of the above with their barriers, and a thread that meets its own words in one interval.
KERNEL(no_race, BLOCKSIZE* BLOCKSIZE)
(uint M, uint N, uint K, float alpha, gmem<const float> A, gmem<const float> B, float beta,
 gmem<float> C) {
  SHARED(64, 64);
  As[threadIdx.x] = A[threadIdx.x];
  As[threadIdx.x] = As[threadIdx.x];
  __syncthreads();
  C[threadIdx.x] = As[(threadIdx.x + 1) % 64];
  C[threadIdx.x] = As[5];
  __syncthreads();
  As[(threadIdx.x + 7) % 64] = B[0];
  __syncthreads();
  if (threadIdx.x == 3) As[5] = B[1];
  __syncthreads();
  store4(C + threadIdx.x / 4 * 4, load4(As + threadIdx.x / 4 * 4));
}

KERNEL(everybody_out_of_bounds, BLOCKSIZE* BLOCKSIZE)
(uint M, uint N, uint K, float alpha, gmem<const float> A, gmem<const float> B, float beta,
 gmem<float> C) {
  C[M * N + threadIdx.x] = A[M * K + threadIdx.x];
  C[threadIdx.x] = B[threadIdx.x];
}

#undef SHARED
#undef THE_CULPRIT

}  // namespace

namespace emulator {

using test::q;

class FaultsTest : public QObject {
  Q_OBJECT

  Workspace workspace_;

  Trace trace(const Stage& stage) {
    test::plantedLine = 0;
    return test::tracePlanted(workspace_, stage, 8, {8, 16, 8}, {1, 0});
  }

  // The kernel has exactly one fault, of this kind and here, by thread 37 of block (1, 0).
  void expectOne(const Stage& stage, FaultKind kind, const char* array, std::int64_t index,
                 std::int64_t size, bool store, int other = -1) {
    const Trace traced = trace(stage);
    QVERIFY(test::plantedLine > 0);
    QCOMPARE(traced.faults.total, std::uint64_t{1});
    const Fault& fault = traced.faults.kept.front();
    QCOMPARE(q(name(fault.kind)), q(name(kind)));
    QCOMPARE(fault.line, test::plantedLine);
    QCOMPARE(q(fault.array), QString(array));
    QCOMPARE(fault.index, index);
    QCOMPARE(fault.size, size);
    QCOMPARE(fault.store, store);
    QCOMPARE(fault.thread, 37);
    QCOMPARE(fault.otherThread, other);
    QVERIFY((fault.block == Extent{1, 0}));
    QCOMPARE(q(fault.stage), QString("planted"));
    QCOMPARE(q(fault.file), QString(test::kPlantedFile));
  }

 private slots:
  void outOfBounds() {
    using enum FaultKind;
    expectOne(test::planted<store_past_the_end>(), OutOfBounds, "C", 8 * 16 + 2, 8 * 16, true);
    expectOne(test::planted<load_past_the_end>(), OutOfBounds, "A", 64, 64, false);
    expectOne(test::planted<load_before_the_start>(), OutOfBounds, "B", -2, 128, false);
    expectOne(test::planted<wide_load_over_the_end>(), OutOfBounds, "A", 62, 64, false);
    expectOne(test::planted<store_past_a_shared_array>(), OutOfBounds, "As", 64, 64, true);
    expectOne(test::planted<register_past_its_array>(), OutOfBounds, "regM", 4, 4, false);
  }

  void misaligned() {
    using enum FaultKind;
    expectOne(test::planted<misaligned_global_load>(), Misaligned, "A", 6, 64, false);
    expectOne(test::planted<misaligned_shared_store>(), Misaligned, "Bs", 9, 64, true);
  }

  void unwrittenSharedRead() {
    expectOne(test::planted<unwritten>(), FaultKind::Unwritten, "Bs", 64, 65, false);
  }

  void races() {
    using enum FaultKind;
    expectOne(test::planted<read_after_write>(), Race, "As", 36, 64, false, 36);
    expectOne(test::planted<write_after_read>(), Race, "As", 11, 64, true, 11);
    expectOne(test::planted<write_after_write>(), Race, "As", 20, 64, true, 20);
  }

  // Threads that come after the planted store read the word again: they race too, with it alone.
  void aRaceAgainstManyReaders() {
    const Trace traced = trace(test::planted<write_after_reads>());
    QCOMPARE(traced.faults.total, std::uint64_t{1 + 64 - 38});
    const Fault& first = traced.faults.kept.front();
    QVERIFY(first.kind == FaultKind::Race && first.store);
    QCOMPARE(first.thread, 37);
    QCOMPARE(first.otherThread, -1);
    QCOMPARE(first.line, test::plantedLine);
    const Fault& second = traced.faults.kept[1];
    QVERIFY(second.kind == FaultKind::Race && !second.store);
    QCOMPARE(second.thread, 38);
    QCOMPARE(second.otherThread, 37);
  }

  void theFaultTextHasEverything() {
    const Trace traced = trace(test::planted<read_after_write>());
    QCOMPARE(q(describe(traced.faults.kept.front())),
             QString("race: load of As[36] by thread 37 of block (1, 0) against thread 36 with no "
                     "barrier in between, planted at tests/planted.cuh:%1")
                 .arg(test::plantedLine));
  }

  void otherBlocksAreInnocent() {
    const Stage stage = test::planted<store_past_the_end>();
    QVERIFY(test::tracePlanted(workspace_, stage, 8, {8, 16, 8}, {0, 0}).faults.empty());
  }

  void correctSharingIsNoRace() {
    const Trace traced = trace(test::planted<no_race>());
    QVERIFY2(traced.faults.empty(),
             traced.faults.empty() ? "" : describe(traced.faults.kept.front()).c_str());
    QCOMPARE(traced.intervals(), 5u);
  }

  void aFaultDoesNotStopTheRun() {
    const Stage stage = test::planted<everybody_out_of_bounds>();
    const Trace traced = trace(stage);
    QCOMPARE(traced.faults.total, std::uint64_t{2 * 64});
    QCOMPARE(traced.faults.kept.size(), std::size_t{32});
    // An access out of bounds touches nothing and is not recorded; the line after it runs in all
    // threads.
    for (std::uint32_t warp = 0; warp < 2; ++warp) {
      const WarpInterval view = traced.at(warp, 0);
      QCOMPARE(view.instructions.size(), std::size_t{2});
      QVERIFY(view.instructions[0].kind == Kind::GlobalLoad);
      QVERIFY(view.instructions[1].kind == Kind::GlobalStore);
      QCOMPARE(view.instructions[1].mask, 0xFFFFFFFFu);
    }
  }

  // What was traced before stays, and the next trace begins afresh.
  void withoutMemoryTheTraceEnds() {
    const Trace traced = trace(test::planted<out_of_memory>());
    QCOMPARE(traced.faults.total, std::uint64_t{1});
    const Fault& fault = traced.faults.kept.front();
    QVERIFY(fault.kind == FaultKind::OutOfMemory);
    QCOMPARE(fault.thread, 37);
    QVERIFY(q(describe(fault)).contains("choose a smaller size"));
    QVERIFY(traced.length(0) > 0);
    QVERIFY(trace(test::planted<no_race>()).faults.empty());
  }

  void aWholeProductReportsTheFaultsOfAllBlocks() {
    const Stage stage = test::planted<everybody_out_of_bounds>();
    const std::vector<float> a(8 * 8, 1.0f), b(8 * 16, 2.0f);
    std::vector<float> c(8 * 16, 0.0f);
    Gemm gemm;
    gemm.subject() = standardSubject(stage);
    gemm.problem = {8, 16, 8};
    gemm.a = a;
    gemm.b = b;
    gemm.c = c;
    const FaultLog log = runGemm(workspace_, gemm, [](const WarpInterval&) {});
    QCOMPARE(log.total, std::uint64_t{2 * 2 * 64});
    QCOMPARE(log.kept.size(), std::size_t{32});
    QCOMPARE(c[63], 2.0f);
    QCOMPARE(c[64], 0.0f);
  }
};

}  // namespace emulator
}  // namespace tileloom

TILELOOM_TEST(tileloom::emulator::FaultsTest, Nothing)
#include "faults_test.moc"
