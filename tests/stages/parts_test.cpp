// SPDX-License-Identifier: GPL-3.0-or-later
// Rung 16 where tiles of the last wave are really split along K: sums that are exact integers are
// equal bit for bit, for any assignment of parts to blocks.
#include <fmt/format.h>

#include <QtTest>
#include <algorithm>

#include "kernels/analysis/counts/totals.h"
#include "kernels/emulator/run.h"
#include "kernels/tile/constraints.h"
#include "kernels/tile/last_wave.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/placement.h"
#include "tests/support/random.h"
#include "tests/support/recorded.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom {
namespace {

struct Case {
  const char* name = "";
  int percent = 0;  // of the blocks that a GPU of one SM holds at a time: the tiles, at least one
  int split = 2;
  int k = 128;
  bool cut = true;
  int edge = 32;    // of a tile of one warp; or 64, of four warps
  int missing = 0;  // rows of C at the lower edge

  TileShape tile() const {
    return test::stage("rewritten")
        .standardTile()
        .with(Parameter::BM, edge)
        .with(Parameter::BN, edge)
        .with(Parameter::WM, 32)
        .with(Parameter::WN, 32)
        .with(Parameter::WNITER, 1)
        .with(Parameter::GROUP, 2)
        .with(Parameter::SPLIT, split);
  }
  Problem problem() const {
    const auto room = static_cast<int>(slotsOf(test::stage("rewritten"), tile(), 1));
    return {std::max(1, room * percent / 100) * edge - missing, edge, k};
  }
};

const Case kCases[] = {
    {"one tile in two", 0, 2, 256},
    {"one tile in three", 0, 3, 400},
    {"one tile in four", 0, 4, 512},
    {"shares over two tiles", 75, 2, 256},
    {"three parts of a tile", 40, 4, 512},
    {"a wave, then one tile", 105, 2, 256},
    {"a wave, then some tiles", 160, 2, 256},
    {"ragged", 60, 3, 301, true, 32, 13},
    {"larger tiles", 70, 2, 256, true, 64, 1},
    {"K is too short to cut", 0, 2, 248, false},
    {"nothing to cut: SPLIT is 1", 0, 1, 256, false},
    {"nothing to cut: a whole wave", 100, 2, 256, false},
};

}  // namespace

class PartsTest : public QObject {
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
    const Stage& stage = test::stage("rewritten");
    const TileShape tile = its.tile();
    const std::string why = explainTile(stage, tile);
    QVERIFY2(why.empty(), why.c_str());
    const Problem p = its.problem();
    const LastWave wave = lastWaveOf(stage, tile, paddedProblem(stage, tile, p), 1);
    QCOMPARE(wave.places > 0, its.cut);

    const auto m = std::size_t(p.m), n = std::size_t(p.n), k = std::size_t(p.k);
    test::Random random(test::seed() + static_cast<std::uint32_t>(number));
    std::vector<float> a(m * k), b(k * n), c(m * n);
    for (auto* matrix : {&a, &b, &c}) {
      for (float& element : *matrix) element = static_cast<float>(random.integer(-3, 3));
    }
    std::vector<float> expected = c;
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t j = 0; j < n; ++j) expected[i * n + j] *= -0.5f;
      for (std::size_t x = 0; x < k; ++x) {
        for (std::size_t j = 0; j < n; ++j) expected[i * n + j] += 2 * a[i * k + x] * b[x * n + j];
      }
    }
    const emulator::Gemm gemm{{usualSubject(stage, tile), p}, 2, -0.5f, a, b, c, 1};
    const auto faults = emulator::runGemm(workspace_, gemm, [](const auto&) {});
    QVERIFY2(faults.empty(), faults.empty() ? "" : describe(faults.kept.front()).c_str());
    for (std::size_t i = 0; i < c.size(); ++i) {
      QVERIFY2(c[i] == expected[i],
               fmt::format("C[{}][{}] is {} and should be {} (TILELOOM_TEST_SEED={})", i / n, i % n,
                           c[i], expected[i], test::seed())
                   .c_str());
    }
  }

  // A block of which a recording is made computes its tile as a whole, whatever SPLIT says.
  void aRecordingShowsWholeTiles() {
    const Stage& stage = test::stage("rewritten");
    const TileShape tile = kCases[0].tile();
    const Problem problem{128, 96, 64};
    const auto one = test::recorded({.stage = "rewritten",
                                     .tile = tile.with(Parameter::SPLIT, 1),
                                     .problem = problem,
                                     .block = {1, 2}});
    const auto two =
        test::recorded({.stage = "rewritten", .tile = tile, .problem = problem, .block = {1, 2}});
    QVERIFY(one->trace.faults.empty() && two->trace.faults.empty());
    QCOMPARE(two->trace.kTiles, one->trace.kTiles);
    QCOMPARE(two->trace.intervals(), one->trace.intervals());
    QVERIFY(two->totals() == one->totals());
    QVERIFY(looksUpParts(stage, tile));
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::PartsTest, Nothing)
#include "parts_test.moc"
