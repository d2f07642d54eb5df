// SPDX-License-Identifier: GPL-3.0-or-later
// Warps with roles: one planted bug for each thing that can go wrong with their meetings, their
// arrivals and the registers that they move.
#include <QtTest>

#include "tests/support/planted_sentence.h"
#include "tests/support/test_class.h"

namespace tileloom {
namespace {

// Two warpgroups that multiply nothing, and a third one: 384 threads with 168 registers each.
BOXES(planted, BOX(A, SWIZZLE / 2, BM, SWIZZLE), BOX(B, SWIZZLE / 2, BK, SWIZZLE));

#define PLANT(kernel_name)                         \
  ROLES_KERNEL(kernel_name, (CONSUMERS + 1) * 128) \
  (uint M, uint N, uint K, TENSOR A, TENSOR B, gmem<element> C)
#define ROOM                                                           \
  SHARED_BOXES_AND(As, BM* BK, Bs, BK* BN, Cs, 64 * BN);               \
  BARRIER_PAIRS(full, empty, 2);                                       \
  REGISTERS(float, acc, 2);                                            \
  const uint group = threadIdx.x / 128, lane = threadIdx.x % 32;       \
  static_cast<void>(As), static_cast<void>(Bs), static_cast<void>(Cs); \
  static_cast<void>(full), static_cast<void>(empty);                   \
  static_cast<void>(acc), static_cast<void>(group), static_cast<void>(lane)
#define HALVES pack(acc[0], acc[1])

PLANT(right) {
  ROOM;
  if (threadIdx.x == 0) start(full, 1), start(empty, 2), publish_barriers();
  __syncthreads();
  ROLE(producer, group == 2) {
    keep_registers(24);
    if (threadIdx.x % 128 == 0) {
      expect(full, BM * BK * 2);
      load_box(As, A, 0, 0, full);
      wait(empty, 0);
    }
  }
  OTHERS(consumers) {
    take_registers(240);
    wait(full, 0);
    store2(Cs + threadIdx.x * 2, HALVES);
    meet(1, 256);
    store2(Cs + (255 - threadIdx.x) * 2, HALVES);
    meet_warp();
    store2(Cs + (255 - (threadIdx.x ^ 1)) * 2, HALVES);
    if (threadIdx.x % 128 == 0) arrive(empty);
  }
}

// ---- meetings

PLANT(stored_without_a_meeting) {
  ROOM;
  if (group < 2) store2(Cs + threadIdx.x * 2, HALVES);
  if (threadIdx.x == 255) PLANTED(store2(Cs, HALVES));
}

// Threads that met at another barrier have not met these.
PLANT(met_elsewhere) {
  ROOM;
  if (group < 2) store2(Cs + threadIdx.x * 2, HALVES);
  meet(1 + group, 128);
  if (threadIdx.x == 255) PLANTED(store2(Cs, HALVES));
}

PLANT(only_warps_have_met) {
  ROOM;
  if (group < 2) store2(Cs + threadIdx.x * 2, HALVES);
  meet_warp();
  if (threadIdx.x == 255) PLANTED(store2(Cs, HALVES));
}

PLANT(lanes_that_have_not_met) {
  ROOM;
  if (threadIdx.x == 0) store2(Cs, HALVES);
  if (threadIdx.x == 1) PLANTED(store2(Cs, HALVES));
}

PLANT(a_warp_does_not_come) {
  ROOM;
  if (group < 2 && threadIdx.x / 32 != 5) PLANTED(meet(1, 256));
}

PLANT(a_lane_does_not_come) {
  ROOM;
  if (threadIdx.x != 37) PLANTED(meet_warp());
}

PLANT(another_number_of_threads) {
  ROOM;
  if (group == 0) meet(1, 256);
  if (group == 1) PLANTED(meet(1, 128));
}

PLANT(part_of_a_warp) {
  ROOM;
  if (threadIdx.x == 37) PLANTED(meet(1, 48));
}

PLANT(more_than_there_are) {
  ROOM;
  if (threadIdx.x == 37) PLANTED(meet(1, 416));
}

PLANT(the_barrier_of_syncthreads) {
  ROOM;
  if (threadIdx.x == 37) PLANTED(meet(0, 128));
}

PLANT(a_barrier_that_no_block_has) {
  ROOM;
  if (threadIdx.x == 37) PLANTED(meet(16, 128));
}

// ---- arrivals

PLANT(arrival_before_the_start) {
  ROOM;
  if (threadIdx.x == 37) PLANTED(arrive(empty));
}

PLANT(two_arrivals_in_a_row) {
  ROOM;
  if (threadIdx.x == 0) start(empty, 1);
  __syncthreads();
  if (threadIdx.x == 37) arrive(empty);
  if (threadIdx.x == 37) PLANTED(arrive(empty));
}

PLANT(one_arrival_too_few) {
  ROOM;
  if (threadIdx.x == 0) start(empty, 2);
  __syncthreads();
  if (threadIdx.x == 128) arrive(empty);
  if (group == 2) PLANTED(wait(empty, 0));
}

// Events after an arrival are unknown to the threads that wait for it.
PLANT(stored_behind_the_arrival) {
  ROOM;
  if (threadIdx.x == 0) start(empty, 1);
  __syncthreads();
  if (threadIdx.x == 0) {
    store2(Cs, HALVES);
    arrive(empty);
    store2(Cs + 2, HALVES);
  }
  if (threadIdx.x == 256) {
    wait(empty, 0);
    store2(Cs, HALVES);
    PLANTED(store2(Cs + 2, HALVES));
  }
}

// ---- registers

PLANT(more_than_it_has) {
  ROOM;
  if (group == 2) PLANTED(keep_registers(176));
}

PLANT(fewer_than_it_has) {
  ROOM;
  if (group == 0) PLANTED(take_registers(160));
}

PLANT(no_multiple_of_eight) {
  ROOM;
  if (group == 2) PLANTED(keep_registers(28));
}

PLANT(more_than_any_has) {
  ROOM;
  if (group == 0) PLANTED(take_registers(264));
}

PLANT(nobody_gives_any) {
  ROOM;
  if (group == 0) PLANTED(take_registers(176));
}

PLANT(more_than_the_pool) {
  ROOM;
  if (group == 2) keep_registers(24);
  if (group < 2) PLANTED(take_registers(248));
}

PLANT(a_lane_keeps_them_all) {
  ROOM;
  if (group == 2 && threadIdx.x != 293) PLANTED(keep_registers(24));
}

PLANT(a_warp_takes_none) {
  ROOM;
  if (group == 2) keep_registers(24);
  if (group == 0 && threadIdx.x / 32 != 1) PLANTED(take_registers(240));
}

}  // namespace

using emulator::FaultKind;
using test::q;

class RolesTest : public QObject {
  Q_OBJECT

  emulator::Workspace workspace_;

  template <class Kernel>
  emulator::Trace traceOf() {
    static const Stage stage =
        test::plantedHopper<Kernel>(planted_boxes, Warpgroup{.roles = true, .registerPool = true});
    test::plantedLine = 0;
    emulator::TraceRequest request;
    request.subject() = usualSubject(
        stage, stage.standardTile().with(Parameter::CONSUMERS, 2).with(Parameter::BM, 128));
    request.problem = {128, 64, 64};
    return emulator::traceBlock(workspace_, request);
  }

  template <class Kernel>
  QString sentence(FaultKind kind) {
    return test::sentenceOf(traceOf<Kernel>().faults, kind);
  }

 private slots:
  void aRightKernelHasNoFault() {
    const emulator::Trace trace = traceOf<right>();
    QVERIFY2(trace.faults.empty(),
             trace.faults.empty() ? "" : describe(trace.faults.kept.front()).c_str());
    QCOMPARE(trace.roles.size(), std::size_t{12});
    for (std::size_t warp = 0; warp < 12; ++warp)
      QCOMPARE(q(trace.roles[warp]), QString(warp < 8 ? "consumers" : "producer"));
  }

  void whoHasNotMet() {
    using enum FaultKind;
    QCOMPARE(sentence<stored_without_a_meeting>(Race),
             QString("race: store of Cs[0] by thread 255 of block (0, 0) against thread 0 with no "
                     "barrier in between"));
    QCOMPARE(sentence<met_elsewhere>(Race),
             QString("race: store of Cs[0] by thread 255 of block (0, 0) against thread 0 with no "
                     "barrier in between"));
    QCOMPARE(sentence<only_warps_have_met>(Race),
             QString("race: store of Cs[0] by thread 255 of block (0, 0) against thread 0 with no "
                     "barrier in between"));
    QCOMPARE(sentence<lanes_that_have_not_met>(Race),
             QString("race: store of Cs[0] by thread 1 of block (0, 0) against thread 0 with no "
                     "barrier in between"));
  }

  void meetingsThatNeverEnd() {
    using enum FaultKind;
    QCOMPARE(sentence<a_warp_does_not_come>(Deadlock),
             QString("deadlock: thread 0 of block (0, 0) and all others that have not ended wait "
                     "forever: 224 threads from 0 on wait in line L for 256 threads at barrier 1, "
                     "and 224 have arrived"));
    QCOMPARE(
        sentence<a_lane_does_not_come>(Deadlock),
        QString(
            "deadlock: thread 32 of block (0, 0) and all others that have not ended wait forever: "
            "31 threads from 32 on wait in line L for all lanes of its warp, and 31 have arrived"));
  }

  void meetingsThatAreNone() {
    using enum FaultKind;
    QCOMPARE(sentence<another_number_of_threads>(Disagreement),
             QString("lanes of a warp disagree: thread 128 of block (0, 0) meets 128 threads at "
                     "barrier 1, but 256 are to meet there by line L-1"));
    QCOMPARE(sentence<part_of_a_warp>(Disagreement),
             QString("lanes of a warp disagree: thread 37 of block (0, 0) meets 48 threads at "
                     "barrier 1: they must be whole warps, and the block has 12"));
    QCOMPARE(sentence<more_than_there_are>(Disagreement),
             QString("lanes of a warp disagree: thread 37 of block (0, 0) meets 416 threads at "
                     "barrier 1: they must be whole warps, and the block has 12"));
    QCOMPARE(sentence<the_barrier_of_syncthreads>(OutOfBounds),
             QString("out of bounds: thread 37 of block (0, 0) meets at barrier 0, but a block has "
                     "barriers 1 to 15 for this, besides that of __syncthreads()"));
    QCOMPARE(sentence<a_barrier_that_no_block_has>(OutOfBounds),
             QString("out of bounds: thread 37 of block (0, 0) meets at barrier 16, but a block "
                     "has barriers 1 to 15 for this, besides that of __syncthreads()"));
  }

  void arrivals() {
    using enum FaultKind;
    QCOMPARE(sentence<arrival_before_the_start>(NoFence),
             QString("missing fence: thread 37 of block (0, 0) uses empty[0] in arrive before any "
                     "thread has started it"));
    QCOMPARE(sentence<two_arrivals_in_a_row>(EarlyArrival),
             QString("arrival before the last phase was seen to end: thread 37 of block (0, 0) "
                     "arrives at empty[0] in phase 1 and has not waited for phase 0 to end"));
    QCOMPARE(
        sentence<one_arrival_too_few>(Deadlock),
        QString(
            "deadlock: thread 256 of block (0, 0) and all others that have not ended wait forever: "
            "128 threads from 256 on wait in line L for the end of phase 0 of empty[0]: it lacks 1 "
            "of 2 arrivals, and thread 128, which arrived last (line L-1), has ended"));
    QCOMPARE(sentence<stored_behind_the_arrival>(Race),
             QString("race: store of Cs[2] by thread 256 of block (0, 0) against thread 0 with no "
                     "barrier in between"));
  }

  void registersThatNobodyMayHave() {
    using enum FaultKind;
    QCOMPARE(sentence<more_than_it_has>(Registers),
             QString("register pool: thread 256 of block (0, 0) is to keep 176 registers per "
                     "thread but has 168"));
    QCOMPARE(sentence<fewer_than_it_has>(Registers),
             QString("register pool: thread 0 of block (0, 0) is to take up to 160 registers per "
                     "thread but already has 168"));
    QCOMPARE(sentence<no_multiple_of_eight>(Registers),
             QString("register pool: thread 256 of block (0, 0) sets its warp to 28 registers per "
                     "thread in keep_registers: choose a multiple of 8 from 24 to 256"));
    QCOMPARE(sentence<more_than_any_has>(Registers),
             QString("register pool: thread 0 of block (0, 0) sets its warp to 264 registers per "
                     "thread in take_registers: choose a multiple of 8 from 24 to 256"));
  }

  void registersThatNobodyGives() {
    using enum FaultKind;
    QCOMPARE(sentence<nobody_gives_any>(Deadlock),
             QString("deadlock: thread 0 of block (0, 0) and all others that have not ended wait "
                     "forever: 128 threads from 0 on wait in line L for 176 registers per thread "
                     "of its warp instead of 168: 256 are missing, and the block's pool has 0"));
    QCOMPARE(sentence<more_than_the_pool>(Deadlock),
             QString("deadlock: thread 224 of block (0, 0) and all others that have not ended wait "
                     "forever: 32 threads from 224 on wait in line L for 248 registers per thread "
                     "of its warp instead of 168: 2560 are missing, and the block's pool has 512"));
  }

  void registersThatNotAllMove() {
    using enum FaultKind;
    QCOMPARE(
        sentence<a_lane_keeps_them_all>(Disagreement),
        QString("lanes of a warp disagree: thread 293 of block (0, 0) executes keep_registers 0 "
                "times, and lane 0 of its warp once: all 32 lanes must execute it together"));
    QCOMPARE(sentence<a_warp_takes_none>(Disagreement),
             QString("lanes of a warp disagree: thread 32 of block (0, 0) and its warp execute "
                     "take_registers 0 times, and warp 0 once: the four warps of a warpgroup must "
                     "execute it together"));
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::RolesTest, Nothing)
#include "roles_test.moc"
