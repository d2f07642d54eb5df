// SPDX-License-Identifier: GPL-3.0-or-later
// Lanes of a warp that take different paths: masks, payloads and the order of instructions.
#include <QtTest>
#include <array>

#include "kernels/tile/parameters.h"
#include "tests/support/planted.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom {
namespace {

KERNEL(two_ways, BLOCKSIZE* BLOCKSIZE)
(uint M, uint N, uint K, float alpha, gmem<const float> A, gmem<const float> B, float beta,
 gmem<float> C) {
  REGISTERS(float, x, 1);
  if (threadIdx.x % 4 == 1) {
    x[0] = A[threadIdx.x];
  } else {
    x[0] = B[threadIdx.x];
  }
  C[threadIdx.x] = x[0];
}

// Lane l goes round l times.
KERNEL(staircase, BLOCKSIZE* BLOCKSIZE)
(uint M, uint N, uint K, float alpha, gmem<const float> A, gmem<const float> B, float beta,
 gmem<float> C) {
  REGISTER(float, sum);
  for (uint i = 0; i < threadIdx.x % 32; ++i) {
    sum += A[i] * B[threadIdx.x];
  }
  C[threadIdx.x] = sum;
}

}  // namespace

namespace emulator {

class DivergenceTest : public QObject {
  Q_OBJECT

  Workspace workspace_;

  static std::vector<Kind> kinds(const WarpInterval& view) {
    std::vector<Kind> list;
    for (const Instruction& instruction : view.instructions) list.push_back(instruction.kind);
    return list;
  }

 private slots:
  // Blocks of 8 x 8 over a 13 x 11 matrix: every kind of edge.
  void edgeBlocks_data() {
    QTest::addColumn<QString>("id");
    for (const char* id : {"naive", "coalesced"}) QTest::newRow(id) << QString(id);
  }
  void edgeBlocks() {
    QFETCH(QString, id);
    const Stage& stage = test::stage(id.toStdString());
    const Problem problem = {13, 11, 3};
    std::vector<Kind> whole;
    for (int k = 0; k < problem.k; ++k) {
      for (const Kind kind : {Kind::GlobalLoad, Kind::GlobalLoad, Kind::Fma}) whole.push_back(kind);
    }
    for (const Kind kind : {Kind::GlobalLoad, Kind::Fma, Kind::GlobalStore}) whole.push_back(kind);

    TraceRequest request;
    request.subject() = usualSubject(stage, {{Parameter::BLOCKSIZE, 8}});
    request.problem = problem;
    int divergent = 0;
    for (request.block.y = 0; request.block.y < 2; ++request.block.y) {
      for (request.block.x = 0; request.block.x < 2; ++request.block.x) {
        const Trace trace = traceBlock(workspace_, request);
        QVERIFY(trace.faults.empty());
        for (std::uint32_t warp = 0; warp < trace.warps; ++warp) {
          // The lanes inside C, and their elements.
          std::uint32_t mask = 0;
          std::array<std::uint32_t, kWarpSize> row{}, column{};
          for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
            const std::uint32_t thread = warp * kWarpSize + lane;
            const std::uint32_t x = thread % 8, y = thread / 8;
            const auto blockX = static_cast<std::uint32_t>(request.block.x);
            const auto blockY = static_cast<std::uint32_t>(request.block.y);
            const bool down = id == "naive";  // its lanes run down a column of C
            row[lane] = (stage.rowsAlongX ? blockX : blockY) * 8 + (down ? x : y);
            column[lane] = (stage.rowsAlongX ? blockY : blockX) * 8 + (down ? y : x);
            if (row[lane] < 13 && column[lane] < 11) mask |= 1u << lane;
          }
          const WarpInterval view = trace.at(warp, 0);
          if (mask == 0) {
            QVERIFY(view.instructions.empty());
            continue;
          }
          divergent += mask != 0xFFFFFFFF ? 1 : 0;
          QCOMPARE(view.laneOffsets == nullptr, mask == 0xFFFFFFFF);
          QVERIFY(kinds(view) == whole);
          for (std::size_t i = 0; i < view.instructions.size(); ++i) {
            const Instruction& instruction = view.instructions[i];
            QCOMPARE(instruction.mask, mask);
            QCOMPARE(instruction.dot, i < 9 ? static_cast<std::uint16_t>(i / 3) : kNoDot);
            QCOMPARE(instruction.kTile, i < 9 ? 0u : kNoTile);
            for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
              if ((mask >> lane & 1u) == 0 || instruction.kind == Kind::Fma) continue;
              const auto k = static_cast<std::uint32_t>(i / 3);
              const std::uint32_t expected = instruction.array == kArrayA ? row[lane] * 3 + k
                                             : instruction.array == kArrayB
                                                 ? k * 11 + column[lane]
                                                 : row[lane] * 11 + column[lane];
              QCOMPARE(view.payload(i, lane)[0], expected);
            }
          }
        }
      }
    }
    QVERIFY(divergent > 0);
  }

  void bothSidesOfABranch() {
    const Stage stage = test::planted<two_ways>();
    const Trace trace = test::tracePlanted(workspace_, stage, 8, {8, 8, 8});
    for (std::uint32_t warp = 0; warp < 2; ++warp) {
      const WarpInterval view = trace.at(warp, 0);
      QCOMPARE(view.instructions.size(), std::size_t{3});
      std::uint32_t seen = 0;
      for (std::size_t i = 0; i < 2; ++i) {
        const Instruction& load = view.instructions[i];
        QVERIFY(load.kind == Kind::GlobalLoad);
        QCOMPARE(load.mask, load.array == kArrayA ? 0x22222222u : 0xDDDDDDDDu);
        seen |= load.mask;
      }
      QCOMPARE(seen, 0xFFFFFFFFu);
      // After the branch the lanes are together again, and each holds what its side loaded.
      QVERIFY(view.instructions[2].kind == Kind::GlobalStore);
      QCOMPARE(view.instructions[2].mask, 0xFFFFFFFFu);
      for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
        const std::uint32_t thread = warp * kWarpSize + lane;
        const auto source = lane % 4 == 1 ? Provenance::Source::A : Provenance::Source::B;
        QCOMPARE(view.payload(2, lane)[0], thread);
        QVERIFY(Provenance(view.payload(2, lane)[1]) == Provenance::element(source, thread));
      }
    }
  }

  void loopsOfDifferentLengths() {
    const Stage stage = test::planted<staircase>();
    const Trace trace = test::tracePlanted(workspace_, stage, 8, {8, 8, 8});
    const WarpInterval view = trace.at(0, 0);
    // 31 rounds of two loads and a multiply-add, then one store, in that order.
    QCOMPARE(view.instructions.size(), std::size_t{31 * 3 + 1});
    for (std::uint32_t round = 0; round < 31; ++round) {
      const std::uint32_t staying = 0xFFFFFFFFu << (round + 1);
      for (std::uint32_t part = 0; part < 3; ++part) {
        const std::size_t i = round * 3 + part;
        const Kind expected = part == 2 ? Kind::Fma : Kind::GlobalLoad;
        QVERIFY(view.instructions[i].kind == expected);
        QCOMPARE(view.instructions[i].mask, staying);
        if (part != 0) continue;
        QCOMPARE(view.instructions[i].array, std::uint8_t{kArrayA});
        for (std::uint32_t lane = round + 1; lane < kWarpSize; ++lane) {
          QCOMPARE(view.payload(i, lane)[0], round);
        }
      }
    }
    QVERIFY(view.instructions.back().kind == Kind::GlobalStore);
    QCOMPARE(view.instructions.back().mask, 0xFFFFFFFFu);
  }

  // 49 threads: the second warp has 17 lanes.
  void aPartlyFilledWarp() {
    const Stage& stage = test::stage("shared");
    TraceRequest request;
    request.subject() = usualSubject(stage, {{Parameter::BLOCKSIZE, 7}});
    request.problem = {7, 7, 7};
    const Trace trace = traceBlock(workspace_, request);
    QCOMPARE(trace.threads, 49u);
    QCOMPARE(trace.warps, 2u);
    for (std::uint32_t interval = 0; interval < trace.intervals(); ++interval) {
      QVERIFY(!trace.at(1, interval).instructions.empty());
      for (const Instruction& instruction : trace.at(1, interval).instructions) {
        QCOMPARE(instruction.mask, 0x1FFFFu);
      }
      QVERIFY(trace.at(1, interval).laneOffsets == nullptr);
    }
  }
};

}  // namespace emulator
}  // namespace tileloom

TILELOOM_TEST(tileloom::emulator::DivergenceTest, Nothing)
#include "divergence_test.moc"
