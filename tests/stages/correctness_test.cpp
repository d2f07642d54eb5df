// SPDX-License-Identifier: GPL-3.0-or-later
// Every stage against a double-precision product, over many random legal tiles and sizes. This is
// where a stage's numbers are proved: the machines that build the project have no GPU.
#include <fmt/format.h>

#include <QtTest>
#include <limits>
#include <set>

#include "kernels/emulator/run.h"
#include "kernels/tile/constraints.h"
#include "kernels/tile/placement.h"
#include "tests/support/random.h"
#include "tests/support/random_tiles.h"
#include "tests/support/reference.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom {

class CorrectnessTest : public QObject {
  Q_OBJECT

  emulator::Workspace workspace_;

  // Counts how often each element of the (padded) C is stored.
  class StoreCount {
   public:
    explicit StoreCount(const Problem& run)
        : columns_(static_cast<std::size_t>(run.n)),
          count_(static_cast<std::size_t>(run.m) * columns_) {}

    void operator()(const emulator::WarpInterval& view) {
      for (std::size_t i = 0; i < view.instructions.size(); ++i) {
        const emulator::Instruction& instruction = view.instructions[i];
        if (instruction.kind != emulator::Kind::GlobalStore) continue;
        for (std::uint32_t lane = 0; lane < emulator::kWarpSize; ++lane) {
          if ((instruction.mask >> lane & 1u) == 0) continue;
          const std::uint32_t first = view.payload(i, lane)[0];
          for (std::uint32_t w = 0; w < instruction.width; ++w) ++count_.at(first + w);
        }
      }
    }

    std::string flaw() const {
      for (std::size_t e = 0; e < count_.size(); ++e) {
        if (count_[e] == 1) continue;
        return fmt::format("C[{}][{}] is stored {} times", e / columns_, e % columns_, count_[e]);
      }
      return {};
    }

   private:
    std::size_t columns_;
    std::vector<int> count_;
  };

  // What is wrong with this stage's answer to one random problem; empty if nothing is.
  std::string flawOf(const Stage& stage, const TileShape& tile, test::Random& random) {
    const Problem p = test::problemFor(stage, tile, 500'000, random);
    const auto count = [](int rows, int columns) {
      return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
    };
    const std::vector<float> a = random.reals(count(p.m, p.k));
    const std::vector<float> b = random.reals(count(p.k, p.n));
    const std::vector<float> before = random.reals(count(p.m, p.n));
    std::vector<float> c = before;
    emulator::Gemm gemm;
    gemm.subject() = usualSubject(stage, tile);
    gemm.problem = p;
    gemm.alpha = random.oneIn(8) ? 0.0f : 2 * random.real();
    gemm.beta = random.oneIn(8) ? 0.0f : 2 * random.real();
    gemm.a = a;
    gemm.b = b;
    gemm.c = c;
    StoreCount stores(paddedProblem(stage, tile, p));
    const emulator::FaultLog faults =
        emulator::runGemm(workspace_, gemm, [&](const auto& view) { stores(view); });
    if (!faults.empty()) return describe(faults.kept.front());
    if (auto flaw = stores.flaw(); !flaw.empty()) return flaw + " (" + toString(p) + ")";
    return test::firstWrong({p, gemm.alpha, gemm.beta, a, b, before}, c);
  }

 private slots:
  void everyTileGivesTheProduct_data() { test::addFp32StageRows(); }
  void everyTileGivesTheProduct() {
    const Stage& stage = test::stageOfRow();
    test::Random random(test::seed());
    const std::vector<TileShape> tiles = test::legalTiles(stage, test::tilesPerStage(), random);
    // Rungs 1 to 3 have no more than their 32 edges, and rung 6 has 324 legal tiles in all.
    const std::size_t most = stage.rung <= 3 ? 32 : stage.rung == 6 ? 300 : ~std::size_t{0};
    QVERIFY(tiles.size() >= std::min(test::tilesPerStage(), most));
    std::set<std::string> distinct;
    for (const TileShape& tile : tiles) {
      const std::string text = test::toString(stage, tile);
      QVERIFY2(isLegal(stage, tile), text.c_str());
      QVERIFY2(distinct.insert(text).second, text.c_str());
      // The square stages have few tiles, so these meet more sizes.
      const int problems = stage.rung <= 3 ? 4 : 1;
      for (int problem = 0; problem < problems; ++problem) {
        const std::string flaw = flawOf(stage, tile, random);
        QVERIFY2(flaw.empty(),
                 fmt::format("{}: {} (TILELOOM_TEST_SEED={})", text, flaw, test::seed()).c_str());
      }
    }
  }

  // The judge must not be asleep: a single wrong element, a NaN, a missing product.
  void theReferenceFindsWhatIsWrong() {
    test::Random random(test::seed());
    const Problem p = {7, 5, 40};
    const std::vector<float> a = random.reals(7 * 40), b = random.reals(40 * 5),
                             c = random.reals(7 * 5);
    std::vector<float> right(7 * 5);
    for (std::size_t i = 0; i < 7; ++i) {
      for (std::size_t j = 0; j < 5; ++j) {
        double sum = 0;
        for (std::size_t k = 0; k < 40; ++k) sum += double{a[i * 40 + k]} * double{b[k * 5 + j]};
        right[i * 5 + j] = static_cast<float>(1.5 * sum - 0.5 * double{c[i * 5 + j]});
      }
    }
    const test::Operands operands = {p, 1.5f, -0.5f, a, b, c};
    QCOMPARE(test::q(test::firstWrong(operands, right)), QString());
    for (const std::size_t at : {std::size_t{0}, std::size_t{17}, std::size_t{34}}) {
      std::vector<float> wrong = right;
      wrong[at] = std::numeric_limits<float>::quiet_NaN();
      QVERIFY(!test::firstWrong(operands, wrong).empty());
      wrong[at] = right[at] - 1.5f * a[at / 5 * 40 + 39] * b[39 * 5 + at % 5];
      QVERIFY(!test::firstWrong(operands, wrong).empty());
      wrong[at] = c[at];
      QVERIFY(!test::firstWrong(operands, wrong).empty());
      wrong[at] = right[at] + 1e-4f;
      QVERIFY(test::q(test::firstWrong(operands, wrong))
                  .startsWith(QString("C[%1][%2] is ").arg(at / 5).arg(at % 5)));
    }
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::CorrectnessTest, Nothing)
#include "correctness_test.moc"
