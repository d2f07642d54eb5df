// SPDX-License-Identifier: GPL-3.0-or-later
// The rungs of the tensor ladder: each product reaches C once, by provenance through every
// fragment; sums that are exact integers come out bit for bit; others within what rounding allows;
// and mutants of the kernels' own sources are all found.
#include <fmt/format.h>

#include <QtTest>
#include <cmath>

#include "kernels/tile/constraints.h"
#include "kernels/tile/knobs.h"
#include "tests/support/coverage.h"
#include "tests/support/planted.h"
#include "tests/support/random_tiles.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom {
namespace {

// A mutant is the stage's own file, compiled with one of its words meaning something else.
#define __syncthreads() static_cast<void>(0)
namespace mma_without_barriers {
#include "kernels/stages/mma.cuh"
}
#undef __syncthreads

// Of the two barriers of a K tile, the even or the odd one is left out.
#define __syncthreads() \
  if (__COUNTER__ % 2 == 0) Thread::__syncthreads()
namespace mma_with_one_barrier {
#include "kernels/stages/mma.cuh"
}
static_assert(__COUNTER__ >= 0, "counted once more");
namespace mma_with_the_other_barrier {
#include "kernels/stages/mma.cuh"
}
#undef __syncthreads

#define load_matrices_turned load_matrices
namespace mma_b_not_turned {
#include "kernels/stages/mma.cuh"
}
#undef load_matrices_turned

#define load_matrices load_matrices_turned
namespace mma_a_turned {
#include "kernels/stages/mma.cuh"
}
#undef load_matrices

// Neighbouring lanes are exchanged wherever a lane's number counts.
struct Exchanged {
  unsigned x;
};
#define threadIdx (Exchanged{threadIdx.x ^ 1u})
namespace mma_lanes_exchanged {
#include "kernels/stages/mma.cuh"
}
#undef threadIdx

// Lanes are exchanged only where they name the rows of A, or of B.
#define load_matrices(r, p) load_matrices(r, (p) + (threadIdx.x % 16 == 3 ? 8 * 16 : 0))
namespace mma_a_row_of_another {
#include "kernels/stages/mma.cuh"
}
#undef load_matrices
#define load_matrices_turned(r, p) load_matrices_turned(r, (p) + (threadIdx.x % 32 < 8 ? 8 : 0))
namespace mma_b_columns_of_another {
#include "kernels/stages/mma.cuh"
}
#undef load_matrices_turned

#define pack(low, high) pack(high, low)
namespace mma_halves_exchanged {
#include "kernels/stages/mma.cuh"
}
#undef pack

#define multiply_add(acc, a, b) multiply_add(acc, a, b), multiply_add(acc, a, b)
namespace mma_each_product_twice {
#include "kernels/stages/mma.cuh"
}
#undef multiply_add

#define multiply_add(acc, a, b) \
  if (k > 0 || threadIdx.x >= 32) multiply_add(acc, a, b)
namespace mma_one_warp_leaves_out_a_step {
#include "kernels/stages/mma.cuh"
}
#undef multiply_add

#define load8(p) load8((p) + 8)
namespace mma_copies_from_beside {
#include "kernels/stages/mma.cuh"
}
#undef load8

#define store2(p, v) store2((p) + (lane == 5 ? 2 : 0), v)
namespace mma_stores_beside {
#include "kernels/stages/mma.cuh"
}
#undef store2

// The comparison itself: nothing is changed.
namespace mma_unchanged {
#include "kernels/stages/mma.cuh"
}

std::size_t count(int rows, int columns) {
  return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
}

// Operands and result of one product.
struct Product {
  Problem problem;
  Arithmetic arithmetic;
  std::vector<std::uint16_t> a, b, c;

  float at(const std::vector<std::uint16_t>& m, std::size_t i) const {
    return halfValue(arithmetic, m[i]);
  }
};

}  // namespace

using test::q;

class TensorTest : public QObject {
  Q_OBJECT

  emulator::Workspace workspace_;

  // Computes the product in the emulator; what is wrong with it, by faults.
  std::string multiply(const Stage& stage, const TileShape& tile, Product& product) {
    const Problem& p = product.problem;
    product.c.assign(count(p.m, p.n), 0x7FFF);
    emulator::HalfGemm gemm;
    gemm.stage = &stage;
    gemm.tile = tile;
    gemm.problem = p;
    gemm.arithmetic = product.arithmetic;
    gemm.a = product.a;
    gemm.b = product.b;
    gemm.c = product.c;
    const auto faults = emulator::runGemm(workspace_, gemm, [](const auto&) {});
    return faults.empty() ? std::string() : describe(faults.kept.front());
  }

  // Operands of +1 and -1: every sum is a whole number and exact, so C is its one rounding.
  std::string flawOfOnes(const Stage& stage, const TileShape& tile, const Problem& p,
                         Arithmetic arithmetic, test::Random& random) {
    Product product{p, arithmetic, {}, {}, {}};
    const auto ones = [&](std::vector<std::uint16_t>& m, std::size_t size) {
      for (std::size_t i = 0; i < size; ++i)
        m.push_back(halfBits(arithmetic, random.oneIn(2) ? 1.0f : -1.0f));
    };
    ones(product.a, count(p.m, p.k));
    ones(product.b, count(p.k, p.n));
    if (auto flaw = multiply(stage, tile, product); !flaw.empty()) return flaw;
    const auto m = std::size_t(p.m), n = std::size_t(p.n), k = std::size_t(p.k);
    std::vector<int> sums(n);
    for (std::size_t i = 0; i < m; ++i) {
      std::fill(sums.begin(), sums.end(), 0);
      for (std::size_t x = 0; x < k; ++x) {
        // The sign bit tells which of the two each is.
        const unsigned sign = product.a[i * k + x] & 0x8000u;
        for (std::size_t j = 0; j < n; ++j)
          sums[j] += sign == (product.b[x * n + j] & 0x8000u) ? 1 : -1;
      }
      for (std::size_t j = 0; j < n; ++j) {
        const std::uint16_t expected = halfBits(arithmetic, static_cast<float>(sums[j]));
        if (product.c[i * n + j] == expected) continue;
        return fmt::format("C[{}][{}] is {:#06x} and should be {:#06x}, {} ({})", i, j,
                           product.c[i * n + j], expected, sums[j], toString(p));
      }
    }
    return {};
  }

  // Random numbers, against double precision: each addition in fp32 may lose half a unit of it, and
  // the store half a unit of C.
  std::string flawOfReals(const Stage& stage, const TileShape& tile, const Problem& p,
                          Arithmetic arithmetic, test::Random& random) {
    Product product{p, arithmetic, {}, {}, {}};
    for (const float value : random.reals(count(p.m, p.k)))
      product.a.push_back(halfBits(arithmetic, value));
    for (const float value : random.reals(count(p.k, p.n)))
      product.b.push_back(halfBits(arithmetic, value));
    if (auto flaw = multiply(stage, tile, product); !flaw.empty()) return flaw;
    const double halfUnit = arithmetic == Arithmetic::Bf16 ? 0x1p-8 : 0x1p-11;
    const double leastUnit = arithmetic == Arithmetic::Bf16 ? 0x1p-134 : 0x1p-25;
    const auto m = std::size_t(p.m), n = std::size_t(p.n), k = std::size_t(p.k);
    std::vector<double> sums(n), sizes(n);
    for (std::size_t i = 0; i < m; ++i) {
      std::fill(sums.begin(), sums.end(), 0.0);
      std::fill(sizes.begin(), sizes.end(), 0.0);
      for (std::size_t x = 0; x < k; ++x) {
        const double a = double{product.at(product.a, i * k + x)};
        for (std::size_t j = 0; j < n; ++j) {
          const double term = a * double{product.at(product.b, x * n + j)};
          sums[j] += term;
          sizes[j] += std::abs(term);
        }
      }
      for (std::size_t j = 0; j < n; ++j) {
        const double ofSum = static_cast<double>(k) * 0x1p-24 * sizes[j];
        const double tolerance = ofSum + (std::abs(sums[j]) + ofSum) * halfUnit + leastUnit;
        const double found = double{product.at(product.c, i * n + j)};
        if (std::abs(found - sums[j]) <= tolerance) continue;
        return fmt::format("C[{}][{}] is {} and should be {} within {:.3g} ({})", i, j, found,
                           sums[j], tolerance, toString(p));
      }
    }
    return {};
  }

  template <class Kernel>
  static Stage mutantOf(const Stage& stage) {
    Stage mutant = stage;
    mutant.enter = emulator::enterTensorKernel<Kernel>;
    return mutant;
  }

  // Whether numbers tell, and whether provenance does.
  struct Verdict {
    std::string numbers, provenance;
  };
  template <class Kernel>
  Verdict judge() {
    const Stage mutant = mutantOf<Kernel>(test::stage("mma"));
    const TileShape tile = {
        {Knob::BM, 32}, {Knob::BN, 64}, {Knob::BK, 32}, {Knob::WM, 16}, {Knob::WN, 32}};
    const Problem problem = {64, 64, 96};
    test::Random random(test::seed());
    return {flawOfOnes(mutant, tile, problem, Arithmetic::Bf16, random),
            test::coverageFlaw(workspace_, mutant, tile, problem)};
  }

  template <class Kernel>
  void expectKilled(const char* name) {
    const Verdict verdict = judge<Kernel>();
    QVERIFY2(!verdict.numbers.empty(), name);
    QVERIFY2(!verdict.provenance.empty(), name);
    qInfo("%s: %s", name, verdict.provenance.c_str());
  }

 private slots:
  void initTestCase_data() {
    QTest::addColumn<QString>("stage");
    for (const Stage& stage : tensorStages()) QTest::newRow(stage.id.data()) << q(stage.id);
  }

  void eachProductReachesCOnce() {
    QFETCH_GLOBAL(QString, stage);
    const Stage& its = test::stage(stage.toStdString());
    test::Random random(test::seed());
    const std::vector<TileShape> tiles = test::legalTiles(its, test::tilesPerStage(), random);
    QCOMPARE(tiles.size(), test::tilesPerStage());
    for (const TileShape& tile : tiles) {
      QVERIFY(isLegal(its, tile));
      const Problem problem = test::problemFor(its, tile, 300'000, random);
      const std::string flaw = test::coverageFlaw(workspace_, its, tile, problem);
      QVERIFY2(flaw.empty(),
               fmt::format("{} {}: {} (TILELOOM_TEST_SEED={})", test::toString(its, tile),
                           toString(problem), flaw, test::seed())
                   .c_str());
    }
  }

  void everyTileGivesTheProduct() {
    QFETCH_GLOBAL(QString, stage);
    const Stage& its = test::stage(stage.toStdString());
    test::Random random(test::seed() + 1);
    std::size_t at = 0;
    for (const TileShape& tile : test::legalTiles(its, test::tilesPerStage(), random)) {
      const Arithmetic arithmetic = its.arithmetics[at % its.arithmetics.size()];
      const Problem problem = test::problemFor(its, tile, 500'000, random);
      const std::string flaw = at++ / 2 % 2 == 0
                                   ? flawOfOnes(its, tile, problem, arithmetic, random)
                                   : flawOfReals(its, tile, problem, arithmetic, random);
      QVERIFY2(flaw.empty(),
               fmt::format("{} in {}: {} (TILELOOM_TEST_SEED={})", test::toString(its, tile),
                           rowOf(arithmetic).name, flaw, test::seed())
                   .c_str());
    }
  }

  // The sums are long enough that bf16 cannot hold them all, and roundings are met.
  void longSumsOfOnesAreRoundedOnce() {
    const Stage& mma = test::stage("mma");
    const TileShape tile = {
        {Knob::BM, 16}, {Knob::BN, 16}, {Knob::BK, 16}, {Knob::WM, 16}, {Knob::WN, 16}};
    test::Random random(test::seed());
    for (const Arithmetic arithmetic : mma.arithmetics) {
      Product product{{16, 16, 2995}, arithmetic, {}, {}, {}};
      product.a.assign(count(16, 2995), halfBits(arithmetic, 1.0f));
      product.b = product.a;
      QCOMPARE(q(multiply(mma, tile, product)), QString());
      for (const std::uint16_t c : product.c) QCOMPARE(c, halfBits(arithmetic, 2995.0f));
      // Between two neighbours of each format.
      QVERIFY(halfValue(arithmetic, halfBits(arithmetic, 2995.0f)) != 2995.0f);
    }
  }

  void theJudgesAreAwake() {
    const Verdict verdict = judge<mma_unchanged::mma>();
    QCOMPARE(q(verdict.numbers), QString());
    QCOMPARE(q(verdict.provenance), QString());
  }

  void everyMutantIsFound() {
    expectKilled<mma_without_barriers::mma>("no barriers");
    expectKilled<mma_with_one_barrier::mma>("one barrier");
    expectKilled<mma_with_the_other_barrier::mma>("the other barrier");
    expectKilled<mma_b_not_turned::mma>("B not turned");
    expectKilled<mma_a_turned::mma>("A turned");
    expectKilled<mma_lanes_exchanged::mma>("lanes exchanged");
    expectKilled<mma_a_row_of_another::mma>("a row of A of another lane");
    expectKilled<mma_b_columns_of_another::mma>("columns of B of another lane");
    expectKilled<mma_halves_exchanged::mma>("halves of a pair exchanged");
    expectKilled<mma_each_product_twice::mma>("each product twice");
    expectKilled<mma_one_warp_leaves_out_a_step::mma>("one warp leaves out a step");
    expectKilled<mma_copies_from_beside::mma>("copies from beside");
    expectKilled<mma_stores_beside::mma>("stores beside");
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::TensorTest, Nothing)
#include "tensor_test.moc"
