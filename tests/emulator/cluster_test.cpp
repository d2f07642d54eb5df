// SPDX-License-Identifier: GPL-3.0-or-later
// Blocks of a cluster: what they do to each other, and one planted bug for each thing that can go
// wrong with it.
#include <QtTest>

#include "tests/support/planted_sentence.h"
#include "tests/support/test_class.h"

namespace tileloom {
namespace {

// Two blocks, one below the other, of one warpgroup each, and half a box of B for each.
BOXES(planted, BOX(A, SWIZZLE / 2, BM, SWIZZLE), BOX(B, SWIZZLE / 2, BK / CLUSTER, SWIZZLE));

#define PLANT(kernel_name)                     \
  CLUSTER_KERNEL(kernel_name, CONSUMERS * 128) \
  (uint M, uint N, uint K, TENSOR A, TENSOR B, gmem<element> C)
#define ROOM                                                \
  SHARED_BOXES(As, BM* BK, Bs, BK* BN);                     \
  BARRIER_PAIRS(full, empty, 2);                            \
  FRAGMENTS(r, 4);                                          \
  const uint rank = blockIdx.y % CLUSTER, other = 1 - rank; \
  const bool one = threadIdx.x == 0;                        \
  static_cast<void>(As), static_cast<void>(Bs);             \
  static_cast<void>(full), static_cast<void>(empty);        \
  static_cast<void>(r), static_cast<void>(rank), static_cast<void>(other), static_cast<void>(one)
#define START                                                                       \
  ROOM;                                                                             \
  if (one) start(full, 1), start(full + 1, 1), start(empty, 2), publish_barriers(); \
  meet_cluster()
// Each block's half of a panel of B, for both.
#define HALF_BOX(ranks) load_box_to(ranks, Bs + rank * 16 * 32, B, 0, rank * 16, full)
#define BYTES (BK * 32 * 2)

PLANT(right) {
  START;
  for (uint round = 0; round < 3; ++round) {
    if (one && round > 0) wait(empty, (round - 1) % 2);
    if (one) expect(full, BYTES), HALF_BOX(3);
    wait(full, round % 2);
    load_matrices(r, Bs + threadIdx.x % 32 * 32);
    fence_async();
    __syncthreads();
    if (threadIdx.x < 2) arrive_at(empty, threadIdx.x);
  }
  meet_cluster();
}

// ---- barriers of another block

PLANT(arrival_before_they_met) {
  ROOM;
  if (one) start(empty, 2), publish_barriers();
  __syncthreads();
  if (one && rank == 1) PLANTED(arrive_at(empty, 0));
  meet_cluster();
}

PLANT(arrival_at_no_block) {
  START;
  if (one && rank == 1) PLANTED(arrive_at(empty, 2));
  meet_cluster();
}

PLANT(arrival_at_a_block_that_may_have_ended) {
  START;
  if (one && rank == 1) PLANTED(arrive_at(empty, 0));
}

// The block that is arrived at has ended, and the other one meets itself.
PLANT(arrival_at_a_block_that_does_not_meet) {
  START;
  if (one && rank == 1) PLANTED(arrive_at(empty, 0));
  if (rank == 1) meet_cluster();
}

PLANT(two_arrivals_in_a_row) {
  START;
  if (one && rank == 1) arrive_at(empty, 0), arrive_at(empty, 0);
  if (one && rank == 1) PLANTED(arrive_at(empty, 0));
  meet_cluster();
}

PLANT(an_arrival_too_few) {
  START;
  if (one && rank == 1) arrive_at(empty, 0);
  if (one && rank == 0) PLANTED(wait(empty, 0));
  meet_cluster();
}

// ---- boxes for another block

PLANT(box_for_no_block) {
  START;
  if (one) expect(full, BYTES);
  if (one && rank == 0) PLANTED(HALF_BOX(7));
  if (one && rank == 1) HALF_BOX(3);
  wait(full, 0);
  meet_cluster();
}

PLANT(box_for_the_other_alone) {
  START;
  if (one && rank == 0) expect(full, 1024);
  if (one && rank == 1) PLANTED(HALF_BOX(1));
  meet_cluster();
}

PLANT(box_before_they_met) {
  ROOM;
  if (one) start(full, 1), publish_barriers();
  __syncthreads();
  if (one) expect(full, BYTES);
  if (one && rank == 0) PLANTED(HALF_BOX(3));
  if (one && rank == 1) HALF_BOX(3);
  wait(full, 0);
  meet_cluster();
}

PLANT(box_for_a_block_that_may_have_ended) {
  START;
  if (one) expect(full, 1024);
  if (one && rank == 1) PLANTED(HALF_BOX(3));
  if (rank == 1) wait(full, 0);
}

PLANT(read_before_the_wait) {
  START;
  if (one) expect(full, BYTES), HALF_BOX(3);
  meet_cluster();
  if (rank == 0) PLANTED(load_matrices(r, Bs + (16 + threadIdx.x % 16) * 32));
  wait(full, 0);
  meet_cluster();
}

// A wait of the other block is not known here.
PLANT(box_over_a_box_of_the_other) {
  START;
  if (one) expect(full, BYTES), HALF_BOX(3);
  wait(full, 0);
  if (one) expect(full, BYTES);
  if (one && rank == 0) PLANTED(HALF_BOX(3));
  if (one && rank == 1) HALF_BOX(3);
  wait(full, 1);
  meet_cluster();
}

// It says that it is done before it reads.
PLANT(box_over_a_read_of_the_other) {
  START;
  if (one) expect(full, BYTES), HALF_BOX(3);
  wait(full, 0);
  if (threadIdx.x < 2) arrive_at(empty, threadIdx.x);
  if (rank == 1) load_matrices(r, Bs + threadIdx.x % 32 * 32);
  wait(full, 0);  // a turn for all
  if (one) wait(empty, 0), expect(full, BYTES);
  if (one && rank == 0) PLANTED(HALF_BOX(3));
  if (one && rank == 1) HALF_BOX(3);
  wait(full, 1);
  meet_cluster();
}

PLANT(bytes_of_one_half) {
  START;
  if (one) expect(full, BYTES);
  if (one && rank == 0) HALF_BOX(3);
  if (rank == 0) PLANTED(wait(full, 0));
  meet_cluster();
}

// ---- meetings

PLANT(a_warp_sleeps_elsewhere) {
  START;
  if (rank == 0 && threadIdx.x / 32 == 2) wait(full, 0);
  PLANTED(meet_cluster());
}

PLANT(a_lane_ends_before) {
  START;
  if (rank == 1 || threadIdx.x != 37) PLANTED(meet_cluster());
}

}  // namespace

using emulator::FaultKind;
using test::q;

class ClusterTest : public QObject {
  Q_OBJECT

  emulator::Workspace workspace_;

  template <class Kernel>
  emulator::Trace traceOf(int rank = 0) {
    static const Stage stage =
        test::plantedHopper<Kernel>(planted_boxes, Warpgroup{}, {{Parameter::CLUSTER, 2}});
    test::plantedLine = 0;
    emulator::TraceRequest request;
    request.subject() = standardSubject(stage);
    request.problem = {128, 64, 64};
    request.block = {0, rank};
    return emulator::traceBlock(workspace_, request);
  }

  template <class Kernel>
  QString sentence(FaultKind kind) {
    return test::sentenceOf(traceOf<Kernel>().faults, kind);
  }

 private slots:
  void aRightKernelHasNoFault() {
    for (const int rank : {0, 1}) {
      const emulator::Trace trace = traceOf<right>(rank);
      QVERIFY2(trace.faults.empty(),
               trace.faults.empty() ? "" : describe(trace.faults.kept.front()).c_str());
      QCOMPARE(trace.cluster, 2u);
      QCOMPARE(trace.rank, std::uint32_t(rank));
      // Boxes of both have arrived, each counted at its receiver.
      QCOMPARE(trace.boxes.size(), std::size_t{6});
      std::size_t ofOther = 0;
      for (const emulator::BoxRecord& box : trace.boxes) {
        QCOMPARE(box.ranks, 3u);
        QCOMPARE(box.bytes, 1024u);
        QCOMPARE(box.y, int(box.rank) * 16);
        ofOther += box.rank != std::uint32_t(rank) ? 1 : 0;
      }
      QCOMPARE(ofOther, std::size_t{3});
      QCOMPARE(trace.remoteArrivals.size(), std::size_t{3});
      for (std::uint32_t i = 0; i < 3; ++i) {
        QCOMPARE(trace.remoteArrivals[i].rank, std::uint32_t(1 - rank));
        QCOMPARE(trace.remoteArrivals[i].phase, i);
        QCOMPARE(trace.remoteArrivals[i].warp, 0u);
      }
    }
  }

  void barriersOfAnotherBlock() {
    using enum FaultKind;
    QCOMPARE(
        sentence<arrival_before_they_met>(NoFence),
        QString("missing fence: thread 0 of block (0, 1) uses empty[0] of the block with rank 0 in "
                "arrive_at, which thread 0 has started with no meet_cluster() in between"));
    QCOMPARE(
        sentence<arrival_at_no_block>(OutOfBounds),
        QString("out of bounds: thread 0 of block (0, 1) arrives at a barrier of the block with"
                " rank 2, and its cluster has 2"));
    QCOMPARE(
        sentence<arrival_at_a_block_that_may_have_ended>(NoFence),
        QString(
            "missing fence: thread 0 of block (0, 1) arrives at a barrier of the block with rank "
            "0, which may already have ended: both must execute a meet_cluster() afterwards"));
    QCOMPARE(
        sentence<arrival_at_a_block_that_does_not_meet>(NoFence),
        QString(
            "missing fence: thread 0 of block (0, 1) arrives at a barrier of the block with rank "
            "0, which may already have ended: both must execute a meet_cluster() afterwards"));
    QCOMPARE(
        sentence<two_arrivals_in_a_row>(EarlyArrival),
        QString("arrival before the last phase was seen to end: thread 0 of block (0, 1) "
                "arrives at empty[0] of the block with rank 0 in phase 1 and has not waited for"
                " phase 0 to end"));
    QCOMPARE(sentence<an_arrival_too_few>(Deadlock),
             QString("deadlock: thread 0 of block (0, 0) and all others that have not ended wait "
                     "forever: thread 0 waits in line L for the end of phase 0 of empty[0]: it "
                     "lacks 1 of 2 arrivals, and thread 0 of the block with rank 1, which arrived "
                     "last (line L-1), waits, too; 127 threads from 1 on wait at the "
                     "meet_cluster() of line L+1, which not all threads reach"));
  }

  void boxesForAnotherBlock() {
    using enum FaultKind;
    QCOMPARE(sentence<box_for_no_block>(OutOfBounds),
             QString("out of bounds: thread 0 of block (0, 0) requests a box for the block with "
                     "rank 2, and its cluster has 2"));
    QCOMPARE(
        sentence<box_for_the_other_alone>(OutOfBounds),
        QString("out of bounds: thread 0 of block (0, 1) requests a box that its own block does "
                "not receive, which the emulator does not support: include the block's own rank"));
    QCOMPARE(
        sentence<box_before_they_met>(NoFence),
        QString("missing fence: thread 0 of block (0, 0) uses full[0] of the block with rank 1 in "
                "load_box, which thread 0 has started with no meet_cluster() in between"));
    QCOMPARE(
        sentence<box_for_a_block_that_may_have_ended>(NoFence),
        QString("missing fence: thread 0 of block (0, 1) requests a box for the block with rank 0, "
                "which may already have ended: both must execute a meet_cluster() afterwards"));
    QCOMPARE(
        sentence<read_before_the_wait>(NotArrived),
        QString("read of shared memory before its asynchronous copy was waited for: thread 0 of"
                " block (0, 0) reads Bs[512], of the box of B at row 16 and column 0 (line "
                "L-2), and has not waited for phase 0 of full[0]"));
    QCOMPARE(
        sentence<box_over_a_box_of_the_other>(Race),
        QString("race: thread 0 of block (0, 0) overwrites Bs[0] of the block with rank 1, of "
                "the box of B at row 0 and column 0 (line L-3), and has not waited for phase 0 "
                "of full[0]"));
    QCOMPARE(sentence<box_over_a_read_of_the_other>(Race),
             QString("race: thread 0 of block (0, 0) overwrites Bs[0] of the block with rank 1, "
                     "which thread 0 of the block with rank 1 reads with no barrier in between"));
    QCOMPARE(sentence<bytes_of_one_half>(Deadlock),
             QString("deadlock: thread 0 of block (0, 0) and all others that have not ended wait "
                     "forever: 128 threads from 0 on wait in line L for the end of phase 0 of "
                     "full[0]: of 2048 expected bytes, 1 TMA load brings 1024: the box of B at row "
                     "0 and column 0 (line L-1)"));
  }

  void meetings() {
    using enum FaultKind;
    QCOMPARE(
        sentence<a_warp_sleeps_elsewhere>(Deadlock),
        QString("deadlock: thread 0 of block (0, 0) and all others that have not ended wait "
                "forever: 96 threads from 0 on wait at the meet_cluster() of line L, which not all "
                "threads reach; 32 threads from 64 on wait in line L-1 for the end of phase 0 of "
                "full[0]: it lacks 1 of 1 arrival, and no thread has ever arrived at it"));
    QCOMPARE(
        sentence<a_lane_ends_before>(Disagreement),
        QString("lanes of a warp disagree: thread 37 of block (0, 0) executes meet_cluster once, "
                "and lane 0 of its warp 2 times: all 32 lanes must execute it together"));
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::ClusterTest, Nothing)
#include "cluster_test.moc"
