// SPDX-License-Identifier: GPL-3.0-or-later
// Every stage, by provenance: each A[i][k]·B[k][j] reaches C[i][j], once. Numbers can agree by
// luck; this cannot.
#include "tests/support/coverage.h"

#include <fmt/format.h>

#include <QtTest>

#include "kernels/tile/constraints.h"
#include "kernels/tile/parameters.h"
#include "tests/support/planted.h"
#include "tests/support/random.h"
#include "tests/support/random_tiles.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

// Planted kernels are rung 2 with one thing wrong, where k is 3 in row 2 and column 1.
#define HERE (row == 2 && col == 1 && k == 3)
#define PLANT(kernel_name)                                                                    \
  KERNEL(kernel_name, BLOCKSIZE* BLOCKSIZE)                                                   \
  (uint M, uint N, uint K, float alpha, gmem<const float> A, gmem<const float> B, float beta, \
   gmem<float> C)
#define PLACE                                                        \
  const uint row = blockIdx.y * BLOCKSIZE + threadIdx.x / BLOCKSIZE; \
  const uint col = blockIdx.x * BLOCKSIZE + threadIdx.x % BLOCKSIZE; \
  if (row >= M || col >= N) return;                                  \
  REGISTER(float, sum)

namespace tileloom {
namespace {

PLANT(right) {
  PLACE;
  K_DOTS (k) {
    sum += A[row * K + k] * B[k * N + col];
  }
  C[row * N + col] = alpha * sum + beta * C[row * N + col];
}

PLANT(one_product_twice) {
  PLACE;
  K_DOTS (k) {
    sum += A[row * K + k] * B[k * N + col];
    if (HERE) sum += A[row * K + k] * B[k * N + col];
  }
  C[row * N + col] = alpha * sum + beta * C[row * N + col];
}

PLANT(one_product_missing) {
  PLACE;
  K_DOTS (k) {
    if (!HERE) sum += A[row * K + k] * B[k * N + col];
  }
  C[row * N + col] = alpha * sum + beta * C[row * N + col];
}

// The same multiset of products in all, between two neighbours.
PLANT(a_neighbours_product) {
  PLACE;
  K_DOTS (k) {
    const uint from = HERE ? col + 1 : row == 2 && col == 2 && k == 3 ? col - 1 : col;
    sum += A[row * K + k] * B[k * N + from];
  }
  C[row * N + col] = alpha * sum + beta * C[row * N + col];
}

PLANT(unequal_k) {
  PLACE;
  K_DOTS (k) {
    sum += A[row * K + k] * B[(HERE ? 0 : k) * N + col];
  }
  C[row * N + col] = alpha * sum + beta * C[row * N + col];
}

PLANT(two_of_a) {
  PLACE;
  K_DOTS (k) {
    sum += A[row * K + k] * A[row * K + k];
  }
  C[row * N + col] = alpha * sum + beta * C[row * N + col];
}

PLANT(stored_at_the_mirror) {
  PLACE;
  K_DOTS (k) {
    sum += A[row * K + k] * B[k * N + col];
  }
  C[col * N + row] = alpha * sum + beta * C[col * N + row];
}

PLANT(scaled_with_a_neighbour) {
  PLACE;
  K_DOTS (k) {
    sum += A[row * K + k] * B[k * N + col];
  }
  C[row * N + col] = alpha * sum + beta * C[row * N];
}

PLANT(stored_twice) {
  PLACE;
  K_DOTS (k) {
    sum += A[row * K + k] * B[k * N + col];
  }
  C[row * N + col] = sum;
  C[row * N + col] = alpha * sum + beta * C[row * N + col];
}

PLANT(one_never_stored) {
  PLACE;
  K_DOTS (k) {
    sum += A[row * K + k] * B[k * N + col];
  }
  if (row != 2 || col != 1) C[row * N + col] = alpha * sum + beta * C[row * N + col];
}

}  // namespace

using test::q;

class CoverageTest : public QObject {
  Q_OBJECT

  emulator::Workspace workspace_;

  template <class Kernel>
  QString plantedFlaw() {
    const Stage stage = test::planted<Kernel>();
    return q(test::coverageFlaw(workspace_, stage, {{Parameter::BLOCKSIZE, 4}}, {6, 6, 5}));
  }

  void expectProof(const Stage& stage, const TileShape& tile, const Problem& problem) {
    const std::string text =
        fmt::format("{} {} (TILELOOM_TEST_SEED={})", test::toString(stage, tile), toString(problem),
                    test::seed());
    QVERIFY2(isLegal(stage, tile), text.c_str());
    const std::string flaw = test::coverageFlaw(workspace_, stage, tile, problem);
    QVERIFY2(flaw.empty(), fmt::format("{}: {}", text, flaw).c_str());
  }

 private slots:
  void eachProductReachesCOnce_data() { test::addFp32StageRows(); }
  void eachProductReachesCOnce() {
    const Stage& stage = test::stageOfRow();
    test::Random random(test::seed());
    const std::size_t count = std::min<std::size_t>(test::tilesPerStage(), 40);
    for (const TileShape& tile : test::legalTiles(stage, count, random)) {
      expectProof(stage, tile, test::problemFor(stage, tile, 300'000, random));
      if (QTest::currentTestFailed()) return;
    }
  }

  // Odd numbers where a stage allows them: nothing here is a power of two.
  void oddTiles() {
    const auto tile = [](int bm, int bn, int bk, int tm, int tn = 0) {
      return TileShape{{Parameter::BM, bm},
                       {Parameter::BN, bn},
                       {Parameter::BK, bk},
                       {Parameter::TM, tm},
                       {Parameter::TN, tn}};
    };
    expectProof(test::stage("naive"), {{Parameter::BLOCKSIZE, 7}}, {13, 9, 11});
    expectProof(test::stage("coalesced"), {{Parameter::BLOCKSIZE, 11}}, {13, 23, 5});
    expectProof(test::stage("shared"), {{Parameter::BLOCKSIZE, 13}}, {27, 14, 30});
    expectProof(test::stage("blocktile1d"), tile(25, 15, 15, 5), {51, 16, 22});
    expectProof(test::stage("blocktile2d"), tile(21, 9, 3, 7, 3), {43, 10, 7});
    expectProof(test::stage("vectorized"), tile(12, 12, 4, 3, 4), {25, 13, 9});
    expectProof(test::stage("autotuned"), tile(36, 12, 4, 9, 4), {37, 23, 6});
    const TileShape warp = {{Parameter::BM, 144}, {Parameter::BN, 48},   {Parameter::BK, 8},
                            {Parameter::WM, 48},  {Parameter::WN, 48},   {Parameter::TM, 3},
                            {Parameter::TN, 12},  {Parameter::WNITER, 1}};
    expectProof(test::stage("warptiled"), warp, {145, 47, 13});
  }

  void aRightKernelPasses() { QCOMPARE(plantedFlaw<right>(), QString()); }

  void aWrongKernelDoesNot() {
    QCOMPARE(plantedFlaw<one_product_twice>(),
             QString("A[2][3]·B[3][1] is added 2 times to C[2][1]"));
    QCOMPARE(plantedFlaw<one_product_missing>(),
             QString("A[2][3]·B[3][1] is added 0 times to C[2][1]"));
    QCOMPARE(plantedFlaw<a_neighbours_product>(), QString("A[2][3]·B[3][2] is added to C[2][1]"));
    QCOMPARE(plantedFlaw<unequal_k>(), QString("A[2][3]·B[0][1] is added to C[2][1]"));
    QCOMPARE(plantedFlaw<two_of_a>(),
             QString("a product for C[0][0] is not of an element of A and one of B"));
    QCOMPARE(plantedFlaw<stored_at_the_mirror>(), QString("A[0][0]·B[0][1] is added to C[1][0]"));
    QCOMPARE(plantedFlaw<scaled_with_a_neighbour>(),
             QString("C[0][1] is not scaled with its own accumulator"));
    QCOMPARE(plantedFlaw<stored_twice>(), QString("C[0][0] is scaled 1 times and stored 2 times"));
    QCOMPARE(plantedFlaw<one_never_stored>(), QString("accumulator 0 of thread 9 is never stored"));
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::CoverageTest, Nothing)
#include "coverage_test.moc"
