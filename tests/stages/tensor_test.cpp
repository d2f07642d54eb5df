// SPDX-License-Identifier: GPL-3.0-or-later
// The rungs of the tensor ladder: each product reaches C once, by provenance through every
// fragment; sums that are exact integers come out bit for bit; others within what rounding allows;
// and mutants of the kernels' own sources are all found.
#include <fmt/format.h>

#include <QtTest>
#include <cmath>

#include "kernels/tile/constraints.h"
#include "kernels/tile/parameters.h"
#include "tests/support/coverage.h"
#include "tests/support/planted.h"
#include "tests/support/random.h"
#include "tests/support/random_tiles.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom {
namespace {

// A mutant is the stage's own file, compiled with one of its words meaning something else.
#define __syncthreads() static_cast<void>(0)
namespace mma_without_barriers {
#include "kernels/stages/tensor/mma.cuh"
}
#undef __syncthreads

// Of the two barriers of a K tile, the even or the odd one is left out.
#define __syncthreads() \
  if (__COUNTER__ % 2 == 0) Thread::__syncthreads()
namespace mma_with_one_barrier {
#include "kernels/stages/tensor/mma.cuh"
}
static_assert(__COUNTER__ >= 0, "counted once more");
namespace mma_with_the_other_barrier {
#include "kernels/stages/tensor/mma.cuh"
}
#undef __syncthreads

#define load_matrices_turned load_matrices
namespace mma_b_not_turned {
#include "kernels/stages/tensor/mma.cuh"
}
#undef load_matrices_turned

#define load_matrices load_matrices_turned
namespace mma_a_turned {
#include "kernels/stages/tensor/mma.cuh"
}
#undef load_matrices

// Neighbouring lanes are exchanged wherever a lane's number counts.
struct Exchanged {
  unsigned x;
};
#define threadIdx (Exchanged{threadIdx.x ^ 1u})
namespace mma_lanes_exchanged {
#include "kernels/stages/tensor/mma.cuh"
}
#undef threadIdx

// Lanes are exchanged only where they name the rows of A, or of B.
#define load_matrices(r, p) load_matrices(r, (p) + (threadIdx.x % 16 == 3 ? 8 * 16 : 0))
namespace mma_a_row_of_another {
#include "kernels/stages/tensor/mma.cuh"
}
#undef load_matrices
#define load_matrices_turned(r, p) load_matrices_turned(r, (p) + (threadIdx.x % 32 < 8 ? 8 : 0))
namespace mma_b_columns_of_another {
#include "kernels/stages/tensor/mma.cuh"
}
#undef load_matrices_turned

#define pack(low, high) pack(high, low)
namespace mma_halves_exchanged {
#include "kernels/stages/tensor/mma.cuh"
}
#undef pack

#define multiply_add(acc, a, b) multiply_add(acc, a, b), multiply_add(acc, a, b)
namespace mma_each_product_twice {
#include "kernels/stages/tensor/mma.cuh"
}
#undef multiply_add

#define multiply_add(acc, a, b) \
  if (k > 0 || threadIdx.x >= 32) multiply_add(acc, a, b)
namespace mma_one_warp_leaves_out_a_step {
#include "kernels/stages/tensor/mma.cuh"
}
#undef multiply_add

#define load8(p) load8((p) + 8)
namespace mma_copies_from_beside {
#include "kernels/stages/tensor/mma.cuh"
}
#undef load8

#define store2(p, v) store2((p) + (lane == 5 ? 2 : 0), v)
namespace mma_stores_beside {
#include "kernels/stages/tensor/mma.cuh"
}
#undef store2

// Chunks are stored at the next place, or named there.
#define store8(p, v) store8((p) + (threadIdx.x == 7 ? 8 : 0), v)
namespace swizzled_stores_a_chunk_beside {
#include "kernels/stages/tensor/swizzled.cuh"
}
#undef store8
#define load_matrices(r, p) load_matrices(r, (p) + (lane == 9 ? 8 : 0))
namespace swizzled_names_a_chunk_beside {
#include "kernels/stages/tensor/swizzled.cuh"
}
#undef load_matrices
#define __syncthreads() static_cast<void>(0)
namespace swizzled_without_barriers {
#include "kernels/stages/tensor/swizzled.cuh"
}
#undef __syncthreads

// The pipeline without some of its parts: waits, counts, barriers and copies. (Counting too many
// groups is not a fault: the thread then waits for more than it must.)
#define wait_copies(newest) static_cast<void>(newest)
namespace mmaring_never_waits {
#include "kernels/stages/tensor/mmaring.cuh"
}
#undef wait_copies
#define wait_copies(newest) wait_copies((newest) + 1)
namespace mmaring_waits_for_one_less {
#include "kernels/stages/tensor/mmaring.cuh"
}
#undef wait_copies
#define commit_copies() static_cast<void>(0)
namespace mmaring_never_commits {
#include "kernels/stages/tensor/mmaring.cuh"
}
#undef commit_copies
#define __syncthreads() static_cast<void>(0)
namespace mmaring_without_barriers {
#include "kernels/stages/tensor/mmaring.cuh"
}
#undef __syncthreads
#undef HAS_K
#define HAS_K(k) hasK((k) + BK)
namespace mmaring_leaves_out_a_copy {
#include "kernels/stages/tensor/mmaring.cuh"
}
#undef HAS_K
#define HAS_K(k) hasK(k)
#define copy_async8(p, q) copy_async8((p) + (threadIdx.x == 3 ? 8 : 0), q)
namespace mmaring_copies_a_chunk_beside {
#include "kernels/stages/tensor/mmaring.cuh"
}
#undef copy_async8
#undef MMA_STEPS
#define MMA_STEPS(k, count) for (uint k = 0; mmaStep(k, (count)-16); k += 16)
namespace mmaring_leaves_out_a_step {
#include "kernels/stages/tensor/mmaring.cuh"
}
#undef MMA_STEPS
#define MMA_STEPS(k, count) for (uint k = 0; mmaStep(k, (count)); k += 16)
#define store8(p, v) store8((p) + (threadIdx.x == 40 ? 8 : 0), v)
namespace mmaring_stores_beside {
#include "kernels/stages/tensor/mmaring.cuh"
}
#undef store8

// The comparison itself: nothing is changed.
namespace mma_unchanged {
#include "kernels/stages/tensor/mma.cuh"
}
namespace swizzled_unchanged {
#include "kernels/stages/tensor/swizzled.cuh"
}
namespace mmaring_unchanged {
#include "kernels/stages/tensor/mmaring.cuh"
}

std::size_t count(int rows, int columns) {
  return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
}

// Operands and result of one product.
struct Product {
  Problem problem;
  Format format;
  std::vector<std::uint16_t> a, b, c;

  float at(const std::vector<std::uint16_t>& m, std::size_t i) const {
    return halfValue(format, m[i]);
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
    gemm.subject() = {&stage, tile, product.format};
    gemm.problem = p;
    gemm.a = product.a;
    gemm.b = product.b;
    gemm.c = product.c;
    const auto faults = emulator::runGemm(workspace_, gemm, [](const auto&) {});
    return faults.empty() ? std::string() : describe(faults.kept.front());
  }

  // Operands of +1 and -1: every sum is a whole number and exact, so C is its one rounding.
  std::string flawOfOnes(const Stage& stage, const TileShape& tile, const Problem& p, Format format,
                         test::Random& random) {
    Product product{p, format, {}, {}, {}};
    const auto ones = [&](std::vector<std::uint16_t>& m, std::size_t size) {
      for (std::size_t i = 0; i < size; ++i)
        m.push_back(halfBits(format, random.oneIn(2) ? 1.0f : -1.0f));
    };
    ones(product.a, count(p.m, p.k));
    ones(product.b, count(p.k, p.n));
    if (auto flaw = multiply(stage, tile, product); !flaw.empty()) return flaw;
    const auto m = std::size_t(p.m), n = std::size_t(p.n), k = std::size_t(p.k);
    std::vector<int> sums(n);
    for (std::size_t i = 0; i < m; ++i) {
      std::fill(sums.begin(), sums.end(), 0);
      for (std::size_t x = 0; x < k; ++x) {
        // The sign bit shows which of the two each is.
        const unsigned sign = product.a[i * k + x] & 0x8000u;
        for (std::size_t j = 0; j < n; ++j)
          sums[j] += sign == (product.b[x * n + j] & 0x8000u) ? 1 : -1;
      }
      for (std::size_t j = 0; j < n; ++j) {
        const std::uint16_t expected = halfBits(format, static_cast<float>(sums[j]));
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
                          Format format, test::Random& random) {
    Product product{p, format, {}, {}, {}};
    for (const float value : random.reals(count(p.m, p.k)))
      product.a.push_back(halfBits(format, value));
    for (const float value : random.reals(count(p.k, p.n)))
      product.b.push_back(halfBits(format, value));
    if (auto flaw = multiply(stage, tile, product); !flaw.empty()) return flaw;
    const double halfUnit = format == Format::Bf16 ? 0x1p-8 : 0x1p-11;
    const double leastUnit = format == Format::Bf16 ? 0x1p-134 : 0x1p-25;
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

  // Every function runs once for each stage; a mutant is judged at its own.
  static bool isTurnOf(std::string_view id) {
    QFETCH_GLOBAL(QString, stage);
    return stage == q(id);
  }

  // Whether numbers tell, and whether provenance does.
  struct Verdict {
    std::string numbers, provenance;
  };
  template <class Kernel>
  Verdict judge(std::string_view stage) {
    const Stage mutant = mutantOf<Kernel>(test::stage(stage));
    const TileShape tile = {{Parameter::BM, 32},    {Parameter::BN, 64},  {Parameter::BK, 32},
                            {Parameter::WM, 16},    {Parameter::WN, 32},  {Parameter::SWIZZLE, 64},
                            {Parameter::STAGES, 3}, {Parameter::GROUP, 2}};
    const Problem problem = {64, 64, 160};
    if (!isLegal(mutant, tile)) qFatal("the tile of the mutants is not legal");
    test::Random random(test::seed());
    return {flawOfOnes(mutant, tile, problem, Format::Bf16, random),
            test::coverageFlaw(workspace_, mutant, tile, problem)};
  }

  template <class Kernel>
  void expectKilled(std::string_view stage, const char* name) {
    if (!isTurnOf(stage)) return;
    const Verdict verdict = judge<Kernel>(stage);
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
      const Format format = its.formats[at % its.formats.size()];
      const Problem problem = test::problemFor(its, tile, 500'000, random);
      const std::string flaw = at++ / 2 % 2 == 0 ? flawOfOnes(its, tile, problem, format, random)
                                                 : flawOfReals(its, tile, problem, format, random);
      QVERIFY2(flaw.empty(),
               fmt::format("{} in {}: {} (TILELOOM_TEST_SEED={})", test::toString(its, tile),
                           rowOf(format).name, flaw, test::seed())
                   .c_str());
    }
  }

  // Where a trace ends before the kernel does, copies for later K tiles are in flight, and C passes
  // through the shared memory that they fill.
  void aTraceThatEndsEarlyHasNoFaults() {
    QFETCH_GLOBAL(QString, stage);
    emulator::TraceRequest request;
    request.subject() = standardSubject(test::stage(stage.toStdString()));
    request.problem = {256, 256, 2048};
    for (const std::uint32_t kTiles : {1u, 2u, 5u}) {
      request.kTiles = kTiles;
      const emulator::Trace trace = emulator::traceBlock(workspace_, request);
      QVERIFY2(trace.faults.empty(),
               trace.faults.empty() ? "" : describe(trace.faults.kept.front()).c_str());
      // A ring that is walked in whole rounds ends with one.
      const auto round = request.rung()->split() == SplitK::Rounds
                             ? static_cast<std::uint32_t>(request.tile[Parameter::STAGES])
                             : 1u;
      QCOMPARE(trace.kTilesTraced, (kTiles + round - 1) / round * round);
    }
  }

  // The sums are long enough that bf16 cannot hold them all, and roundings are met.
  void longSumsOfOnesAreRoundedOnce() {
    if (!isTurnOf("mma")) return;
    const Stage& mma = test::stage("mma");
    const TileShape tile = {{Parameter::BM, 16},
                            {Parameter::BN, 16},
                            {Parameter::BK, 16},
                            {Parameter::WM, 16},
                            {Parameter::WN, 16}};
    test::Random random(test::seed());
    for (const Format format : mma.formats) {
      Product product{{16, 16, 2995}, format, {}, {}, {}};
      product.a.assign(count(16, 2995), halfBits(format, 1.0f));
      product.b = product.a;
      QCOMPARE(q(multiply(mma, tile, product)), QString());
      for (const std::uint16_t c : product.c) QCOMPARE(c, halfBits(format, 2995.0f));
      // Between two neighbours of each format.
      QVERIFY(halfValue(format, halfBits(format, 2995.0f)) != 2995.0f);
    }
  }

  void theJudgesAreAwake() {
    const auto expectWhole = [](const Verdict& verdict) {
      QCOMPARE(q(verdict.numbers), QString());
      QCOMPARE(q(verdict.provenance), QString());
    };
    if (isTurnOf("mma")) expectWhole(judge<mma_unchanged::mma>("mma"));
    if (isTurnOf("swizzled")) expectWhole(judge<swizzled_unchanged::swizzled>("swizzled"));
    if (isTurnOf("mmaring")) expectWhole(judge<mmaring_unchanged::mmaring>("mmaring"));
  }

  void everyMutantIsFound() {
    expectKilled<mma_without_barriers::mma>("mma", "no barriers");
    expectKilled<mma_with_one_barrier::mma>("mma", "one barrier");
    expectKilled<mma_with_the_other_barrier::mma>("mma", "the other barrier");
    expectKilled<mma_b_not_turned::mma>("mma", "B not turned");
    expectKilled<mma_a_turned::mma>("mma", "A turned");
    expectKilled<mma_lanes_exchanged::mma>("mma", "lanes exchanged");
    expectKilled<mma_a_row_of_another::mma>("mma", "a row of A of another lane");
    expectKilled<mma_b_columns_of_another::mma>("mma", "columns of B of another lane");
    expectKilled<mma_halves_exchanged::mma>("mma", "halves of a pair exchanged");
    expectKilled<mma_each_product_twice::mma>("mma", "each product twice");
    expectKilled<mma_one_warp_leaves_out_a_step::mma>("mma", "one warp leaves out a step");
    expectKilled<mma_copies_from_beside::mma>("mma", "copies from beside");
    expectKilled<mma_stores_beside::mma>("mma", "stores beside");
    expectKilled<swizzled_stores_a_chunk_beside::swizzled>("swizzled", "stores a chunk beside");
    expectKilled<swizzled_names_a_chunk_beside::swizzled>("swizzled", "names a chunk beside");
    expectKilled<swizzled_without_barriers::swizzled>("swizzled", "no barriers");
    expectKilled<mmaring_never_waits::mmaring>("mmaring", "never waits");
    expectKilled<mmaring_waits_for_one_less::mmaring>("mmaring", "waits for one less");
    expectKilled<mmaring_never_commits::mmaring>("mmaring", "never commits");
    expectKilled<mmaring_without_barriers::mmaring>("mmaring", "no barriers");
    expectKilled<mmaring_leaves_out_a_copy::mmaring>("mmaring", "leaves out a copy");
    expectKilled<mmaring_copies_a_chunk_beside::mmaring>("mmaring", "copies a chunk beside");
    expectKilled<mmaring_leaves_out_a_step::mmaring>("mmaring", "leaves out a step");
    expectKilled<mmaring_stores_beside::mmaring>("mmaring", "stores beside");
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::TensorTest, Nothing)
#include "tensor_test.moc"
