// SPDX-License-Identifier: GPL-3.0-or-later
// Instructions of a whole warp: what each lane receives, and one planted bug for each thing that
// can go wrong with them.
#include <QtTest>
#include <cmath>

#include "kernels/analysis/counts/totals.h"
#include "kernels/analysis/recording.h"
#include "kernels/emulator/fragment_layout.h"
#include "tests/support/planted.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom {
namespace {

// Two warps of a block over a problem of 32 x 32 x 32.
#define PLANT(kernel_name)                    \
  KERNEL16(kernel_name, BLOCKSIZE* BLOCKSIZE) \
  (uint M, uint N, uint K, gmem<const element> A, gmem<const element> B, gmem<element> C)
#define THE_CULPRIT (threadIdx.x == 37)

// 16 rows of A (32 elements of K) and 16 rows of B, and fragments to load them into.
#define TILES                                                         \
  SHARED16(As, 16 * 32, Bs, 16 * 32);                                 \
  REGISTERS(float, acc, 4);                                           \
  FRAGMENTS(a, 4);                                                    \
  FRAGMENTS(b, 4);                                                    \
  static_cast<void>(acc), static_cast<void>(a), static_cast<void>(b); \
  const uint lane = threadIdx.x % 32;                                 \
  const uint row = lane % 16 * 32, column = lane / 16 * 8;            \
  static_cast<void>(row), static_cast<void>(column);                  \
  store8(As + threadIdx.x * 8, load8(A + threadIdx.x * 8));           \
  store8(Bs + threadIdx.x * 8, load8(B + threadIdx.x * 8));           \
  __syncthreads()
#define STORE                                                    \
  store2(C + lane / 4 * N + lane % 4 * 2, pack(acc[0], acc[1])); \
  store2(C + (lane / 4 + 8) * N + lane % 4 * 2, pack(acc[2], acc[3]))

PLANT(right) {
  TILES;
  load_matrices(a, As + row + column);
  load_matrices_turned(b, Bs + row + column);
  multiply_add(acc, a, b);
  STORE;
}

// ---- lanes that are not together

PLANT(a_lane_stays_away) {
  TILES;
  if (!THE_CULPRIT) PLANTED(load_matrices(a, As + row + column));
}

PLANT(a_lane_waits_at_a_barrier) {
  TILES;
  if (!THE_CULPRIT) PLANTED(load_matrices(a, As + row + column));
  __syncthreads();
}

PLANT(a_lane_on_another_line) {
  TILES;
  if (!THE_CULPRIT) {
    load_matrices(a, As + row + column);
  } else {
    PLANTED(load_matrices(a, As + row + column));
  }
}

PLANT(a_lane_at_another_instruction) {
  TILES;
  PLANTED(if (THE_CULPRIT) load_matrices_turned(a, As + row + column);
          else load_matrices(a, As + row + column));
}

// ---- rows that are none

PLANT(a_row_off_by_eight_bytes) {
  TILES;
  PLANTED(load_matrices(a, As + row + column + (THE_CULPRIT ? 4 : 0)));
}

PLANT(a_row_past_the_end) {
  TILES;
  PLANTED(load_matrices(a, As + (THE_CULPRIT ? 512 : row + column)));
}

PLANT(a_row_that_nobody_wrote) {
  SHARED16(As, 16 * 32, Bs, 16 * 32);
  FRAGMENTS(a, 4);
  const uint lane = threadIdx.x % 32;
  store8(As + threadIdx.x * 8, load8(A + threadIdx.x * 8));
  __syncthreads();
  const auto from = THE_CULPRIT ? Bs + 8 : As + lane * 8;
  PLANTED(load_matrices(a, from));
}

// Thread 36 writes the row that thread 37 names, with no barrier between.
PLANT(a_row_that_is_being_written) {
  TILES;
  if (threadIdx.x == 36) store8(As + 5 * 32, load8(B));
  PLANTED(load_matrices(a, As + (THE_CULPRIT ? 5 * 32 : 0)));
}

// And the other way about: it is read while another thread writes it.
PLANT(a_row_that_is_being_read) {
  TILES;
  load_matrices(a, As + (threadIdx.x == 36 ? 5 * 32 : 0));
  if (THE_CULPRIT) PLANTED(store8(As + 5 * 32, load8(B)));
}

PLANT(a_row_of_global_memory) {
  TILES;
  const auto from = THE_CULPRIT ? A + 8 : As + row;
  PLANTED(load_matrices(a, from));
}

PLANT(more_pairs_than_there_are) {
  SHARED16(As, 16 * 32, Bs, 16 * 32);
  static_cast<void>(Bs);
  FRAGMENTS(a, 4);
  store8(As + threadIdx.x * 8, load8(A + threadIdx.x * 8));
  __syncthreads();
  PLANTED(load_matrices(a + (THE_CULPRIT ? 1 : 0), As));
}

// ---- factors that do not belong together

PLANT(never_loaded) {
  TILES;
  load_matrices(a, As + row + column);
  PLANTED(multiply_add(acc, a, b));
  STORE;
}

PLANT(b_not_turned) {
  TILES;
  load_matrices(a, As + row + column);
  load_matrices(b, Bs + row + column);
  PLANTED(multiply_add(acc, a, b));
  STORE;
}

PLANT(a_turned) {
  TILES;
  load_matrices_turned(a, As + row + column);
  load_matrices_turned(b, Bs + row + column);
  PLANTED(multiply_add(acc, a, b));
  STORE;
}

PLANT(another_k) {
  TILES;
  load_matrices(a, As + row + column + 16);  // k from 16 on
  load_matrices_turned(b, Bs + row + column);
  PLANTED(multiply_add(acc, a, b));
  STORE;
}

PLANT(halves_of_k_exchanged) {
  TILES;
  load_matrices(a, As + row + (column ^ 8));
  load_matrices_turned(b, Bs + row + column);
  PLANTED(multiply_add(acc, a, b));
  STORE;
}

// The rows that two lanes name are exchanged: their k are those of the other lane.
PLANT(two_lanes_of_b_exchanged) {
  TILES;
  load_matrices(a, As + row + column);
  load_matrices_turned(b, Bs + (lane ^ 1) % 16 * 32 + column);
  PLANTED(multiply_add(acc, a, b));
  STORE;
}

PLANT(two_of_a) {
  TILES;
  load_matrices(a, As + row + column);
  load_matrices_turned(b, As + row + column);
  PLANTED(multiply_add(acc, a, b));
  STORE;
}

// ---- loads and stores of elements

PLANT(a_pair_off_by_one) {
  if (THE_CULPRIT) {
    REGISTERS(float, acc, 2);
    PLANTED(store2(C + 3, pack(acc[0], acc[1])));
  }
}

PLANT(eight_off_by_two) {
  SHARED16(As, 512, Bs, 512);
  static_cast<void>(Bs);
  if (THE_CULPRIT) PLANTED(store8(As + 18, load8(A)));
}

PLANT(eight_over_the_end) {
  SHARED16(As, 512, Bs, 512);
  static_cast<void>(Bs);
  if (THE_CULPRIT) PLANTED(store8(As, load8(A + (M * K - 4))));
}

PLANT(eight_from_before_their_copy) {
  SHARED16(As, 512, Bs, 512);
  if (THE_CULPRIT) PLANTED(store8(Bs, load8(As + 16)));
}

#undef PLANT

}  // namespace

using emulator::FaultKind;
using emulator::Kind;
using test::q;

class WarpWideTest : public QObject {
  Q_OBJECT

  emulator::Workspace workspace_;

  template <class Kernel>
  emulator::Trace traceOf() {
    const Stage stage = test::plantedTensor<Kernel>();
    test::plantedLine = 0;
    return test::tracePlanted(workspace_, stage, 8, {32, 32, 32});
  }

  template <class Kernel>
  emulator::Fault firstFault(FaultKind kind) {
    const auto trace = traceOf<Kernel>();
    if (trace.faults.empty()) {
      QTest::qFail("no fault", __FILE__, __LINE__);
      return {};
    }
    const emulator::Fault& fault = trace.faults.kept.front();
    if (fault.kind != kind || fault.line != test::plantedLine || test::plantedLine == 0)
      QTest::qFail(describe(fault).c_str(), __FILE__, __LINE__);
    return fault;
  }

  // The fault is of thread 37 and of this element.
  template <class Kernel>
  void expect(FaultKind kind, const char* array, std::int64_t index, int other = -1) {
    const emulator::Fault fault = firstFault<Kernel>(kind);
    QCOMPARE(fault.thread, 37);
    QCOMPARE(q(fault.array), QString(array));
    QCOMPARE(fault.index, index);
    QCOMPARE(fault.otherThread, other);
  }

  template <class Kernel>
  QString sentence(FaultKind kind) {
    const QString text = q(describe(firstFault<Kernel>(kind)));
    const QString end = QStringLiteral(", planted at tests/planted.cuh:%1").arg(test::plantedLine);
    return text.endsWith(end) ? text.chopped(end.size()) : text;
  }

 private slots:
  void aRightKernelHasNoFault() {
    const auto trace = traceOf<right>();
    QVERIFY2(trace.faults.empty(),
             trace.faults.empty() ? "" : describe(trace.faults.kept.front()).c_str());
    QCOMPARE(static_cast<int>(trace.format), static_cast<int>(Format::Bf16));
    QCOMPARE(trace.sharedBytes, 2u * 2 * 16 * 32);
  }

  // C[0..15][0..7] is the product over k from 0 to 15, in either format.
  void theProductIsRight() {
    const Stage stage = test::plantedTensor<right>();
    for (const Format format : stage.formats) {
      std::vector<std::uint16_t> a(32 * 32), b(32 * 32), c(32 * 32);
      for (std::size_t i = 0; i < a.size(); ++i) {
        a[i] = halfBits(format, static_cast<float>(i * 7 % 13) - 6.0f);
        b[i] = halfBits(format, static_cast<float>(i * 11 % 17) - 8.0f);
      }
      emulator::HalfGemm gemm;
      gemm.subject() = {&stage, {{Parameter::BLOCKSIZE, 8}}, format};
      gemm.problem = {32, 32, 32};
      gemm.a = a, gemm.b = b, gemm.c = c;
      QVERIFY(runGemm(workspace_, gemm, [](const auto&) {}).empty());
      for (std::size_t i = 0; i < 16; ++i) {
        for (std::size_t j = 0; j < 8; ++j) {
          float sum = 0;
          for (std::size_t k = 0; k < 16; ++k)
            sum += halfValue(format, a[i * 32 + k]) * halfValue(format, b[k * 32 + j]);
          QCOMPARE(c[i * 32 + j], halfBits(format, sum));
        }
      }
    }
  }

  void lanesThatAreNotTogether() {
    for (const emulator::Fault& fault :
         {firstFault<a_lane_stays_away>(FaultKind::Disagreement),
          firstFault<a_lane_waits_at_a_barrier>(FaultKind::Disagreement),
          firstFault<a_lane_on_another_line>(FaultKind::Disagreement),
          firstFault<a_lane_at_another_instruction>(FaultKind::Disagreement)}) {
      QCOMPARE(fault.thread, 37);
      QCOMPARE(fault.otherThread, 32);
    }
    // The line is known once the kernel has run.
    const QString away = sentence<a_lane_stays_away>(FaultKind::Disagreement);
    QCOMPARE(
        away,
        QStringLiteral(
            "lanes of a warp disagree: thread 37 of block (0, 0) does not reach the load_matrices "
            "of line %1, where thread 32 is: all 32 lanes must execute it together")
            .arg(test::plantedLine));
    const QString other = sentence<a_lane_at_another_instruction>(FaultKind::Disagreement);
    QCOMPARE(other,
             QStringLiteral("lanes of a warp disagree: thread 37 of block (0, 0) is at the "
                            "load_matrices_turned of line %1, and thread 32 at the load_matrices "
                            "of line %1: all 32 lanes must execute the same one")
                 .arg(test::plantedLine));
  }

  void rowsThatAreNone() {
    using enum FaultKind;
    expect<a_row_off_by_eight_bytes>(Misaligned, "As", 5 * 32 + 4);
    expect<a_row_past_the_end>(OutOfBounds, "As", 512);
    expect<a_row_that_nobody_wrote>(Unwritten, "Bs", 8);
    expect<a_row_that_is_being_written>(Race, "As", 5 * 32, 36);
    expect<a_row_that_is_being_read>(Race, "As", 5 * 32, 36);
    expect<a_row_of_global_memory>(OutOfBounds, "A", 8);
    QCOMPARE(sentence<a_row_of_global_memory>(OutOfBounds),
             QString("out of bounds: thread 37 of block (0, 0) names a row of A to load_matrices, "
                     "which reads shared memory only"));
    expect<more_pairs_than_there_are>(OutOfBounds, "a", 4);
  }

  void factorsThatDoNotBelongTogether() {
    using enum FaultKind;
    QCOMPARE(
        sentence<never_loaded>(WrongFragment),
        QString("fragment of the wrong element: thread 0 of block (0, 0) holds no element of a "
                "matrix in pair 0 of its part of B, lane 0, where the other factor must be"));
    QCOMPARE(sentence<b_not_turned>(WrongFragment),
             QString("fragment of the wrong element: thread 0 of block (0, 0) holds B[0][1] in "
                     "pair 0 of its part of B, lane 0, in one column of the instruction with "
                     "B[0][0]"));
    QCOMPARE(sentence<a_turned>(WrongFragment),
             QString("fragment of the wrong element: thread 0 of block (0, 0) holds A[1][0] in "
                     "pair 0 of its part of A, lane 0, in one row of the instruction with "
                     "A[0][0]"));
    QCOMPARE(sentence<another_k>(WrongFragment),
             QString("fragment of the wrong element: thread 0 of block (0, 0) holds B[0][0] in "
                     "pair 0 of its part of B, lane 0, which is multiplied by A[0][16]: their k "
                     "differ"));
    const emulator::Fault wrong = firstFault<another_k>(WrongFragment);
    QCOMPARE(q(wrong.array), QString("B"));
    QCOMPARE(wrong.index, std::int64_t{0});
    firstFault<halves_of_k_exchanged>(WrongFragment);
    firstFault<two_lanes_of_b_exchanged>(WrongFragment);
    QCOMPARE(sentence<two_of_a>(WrongFragment),
             QString("fragment of the wrong element: thread 0 of block (0, 0) holds A[0][0] in "
                     "pair 0 of its part of B, lane 0, where the other factor must be"));
  }

  void loadsAndStoresOfElements() {
    using enum FaultKind;
    expect<a_pair_off_by_one>(Misaligned, "C", 3);
    expect<eight_off_by_two>(Misaligned, "As", 18);
    expect<eight_over_the_end>(OutOfBounds, "A", 32 * 32 - 4);
    expect<eight_from_before_their_copy>(Unwritten, "As", 16);
  }

  // What a lane receives, by the words of the PTX manual: of matrix i, row l / 4 and columns
  // 2 (l % 4) and + 1; transposed, the same with rows and columns exchanged.
  void whatTheRecordingKnows() {
    const analysis::Recording r(traceOf<right>());
    std::vector<std::uint32_t> loads;
    std::uint32_t product = 0;
    for (std::uint32_t i = 0; i < r.trace.length(0); ++i) {
      const auto p = r.trace.position(0, i);
      const auto kind = r.trace.at(0, p.interval).instructions[p.instruction].kind;
      if (kind == Kind::MatrixLoad) loads.push_back(i);
      if (kind == Kind::Mma) product = i;
    }
    QCOMPARE(loads.size(), std::size_t{2});
    for (const bool turned : {false, true}) {
      const auto p = r.trace.position(0, loads[turned ? 1 : 0]);
      const auto view = r.trace.at(0, p.interval);
      const emulator::Instruction& instruction = view.instructions[p.instruction];
      QCOMPARE(instruction.mask, 0xFFFF'FFFFu);
      QCOMPARE(instruction.turned != 0, turned);
      QCOMPARE(instruction.elements(), 8u);
      const auto source =
          turned ? emulator::Provenance::Source::B : emulator::Provenance::Source::A;
      for (std::uint32_t lane = 0; lane < 32; ++lane) {
        const std::uint32_t* words = view.payload(p.instruction, lane);
        QCOMPARE(words[0], lane % 16 * 32 + lane / 16 * 8);
        for (std::uint32_t matrix = 0; matrix < 4; ++matrix) {
          for (std::uint32_t half = 0; half < 2; ++half) {
            std::uint32_t row = lane / 4, column = lane % 4 * 2 + half;
            if (turned) std::swap(row, column);
            row += matrix % 2 * 8;
            column += matrix / 2 * 8;
            QVERIFY(emulator::Provenance(words[1 + 2 * matrix + half]) ==
                    emulator::Provenance::element(source, row * 32 + column));
          }
        }
      }
      // The moment shows the row that the lane names.
      const auto moment = r.moment(0, loads[turned ? 1 : 0]);
      QCOMPARE(moment.touches.size(), std::size_t{32 * 8});
      for (const auto& touch : moment.touches) {
        QCOMPARE(touch.element.row, std::int64_t{touch.lane % 16});
        QCOMPARE(touch.element.column / 2, std::int64_t{touch.lane / 16 * 4 + touch.word});
      }
      // Rows 64 bytes apart: four of eight begin on each of two banks.
      QCOMPARE(moment.cost.shared.ideal, 4u);
      QCOMPARE(moment.cost.wavefronts(), 16u);
      QCOMPARE(moment.cost.shared.degree, 4u);
    }
    const auto moment = r.moment(0, product);
    QCOMPARE(moment.touches.size(), std::size_t{32 * 16});
    const auto totals = r.totals();
    QCOMPARE(totals.tensorInstructions, std::uint64_t{2});  // of two warps
    QCOMPARE(totals.matrixLoadInstructions, std::uint64_t{4});
    QCOMPARE(totals.matrixLoadWavefronts, std::uint64_t{64});
    QCOMPARE(totals.matrixLoadConflicts, std::uint64_t{48});
    QCOMPARE(totals.matrixLoadElements, std::uint64_t{4 * 256});
    QCOMPARE(totals.sharedLoadInstructions, std::uint64_t{0});
    QCOMPARE(totals.ffmaThreadInstructions, std::uint64_t{0});
    // 16 bytes per lane of consecutive elements: 512 bytes per warp and matrix.
    QCOMPARE(totals.globalLoadRequests, std::uint64_t{4});
    QCOMPARE(totals.globalLoadSectors, std::uint64_t{4 * 16});
    // Pairs: 8 rows of 16 bytes each time, half a sector.
    QCOMPARE(totals.globalStoreRequests, std::uint64_t{4});
    QCOMPARE(totals.globalStoreSectors, std::uint64_t{4 * 8});
    QCOMPARE(totals.sharedStoreWavefronts, std::uint64_t{4 * 4});
    QCOMPARE(totals.results, std::uint64_t{2 * 128});
  }

  // Shared memory knows both elements of each word.
  void sharedMemoryByProvenance() {
    const analysis::Recording r(traceOf<right>());
    const auto words = r.contents(emulator::kFirstShared, 0, r.trace.length(0) - 1);
    QCOMPARE(words.size(), std::size_t{16 * 32});
    for (std::uint32_t i = 0; i < words.size(); ++i)
      QVERIFY(words[i] == emulator::Provenance::element(emulator::Provenance::Source::A, i));
  }

  // Without factors the counts are the same.
  void countsNeedNoOperands() {
    const Stage stage = test::plantedTensor<right>();
    emulator::TraceRequest request;
    request.subject() = usualSubject(stage, {{Parameter::BLOCKSIZE, 8}});
    request.problem = {32, 32, 32};
    const auto with = emulator::traceBlock(workspace_, request);
    request.operands = false;
    const auto without = emulator::traceBlock(workspace_, request);
    QVERIFY(analysis::blockTotals(with) == analysis::blockTotals(without));
    QVERIFY(without.memory() < with.memory());
  }

  // Virtual matrices hold numbers that the format has.
  void virtualElementsAreHalves() {
    const Stage stage = test::plantedTensor<right>();
    for (const Format format : stage.formats) {
      emulator::TraceRequest request;
      request.subject() = {&stage, {{Parameter::BLOCKSIZE, 8}}, format};
      request.problem = {32, 32, 32};
      QVERIFY(emulator::traceBlock(workspace_, request).format == format);
    }
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::WarpWideTest, Nothing)
#include "warp_wide_test.moc"
