// SPDX-License-Identifier: GPL-3.0-or-later
// Sums that one block leaves for another: that they are added once, and one planted bug for each
// thing that can go wrong on the way.
#include <QtTest>

#include "tests/support/planted_sentence.h"
#include "tests/support/random.h"
#include "tests/support/test_class.h"

namespace tileloom {
namespace {

// Two blocks share one tile of 64 x 64: block 0 multiplies the first K tile, and block 1, which is
// run before it, the second one.
BOXES(planted, BOX(A, SWIZZLE / 2, BM, SWIZZLE), BOX(B, SWIZZLE / 2, BK, SWIZZLE),
      BOX(C, SWIZZLE / 2, 64, SWIZZLE));

#define PLANT(kernel_name)                   \
  SPLIT_KERNEL(kernel_name, CONSUMERS * 128) \
  (uint M, uint N, uint K, TENSOR A, TENSOR B, TENSOR C, gmem<float> left)
#define MULTIPLY_ITS_PART                                                                       \
  SHARED_BOXES_AND(As, BM* BK, Bs, BK* BN, Cs, 64 * BN);                                        \
  BARRIERS(full, 1);                                                                            \
  REGISTERS(float, acc, BN / 2);                                                                \
  FRAGMENTS(c, 4);                                                                              \
  const bool one = threadIdx.x == 0, first = blockIdx.x == 0;                                   \
  const uint k = blockIdx.x * BK;                                                               \
  const uint row = threadIdx.x / 32 * 16 + threadIdx.x % 16, half = threadIdx.x % 32 / 16;      \
  if (one) start(full, 1), publish_barriers();                                                  \
  __syncthreads();                                                                              \
  if (one) {                                                                                    \
    expect(full, (BM + BN) * BK * 2), load_box(As, A, k, 0, full);                              \
    load_box(Bs, B, 0, k, full), load_box(Bs + BK * 32, B, 32, k, full);                        \
  }                                                                                             \
  wait(full, 0);                                                                                \
  fence_products();                                                                             \
  for (uint step = 0; step < BK; step += 16) {                                                  \
    multiply_add_group(acc, BN, operand(As + step, 16, 8 * SWIZZLE, SWIZZLE),                   \
                       operand(Bs + step * 32, BK * SWIZZLE, 8 * SWIZZLE, SWIZZLE));            \
  }                                                                                             \
  commit_products();                                                                            \
  const auto flag = left + 3 * 8192;                                                            \
  static_cast<void>(Cs), static_cast<void>(c), static_cast<void>(row), static_cast<void>(half); \
  static_cast<void>(first), static_cast<void>(flag)
#define BEGIN        \
  MULTIPLY_ITS_PART; \
  wait_products(0)
#define LEAVE leave_sums(left + threadIdx.x * 4, acc, BN / 2)
#define ADD add_sums(acc, left + threadIdx.x * 4, BN / 2)
#define CHUNK(n) (row * 4 + (n) % 32 / 8 + half)
#define STORE                                                                       \
  for (uint n = 0; n < BN; n += 16) {                                               \
    for (uint part = 0; part < 4; ++part)                                           \
      pack_to(c + part, acc[n / 2 + 2 * part], acc[n / 2 + 2 * part + 1]);          \
    store_matrices(Cs + n / 32 * 64 * 32 + (CHUNK(n) ^ (CHUNK(n) / 8 & 3)) * 8, c); \
  }                                                                                 \
  fence_async();                                                                    \
  meet_group();                                                                     \
  if (one) store_box(C, 0, 0, Cs), store_box(C, 32, 0, Cs + 64 * 32), commit_boxes(), wait_boxes(0)

PLANT(right) {
  BEGIN;
  if (!first) {
    LEAVE;
    meet_group();
    if (one) tell(flag);
  } else {
    if (one) await(flag);
    meet_group();
    ADD;
    STORE;
  }
}

// ---- before they are there

PLANT(told_without_a_meeting) {
  BEGIN;
  if (!first) LEAVE;
  if (!first && one) PLANTED(tell(flag));
  if (first && one) await(flag);
}

PLANT(a_warp_leaves_nothing) {
  BEGIN;
  if (!first && threadIdx.x / 32 != 2) LEAVE;
  meet_group();
  if (!first && one) PLANTED(tell(flag));
  if (first && one) await(flag);
}

PLANT(a_lane_leaves_them_later) {
  BEGIN;
  if (!first && threadIdx.x != 37) LEAVE;
  meet_group();
  if (!first && threadIdx.x == 37) LEAVE;
  if (!first && one) PLANTED(tell(flag));
  if (first && one) await(flag);
}

PLANT(added_without_awaiting) {
  BEGIN;
  if (!first) {
    LEAVE;
    meet_group();
    if (one) tell(flag);
  } else {
    PLANTED(ADD);
    if (one) await(flag);
  }
}

PLANT(added_without_a_meeting) {
  BEGIN;
  if (!first) {
    LEAVE;
    meet_group();
    if (one) tell(flag);
  } else {
    if (one) await(flag);
    PLANTED(ADD);
  }
}

// Three blocks: the sums of the second of two others are added, too.
PLANT(right_of_two) {
  BEGIN;
  if (!first) {
    leave_sums(left + blockIdx.x * 8192 + threadIdx.x * 4, acc, BN / 2);
    meet_group();
    if (one) tell(flag + blockIdx.x);
  } else {
    for (uint other = 1; other < 3; ++other) {
      if (one) await(flag + other);
      meet_group();
      add_sums(acc, left + other * 8192 + threadIdx.x * 4, BN / 2);
    }
    STORE;
  }
}

PLANT(the_second_never_awaited) {
  BEGIN;
  if (!first) {
    leave_sums(left + blockIdx.x * 8192 + threadIdx.x * 4, acc, BN / 2);
    meet_group();
    if (one) tell(flag + blockIdx.x);
  } else {
    if (one) await(flag + 1);
    meet_group();
    add_sums(acc, left + 8192 + threadIdx.x * 4, BN / 2);
    PLANTED(add_sums(acc, left + 2 * 8192 + threadIdx.x * 4, BN / 2));
  }
}

PLANT(awaited_and_never_told) {
  BEGIN;
  if (!first) LEAVE;
  if (first && one) PLANTED(await(flag));
}

PLANT(another_flag) {
  BEGIN;
  if (!first) {
    LEAVE;
    meet_group();
    if (one) tell(flag + 1);
  } else {
    if (one) PLANTED(await(flag));
  }
}

PLANT(awaited_twice) {
  BEGIN;
  if (!first) {
    LEAVE;
    meet_group();
    if (one) tell(flag);
  } else {
    if (one) await(flag);
    if (one) PLANTED(await(flag));
  }
}

// ---- after that

PLANT(told_and_never_awaited) {
  BEGIN;
  if (!first) {
    LEAVE;
    meet_group();
    if (one) PLANTED(tell(flag));
  }
}

PLANT(told_twice) {
  BEGIN;
  if (!first) {
    LEAVE;
    meet_group();
    if (one) tell(flag);
    if (one) PLANTED(tell(flag));
  } else {
    if (one) await(flag);
  }
}

// ---- sums that the tensor core is at work on

PLANT(left_under_way) {
  MULTIPLY_ITS_PART;
  if (!first) PLANTED(LEAVE);
  wait_products(0);
}

PLANT(added_under_way) {
  MULTIPLY_ITS_PART;
  if (!first) {
    wait_products(0);
    LEAVE;
    meet_group();
    if (one) tell(flag);
  } else {
    if (one) await(flag);
    meet_group();
    PLANTED(ADD);
    wait_products(0);
  }
}

PLANT(left_for_nobody) {
  BEGIN;
  PLANTED(LEAVE);
}

}  // namespace

using emulator::FaultKind;
using test::q;

class LeftSumsTest : public QObject {
  Q_OBJECT

  emulator::Workspace workspace_;
  std::vector<std::uint16_t> a_, b_, c_;

  template <class Kernel>
  static const Stage& stageOf() {
    static const Stage stage =
        test::plantedHopper<Kernel>(planted_boxes, Warpgroup{.persistent = true, .tmaStores = true},
                                    {{Parameter::SPLIT, 1}}, emulator::enterSplitKernel<Kernel>);
    return stage;
  }
  template <class Kernel>
  emulator::FaultLog run(Format format = Format::Bf16, int sms = 2) {
    test::plantedLine = 0;
    test::Random random(test::seed());
    a_.resize(64 * 64), b_.resize(64 * 64), c_.assign(64 * 64, 0x7FFF);
    for (auto* matrix : {&a_, &b_}) {
      for (std::uint16_t& element : *matrix)
        element = halfBits(format, random.oneIn(2) ? 1.0f : -1.0f);
    }
    emulator::HalfGemm gemm;
    gemm.subject() = {&stageOf<Kernel>(), stageOf<Kernel>().standardTile(), format};
    gemm.problem = {64, 64, 64};
    gemm.a = a_, gemm.b = b_, gemm.c = c_;
    gemm.sms = sms;
    return runGemm(workspace_, gemm, [](const auto&) {});
  }
  template <class Kernel>
  QString sentence(FaultKind kind, int sms = 2) {
    return test::sentenceOf(run<Kernel>(Format::Bf16, sms), kind);
  }

 private slots:
  // The third part has zeros after the end of K.
  void allPartsAreAdded_data() {
    QTest::addColumn<int>("blocks");
    QTest::newRow("two") << 2;
    QTest::newRow("three") << 3;
  }
  void allPartsAreAdded() {
    QFETCH(int, blocks);
    for (const Format format : stageOf<right>().formats) {
      const emulator::FaultLog faults =
          blocks == 2 ? run<right>(format) : run<right_of_two>(format, 3);
      QVERIFY2(faults.empty(), faults.empty() ? "" : describe(faults.kept.front()).c_str());
      for (std::size_t i = 0; i < 64; ++i) {
        for (std::size_t j = 0; j < 64; ++j) {
          int sum = 0;
          for (std::size_t k = 0; k < 64; ++k) sum += a_[i * 64 + k] == b_[k * 64 + j] ? 1 : -1;
          QCOMPARE(c_[i * 64 + j], halfBits(format, static_cast<float>(sum)));
        }
      }
    }
  }

  void beforeTheyAreThere() {
    using enum FaultKind;
    QCOMPARE(sentence<told_without_a_meeting>(Race),
             QString("race: thread 0 of block (0, 1) sets the flag of its warpgroup's sums, but "
                     "the sums of thread 1 are not ordered before it"));
    QCOMPARE(sentence<a_warp_leaves_nothing>(Race),
             QString("race: thread 0 of block (0, 1) sets the flag of its warpgroup's sums, but "
                     "the sums of thread 64 are not ordered before it"));
    QCOMPARE(sentence<a_lane_leaves_them_later>(Race),
             QString("race: thread 0 of block (0, 1) sets the flag of its warpgroup's sums, but "
                     "the sums of thread 37 are not ordered before it"));
    QCOMPARE(sentence<added_without_awaiting>(Race),
             QString("race: thread 0 of block (0, 0) adds sums of another block, but no wait of "
                     "its warpgroup for them is ordered before it"));
    QCOMPARE(sentence<the_second_never_awaited>(Race, 3),
             QString("race: thread 0 of block (0, 0) adds sums of another block, but no wait of "
                     "its warpgroup for them is ordered before it"));
    QCOMPARE(sentence<added_without_a_meeting>(Race),
             QString("race: thread 32 of block (0, 0) adds sums of another block, but no wait of "
                     "its warpgroup for them is ordered before it"));
  }

  void thatNobodyTells() {
    using enum FaultKind;
    QCOMPARE(
        sentence<awaited_and_never_told>(Deadlock),
        QString("deadlock: thread 0 of block (0, 0) waits for sums of another block, which has "
                "left none"));
    QCOMPARE(
        sentence<another_flag>(Deadlock),
        QString("deadlock: thread 0 of block (0, 0) waits for sums of another block, which has "
                "left none"));
    QCOMPARE(
        sentence<awaited_twice>(Deadlock),
        QString("deadlock: thread 0 of block (0, 0) waits for sums of another block, which has "
                "left none"));
  }

  void flagsThatStayUp() {
    using enum FaultKind;
    QCOMPARE(sentence<told_and_never_awaited>(LeftUnderWay),
             QString("left in flight: thread 0 of block (0, 1) sets the flag of its sums, but no "
                     "thread awaits it: the next launch finds the flag set"));
    QCOMPARE(sentence<told_twice>(EarlyArrival),
             QString("arrival before the last phase was seen to end: thread 0 of block (0, 1) sets "
                     "a flag of sums that is already set: it must be awaited first, or the next "
                     "launch may find it set"));
  }

  void sumsUnderWay() {
    using enum FaultKind;
    QCOMPARE(sentence<left_under_way>(UnderWay),
             QString("accumulator used before its wgmma was waited for: thread 0 of block (0, 1) "
                     "uses accumulator 0, which the tensor core still updates: the wgmma of line "
                     "L-1 is in group 0, which has not been waited for"));
    QCOMPARE(sentence<added_under_way>(UnderWay),
             QString("accumulator used before its wgmma was waited for: thread 0 of block (0, 0) "
                     "uses accumulator 0, which the tensor core still updates: the wgmma of line "
                     "L-9 is in group 0, which has not been waited for"));
  }

  // A block of which a recording is made has whole tiles.
  void nobodyIsThereInARecording() {
    test::plantedLine = 0;
    emulator::TraceRequest request;
    request.subject() = standardSubject(stageOf<left_for_nobody>());
    request.problem = {64, 64, 64};
    QCOMPARE(
        test::sentenceOf(emulator::traceBlock(workspace_, request).faults, FaultKind::OutOfBounds),
        QString("out of bounds: thread 0 of block (0, 0) leaves sums for another block, but there "
                "is no other block"));
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::LeftSumsTest, Nothing)
#include "left_sums_test.moc"
