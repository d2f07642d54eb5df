// SPDX-License-Identifier: GPL-3.0-or-later
// Which scalar shared loads become one wide load: each rule in a kernel of its own, then the
// ladder's.
#include "kernels/analysis/memory/merging.h"

#include <QtTest>

#include "kernels/tile/constraints.h"
#include "kernels/tile/parameters.h"
#include "tests/support/planted.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

// All planted kernels fill shared memory for 64 threads first, and load after the barrier.
#define FILL                                                             \
  SHARED_TILES(As, 640, Bs, 640);                                        \
  REGISTERS(float, r, 16);                                               \
  for (uint fill = threadIdx.x; fill < 640; fill += 64) As[fill] = A[0]; \
  for (uint fill = threadIdx.x; fill < 640; fill += 64) Bs[fill] = B[0]; \
  __syncthreads()
#define PLANT(kernel_name)                                                                    \
  KERNEL(kernel_name, BLOCKSIZE* BLOCKSIZE)                                                   \
  (uint M, uint N, uint K, float alpha, gmem<const float> A, gmem<const float> B, float beta, \
   gmem<float> C)

namespace tileloom {
namespace {

PLANT(row_of_eight) {
  FILL;
  UNROLL
  for (uint i = 0; i < 8; ++i) r[i] = As[threadIdx.x * 8 + i];
}

PLANT(row_backwards) {
  FILL;
  UNROLL
  for (uint i = 0; i < 4; ++i) r[i] = As[threadIdx.x * 4 + 3 - i];
}

PLANT(pair) {
  FILL;
  UNROLL
  for (uint i = 0; i < 2; ++i) r[i] = As[threadIdx.x * 2 + i];
}

PLANT(six_from_an_odd_word) {
  FILL;
  UNROLL
  for (uint i = 0; i < 6; ++i) r[i] = As[threadIdx.x * 8 + 1 + i];
}

PLANT(triple) {
  FILL;
  UNROLL
  for (uint i = 0; i < 3; ++i) r[i] = As[threadIdx.x * 3 + i];
}

PLANT(column) {
  FILL;
  UNROLL
  for (uint i = 0; i < 8; ++i) r[i] = As[i * 64 + threadIdx.x];
}

// Aligned in the first warp only; the code is the same for both.
PLANT(aligned_in_one_warp) {
  FILL;
  const uint shift = threadIdx.x < 32 ? 0 : 1;
  UNROLL
  for (uint i = 0; i < 4; ++i) r[i] = As[threadIdx.x * 8 + shift + i];
}

// Consecutive in lane 0 of each warp only.
PLANT(consecutive_in_one_lane) {
  FILL;
  const uint step = threadIdx.x % 32 == 0 ? 1 : 2;
  UNROLL
  for (uint i = 0; i < 4; ++i) r[i] = As[threadIdx.x * 8 + i * step];
}

PLANT(store_between) {
  FILL;
  r[0] = As[threadIdx.x * 4 + 0];
  r[1] = As[threadIdx.x * 4 + 1];
  Bs[threadIdx.x] = r[0];
  r[2] = As[threadIdx.x * 4 + 2];
  r[3] = As[threadIdx.x * 4 + 3];
}

PLANT(barrier_between) {
  FILL;
  r[0] = As[threadIdx.x * 4 + 0];
  r[1] = As[threadIdx.x * 4 + 1];
  __syncthreads();
  r[2] = As[threadIdx.x * 4 + 2];
  r[3] = As[threadIdx.x * 4 + 3];
}

PLANT(two_arrays) {
  FILL;
  UNROLL
  for (uint i = 0; i < 4; ++i) {
    r[i] = As[threadIdx.x * 4 + i];
    r[4 + i] = Bs[threadIdx.x * 4 + i];
  }
}

PLANT(unrolled_loop) {
  FILL;
  UNROLLED_DOTS (dot, 4) {
    r[dot] = As[threadIdx.x * 4 + dot];
  }
}

PLANT(rolled_loop) {
  FILL;
  ROLLED_DOTS (dot, 4) {
    r[dot] = As[threadIdx.x * 4 + dot];
  }
}

PLANT(already_wide) {
  FILL;
  load_run(r, As + threadIdx.x * 8, 8);
}

PLANT(global_row) {
  FILL;
  UNROLL
  for (uint i = 0; i < 4; ++i) r[i] = A[threadIdx.x % 16 * 4 + i];
}

}  // namespace

namespace analysis {

using emulator::Kind;
using emulator::Trace;

class MergingTest : public QObject {
  Q_OBJECT

  emulator::Workspace workspace_;

  // The shared or global loads as executed, in program order: "As x4, Bs x1".
  static QString loads(const Trace& trace, std::uint32_t warp, std::uint32_t interval) {
    const emulator::WarpInterval view = trace.at(warp, interval);
    QStringList list;
    for (const Access& access : accessesOf(trace, warp, interval).accesses) {
      const emulator::Instruction& instruction = view.instructions[access.first];
      if (isStore(instruction.kind)) continue;
      list +=
          QString("%1 x%2").arg(test::q(trace.arrays[instruction.array].name)).arg(access.width);
    }
    return list.join(", ");
  }

  template <class Kernel>
  QString plantedLoads(std::uint32_t interval = 1) {
    const Stage stage = test::planted<Kernel>();
    const Trace trace = test::tracePlanted(workspace_, stage, 8, {8, 8, 8});
    if (!trace.faults.empty()) return test::q(describe(trace.faults.kept.front()));
    const QString first = loads(trace, 0, interval), second = loads(trace, 1, interval);
    return first == second ? first : first + " | " + second;
  }

  Trace traceTile(std::string_view id, const TileShape& tile) {
    const Stage& stage = test::stage(id);
    const Derived d = derive(stage, tile);
    emulator::TraceRequest request;
    request.subject() = usualSubject(stage, tile);
    request.problem = {d.blockM, d.blockN, d.stepK};
    return traceBlock(workspace_, request);
  }

  // How many loads of each array and width the multiplying interval has: "As x4: 8, Bs x1: 32".
  QString counted(const Trace& trace) {
    std::map<QString, int> counts;
    for (const QString& load : loads(trace, 0, 1).split(", ")) ++counts[load];
    QStringList list;
    for (const auto& [load, count] : counts) list += QString("%1: %2").arg(load).arg(count);
    return list.join(", ");
  }

 private slots:
  void alignedNeighboursMerge() {
    QCOMPARE(plantedLoads<row_of_eight>(), QString("As x4, As x4"));
    QCOMPARE(plantedLoads<row_backwards>(), QString("As x4"));
    QCOMPARE(plantedLoads<pair>(), QString("As x2"));
    QCOMPARE(plantedLoads<two_arrays>(), QString("As x4, Bs x4"));
    QCOMPARE(plantedLoads<unrolled_loop>(), QString("As x4"));
  }

  void oddAlignmentDoesNot() {
    QCOMPARE(plantedLoads<six_from_an_odd_word>(), QString("As x1, As x2, As x2, As x1"));
    QCOMPARE(plantedLoads<triple>(), QString("As x1, As x1, As x1"));
    QCOMPARE(plantedLoads<aligned_in_one_warp>(), QString("As x1, As x1, As x1, As x1"));
  }

  void distantWordsDoNot() {
    QCOMPARE(plantedLoads<column>(), QStringList(QList<QString>(8, "As x1")).join(", "));
    QCOMPARE(plantedLoads<consecutive_in_one_lane>(), QString("As x1, As x1, As x1, As x1"));
  }

  void nothingMergesAcrossAFence() {
    QCOMPARE(plantedLoads<store_between>(), QString("As x2, As x2"));
    QCOMPARE(plantedLoads<barrier_between>(1), QString("As x2"));
    QCOMPARE(plantedLoads<barrier_between>(2), QString("As x2"));
    QCOMPARE(plantedLoads<rolled_loop>(), QString("As x1, As x1, As x1, As x1"));
  }

  void wideAndGlobalLoadsStayAsTheyAre() {
    QCOMPARE(plantedLoads<already_wide>(), QString("As x4, As x4"));
    QCOMPARE(plantedLoads<global_row>(), QString("A x1, A x1, A x1, A x1"));
  }

  void aMergedLoadKnowsItsParts() {
    const Stage stage = test::planted<row_backwards>();
    const Trace trace = test::tracePlanted(workspace_, stage, 8, {8, 8, 8});
    const IntervalAccesses plan = accessesOf(trace, 1, 1);
    QCOMPARE(plan.accesses.size(), std::size_t{1});
    QCOMPARE(plan.accesses[0].first, 0u);   // executed at the first part,
    QCOMPARE(plan.accesses[0].lowest, 3u);  // at the address of the last one
    QCOMPARE(plan.accesses[0].merged, 4u);
    for (std::size_t i = 0; i < 4; ++i) QCOMPARE(plan.accessOf[i], 0u);
    const auto addresses = laneAddresses(trace, trace.at(1, 1), plan.accesses[0].lowest);
    for (std::uint32_t lane = 0; lane < 32; ++lane) QCOMPARE(addresses[lane], (32 + lane) * 4);
  }

  void addressesCountFromTheStartOfSharedMemory() {
    const Stage stage = test::planted<two_arrays>();
    const Trace trace = test::tracePlanted(workspace_, stage, 8, {8, 8, 8});
    const auto addresses = laneAddresses(trace, trace.at(0, 1), 1);
    for (std::uint32_t lane = 0; lane < 32; ++lane) QCOMPARE(addresses[lane], 640 + lane * 4);
  }

  // HARDWARE.md: As[row][dot] for 32 dots is 8 loads of 128 bits.
  void rung3() {
    const Stage& stage = test::stage("shared");
    QCOMPARE(counted(traceTile("shared", stage.standardTile())), QString("As x4: 8, Bs x1: 32"));
    // An odd pitch leaves no row aligned.
    QCOMPARE(counted(traceTile("shared", {{Parameter::BLOCKSIZE, 9}})),
             QString("As x1: 9, Bs x1: 9"));
  }

  void rung4() {
    const Stage& stage = test::stage("blocktile1d");
    QCOMPARE(counted(traceTile("blocktile1d", stage.standardTile())),
             QString("As x4: 16, Bs x1: 8"));
  }

  // Rows of As lie BK apart, so a column is not merged; a fragment of Bs is.
  void rung5() {
    const Stage& stage = test::stage("blocktile2d");
    QCOMPARE(counted(traceTile("blocktile2d", stage.standardTile())),
             QString("As x1: 64, Bs x4: 16"));
    const TileShape narrow = {{Parameter::BM, 64},
                              {Parameter::BN, 64},
                              {Parameter::BK, 8},
                              {Parameter::TM, 8},
                              {Parameter::TN, 2}};
    QVERIFY(isLegal(stage, narrow));
    QCOMPARE(counted(traceTile("blocktile2d", narrow)), QString("As x1: 64, Bs x2: 8"));
    const TileShape single = {{Parameter::BM, 64},
                              {Parameter::BN, 64},
                              {Parameter::BK, 8},
                              {Parameter::TM, 8},
                              {Parameter::TN, 1}};
    QVERIFY(isLegal(stage, single));
    QCOMPARE(counted(traceTile("blocktile2d", single)), QString("As x1: 64, Bs x1: 8"));
  }

  void theWideRungsLoadAsWritten() {
    for (const char* id : {"vectorized", "autotuned", "warptiled"}) {
      const Stage& stage = test::stage(id);
      const QString text = counted(traceTile(id, stage.standardTile()));
      QVERIFY2(!text.contains("x1") && !text.contains("x2"), qPrintable(text));
    }
  }

  void everyMemoryInstructionHasOneAccess_data() { test::addStageRows(); }
  void everyMemoryInstructionHasOneAccess() {
    const Stage& stage = test::stageOfRow();
    const Trace trace = traceTile(stage.id, stage.standardTile());
    for (std::uint32_t interval = 0; interval < trace.intervals(); ++interval) {
      const emulator::WarpInterval view = trace.at(0, interval);
      const IntervalAccesses plan = accessesOf(trace, 0, interval);
      QCOMPARE(plan.accessOf.size(), view.instructions.size());
      std::vector<std::uint32_t> parts(plan.accesses.size());
      for (std::size_t i = 0; i < view.instructions.size(); ++i) {
        if (!isMemory(view.instructions[i].kind)) {
          QCOMPARE(plan.accessOf[i], IntervalAccesses::kNone);
          continue;
        }
        const std::uint32_t number = plan.accessOf[i];
        QVERIFY(number < plan.accesses.size());
        const Access& access = plan.accesses[number];
        ++parts[number];
        // Each part is one of the words that the access covers, in every lane.
        for (std::uint32_t lane = 0; lane < 32; ++lane) {
          const std::uint32_t low = view.payload(access.lowest, lane)[0];
          const std::uint32_t own = view.payload(i, lane)[0];
          QVERIFY(own >= low && own + view.instructions[i].width <= low + access.width);
        }
      }
      std::uint32_t before = 0;
      for (std::size_t a = 0; a < parts.size(); ++a) {
        QCOMPARE(parts[a], plan.accesses[a].merged);
        QVERIFY(a == 0 || plan.accesses[a].first > before);
        before = plan.accesses[a].first;
      }
    }
  }
};

}  // namespace analysis
}  // namespace tileloom

TILELOOM_TEST(tileloom::analysis::MergingTest, Nothing)
#include "merging_test.moc"
