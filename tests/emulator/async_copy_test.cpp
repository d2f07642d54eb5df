// SPDX-License-Identifier: GPL-3.0-or-later
// Asynchronous copies: what they bring, when it is there, and every way of reading it too early.
#include <QtTest>

#include "kernels/analysis/counts/totals.h"
#include "kernels/analysis/recording.h"
#include "kernels/tile/parameters.h"
#include "tests/support/planted.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom {
namespace {

#define PLANT(kernel_name)                                                                    \
  KERNEL(kernel_name, BLOCKSIZE* BLOCKSIZE)                                                   \
  (uint M, uint N, uint K, float alpha, gmem<const float> A, gmem<const float> B, float beta, \
   gmem<float> C)
#define SHARED(count_a, count_b)          \
  SHARED_TILES(As, count_a, Bs, count_b); \
  static_cast<void>(As), static_cast<void>(Bs)

PLANT(right) {
  SHARED(64, 256);
  copy_async(As + threadIdx.x, A + threadIdx.x);
  commit_copies();
  copy_async4(Bs + threadIdx.x * 4, B + threadIdx.x * 4);
  commit_copies();
  wait_copies(1);  // As is here, Bs may not be
  __syncthreads();
  C[threadIdx.x] = As[63 - threadIdx.x];
  wait_copies(0);
  __syncthreads();
  C[threadIdx.x] = Bs[4 * (63 - threadIdx.x) + 1];
}

PLANT(read_before_the_wait) {
  SHARED(64, 64);
  copy_async(As + threadIdx.x, A + threadIdx.x);
  commit_copies();
  if (threadIdx.x == 37) PLANTED(C[0] = As[37]);
  wait_copies(0);
}

PLANT(the_newest_group_is_not_here) {
  SHARED(64, 64);
  copy_async(As + threadIdx.x, A + threadIdx.x);
  commit_copies();
  copy_async(Bs + threadIdx.x, B + threadIdx.x);
  commit_copies();
  wait_copies(1);
  if (threadIdx.x == 37) PLANTED(C[0] = Bs[37]);
}

// A wait waits for groups, and this copy is in none yet.
PLANT(never_committed) {
  SHARED(64, 64);
  copy_async(As + threadIdx.x, A + threadIdx.x);
  wait_copies(0);
  if (threadIdx.x == 37) PLANTED(C[0] = As[37]);
}

PLANT(waited_but_no_barrier) {
  SHARED(64, 64);
  copy_async(As + threadIdx.x, A + threadIdx.x);
  commit_copies();
  wait_copies(0);
  if (threadIdx.x == 37) PLANTED(C[0] = As[36]);
}

// A barrier is not a wait: thread 36 has not waited for its copy.
PLANT(a_barrier_but_no_wait) {
  SHARED(64, 64);
  copy_async(As + threadIdx.x, A + threadIdx.x);
  commit_copies();
  if (threadIdx.x == 37) wait_copies(0);
  __syncthreads();
  if (threadIdx.x == 37) PLANTED(C[0] = As[36]);
  if (threadIdx.x == 37) C[0] = As[37];
}

PLANT(copied_over_what_is_read) {
  SHARED(64, 64);
  As[threadIdx.x] = A[threadIdx.x];
  __syncthreads();
  C[threadIdx.x] = As[(threadIdx.x + 1) % 64];
  if (threadIdx.x == 37) PLANTED(copy_async(As + 37, B + 0));
}

PLANT(two_copies_to_one_word) {
  SHARED(64, 64);
  if (threadIdx.x == 37) copy_async(As + 5, A + 0);
  __syncthreads();
  if (threadIdx.x == 37) PLANTED(copy_async(As + 5, A + 1));
}

PLANT(copied_past_the_end) {
  SHARED(64, 64);
  if (threadIdx.x == 37) PLANTED(copy_async4(As + 62, A + 0));
}

// A trace has 4 bits for the groups that a wait leaves in flight.
PLANT(leaves_as_many_as_a_trace_counts) {
  SHARED(64, 64);
  wait_copies(15);
}

PLANT(leaves_more_than_a_trace_counts) {
  SHARED(64, 64);
  if (threadIdx.x == 37) PLANTED(wait_copies(16));
}

}  // namespace

using emulator::FaultKind;
using emulator::Kind;

class AsyncCopyTest : public QObject {
  Q_OBJECT

  emulator::Workspace workspace_;

  template <class Kernel>
  void expect(FaultKind kind, std::int64_t index) {
    const Stage stage = test::planted<Kernel>();
    const auto trace = test::tracePlanted(workspace_, stage, 8, {32, 32, 32});
    QVERIFY(!trace.faults.empty());
    const emulator::Fault& fault = trace.faults.kept.front();
    QCOMPARE(static_cast<int>(fault.kind), static_cast<int>(kind));
    QCOMPARE(fault.line, test::plantedLine);
    QCOMPARE(fault.thread, 37);
    QCOMPARE(fault.index, index);
    QCOMPARE(trace.faults.total, std::uint64_t{1});
  }

 private slots:
  void aRightKernelHasNoFault() {
    const Stage stage = test::planted<right>();
    const auto trace = test::tracePlanted(workspace_, stage, 8, {32, 32, 32});
    QVERIFY2(trace.faults.empty(),
             trace.faults.empty() ? "" : describe(trace.faults.kept.front()).c_str());
  }

  // C receives the elements at the mirrored places of A and B.
  void theValuesArrive() {
    const Stage stage = test::planted<right>();
    std::vector<float> a(32 * 32), b(32 * 32), c(32 * 32);
    for (std::size_t i = 0; i < a.size(); ++i)
      a[i] = static_cast<float>(i), b[i] = 5000.0f + static_cast<float>(i);
    emulator::Gemm gemm;
    gemm.subject() = usualSubject(stage, {{Parameter::BLOCKSIZE, 8}});
    gemm.problem = {32, 32, 32};
    gemm.a = a, gemm.b = b, gemm.c = c;
    QVERIFY(runGemm(workspace_, gemm, [](const auto&) {}).empty());
    for (std::size_t i = 0; i < 64; ++i) QCOMPARE(c[i], b[4 * (63 - i) + 1]);
  }

  void everyWayOfReadingTooEarly() {
    expect<read_before_the_wait>(FaultKind::NotArrived, 37);
    expect<the_newest_group_is_not_here>(FaultKind::NotArrived, 37);
    expect<never_committed>(FaultKind::NotArrived, 37);
    expect<waited_but_no_barrier>(FaultKind::Race, 36);
    expect<a_barrier_but_no_wait>(FaultKind::NotArrived, 36);
  }

  void everyWayOfWritingOver() {
    expect<copied_over_what_is_read>(FaultKind::Race, 37);
    expect<two_copies_to_one_word>(FaultKind::Race, 5);
    expect<copied_past_the_end>(FaultKind::OutOfBounds, 62);
  }

  void theSentenceSaysWhatToDo() {
    const Stage stage = test::planted<read_before_the_wait>();
    const auto trace = test::tracePlanted(workspace_, stage, 8, {32, 32, 32});
    QVERIFY(test::q(describe(trace.faults.kept.front()))
                .startsWith("read of shared memory before its asynchronous copy was waited for: "
                            "load of As[37] by thread 37"));
  }

  void groupsThatATraceCannotCountAreTold() {
    const Stage most = test::planted<leaves_as_many_as_a_trace_counts>();
    const auto whole = test::tracePlanted(workspace_, most, 8, {32, 32, 32});
    QVERIFY(whole.faults.empty());
    QCOMPARE(static_cast<int>(whole.at(0, 0).instructions.back().width), 15);
    expect<leaves_more_than_a_trace_counts>(FaultKind::OutOfBounds, 0);
    const Stage more = test::planted<leaves_more_than_a_trace_counts>();
    const auto trace = test::tracePlanted(workspace_, more, 8, {32, 32, 32});
    const QString said = test::q(describe(trace.faults.kept.front()));
    QVERIFY2(said.contains("at most 16 groups") && said.contains("room for 15"), qPrintable(said));
    const auto last = trace.at(1, 0).instructions.back();
    QVERIFY(last.kind == Kind::CopyWait);  // and not the kind with the next number
    QCOMPARE(last.mask, 1u << 5);
  }

  // In the recording a copy is one instruction with its words of shared memory and its sectors, and
  // shared memory shows its words from the wait on.
  void whatTheRecordingKnows() {
    const Stage stage = test::planted<right>();
    const analysis::Recording r(test::tracePlanted(workspace_, stage, 8, {32, 32, 32}));
    std::vector<std::uint32_t> copies, waits;
    for (std::uint32_t i = 0; i < r.trace.length(0); ++i) {
      const auto p = r.trace.position(0, i);
      const auto kind = r.trace.at(0, p.interval).instructions[p.instruction].kind;
      if (kind == Kind::AsyncCopy) copies.push_back(i);
      if (kind == Kind::CopyWait) waits.push_back(i);
    }
    QCOMPARE(copies.size(), std::size_t{2});
    QCOMPARE(waits.size(), std::size_t{2});
    const auto narrow = r.moment(0, copies[0]), wide = r.moment(0, copies[1]);
    QCOMPARE(narrow.cost.global.sectors, 4u);
    QCOMPARE(narrow.cost.shared.count, 1u);
    QCOMPARE(wide.cost.global.sectors, 16u);
    QCOMPARE(wide.cost.shared.count, 4u);
    QCOMPARE(wide.cost.shared.conflicts(), 0u);
    QCOMPARE(r.totals().asyncInstructions, std::uint64_t{4});  // of two warps
    QCOMPARE(r.totals().asyncSectors, std::uint64_t{40});
    QCOMPARE(r.totals().sharedStoreInstructions, std::uint64_t{0});
    const auto known = [&](std::uint32_t array, std::uint32_t at) {
      const auto words = r.contents(array, 0, at);
      return std::ranges::count_if(words, &emulator::Provenance::known);
    };
    QCOMPARE(known(3, copies[1]), 0);
    QCOMPARE(known(3, waits[0]), 64);
    QCOMPARE(known(4, waits[0]), 0);
    QCOMPARE(known(4, waits[1]), 256);
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::AsyncCopyTest, Nothing)
#include "async_copy_test.moc"
