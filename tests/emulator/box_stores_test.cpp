// SPDX-License-Identifier: GPL-3.0-or-later
// TMA stores of C: the results of stmatrix and TMA, and one planted bug for each possible fault.
#include <QtTest>

#include "tests/support/planted_sentence.h"
#include "tests/support/random.h"
#include "tests/support/test_class.h"

namespace tileloom {
namespace {

// One warpgroup, a tile of C of 64 x 64 in two panels of 32 columns.
BOXES(planted, BOX(A, SWIZZLE / 2, BM, SWIZZLE), BOX(B, SWIZZLE / 2, BK, SWIZZLE),
      BOX(C, SWIZZLE / 2, 64, SWIZZLE));

#define PLANT(kernel_name)                    \
  STORED_KERNEL(kernel_name, CONSUMERS * 128) \
  (uint M, uint N, uint K, TENSOR A, TENSOR B, TENSOR C)
#define ROOM                                                             \
  SHARED_BOXES_AND(As, BM* BK, Bs, BK* BN, Cs, 64 * BN);                 \
  BARRIERS(full, 2);                                                     \
  REGISTERS(float, acc, BN / 2);                                         \
  FRAGMENTS(c, 4);                                                       \
  const bool one = threadIdx.x == 0;                                     \
  const uint row = threadIdx.x / 32 * 16 + threadIdx.x % 16;             \
  const uint half = threadIdx.x % 32 / 16;                               \
  static_cast<void>(As), static_cast<void>(Bs), static_cast<void>(Cs);   \
  static_cast<void>(full), static_cast<void>(acc), static_cast<void>(c); \
  static_cast<void>(one), static_cast<void>(row), static_cast<void>(half)
#define START                                                      \
  ROOM;                                                            \
  if (one) start(full, 1), start(full + 1, 1), publish_barriers(); \
  __syncthreads()
// In rows of 64 bytes, 16-byte chunks are at their number XOR that of their pair of rows.
#define CHUNK(n) (row * 4 + (n) / 8 + half)
#define PLACE(panel, n) (Cs + (panel)*64 * 32 + (CHUNK(n) ^ (CHUNK(n) / 8 & 3)) * 8)
#define FILL(panel) store_matrices(PLACE(panel, 0), c), store_matrices(PLACE(panel, 16), c)
#define LEAVE(panel) store_box(C, (panel)*32, 0, Cs + (panel)*64 * 32)
// Sums that are stored to C.
#define TURN                                                               \
  for (uint n = 0; n < BN; n += 16) {                                      \
    for (uint part = 0; part < 4; ++part)                                  \
      pack_to(c + part, acc[n / 2 + 2 * part], acc[n / 2 + 2 * part + 1]); \
    store_matrices(PLACE(n / 32, n % 32), c);                              \
  }                                                                        \
  static_cast<void>(0)

PLANT(right) {
  START;
  for (uint k = 0; k < K; k += BK) {
    if (one) {
      expect(full, (BM + BN) * BK * 2);
      load_box(As, A, k, 0, full);
      load_box(Bs, B, 0, k, full), load_box(Bs + BK * 32, B, 32, k, full);
    }
    wait(full, k / BK % 2);
    fence_products();
    for (uint step = 0; step < BK; step += 16) {
      multiply_add_group(acc, BN, operand(As + step, 16, 8 * SWIZZLE, SWIZZLE),
                         operand(Bs + step * 32, BK * SWIZZLE, 8 * SWIZZLE, SWIZZLE));
    }
    commit_products();
    wait_products(0);
    __syncthreads();
  }
  TURN;
  fence_async();
  meet_group();
  if (one) LEAVE(0), LEAVE(1), commit_boxes(), wait_boxes(0);
}

// Sums that only their own thread adds to.
PLANT(own_sums) {
  ROOM;
  for (uint i = 0; i < BN / 2; ++i) acc[i] += acc[i] * acc[i];
  TURN;
  fence_async();
  meet_group();
  if (one) LEAVE(0), LEAVE(1), commit_boxes(), wait_boxes(0);
}

// Two panels in flight; the first one is used again when it has been read.
PLANT(right_panels) {
  ROOM;
  for (uint i = 0; i < 5; ++i) {
    if (one) wait_boxes(1);
    meet_group();
    FILL(i % 2);
    fence_async();
    meet_group();
    if (one) LEAVE(i % 2), commit_boxes();
  }
  if (one) wait_boxes(0);
}

// ---- before it may be read

PLANT(no_fence) {
  ROOM;
  FILL(0);
  meet_group();
  if (one) PLANTED(LEAVE(0));
  if (one) commit_boxes(), wait_boxes(0);
}

PLANT(a_warp_without_fence) {
  ROOM;
  FILL(0);
  if (threadIdx.x / 32 != 2) fence_async();
  meet_group();
  if (one) PLANTED(LEAVE(0));
  if (one) commit_boxes(), wait_boxes(0);
}

PLANT(fence_of_who_asks_alone) {
  ROOM;
  FILL(0);
  if (threadIdx.x < 32) fence_async();
  meet_group();
  if (one) PLANTED(LEAVE(0));
  if (one) commit_boxes(), wait_boxes(0);
}

PLANT(no_meeting) {
  ROOM;
  FILL(0);
  fence_async();
  if (threadIdx.x == 96) PLANTED(LEAVE(0));
  if (threadIdx.x == 96) commit_boxes(), wait_boxes(0);
}

PLANT(nothing_there) {
  ROOM;
  if (one) PLANTED(LEAVE(0));
  if (one) commit_boxes(), wait_boxes(0);
}

PLANT(sum_under_way) {
  START;
  if (one) expect(full, BM * BK * 2 + 32 * BK * 2 * 2);
  if (one) load_box(As, A, 0, 0, full), load_box(Bs, B, 0, 0, full);
  if (one) load_box(Bs + BK * 32, B, 32, 0, full);
  wait(full, 0);
  fence_products();
  multiply_add_group(acc, BN, operand(As, 16, 8 * SWIZZLE, SWIZZLE),
                     operand(Bs, BK * SWIZZLE, 8 * SWIZZLE, SWIZZLE));
  commit_products();
  if (threadIdx.x == 37) PLANTED(pack_to(c, acc[4], acc[5]));
  wait_products(0);
}

// ---- before it has been read

#define LEFT(...)   \
  ROOM;             \
  FILL(0), FILL(1); \
  fence_async();    \
  meet_group();     \
  if (one) {        \
    __VA_ARGS__;    \
  }                 \
  meet_group()

PLANT(overwritten_at_once) {
  LEFT(LEAVE(0), commit_boxes());
  if (threadIdx.x / 32 == 0) PLANTED(FILL(0));
  if (one) wait_boxes(0);
}

PLANT(overwritten_by_who_has_not_heard) {
  LEFT(LEAVE(0), commit_boxes());
  if (one) wait_boxes(0);
  if (threadIdx.x / 32 == 1) PLANTED(FILL(0));
}

PLANT(a_group_too_many_in_flight) {
  LEFT(LEAVE(0), commit_boxes(), LEAVE(1), commit_boxes(), wait_boxes(1));
  if (threadIdx.x / 32 == 0) PLANTED(FILL(1));
  if (one) wait_boxes(0);
}

PLANT(the_older_of_two_groups) {
  LEFT(LEAVE(0), commit_boxes(), LEAVE(1), commit_boxes(), wait_boxes(1));
  FILL(0);
  if (one) wait_boxes(0);
}

// Boxes that are in no group yet are not waited for.
PLANT(in_no_group) {
  LEFT(LEAVE(0), wait_boxes(0));
  if (threadIdx.x / 32 == 0) PLANTED(FILL(0));
  if (one) commit_boxes(), wait_boxes(0);
}

PLANT(waited_for_by_another) {
  LEFT(LEAVE(0), commit_boxes());
  if (threadIdx.x == 32) wait_boxes(0);
  if (threadIdx.x / 32 == 1) PLANTED(FILL(0));
  if (one) wait_boxes(0);
}

PLANT(a_box_over_it) {
  START;
  FILL(0);
  fence_async();
  meet_group();
  if (one) LEAVE(0), commit_boxes(), expect(full, BM * BK * 2);
  if (one) PLANTED(load_box(Cs, A, 0, 0, full));
  wait(full, 0);
  if (one) wait_boxes(0);
}

PLANT(never_waited_for) {
  ROOM;
  FILL(0);
  fence_async();
  meet_group();
  if (one) PLANTED(LEAVE(0));
  if (one) commit_boxes();
}

PLANT(never_committed) {
  ROOM;
  FILL(0);
  fence_async();
  meet_group();
  if (one) PLANTED(LEAVE(0));
  if (one) wait_boxes(0);
}

PLANT(all_but_the_last_waited_for) {
  LEFT(LEAVE(0), commit_boxes());
  if (one) PLANTED(LEAVE(1));
  if (one) commit_boxes(), wait_boxes(1);
}

// ---- places

PLANT(past_its_array) {
  ROOM;
  if (one) PLANTED(store_box(C, 0, 0, Cs + 64 * 32 + 8 * 32));
  if (one) commit_boxes(), wait_boxes(0);
}

PLANT(off_the_pattern) {
  ROOM;
  FILL(0), FILL(1);
  fence_async();
  meet_group();
  if (one) PLANTED(store_box(C, 0, 0, Cs + 32));
  if (one) commit_boxes(), wait_boxes(0);
}

PLANT(row_off_its_chunk) {
  ROOM;
  PLANTED(store_matrices(Cs + (threadIdx.x == 37 ? 4 : threadIdx.x * 8), c));
}

PLANT(row_past_its_array) {
  ROOM;
  PLANTED(store_matrices(Cs + (threadIdx.x == 37 ? 64 * 64 : threadIdx.x * 8), c));
}

PLANT(two_lanes_name_one_row) {
  ROOM;
  PLANTED(store_matrices(Cs + (threadIdx.x == 37 ? 36 : threadIdx.x) * 8, c));
}

// ---- threads that differ from the others

PLANT(a_lane_stays_away) {
  ROOM;
  if (threadIdx.x != 37) PLANTED(store_matrices(Cs + threadIdx.x * 8, c));
}

PLANT(a_lane_is_at_another) {
  ROOM;
  if (threadIdx.x == 37) {
    PLANTED(store_matrices(Cs + threadIdx.x * 8, c));
  } else {
    store_matrices(Cs + threadIdx.x * 8, c);
  }
}

PLANT(a_lane_loads) {
  ROOM;
  if (threadIdx.x == 37) {
    PLANTED(load_matrices(c, Cs + threadIdx.x * 8));
  } else {
    store_matrices(Cs + threadIdx.x * 8, c);
  }
}

PLANT(a_warp_does_not_meet) {
  ROOM;
  if (threadIdx.x / 32 != 2) PLANTED(meet_group());
}

// The lane that holds the element of a row and column of an 8 x 8 matrix, as the manual draws it
// (PTX ISA, "stmatrix"): two neighbours in each lane.
constexpr int kHolder[8][8] = {{0, 0, 1, 1, 2, 2, 3, 3},         {4, 4, 5, 5, 6, 6, 7, 7},
                               {8, 8, 9, 9, 10, 10, 11, 11},     {12, 12, 13, 13, 14, 14, 15, 15},
                               {16, 16, 17, 17, 18, 18, 19, 19}, {20, 20, 21, 21, 22, 22, 23, 23},
                               {24, 24, 25, 25, 26, 26, 27, 27}, {28, 28, 29, 29, 30, 30, 31, 31}};

}  // namespace

using emulator::FaultKind;
using test::q;

class BoxStoresTest : public QObject {
  Q_OBJECT

  emulator::Workspace workspace_;

  template <class Kernel>
  static const Stage& stageOf() {
    static const Stage stage = test::plantedHopper<Kernel>(
        planted_boxes, Warpgroup{.tmaStores = true}, {}, emulator::enterStoredKernel<Kernel>);
    return stage;
  }
  template <class Kernel>
  emulator::Trace traceOf(const Problem& problem = {64, 64, 64}) {
    test::plantedLine = 0;
    emulator::TraceRequest request;
    request.subject() = standardSubject(stageOf<Kernel>());
    request.problem = problem;
    return emulator::traceBlock(workspace_, request);
  }
  template <class Kernel>
  QString sentence(FaultKind kind) {
    return test::sentenceOf(traceOf<Kernel>().faults, kind);
  }
  static void expectNone(const emulator::Trace& trace) {
    QVERIFY2(trace.faults.empty(),
             trace.faults.empty() ? "" : describe(trace.faults.kept.front()).c_str());
  }

 private slots:
  void rightKernelsHaveNoFault() {
    expectNone(traceOf<right>());
    expectNone(traceOf<right>({33, 40, 72}));
    expectNone(traceOf<right_panels>());
    expectNone(traceOf<the_older_of_two_groups>());
  }

  // With operands of +1 and -1, whose sums are exact. Elements outside C are not stored.
  void theProductIsRight_data() {
    QTest::addColumn<int>("m");
    QTest::addColumn<int>("n");
    for (const auto& [m, n] : {std::pair{64, 64}, {64, 40}, {33, 64}, {1, 8}, {63, 56}, {17, 24}})
      QTest::addRow("%d x %d", m, n) << m << n;
  }
  void theProductIsRight() {
    QFETCH(int, m);
    QFETCH(int, n);
    const Stage& stage = stageOf<right>();
    test::Random random(test::seed());
    const auto rows = std::size_t(m), columns = std::size_t(n);
    for (const Format format : stage.formats) {
      std::vector<std::uint16_t> a(rows * 64), b(64 * columns), c(rows * columns, 0x7FFF);
      for (auto* matrix : {&a, &b}) {
        for (std::uint16_t& element : *matrix)
          element = halfBits(format, random.oneIn(2) ? 1.0f : -1.0f);
      }
      emulator::HalfGemm gemm;
      gemm.subject() = {&stage, stage.standardTile(), format};
      gemm.problem = {m, n, 64};
      gemm.a = a, gemm.b = b, gemm.c = c;
      const auto faults = runGemm(workspace_, gemm, [](const auto&) {});
      QVERIFY2(faults.empty(), faults.empty() ? "" : describe(faults.kept.front()).c_str());
      for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t j = 0; j < columns; ++j) {
          int sum = 0;
          for (std::size_t k = 0; k < 64; ++k) sum += a[i * 64 + k] == b[k * columns + j] ? 1 : -1;
          QCOMPARE(c[i * columns + j], halfBits(format, static_cast<float>(sum)));
        }
      }
    }
    const emulator::Trace trace = traceOf<right>({m, n, 64});
    std::uint32_t outside = 0;
    for (const emulator::BoxStoreRecord& store : trace.boxStores) outside += store.box.outside;
    QCOMPARE(outside, std::uint32_t(64 * 64 - m * n));
  }

  // Each element of the boxes comes from the lane and the sum that the manual says.
  void whoseSumsAreStored() {
    using emulator::Provenance;
    const emulator::Trace trace = traceOf<own_sums>();
    expectNone(trace);
    QCOMPARE(trace.boxStores.size(), std::size_t{2});
    for (int panel = 0; panel < 2; ++panel) {
      const emulator::BoxStoreRecord& store = trace.boxStores[std::size_t(panel)];
      QCOMPARE(store.group, 0u);
      QCOMPARE(store.box.x, panel * 32);
      QCOMPARE(store.values.size(), std::size_t{64 * 32});
      for (int row = 0; row < 64; ++row) {
        for (int column = 0; column < 32; ++column) {
          const Provenance value = store.values[std::size_t(row * 32 + column)];
          QVERIFY(value.isAccumulator());
          const int inTile = panel * 32 + column;
          // 16 x 16 sums of a warp are four matrices: rows 0 to 7 and 8 to 15 of the left half,
          // then of the right one; two sums of each in every lane.
          const int lane = kHolder[row % 8][column % 8];
          const int matrix = row % 16 / 8 + inTile % 16 / 8 * 2;
          QCOMPARE(value.owner(0), std::uint32_t(row / 16 * 32 + lane));
          QCOMPARE(value.slot(), std::uint32_t(inTile / 16 * 8 + matrix * 2 + column % 2));
        }
      }
    }
  }

  void beforeItMayBeRead() {
    using enum FaultKind;
    QCOMPARE(sentence<no_fence>(NoFence),
             QString("missing fence: thread 0 of block (0, 0) issues a TMA store of Cs[0], which "
                     "thread 0 has stored without fence_async()"));
    QCOMPARE(sentence<a_warp_without_fence>(NoFence),
             QString("missing fence: thread 0 of block (0, 0) issues a TMA store of Cs[1024], "
                     "which thread 64 has stored without fence_async()"));
    QCOMPARE(sentence<fence_of_who_asks_alone>(NoFence),
             QString("missing fence: thread 0 of block (0, 0) issues a TMA store of Cs[512], which "
                     "thread 32 has stored without fence_async()"));
    QCOMPARE(sentence<no_meeting>(Race), QString("race: load of Cs[0] by thread 96 of block (0, 0) "
                                                 "against thread 0 with no barrier in between"));
    QCOMPARE(sentence<nothing_there>(Unwritten),
             QString("read of unwritten shared memory: load of Cs[0] by thread 0 of block (0, 0)"));
    QCOMPARE(sentence<sum_under_way>(UnderWay),
             QString("accumulator used before its wgmma was waited for: thread 37 of block (0, 0) "
                     "uses accumulator 4, which the tensor core still updates: the wgmma of line "
                     "L-3 is in group 0, which has not been waited for"));
  }

  void beforeItHasBeenRead() {
    using enum FaultKind;
    QCOMPARE(
        sentence<overwritten_at_once>(Race),
        QString(
            "race: thread 0 of block (0, 0) overwrites Cs[0], which the TMA store of line L-1 "
            "reads: for this thread (wait_boxes), group 0 of these stores may still be in flight"));
    QCOMPARE(
        sentence<overwritten_by_who_has_not_heard>(Race),
        QString(
            "race: thread 32 of block (0, 0) overwrites Cs[512], which the TMA store of line L-2 "
            "reads: for this thread (wait_boxes), group 0 of these stores may still be in flight"));
    QCOMPARE(
        sentence<a_group_too_many_in_flight>(Race),
        QString(
            "race: thread 0 of block (0, 0) overwrites Cs[2048], which the TMA store of line L-1 "
            "reads: for this thread (wait_boxes), group 1 of these stores may still be in flight"));
    QCOMPARE(
        sentence<in_no_group>(Race),
        QString(
            "race: thread 0 of block (0, 0) overwrites Cs[0], which the TMA store of line L-1 "
            "reads: for this thread (wait_boxes), group 0 of these stores may still be in flight"));
    QCOMPARE(
        sentence<waited_for_by_another>(Race),
        QString(
            "race: thread 32 of block (0, 0) overwrites Cs[512], which the TMA store of line L-2 "
            "reads: for this thread (wait_boxes), group 0 of these stores may still be in flight"));
    QCOMPARE(
        sentence<a_box_over_it>(Race),
        QString(
            "race: thread 0 of block (0, 0) overwrites Cs[0], which the TMA store of line L-1 "
            "reads: for this thread (wait_boxes), group 0 of these stores may still be in flight"));
  }

  void theBlockEnds() {
    using enum FaultKind;
    QCOMPARE(sentence<never_waited_for>(LeftUnderWay),
             QString("left in flight: thread 0 of block (0, 0) issues a TMA store, and the block, "
                     "with its shared memory, ends without a wait_boxes() for it"));
    QCOMPARE(sentence<never_committed>(LeftUnderWay),
             QString("left in flight: thread 0 of block (0, 0) issues a TMA store, and the block, "
                     "with its shared memory, ends without a wait_boxes() for it"));
    QCOMPARE(sentence<all_but_the_last_waited_for>(LeftUnderWay),
             QString("left in flight: thread 0 of block (0, 0) issues a TMA store, and the block, "
                     "with its shared memory, ends without a wait_boxes() for it"));
  }

  void places() {
    using enum FaultKind;
    QCOMPARE(sentence<past_its_array>(OutOfBounds),
             QString("out of bounds: thread 0 of block (0, 0) requests a box of 2048 elements at "
                     "Cs[2304], which has 4096"));
    QCOMPARE(
        sentence<off_the_pattern>(Misaligned),
        QString(
            "misaligned wide access: thread 0 of block (0, 0) requests a box at byte 8256 of "
            "shared memory, but one with a swizzle of 64 bytes must begin at a multiple of 512"));
    QCOMPARE(sentence<row_off_its_chunk>(Misaligned),
             QString("misaligned wide access: store of Cs[4] by thread 37 of block (0, 0)"));
    QCOMPARE(
        sentence<row_past_its_array>(OutOfBounds),
        QString("out of bounds: store of Cs[4096] (4096 elements) by thread 37 of block (0, 0)"));
    QCOMPARE(sentence<two_lanes_name_one_row>(Race),
             QString("race: store of Cs[288] by thread 37 of block (0, 0) against thread 36 with "
                     "no barrier in between"));
  }

  void whoDoesNotDoWhatOthersDo() {
    using enum FaultKind;
    QCOMPARE(
        sentence<a_lane_stays_away>(Disagreement),
        QString(
            "lanes of a warp disagree: thread 37 of block (0, 0) does not reach the store_matrices "
            "of line L, where thread 32 is: all 32 lanes must execute it together"));
    QCOMPARE(sentence<a_lane_is_at_another>(Disagreement),
             QString("lanes of a warp disagree: thread 37 of block (0, 0) is at the store_matrices "
                     "of line L, and thread 32 at the store_matrices of line L+2: all 32 lanes "
                     "must execute the same one"));
    QCOMPARE(sentence<a_lane_loads>(Disagreement),
             QString("lanes of a warp disagree: thread 37 of block (0, 0) is at the load_matrices "
                     "of line L, and thread 32 at the store_matrices of line L+2: all 32 lanes "
                     "must execute the same one"));
    QCOMPARE(sentence<a_warp_does_not_meet>(Deadlock),
             QString("deadlock: thread 0 of block (0, 0) and all others that have not ended wait "
                     "forever: 96 threads from 0 on wait in line L for 128 threads at barrier 1, "
                     "and 96 have arrived"));
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::BoxStoresTest, Nothing)
#include "box_stores_test.moc"
