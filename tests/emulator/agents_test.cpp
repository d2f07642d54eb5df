// SPDX-License-Identifier: GPL-3.0-or-later
// TMA, mbarriers and wgmma: their results, and one planted bug for each possible fault, with its
// sentence.
#include <QtTest>

#include "kernels/tile/constraints.h"
#include "tests/support/planted.h"
#include "tests/support/planted_sentence.h"
#include "tests/support/random.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom {
namespace {

// One warpgroup multiplies a tile of 64 x 64; K tiles of 32, of which two have room.
BOXES(planted, BOX(A, SWIZZLE / 2, BM, SWIZZLE), BOX(B, SWIZZLE / 2, BK, SWIZZLE));

#define PLANT(kernel_name)                    \
  TENSOR_KERNEL(kernel_name, CONSUMERS * 128) \
  (uint M, uint N, uint K, TENSOR A, TENSOR B, gmem<element> C)
#define TILES                                                           \
  SHARED_BOXES(As, 2 * BM * BK, Bs, 2 * BK * BN);                       \
  BARRIERS(full, 2);                                                    \
  REGISTERS(float, acc, BN / 2);                                        \
  FRAGMENTS(r, 4);                                                      \
  const bool one = threadIdx.x == 0;                                    \
  const uint lane = threadIdx.x % 32, warp = threadIdx.x / 32;          \
  static_cast<void>(As), static_cast<void>(Bs), static_cast<void>(acc); \
  static_cast<void>(r), static_cast<void>(one), static_cast<void>(lane), static_cast<void>(warp)
#define START                                               \
  TILES;                                                    \
  if (one) {                                                \
    start(full, 1), start(full + 1, 1), publish_barriers(); \
  }                                                         \
  __syncthreads()
#define BYTES ((BM + BN) * BK * 2)
#define A_AT(slot) (As + (slot)*BM * BK)
#define B_AT(slot) (Bs + (slot)*BK * BN)
// Three boxes: A has one panel, and B two.
#define BOXES_OF(slot, k0, bar)                                             \
  load_box(A_AT(slot), A, k0, 0, bar), load_box(B_AT(slot), B, 0, k0, bar), \
      load_box(B_AT(slot) + BK * 32, B, 32, k0, bar)
#define FETCH(slot, k0) \
  if (one) expect(full + (slot), BYTES), BOXES_OF(slot, k0, full + (slot))
#define OPERAND_A(slot, k) operand(A_AT(slot) + warp / 4 * 64 * 32 + (k), 16, 8 * SWIZZLE, SWIZZLE)
#define OPERAND_B(slot, k) operand(B_AT(slot) + (k)*32, BK * SWIZZLE, 8 * SWIZZLE, SWIZZLE)
#define MULTIPLY(slot, k) multiply_add_group(acc, BN, OPERAND_A(slot, k), OPERAND_B(slot, k))
#define PRODUCTS(slot) fence_products(), MULTIPLY(slot, 0), MULTIPLY(slot, 16), commit_products()
#define STORE                                                              \
  for (uint n = 0; n < BN / 8; ++n) {                                      \
    const auto to = C + (warp * 16 + lane / 4) * N + n * 8 + lane % 4 * 2; \
    store2(to, pack(acc[n * 4], acc[n * 4 + 1]));                          \
    store2(to + 8 * N, pack(acc[n * 4 + 2], acc[n * 4 + 3]));              \
  }                                                                        \
  static_cast<void>(0)

PLANT(right) {
  START;
  FETCH(0, 0);
  FETCH(1, 32);
  wait(full, 0);
  PRODUCTS(0);
  wait_products(0);
  wait(full + 1, 0);
  PRODUCTS(1);
  wait_products(0);
  STORE;
}

// The same with one stage, where the next load waits for all readers of the last one.
PLANT(right_one_slot) {
  START;
  for (uint k = 0; k < 64; k += 32) {
    FETCH(0, k);
    wait(full, k / 32);
    PRODUCTS(0);
    wait_products(0);
    __syncthreads();
  }
  STORE;
}

// Two arrivals end a phase: of one thread with bytes, and of one without.
PLANT(right_two_arrivals) {
  TILES;
  if (one) {
    start(full, 2), start(full + 1, 1), publish_barriers();
  }
  __syncthreads();
  FETCH(0, 0);
  FETCH(1, 32);
  if (threadIdx.x == 96) expect(full, 0);
  wait(full, 0);
  wait(full + 1, 0);
  PRODUCTS(0);
  PRODUCTS(1);
  wait_products(0);
  STORE;
}

// Warp 0 waits for the group of its warpgroup, and a barrier makes that known to the other warps
// before they wait for it, too.
PLANT(right_wait_after_others) {
  START;
  FETCH(0, 0);
  wait(full, 0);
  PRODUCTS(0);
  if (warp == 0) wait_products(0);
  __syncthreads();
  if (warp != 0) wait_products(0);
  STORE;
}

// ---- before the bytes are there

PLANT(read_before_the_wait) {
  START;
  FETCH(0, 0);
  PLANTED(load_matrices(r, As));
  wait(full, 0);
}

PLANT(product_before_the_wait) {
  START;
  FETCH(0, 0);
  FETCH(1, 32);
  wait(full, 0);
  fence_products();
  PLANTED(MULTIPLY(1, 0));
  commit_products();
  wait_products(0);
  wait(full + 1, 0);
}

PLANT(read_of_what_nobody_brings) {
  START;
  PLANTED(load_matrices(r, As));
}

// The last warp issues the loads. Until then parity 1 is that of the phase before phase 0, which
// does not exist: the other warps continue at once.
PLANT(parity_too_early) {
  START;
  if (threadIdx.x == 96) expect(full, BYTES), BOXES_OF(0, 0, full);
  wait(full, 1);
  PLANTED(load_matrices(r, As));
}

PLANT(parity_too_late) {
  START;
  FETCH(0, 0);
  wait(full, 0);
  PLANTED(wait(full, 1));
}

// A thread that waits for the end of phase 0 knows nothing of phase 1, though it has ended in
// between.
PLANT(read_of_the_next_phase) {
  START;
  FETCH(0, 0);
  wait(full, 0);
  if (one) expect(full, BM * BK * 2), load_box(A_AT(1), A, 32, 0, full);
  if (warp == 3) PLANTED(load_matrices(r, A_AT(1)));
  wait(full, 1);
}

// ---- over what is still read

PLANT(box_over_products) {
  START;
  FETCH(0, 0);
  wait(full, 0);
  PRODUCTS(0);
  __syncthreads();
  if (one) expect(full, BM * BK * 2);
  if (one) PLANTED(load_box(As, A, 32, 0, full));
  wait_products(0);
  wait(full, 1);
}

// One group may be in flight: that of the other slot, which is overwritten.
PLANT(box_over_the_group_in_flight) {
  START;
  FETCH(0, 0);
  FETCH(1, 32);
  wait(full, 0);
  PRODUCTS(0);
  wait(full + 1, 0);
  PRODUCTS(1);
  wait_products(1);
  __syncthreads();
  if (one) expect(full + 1, BM * BK * 2);
  if (one) PLANTED(load_box(A_AT(1), A, 0, 0, full + 1));
  wait_products(0);
  wait(full + 1, 1);
}

// Its own warp has waited, and it has not heard of the others.
PLANT(box_over_products_of_others) {
  START;
  FETCH(0, 0);
  wait(full, 0);
  PRODUCTS(0);
  wait_products(0);
  if (one) expect(full, BM * BK * 2);
  if (one) PLANTED(load_box(As, A, 32, 0, full));
  wait(full, 1);
}

PLANT(box_over_a_read) {
  START;
  FETCH(0, 0);
  wait(full, 0);
  load_matrices(r, As + lane % 16 * 32);
  wait(full, 0);  // a turn for all
  if (one) expect(full, BM * BK * 2);
  if (one) PLANTED(load_box(As, A, 32, 0, full));
  wait(full, 1);
}

PLANT(box_over_a_read_without_a_fence) {
  START;
  FETCH(0, 0);
  wait(full, 0);
  load_matrices(r, As + lane % 16 * 32);
  __syncthreads();
  if (one) expect(full, BM * BK * 2);
  if (one) PLANTED(load_box(As, A, 32, 0, full));
  wait(full, 1);
}

PLANT(box_over_a_read_behind_a_fence) {
  START;
  FETCH(0, 0);
  wait(full, 0);
  load_matrices(r, As + lane % 16 * 32);
  fence_async();
  __syncthreads();
  if (one) expect(full, BM * BK * 2), load_box(As, A, 32, 0, full);
  wait(full, 1);
}

PLANT(box_over_a_box) {
  START;
  if (one) expect(full, BM * BK * 2), load_box(As, A, 0, 0, full);
  if (one) expect(full + 1, BM * BK * 2);
  if (one) PLANTED(load_box(As, A, 32, 0, full + 1));
  wait(full, 0);
  wait(full + 1, 0);
}

PLANT(store_over_a_box) {
  START;
  FETCH(0, 0);
  if (threadIdx.x == 37) PLANTED(store2(As, pack(acc[0], acc[1])));
  wait(full, 0);
}

// ---- bytes and arrivals

PLANT(bytes_too_many) {
  START;
  if (one) expect(full, BYTES + 16), BOXES_OF(0, 0, full);
  PLANTED(wait(full, 0));
}

PLANT(bytes_too_few) {
  START;
  if (one) expect(full, BYTES - 16), BOXES_OF(0, 0, full);
  PLANTED(wait(full, 0));
}

// No thread waits at it.
PLANT(bytes_too_few_for_nobody) {
  START;
  if (one) expect(full, BYTES - 16);
  if (one) PLANTED(BOXES_OF(0, 0, full));
}

PLANT(never_waited_for) {
  START;
  if (one) expect(full, BM * BK * 2);
  if (one) PLANTED(load_box(As, A, 0, 0, full));
}

PLANT(no_arrival) {
  START;
  if (one) BOXES_OF(0, 0, full);
  PLANTED(wait(full, 0));
}

PLANT(one_arrival_of_two) {
  TILES;
  if (one) {
    start(full, 2), publish_barriers();
  }
  __syncthreads();
  FETCH(0, 0);
  PLANTED(wait(full, 0));
}

PLANT(arrival_before_the_last_phase_was_seen) {
  START;
  FETCH(0, 0);
  if (one) PLANTED(expect(full, 0));
  wait(full, 0);
  wait(full, 1);
}

// Three wait at barriers that others never reach.
PLANT(everybody_elsewhere) {
  START;
  FETCH(0, 0);
  if (threadIdx.x < 32) {
    PLANTED(wait(full + 1, 0));
  } else if (threadIdx.x < 64) {
    __syncthreads();
  } else if (threadIdx.x < 96) {
    wait(full, 0);
    wait(full, 1);
  }
}

// ---- barriers that are none yet

PLANT(before_the_start) {
  TILES;
  if (threadIdx.x == 37) PLANTED(expect(full, 0));
}

PLANT(started_but_nobody_met) {
  TILES;
  if (one) start(full, 1);
  if (threadIdx.x == 37) PLANTED(expect(full, 0));
}

PLANT(never_published) {
  TILES;
  if (one) start(full, 1);
  __syncthreads();
  if (one) expect(full, BM * BK * 2);
  if (one) PLANTED(load_box(As, A, 0, 0, full));
  wait(full, 0);
}

PLANT(a_barrier_too_many) {
  START;
  if (threadIdx.x == 37) PLANTED(expect(full + 2, 0));
}

// ---- boxes

PLANT(box_off_the_pattern) {
  START;
  if (one) expect(full, BM * BK * 2);
  if (one) PLANTED(load_box(As + 32, A, 0, 0, full));
  wait(full, 0);
}

PLANT(box_past_its_array) {
  START;
  if (one) expect(full, BM * BK * 2);
  if (one) PLANTED(load_box(A_AT(1) + 8 * 32, A, 0, 0, full));
  wait(full, 0);
}

// Over two edges of each matrix, and outside of it. K begins at -4.
PLANT(boxes_over_the_edges) {
  START;
  if (one) {
    expect(full, BYTES);
    load_box(A_AT(0), A, static_cast<uint>(-4), M - 24, full);
    load_box(B_AT(0), B, static_cast<uint>(-8), static_cast<uint>(-4), full);
    load_box(B_AT(0) + BK * 32, B, 4096, 4096, full);
  }
  wait(full, 0);
  PRODUCTS(0);
  wait_products(0);
}

// ---- products

PLANT(product_without_fence) {
  START;
  FETCH(0, 0);
  wait(full, 0);
  PLANTED(MULTIPLY(0, 0));
  commit_products();
  wait_products(0);
}

PLANT(product_of_what_threads_stored) {
  START;
  FETCH(0, 0);
  wait(full, 0);
  fence_products();
  if (threadIdx.x == 37) store2(As, pack(acc[0], acc[1]));
  __syncthreads();
  PLANTED(MULTIPLY(0, 0));
  commit_products();
  wait_products(0);
}

PLANT(sum_used_too_early) {
  START;
  FETCH(0, 0);
  wait(full, 0);
  PRODUCTS(0);
  if (threadIdx.x == 37) PLANTED(store2(C, pack(acc[4], acc[6])));
  wait_products(0);
}

// Products that are in no group yet are not waited for.
PLANT(sum_of_no_group) {
  START;
  FETCH(0, 0);
  wait(full, 0);
  fence_products();
  MULTIPLY(0, 0);
  wait_products(0);
  if (threadIdx.x == 37) PLANTED(store2(C, pack(acc[4], acc[6])));
}

#define WRONG(kernel_name, a, b)                \
  PLANT(kernel_name) {                          \
    START;                                      \
    FETCH(0, 0);                                \
    FETCH(1, 32);                               \
    wait(full, 0);                              \
    wait(full + 1, 0);                          \
    fence_products();                           \
    PLANTED(multiply_add_group(acc, BN, a, b)); \
    commit_products();                          \
    wait_products(0);                           \
  }
WRONG(wrong_lead, OPERAND_A(0, 0), operand(Bs, BK* SWIZZLE / 2, 8 * SWIZZLE, SWIZZLE))
WRONG(wrong_stride, OPERAND_A(0, 0), operand(Bs, BK* SWIZZLE, 16 * SWIZZLE, SWIZZLE))
WRONG(wrong_swizzle, OPERAND_A(0, 0), operand(Bs, BK* SWIZZLE, 8 * SWIZZLE, 32))
WRONG(wrong_swizzle_of_a, operand(As, 16, 8 * SWIZZLE, 128), OPERAND_B(0, 0))
WRONG(no_swizzle, operand(As, 16, 8 * SWIZZLE, 0), OPERAND_B(0, 0))
WRONG(wrong_start, OPERAND_A(0, 16), OPERAND_B(0, 0))
WRONG(wrong_slot, OPERAND_A(1, 0), OPERAND_B(0, 0))
WRONG(operands_exchanged, OPERAND_B(0, 0), OPERAND_A(0, 0))
WRONG(operand_outside, OPERAND_A(0, 0),
      operand(Bs + BK * BN * 4, BK* SWIZZLE, 8 * SWIZZLE, SWIZZLE))
// The lead of an operand along k has no meaning where it is swizzled.
WRONG(another_lead_of_a, operand(As, 512, 8 * SWIZZLE, SWIZZLE), OPERAND_B(0, 0))

// ---- threads that differ from the others

PLANT(a_lane_asks_for_another) {
  START;
  FETCH(0, 0);
  wait(full, 0);
  fence_products();
  PLANTED(MULTIPLY(0, (threadIdx.x == 37 ? 16 : 0)));
  commit_products();
  wait_products(0);
}

PLANT(a_warp_asks_for_another) {
  START;
  FETCH(0, 0);
  wait(full, 0);
  fence_products();
  PLANTED(MULTIPLY(0, (warp == 1 ? 16 : 0)));
  commit_products();
  wait_products(0);
}

PLANT(a_lane_stays_away) {
  START;
  FETCH(0, 0);
  wait(full, 0);
  fence_products();
  if (threadIdx.x != 37) MULTIPLY(0, 0);
  commit_products();
  PLANTED(wait_products(0));
}

PLANT(a_warp_stays_away) {
  START;
  FETCH(0, 0);
  wait(full, 0);
  fence_products();
  if (warp != 1) PLANTED(MULTIPLY(0, 0));
  commit_products();
  wait_products(0);
}

// Its warp has waited, and so it finds its sums done.
PLANT(a_lane_does_not_wait) {
  START;
  FETCH(0, 0);
  wait(full, 0);
  PRODUCTS(0);
  if (threadIdx.x != 37) PLANTED(wait_products(0));
}

PLANT(a_lane_fences_for_all) {
  START;
  FETCH(0, 0);
  wait(full, 0);
  if (threadIdx.x == 37) PLANTED(fence_products());
  wait(full, 0);
}

}  // namespace

using emulator::FaultKind;
using test::q;

class AgentsTest : public QObject {
  Q_OBJECT

  emulator::Workspace workspace_;

  template <class Kernel>
  emulator::Trace traceOf(int consumers = 1) {
    static const Stage stage = test::plantedHopper<Kernel>(planted_boxes);
    test::plantedLine = 0;
    emulator::TraceRequest request;
    request.subject() = usualSubject(stage, stage.standardTile()
                                                .with(Parameter::CONSUMERS, consumers)
                                                .with(Parameter::BM, 64 * consumers));
    request.problem = {64 * consumers, 64, 64};
    return emulator::traceBlock(workspace_, request);
  }

  template <class Kernel>
  QString sentence(FaultKind kind, int consumers = 1) {
    return test::sentenceOf(traceOf<Kernel>(consumers).faults, kind);
  }

 private slots:
  void rightKernelsHaveNoFault() {
    const auto expectNone = [](const emulator::Trace& trace) {
      QVERIFY2(trace.faults.empty(),
               trace.faults.empty() ? "" : describe(trace.faults.kept.front()).c_str());
    };
    expectNone(traceOf<right>());
    expectNone(traceOf<right>(2));
    expectNone(traceOf<right_one_slot>());
    expectNone(traceOf<right_one_slot>(2));
    expectNone(traceOf<right_two_arrivals>());
    expectNone(traceOf<right_wait_after_others>());
    expectNone(traceOf<another_lead_of_a>());
  }

  // Of operands of +1 and -1, whose sums are exact.
  void theProductIsRight() {
    static const Stage stage = test::plantedHopper<right>(planted_boxes);
    test::Random random(test::seed());
    for (const Format format : stage.formats) {
      std::vector<std::uint16_t> a(64 * 64), b(64 * 64), c(64 * 64);
      for (auto* matrix : {&a, &b}) {
        for (std::uint16_t& element : *matrix)
          element = halfBits(format, random.oneIn(2) ? 1.0f : -1.0f);
      }
      emulator::HalfGemm gemm;
      gemm.subject() = {&stage, stage.standardTile(), format};
      gemm.problem = {64, 64, 64};
      gemm.a = a, gemm.b = b, gemm.c = c;
      QVERIFY(runGemm(workspace_, gemm, [](const auto&) {}).empty());
      for (std::size_t i = 0; i < 64; ++i) {
        for (std::size_t j = 0; j < 64; ++j) {
          int sum = 0;
          for (std::size_t k = 0; k < 64; ++k) sum += a[i * 64 + k] == b[k * 64 + j] ? 1 : -1;
          QCOMPARE(c[i * 64 + j], halfBits(format, static_cast<float>(sum)));
        }
      }
    }
  }

  void whatTheRecordingKnows() {
    const emulator::Trace trace = traceOf<right>();
    QCOMPARE(trace.barriers.size(), std::size_t{2});
    QCOMPARE(q(trace.barriers[1].name), QString("full"));
    QCOMPARE(trace.barriers[1].index, 1u);
    QCOMPARE(trace.sharedBytes, 2u * (64 + 64) * 32 * 2 + 2 * 8);
    QCOMPARE(trace.boxes.size(), std::size_t{6});
    const emulator::BoxRecord& last = trace.boxes.back();
    QCOMPARE(last.matrix, emulator::kArrayB);
    QCOMPARE(last.x, 32);
    QCOMPARE(last.y, 32);
    QCOMPARE(last.bytes, 2048u);
    QCOMPARE(last.address, 8192u + 4096 + 2048);
    QCOMPARE(last.barrier, 1u);
    QCOMPARE(last.phase, 0u);
    QCOMPARE(last.outside, 0u);
    QCOMPARE(trace.products.size(), std::size_t{4});
    for (const auto& ofWarp : trace.products) {
      QCOMPARE(ofWarp.size(), std::size_t{4});
      for (std::uint32_t i = 0; i < 4; ++i) QCOMPARE(ofWarp[i].group, i / 2);
      // Warps of a group share the list of what they have read of B.
      QCOMPARE(ofWarp[3].factorsB.get(), trace.products[0][3].factorsB.get());
    }
  }

  // What lies outside comes as zeros, counts as bytes, and fits every product.
  void boxesOverTheEdges() {
    using emulator::Provenance;
    const emulator::Trace trace = traceOf<boxes_over_the_edges>();
    QVERIFY2(trace.faults.empty(),
             trace.faults.empty() ? "" : describe(trace.faults.kept.front()).c_str());
    QCOMPARE(trace.boxes[0].outside, 64u * 32 - 24 * 28);
    QCOMPARE(trace.boxes[1].outside, 32u * 32 - 28 * 24);
    QCOMPARE(trace.boxes[2].outside, 32u * 32);
    QCOMPARE(trace.boxes[1].x, -8);
    QCOMPARE(trace.boxes[1].y, -4);
    QCOMPARE(trace.boxes[2].bytes, 2048u);
    const auto expected = [](Provenance::Source source, int row, int column) {
      const bool inside = row >= 0 && row < 64 && column >= 0 && column < 64;
      return inside ? Provenance::element(source, static_cast<std::uint32_t>(row * 64 + column))
                    : Provenance::outside();
    };
    for (int warp = 0; warp < 4; ++warp) {
      for (int step = 0; step < 2; ++step) {
        const auto& product = trace.products[std::size_t(warp)][std::size_t(step)];
        for (int k = 0; k < 16; ++k) {
          for (int row = 0; row < 16; ++row)
            QVERIFY((*product.factorsA)[std::size_t(row * 16 + k)] ==
                    expected(Provenance::Source::A, 40 + warp * 16 + row, step * 16 + k - 4));
          for (int n = 0; n < 64; ++n)
            QVERIFY((*product.factorsB)[std::size_t(k * 64 + n)] ==
                    (n < 32 ? expected(Provenance::Source::B, step * 16 + k - 4, n - 8)
                            : Provenance::outside()));
        }
      }
    }
  }

  void beforeItsBytesAreThere() {
    using enum FaultKind;
    QCOMPARE(sentence<read_before_the_wait>(NotArrived),
             QString("read of shared memory before its asynchronous copy was waited for: thread 0 "
                     "of block (0, 0) reads As[0], of the box of A at row 0 and column 0 (line "
                     "L-1), and has not waited for phase 0 of full[0]"));
    QCOMPARE(sentence<product_before_the_wait>(NotArrived),
             QString("read of shared memory before its asynchronous copy was waited for: thread 31 "
                     "of block (0, 0) issues a wgmma that reads As[2048], of the box of A at row 0 "
                     "and column 32 (line L-3), and has not waited for phase 0 of full[1]"));
    QCOMPARE(sentence<read_of_what_nobody_brings>(Unwritten),
             QString("read of unwritten shared memory: load of As[0] by thread 0 of block (0, 0)"));
    QCOMPARE(sentence<read_of_the_next_phase>(NotArrived),
             QString("read of shared memory before its asynchronous copy was waited for: thread 96 "
                     "of block (0, 0) reads As[2048], of the box of A at row 0 and column 32 (line "
                     "L-1), and has not waited for phase 1 of full[0]"));
  }

  void theWrongParity() {
    using enum FaultKind;
    QCOMPARE(sentence<parity_too_early>(NotArrived),
             QString("read of shared memory before its asynchronous copy was waited for: thread 0 "
                     "of block (0, 0) reads As[0], of the box of A at row 0 and column 0 (line "
                     "L-2), and has not waited for phase 0 of full[0]"));
    QCOMPARE(
        sentence<parity_too_late>(Deadlock),
        QString(
            "deadlock: thread 0 of block (0, 0) and all others that have not ended wait forever: "
            "128 threads from 0 on wait in line L for the end of phase 1 of full[0]: it lacks 1 of "
            "1 arrival, and thread 0, which arrived last (line L-2), waits, too"));
  }

  void overWhatIsStillRead() {
    using enum FaultKind;
    QCOMPARE(
        sentence<box_over_products>(Race),
        QString("race: thread 0 of block (0, 0) overwrites As[0], which warp 0 multiplies in line "
                "L-3: for this thread, group 0 of these wgmma instructions is still in flight"));
    QCOMPARE(
        sentence<box_over_the_group_in_flight>(Race),
        QString(
            "race: thread 0 of block (0, 0) overwrites As[2048], which warp 0 multiplies in line "
            "L-4: for this thread, group 1 of these wgmma instructions is still in flight"));
    QCOMPARE(
        sentence<box_over_products_of_others>(Race, 2),
        QString(
            "race: thread 0 of block (0, 0) overwrites As[2048], which warp 4 multiplies in line "
            "L-3: for this thread, group 0 of these wgmma instructions is still in flight"));
    QCOMPARE(sentence<box_over_a_read>(Race),
             QString("race: thread 0 of block (0, 0) overwrites As[0], which thread 48 reads with "
                     "no barrier in between"));
    // After a barrier, the reads of threads need not be over for TMA.
    QCOMPARE(sentence<box_over_a_read_without_a_fence>(NoFence),
             QString("missing fence: thread 0 of block (0, 0) loads a box over As[0], which thread "
                     "16 has read without fence_async(): that read may still be in flight"));
    QVERIFY(traceOf<box_over_a_read_behind_a_fence>().faults.empty());
    // The four warps of one warpgroup wait for the same groups of products.
    QVERIFY(traceOf<box_over_products_of_others>().faults.empty());
    QCOMPARE(
        sentence<box_over_a_box>(Race),
        QString("race: thread 0 of block (0, 0) overwrites As[0], of the box of A at row 0 and "
                "column 0 (line L-2), and has not waited for phase 0 of full[0]"));
    QCOMPARE(sentence<store_over_a_box>(Race),
             QString("race: thread 37 of block (0, 0) overwrites As[0], of the box of A at row 0 "
                     "and column 0 (line L-1), and has not waited for phase 0 of full[0]"));
  }

  void bytes() {
    using enum FaultKind;
    QCOMPARE(sentence<bytes_too_many>(Deadlock),
             QString("deadlock: thread 0 of block (0, 0) and all others that have not ended wait "
                     "forever: 128 threads from 0 on wait in line L for the end of phase 0 of "
                     "full[0]: of 8208 expected bytes, 3 TMA loads bring 8192: the box of A at row "
                     "0 and column 0 (line L-1), the box of B at row 0 and column 0 (line L-1), "
                     "the box of B at row 0 and column 32 (line L-1)"));
    QCOMPARE(sentence<bytes_too_few>(Deadlock),
             QString("deadlock: thread 0 of block (0, 0) and all others that have not ended wait "
                     "forever: 128 threads from 0 on wait in line L for the end of phase 0 of "
                     "full[0]: of 8176 expected bytes, 3 TMA loads bring 8192: the box of A at row "
                     "0 and column 0 (line L-1), the box of B at row 0 and column 0 (line L-1), "
                     "the box of B at row 0 and column 32 (line L-1)"));
    QCOMPARE(sentence<bytes_too_few_for_nobody>(LeftUnderWay),
             QString("left in flight: thread 0 of block (0, 0) leaves phase 0 of full[0] "
                     "unfinished: of 8176 expected bytes, 3 TMA loads bring 8192: the box of A at "
                     "row 0 and column 0 (line L), the box of B at row 0 and column 0 (line L), "
                     "the box of B at row 0 and column 32 (line L)"));
    QCOMPARE(
        sentence<never_waited_for>(LeftUnderWay),
        QString("left in flight: thread 0 of block (0, 0) requests the box of A at row 0 and "
                "column 0 (line L), and the block ends without a wait for phase 0 of full[0]"));
  }

  void arrivals() {
    using enum FaultKind;
    QCOMPARE(
        sentence<no_arrival>(Deadlock),
        QString(
            "deadlock: thread 0 of block (0, 0) and all others that have not ended wait forever: "
            "128 threads from 0 on wait in line L for the end of phase 0 of full[0]: it lacks 1 of "
            "1 arrival, and no thread has ever arrived at it; of 0 expected bytes, 3 TMA loads "
            "bring 8192: the box of A at row 0 and column 0 (line L-1), the box of B at row 0 and "
            "column 0 (line L-1), the box of B at row 0 and column 32 (line L-1)"));
    QCOMPARE(
        sentence<one_arrival_of_two>(Deadlock),
        QString(
            "deadlock: thread 0 of block (0, 0) and all others that have not ended wait forever: "
            "128 threads from 0 on wait in line L for the end of phase 0 of full[0]: it lacks 1 of "
            "2 arrivals, and thread 0, which arrived last (line L-1), waits, too"));
    QCOMPARE(sentence<arrival_before_the_last_phase_was_seen>(EarlyArrival),
             QString("arrival before the last phase was seen to end: thread 0 of block (0, 0) "
                     "arrives at full[0] in phase 1 and has not waited for phase 0 to end"));
    QCOMPARE(
        sentence<everybody_elsewhere>(Deadlock),
        QString("deadlock: thread 0 of block (0, 0) and all others that have not ended wait "
                "forever: 32 threads from 0 on wait in line L for the end of phase 0 of full[1]: "
                "it lacks 1 of 1 arrival, and no thread has ever arrived at it; 32 threads from 32 "
                "on wait at the __syncthreads() of line L+2, which not all threads reach; 32 "
                "threads from 64 on wait in line L+5 for the end of phase 1 of full[0]: it lacks 1 "
                "of 1 arrival, and thread 0, which arrived last (line L-2), waits, too"));
  }

  void barriersThatAreNoneYet() {
    using enum FaultKind;
    QCOMPARE(sentence<before_the_start>(NoFence),
             QString("missing fence: thread 37 of block (0, 0) uses full[0] in expect before any "
                     "thread has started it"));
    QCOMPARE(sentence<started_but_nobody_met>(NoFence),
             QString("missing fence: thread 37 of block (0, 0) uses full[0] in expect, which "
                     "thread 0 has started with no __syncthreads() in between"));
    QCOMPARE(sentence<never_published>(NoFence),
             QString("missing fence: thread 0 of block (0, 0) requests a box on full[0], which is "
                     "not yet visible to TMA: call publish_barriers() after start()"));
    QCOMPARE(sentence<a_barrier_too_many>(OutOfBounds),
             QString("out of bounds: thread 37 of block (0, 0) names barrier 2 in expect, and the "
                     "block has 2"));
  }

  void boxesThatHaveNoPlace() {
    using enum FaultKind;
    QCOMPARE(
        sentence<box_off_the_pattern>(Misaligned),
        QString(
            "misaligned wide access: thread 0 of block (0, 0) requests a box at byte 64 of shared "
            "memory, but one with a swizzle of 64 bytes must begin at a multiple of 512"));
    QCOMPARE(sentence<box_past_its_array>(OutOfBounds),
             QString("out of bounds: thread 0 of block (0, 0) requests a box of 2048 elements at "
                     "As[2304], which has 4096"));
  }

  void missingFences() {
    using enum FaultKind;
    QCOMPARE(sentence<product_without_fence>(NoFence),
             QString("missing fence: thread 0 of block (0, 0) issues a wgmma without "
                     "fence_products(): its accumulators may not be written yet"));
    QCOMPARE(sentence<product_of_what_threads_stored>(NoFence),
             QString("missing fence: thread 31 of block (0, 0) issues a wgmma that reads As[0], "
                     "which thread 37 has stored without fence_async()"));
  }

  void sumsUsedTooEarly() {
    using enum FaultKind;
    QCOMPARE(sentence<sum_used_too_early>(UnderWay),
             QString("accumulator used before its wgmma was waited for: thread 37 of block (0, 0) "
                     "uses accumulator 4, which the tensor core still updates: the wgmma of line "
                     "L-1 is in group 0, which has not been waited for"));
    QCOMPARE(sentence<sum_of_no_group>(UnderWay),
             QString("accumulator used before its wgmma was waited for: thread 37 of block (0, 0) "
                     "uses accumulator 4, which the tensor core still updates: the wgmma of line "
                     "L-2 is in group 0, which has not been waited for"));
  }

  void descriptorsThatDisagree() {
    using enum FaultKind;
    QCOMPARE(
        sentence<wrong_lead>(WrongFragment),
        QString("fragment of the wrong element: thread 31 of block (0, 0) issues a wgmma with "
                "B[16][0] in B, which is multiplied by elements of A with k = 0: their k differ"));
    QCOMPARE(
        sentence<wrong_stride>(WrongFragment),
        QString("fragment of the wrong element: thread 31 of block (0, 0) issues a wgmma with "
                "B[16][0] in B, which is multiplied by elements of A with k = 8: their k differ"));
    QCOMPARE(sentence<wrong_swizzle>(WrongFragment),
             QString("fragment of the wrong element: thread 31 of block (0, 0) issues a wgmma with "
                     "B[0][16] in column 0 of B, which began with another column of B"));
    QCOMPARE(sentence<wrong_swizzle_of_a>(WrongFragment),
             QString("fragment of the wrong element: thread 127 of block (0, 0) issues a wgmma "
                     "with A[0][32] at k 0 of its part of A, where other rows have A[0][0]"));
    QCOMPARE(sentence<no_swizzle>(WrongFragment),
             QString("fragment of the wrong element: thread 31 of block (0, 0) issues a wgmma "
                     "whose operand is not swizzled, but all boxes of this rung are"));
    QCOMPARE(
        sentence<wrong_start>(WrongFragment),
        QString("fragment of the wrong element: thread 31 of block (0, 0) issues a wgmma with "
                "B[0][0] in B, which is multiplied by elements of A with k = 16: their k differ"));
    QCOMPARE(
        sentence<wrong_slot>(WrongFragment),
        QString("fragment of the wrong element: thread 31 of block (0, 0) issues a wgmma with "
                "B[0][0] in B, which is multiplied by elements of A with k = 32: their k differ"));
    QCOMPARE(sentence<operands_exchanged>(WrongFragment),
             QString("fragment of the wrong element: thread 31 of block (0, 0) issues a wgmma with "
                     "B[0][0] where a factor of A must be"));
    QCOMPARE(sentence<operand_outside>(OutOfBounds),
             QString("out of bounds: thread 31 of block (0, 0) issues a wgmma whose operand is at "
                     "byte 24576 of shared memory, which has 16384"));
  }

  void whoDoesNotDoWhatOthersDo() {
    using enum FaultKind;
    QCOMPARE(sentence<a_lane_asks_for_another>(Disagreement),
             QString("lanes of a warp disagree: thread 37 of block (0, 0) issues a different wgmma "
                     "from lane 0 of its warp in line L: all 32 lanes must issue the same one"));
    QCOMPARE(
        sentence<a_warp_asks_for_another>(Disagreement),
        QString("lanes of a warp disagree: thread 63 of block (0, 0) issues a different wgmma from "
                "warp 0 in line L: the four warps of a warpgroup must issue the same one"));
    QCOMPARE(sentence<a_lane_stays_away>(Deadlock),
             QString("deadlock: thread 32 of block (0, 0) and all others that have not ended wait "
                     "forever: 31 threads from 32 on wait in line L for the wgmma of line L-2, "
                     "which lane 5 has not issued"));
    QCOMPARE(sentence<a_lane_does_not_wait>(Disagreement),
             QString("lanes of a warp disagree: thread 37 of block (0, 0) executes wait_products 0 "
                     "times, and lane 0 of its warp once: all 32 lanes must execute it together"));
    QCOMPARE(
        sentence<a_lane_fences_for_all>(Disagreement),
        QString("lanes of a warp disagree: thread 32 of block (0, 0) executes fence_products 0 "
                "times, and lane 5 of its warp once: all 32 lanes must execute it together"));
    QCOMPARE(
        sentence<a_warp_stays_away>(Disagreement),
        QString("lanes of a warp disagree: thread 32 of block (0, 0) and its warp do not issue the "
                "wgmma that warp 0 issues: the four warps of a warpgroup must issue it together"));
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::AgentsTest, Nothing)
#include "agents_test.moc"
