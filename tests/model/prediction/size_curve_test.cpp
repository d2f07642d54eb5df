// SPDX-License-Identifier: GPL-3.0-or-later
// Speed over size: how launches divide into tiles and waves, and what is predicted for them.
#include "kernels/model/prediction/size_curve.h"

#include <QtTest>
#include <cmath>

#include "kernels/analysis/counts/loop_totals.h"
#include "kernels/emulator/workspace.h"
#include "kernels/model/prediction/rates.h"
#include "kernels/runs/recordings.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/subject.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::test {

class SizeCurveTest : public QObject {
  Q_OBJECT

  static constexpr int kSms = 132;

 private slots:
  // By hand: tiles of 128 x 128 x 16, three blocks on each of 132 SMs.
  void launchesAreDivided() {
    const Stage& s = stage("warptiled");
    const TileShape t = s.standardTile();
    const auto at = [&](int size) { return model::divided(s, t, size, 3, kSms); };
    const model::SizePoint whole = at(4224);
    QCOMPARE(whole.rows, std::int64_t{33});
    QCOMPARE(whole.columns, std::int64_t{33});
    QCOMPARE(whole.blocks(), std::int64_t{1089});
    QVERIFY(std::abs(whole.waves - 1089.0 / 396) < 1e-12);
    QVERIFY(std::abs(whole.waveShare - 1089.0 / (3 * 396)) < 1e-12);
    QCOMPARE(whole.tileShare, 1.0);
    const model::SizePoint more = at(4225);  // a row and a column of blocks for one element each
    QCOMPARE(more.blocks(), std::int64_t{34 * 34});
    const double side = 4225.0 / (34 * 128);
    QVERIFY(std::abs(more.tileShare - side * side * 4225.0 / 4240) < 1e-12);
    QCOMPARE(at(2048).waveShare, 256.0 / 396);
    // A tile that is not square: rows by BM, columns by BN.
    const model::SizePoint flat = model::divided(s, t.with(Parameter::BM, 64), 1000, 1, kSms);
    QCOMPARE(flat.rows, std::int64_t{16});
    QCOMPARE(flat.columns, std::int64_t{8});
    // A rung that checks its edges launches whole blocks nevertheless.
    const model::SizePoint naive =
        model::divided(stage("naive"), stage("naive").standardTile(), 33, 1, kSms);
    QCOMPARE(naive.blocks(), std::int64_t{4});
    QCOMPARE(naive.tileShare, 33.0 * 33 / (64 * 64));
  }

  void teethAreSampledWhereTheyTurn() {
    for (const Stage& s : stages()) {
      const TileShape t = s.standardTile();
      const auto sizes = model::toothSizes(s, t, 256, 8192, 3001);
      QVERIFY(std::ranges::is_sorted(sizes));
      QVERIFY(std::ranges::adjacent_find(sizes) == sizes.end());
      QCOMPARE(sizes.front(), 256);
      QCOMPARE(sizes.back(), 8192);
      QVERIFY2(sizes.size() > 60 && sizes.size() < 1000, qPrintable(q(s.id)));
      const auto has = [&](int size) { return std::ranges::binary_search(sizes, size); };
      QVERIFY(has(3001));
      const int step = model::teethStep(s, t, 256, 8192);
      for (int edge = 256; edge < 8192; edge += step) QVERIFY(has(edge) && has(edge + 1));
    }
    const Stage& s = stage("warptiled");
    QVERIFY(
        !std::ranges::binary_search(model::toothSizes(s, s.standardTile(), 256, 2048, 3001), 3001));
    // The smallest tiles do not give thousands of sizes.
    const auto many = model::toothSizes(
        stage("naive"), stage("naive").standardTile().with(Parameter::BLOCKSIZE, 1), 256, 16384);
    QVERIFY(many.size() < 1500);
  }

  // The curve is the prediction of each size, and falls where a tooth ends.
  void theCurveIsThePrediction() {
    const Stage& s = stage("warptiled");
    const TileShape t = s.standardTile();
    const auto rates = model::ratesFor("sm_90", {});
    QVERIFY(rates.has_value());
    const auto* run = runs::recordedRun(usualSubject(s, t), {4096, 4096, 4096});
    QVERIFY(run != nullptr);
    const model::KernelShape kernel{run->blocksPerSm,
                                    run->loop.ffmas > 0 ? std::optional(run->loop) : std::nullopt};
    const std::vector<int> sizes = {2047, 2048, 2049, 4096, 8192};
    const auto curve = model::sizeCurve(s, t, sizes, kernel, *rates);
    QCOMPARE(curve.size(), sizes.size());
    emulator::Workspace workspace;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      const Problem problem{sizes[i], sizes[i], sizes[i]};
      const auto loop = analysis::traceLoop(workspace, usualSubject(s, t), problem);
      const auto said = model::predict(
          model::workloadOf(s, t, problem, loop.totals, loop.kTiles, kernel, rates->chip.machine),
          *rates, rates->chip);
      QCOMPARE(curve[i].size, sizes[i]);
      QCOMPARE(curve[i].gflops, said.gflops);
      QCOMPARE(curve[i].waves, said.waves);
      QVERIFY(curve[i].gflopsLow < said.gflops && said.gflops < curve[i].gflopsHigh);
    }
    QVERIFY(curve[0].gflops < curve[1].gflops);
    QVERIFY(curve[2].gflops < 0.85 * curve[1].gflops);
  }

  void whatIsCancelledIsEmpty() {
    const Stage& s = stage("warptiled");
    const auto rates = model::ratesFor("sm_90", {});
    const std::vector<int> sizes = {1024, 2048, 4096};
    QVERIFY(
        model::sizeCurve(s, s.standardTile(), sizes, {3, {}}, *rates, [] { return true; }).empty());
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::SizeCurveTest, Nothing)
#include "size_curve_test.moc"
