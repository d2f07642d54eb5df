// SPDX-License-Identifier: GPL-3.0-or-later
// Rung 16 with the lanes of rung 14, as it is measured beside the rung itself: the same results,
// and shared loads that are served in pairs of lanes. tests/CMakeLists.txt writes that source a
// second time, so that it can be compiled for the emulator.
#include "kernels/gpu/compile/paired_lanes.h"

#include <QtTest>

#include "kernels/analysis/memory/pairing.h"
#include "kernels/device/parts.cuh"
#include "kernels/device/pipeline.cuh"
#include "kernels/device/portable.cuh"
#include "kernels/device/strides.cuh"
#include "kernels/emulator/run.h"
#include "kernels/tile/constraints.h"
#include "kernels/tile/parameters.h"
#include "tests/support/random.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom {
namespace paired {
namespace {
// Rung 16 has names for the lanes of a stamp, and the lines of rung 14 do not use them.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-variable"
#include "paired/rewritten.cuh"
#pragma GCC diagnostic pop
}  // namespace
}  // namespace paired

class PairedLanesTest : public QObject {
  Q_OBJECT

  emulator::Workspace workspace_;

  static Stage pairedStage() {
    Stage stage = test::stage("rewritten");
    stage.enter = emulator::enterPartKernel<paired::rewritten>;
    return stage;
  }
  // A warp of 32 x 32 or 64 x 64 results, in blocks of one or four warps.
  static TileShape tile(int edge, int warp) {
    return test::stage("rewritten")
        .standardTile()
        .with(Parameter::BM, edge)
        .with(Parameter::BN, edge)
        .with(Parameter::WM, warp)
        .with(Parameter::WN, warp)
        .with(Parameter::WNITER, warp / 32);
  }
  std::vector<float> product(const Stage& stage, const TileShape& its, const Problem& problem) {
    test::Random random(test::seed());
    const auto count = [](int rows, int columns) {
      return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
    };
    const auto a = random.reals(count(problem.m, problem.k));
    const auto b = random.reals(count(problem.k, problem.n));
    auto c = random.reals(count(problem.m, problem.n));
    const emulator::Gemm gemm{{usualSubject(stage, its), problem}, 2, -0.5f, a, b, c};
    const auto faults = emulator::runGemm(workspace_, gemm, [](const auto&) {});
    if (!faults.empty()) qFatal("%s", describe(faults.kept.front()).c_str());
    return c;
  }

 private slots:
  void theTextIsTheOneThatIsMeasured() {
    QFile file(TILELOOM_BUILD "/tests/paired/rewritten.cuh");
    QVERIFY(file.open(QIODevice::ReadOnly));
    const auto made = gpu::pairedLanes(sourceText(test::stage("rewritten")));
    QVERIFY2(made, made ? "" : made.error().text.c_str());
    QCOMPARE(test::q(*made), QString::fromUtf8(file.readAll()));
  }
  void resultsAreTheSameBits_data() {
    QTest::addColumn<int>("edge");
    QTest::addColumn<int>("warp");
    QTest::newRow("a warp") << 32 << 32;
    QTest::newRow("four warps") << 64 << 32;
    QTest::newRow("two stamps across") << 64 << 64;
  }
  void resultsAreTheSameBits() {
    QFETCH(int, edge);
    QFETCH(int, warp);
    const TileShape its = tile(edge, warp);
    const Stage& own = test::stage("rewritten");
    QCOMPARE(test::q(explainTile(own, its)), QString());
    const Problem problem{edge + 1, 2 * edge, 37};
    const auto want = product(own, its, problem);
    QVERIFY(product(pairedStage(), its, problem) == want);
  }
  void loadsAreServedInPairs() {
    const TileShape its = test::stage("rewritten").standardTile();
    QVERIFY(!analysis::pairedLoads(workspace_, test::stage("rewritten"), its).anyPaired());
    QVERIFY(analysis::pairedLoads(workspace_, pairedStage(), its).anyPaired());
    QVERIFY(
        analysis::pairedLoads(workspace_, gpu::pairingStage(), gpu::pairingStage().standardTile())
            .anyPaired());
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::PairedLanesTest, Nothing)
#include "paired_lanes_test.moc"
