// SPDX-License-Identifier: GPL-3.0-or-later
// Rung T13 where tiles of the last wave are really split along K: sums that are exact integers are
// equal bit for bit, for any assignment of parts to clusters.
#include <fmt/format.h>

#include <QtTest>
#include <algorithm>

#include "kernels/device/pieces.cuh"
#include "kernels/emulator/run.h"
#include "kernels/tile/constraints.h"
#include "kernels/tile/parameters.h"
#include "tests/support/random.h"
#include "tests/support/runs.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom {
namespace {

struct Case {
  const char* name = "";
  int sms = 0, cluster = 1, split = 2;
  Problem problem;
  int bn = 64, bm = 128, stages = 2, bk = 32;
  bool cut = true;

  TileShape tile() const {
    return test::stage("hopper")
        .standardTile()
        .with(Parameter::BM, bm)
        .with(Parameter::BN, bn)
        .with(Parameter::BK, bk)
        .with(Parameter::SWIZZLE, 64)
        .with(Parameter::STAGES, stages)
        .with(Parameter::GROUP, 2)
        .with(Parameter::CLUSTER, cluster)
        .with(Parameter::SPLIT, split);
  }
  // The number of computed parts that are not whole tiles.
  int parts() const {
    const auto u = [](int value) { return static_cast<unsigned>(value); };
    const auto over = [](int value, int step) { return (value + step - 1) / step; };
    const unsigned tiles = u(over(problem.n, bn) * over(problem.m, cluster * bm));
    const unsigned rounds = u(over(problem.k, stages * bk)), clusters = u(sms / cluster);
    int count = 0;
    for (unsigned cluster_ = 0; cluster_ < clusters; ++cluster_) {
      const pieces all{tiles, rounds, cluster_, clusters, u(split)};
      for (piece at = all.at(0); at.first < at.end; at = all.at(at.number + 1))
        count += at.first != 0 || at.end != rounds ? 1 : 0;
    }
    return count;
  }
};

// Each round is 64 elements of K in a ring of two K tiles of 32.
const Case kCases[] = {
    {"one tile, two SMs", 2, 1, 2, {128, 64, 256}},
    {"one tile, four SMs, four parts", 4, 1, 4, {128, 64, 256}},
    {"one tile, three parts of five rounds", 4, 1, 3, {128, 64, 320}},
    {"a wave, then one tile in two", 2, 1, 2, {384, 64, 192}},
    {"over two tiles", 4, 1, 2, {384, 64, 256}},
    {"three parts of two tiles", 4, 1, 4, {384, 64, 192}},
    {"clusters of two", 4, 2, 2, {256, 64, 256}},
    {"clusters of two, a wave before", 6, 2, 3, {1024, 64, 192}},
    {"ten SMs, five clusters", 10, 2, 2, {512, 192, 128}},
    {"ragged rows", 4, 1, 2, {136, 64, 256}},
    {"a cluster below the edge", 4, 2, 2, {72, 64, 256}},
    {"ragged columns", 4, 1, 2, {128, 72, 256}},
    {"ragged K", 2, 1, 2, {128, 64, 200}},
    {"K ends in a ring's first tile", 4, 1, 4, {128, 64, 264}},
    {"all ragged", 10, 2, 3, {328, 136, 456}},
    {"as many rounds as parts", 6, 1, 4, {128, 64, 200}},
    {"fewer rounds than parts", 6, 1, 4, {128, 64, 72}},
    {"128 rows for each warpgroup", 4, 1, 2, {256, 64, 192}, 64, 256},
    {"a ring of three", 4, 1, 2, {128, 96, 384}, 96, 128, 3},
    {"64 elements of K in a tile", 4, 1, 2, {128, 128, 512}, 128, 128, 2, 64},
    {"nothing to cut: SPLIT is 1", 4, 1, 1, {128, 64, 256}, 64, 128, 2, 32, false},
    {"nothing to cut: whole waves", 2, 1, 2, {256, 64, 128}, 64, 128, 2, 32, false},
    {"nothing to cut: a wave nearly full", 5, 1, 2, {512, 64, 128}, 64, 128, 2, 32, false},
};

}  // namespace

class SplitTest : public QObject {
  Q_OBJECT

  emulator::Workspace workspace_;

 private slots:
  void sumsAreThoseOfWholeTiles_data() {
    QTest::addColumn<int>("number");
    for (int i = 0; i < static_cast<int>(std::size(kCases)); ++i)
      QTest::newRow(kCases[i].name) << i;
  }
  void sumsAreThoseOfWholeTiles() {
    QFETCH(int, number);
    const Case& its = kCases[number];
    const Stage& stage = test::stage("hopper");
    const TileShape tile = its.tile();
    const std::string why = explainTile(stage, tile);
    QVERIFY2(why.empty(), why.c_str());
    QCOMPARE(its.parts() > 0, its.cut);

    const Problem& p = its.problem;
    const auto m = std::size_t(p.m), n = std::size_t(p.n), k = std::size_t(p.k);
    const Format format = stage.formats[std::size_t(number) % 2];
    test::Random random(test::seed() + static_cast<std::uint32_t>(number));
    std::vector<std::uint16_t> a(m * k), b(k * n), c(m * n, 0x7FFF);
    for (auto* matrix : {&a, &b}) {
      for (std::uint16_t& element : *matrix)
        element = halfBits(format, random.oneIn(2) ? 1.0f : -1.0f);
    }
    emulator::HalfGemm gemm;
    gemm.subject() = {&stage, tile, format};
    gemm.problem = p;
    gemm.a = a, gemm.b = b, gemm.c = c;
    gemm.sms = its.sms;
    const auto faults = emulator::runGemm(workspace_, gemm, [](const auto&) {});
    QVERIFY2(faults.empty(), faults.empty() ? "" : describe(faults.kept.front()).c_str());
    std::vector<int> sums(n);
    for (std::size_t i = 0; i < m; ++i) {
      std::ranges::fill(sums, 0);
      for (std::size_t x = 0; x < k; ++x) {
        for (std::size_t j = 0; j < n; ++j) sums[j] += a[i * k + x] == b[x * n + j] ? 1 : -1;
      }
      for (std::size_t j = 0; j < n; ++j) {
        const std::uint16_t expected = halfBits(format, static_cast<float>(sums[j]));
        QVERIFY2(c[i * n + j] == expected,
                 fmt::format("C[{}][{}] is {} and should be {} (TILELOOM_TEST_SEED={})", i, j,
                             halfValue(format, c[i * n + j]), sums[j], test::seed())
                     .c_str());
      }
    }
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::SplitTest, Nothing)
#include "split_test.moc"
