// SPDX-License-Identifier: GPL-3.0-or-later
// Outputs full of NaN show what a kernel never writes; single NaN in its inputs show what it reads.
//
// All stages compute alpha·A·B + beta·C and read C even where beta is 0, as the kernels of the
// literature do. So, unlike BLAS, they turn a NaN in C into a NaN in the result whatever beta is,
// and a launcher that passes uninitialised memory as C gets it back.
#include <fmt/format.h>

#include <QtTest>
#include <cmath>
#include <limits>

#include "kernels/emulator/block.h"
#include "kernels/emulator/run.h"
#include "kernels/tile/placement.h"
#include "tests/support/random.h"
#include "tests/support/random_tiles.h"
#include "tests/support/reference.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom {

class PoisonTest : public QObject {
  Q_OBJECT

  static constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

  emulator::Workspace workspace_;

  struct Case {
    const Stage* stage = nullptr;
    TileShape tile;
    Problem problem;
    std::vector<float> a, b, c;

    std::string text() const {
      return fmt::format("{} {} (TILELOOM_TEST_SEED={})", test::toString(*stage, tile),
                         toString(problem), test::seed());
    }
  };

  static std::vector<Case> cases(const Stage& stage, test::Random& random) {
    std::vector<Case> list;
    for (const TileShape& tile :
         test::legalTiles(stage, std::min<std::size_t>(test::tilesPerStage(), 15), random)) {
      Case one;
      one.stage = &stage;
      one.tile = tile;
      one.problem = test::problemFor(stage, tile, 200'000, random);
      const auto reals = [&random](int rows, int columns) {
        return random.reals(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns));
      };
      one.a = reals(one.problem.m, one.problem.k);
      one.b = reals(one.problem.k, one.problem.n);
      one.c = reals(one.problem.m, one.problem.n);
      list.push_back(std::move(one));
    }
    return list;
  }

  std::vector<float> product(const Case& one, float alpha, float beta) {
    std::vector<float> result = one.c;
    emulator::Gemm gemm;
    gemm.subject() = usualSubject(*one.stage, one.tile);
    gemm.problem = one.problem;
    gemm.alpha = alpha;
    gemm.beta = beta;
    gemm.a = one.a;
    gemm.b = one.b;
    gemm.c = result;
    const emulator::FaultLog faults =
        emulator::runGemm(workspace_, gemm, [](const emulator::WarpInterval&) {});
    if (!faults.empty()) result.clear();
    return result;
  }

  // The element at which "is NaN" is not what `expected(row, column)` says.
  template <class Expected>
  static std::string nanFlaw(const Case& one, const std::vector<float>& result, Expected expected) {
    const auto columns = static_cast<std::size_t>(one.problem.n);
    if (result.size() != one.c.size()) return one.text() + ": has a fault";
    for (std::size_t e = 0; e < result.size(); ++e) {
      if (std::isnan(result[e]) == expected(e / columns, e % columns)) continue;
      return fmt::format("{}: C[{}][{}] is {}", one.text(), e / columns, e % columns, result[e]);
    }
    return {};
  }

 private slots:
  // C is read from one buffer and written to another one, which is all NaN before.
  void everyElementIsWritten_data() { test::addFp32StageRows(); }
  void everyElementIsWritten() {
    const Stage& stage = test::stageOfRow();
    test::Random random(test::seed());
    for (Case& one : cases(stage, random)) {
      const Problem run = paddedProblem(stage, one.tile, one.problem);
      const auto u = [](int value) { return static_cast<std::uint32_t>(value); };
      const std::vector<float> a = random.reals(std::size_t{u(run.m)} * u(run.k));
      const std::vector<float> b = random.reals(std::size_t{u(run.k)} * u(run.n));
      const std::vector<float> before = random.reals(std::size_t{u(run.m)} * u(run.n));
      std::vector<float> after(before.size(), kNaN);
      emulator::BlockSetup setup;
      setup.subject() = usualSubject(stage, one.tile);
      setup.problem = run;
      setup.alpha = 0.75f;
      setup.beta = -1.25f;
      setup.matrices = {{{u(run.m), u(run.k), a.data(), nullptr},
                         {u(run.k), u(run.n), b.data(), nullptr},
                         {u(run.m), u(run.n), before.data(), after.data()}}};
      const Extent grid = launchOf(stage, one.tile, run).grid;
      for (setup.block.y = 0; setup.block.y < grid.y; ++setup.block.y) {
        for (setup.block.x = 0; setup.block.x < grid.x; ++setup.block.x) {
          emulator::Block block(workspace_, setup);
          block.run([](const emulator::WarpInterval&) {});
          QVERIFY2(block.faults().empty(), one.text().c_str());
        }
      }
      const std::string flaw =
          test::firstWrong({run, setup.alpha, setup.beta, a, b, before}, after);
      QVERIFY2(flaw.empty(), fmt::format("{}: {}", one.text(), flaw).c_str());
    }
  }

  void aPoisonedCStaysPoisonedEvenWithBetaZero_data() { test::addFp32StageRows(); }
  void aPoisonedCStaysPoisonedEvenWithBetaZero() {
    const Stage& stage = test::stageOfRow();
    test::Random random(test::seed());
    for (Case& one : cases(stage, random)) {
      std::vector<bool> poisoned(one.c.size());
      for (std::size_t e = 0; e < one.c.size(); ++e) {
        poisoned[e] = random.oneIn(2);
        if (poisoned[e]) one.c[e] = kNaN;
      }
      const auto columns = static_cast<std::size_t>(one.problem.n);
      const std::string flaw = nanFlaw(
          one, product(one, 1, 0),
          [&](std::size_t row, std::size_t column) { return poisoned[row * columns + column]; });
      QVERIFY2(flaw.empty(), flaw.c_str());
    }
  }

  void aPoisonedElementOfASpoilsItsRow_data() { test::addFp32StageRows(); }
  void aPoisonedElementOfASpoilsItsRow() {
    const Stage& stage = test::stageOfRow();
    test::Random random(test::seed());
    for (Case& one : cases(stage, random)) {
      const auto at = static_cast<std::size_t>(random.integer(0, int(one.a.size()) - 1));
      one.a[at] = kNaN;
      const std::size_t spoilt = at / static_cast<std::size_t>(one.problem.k);
      const std::string flaw = nanFlaw(one, product(one, 1, 1),
                                       [&](std::size_t row, std::size_t) { return row == spoilt; });
      QVERIFY2(flaw.empty(), flaw.c_str());
    }
  }

  void aPoisonedElementOfBSpoilsItsColumn_data() { test::addFp32StageRows(); }
  void aPoisonedElementOfBSpoilsItsColumn() {
    const Stage& stage = test::stageOfRow();
    test::Random random(test::seed());
    for (Case& one : cases(stage, random)) {
      const auto at = static_cast<std::size_t>(random.integer(0, int(one.b.size()) - 1));
      one.b[at] = kNaN;
      const std::size_t spoilt = at % static_cast<std::size_t>(one.problem.n);
      const std::string flaw =
          nanFlaw(one, product(one, 1, 1),
                  [&](std::size_t, std::size_t column) { return column == spoilt; });
      QVERIFY2(flaw.empty(), flaw.c_str());
    }
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::PoisonTest, Nothing)
#include "poison_test.moc"
