// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/model/why/stalls.h"

#include <QtTest>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernels/model/prediction/rates.h"
#include "kernels/runs/counters.h"
#include "kernels/runs/run_store.h"
#include "kernels/tile/subject.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::test {

using model::Cost;
using model::CostKind;
using runs::Counter;

class StallsTest : public QObject {
  Q_OBJECT

  // 14 default tiles and eight neighbours of rung 8 at 4096, then at 2048, counted on an H100.
  static std::vector<runs::RunRecord> counted() {
    auto file = runs::readRuns(TILELOOM_SOURCE_DIR "/tests/fixtures/stalls/h100.jsonl");
    return file && file->complaints.empty() ? file->runs : std::vector<runs::RunRecord>();
  }

  // The places of the values in their order, from 0.
  static std::vector<double> ranks(const std::vector<double>& values) {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return values[i]; });
    std::vector<double> places(values.size());
    for (std::size_t i = 0; i < order.size(); ++i) places[order[i]] = static_cast<double>(i);
    return places;
  }
  // Spearman's correlation of two lists.
  static double correlation(const std::vector<double>& one, const std::vector<double>& other) {
    const auto a = ranks(one), b = ranks(other);
    double squares = 0;
    for (std::size_t i = 0; i < a.size(); ++i) squares += (a[i] - b[i]) * (a[i] - b[i]);
    const auto n = static_cast<double>(a.size());
    return 1 - 6 * squares / (n * (n * n - 1));
  }

 private slots:
  void sharesAddUp() {
    const auto runs = counted();
    QCOMPARE(runs.size(), std::size_t{44});
    for (const runs::RunRecord& run : runs) {
      const auto stalls = model::stallsOf(run.counters);
      QVERIFY(stalls.size() > 5);
      double all = 0;
      for (std::size_t i = 0; i < stalls.size(); ++i) {
        all += stalls[i].share;
        QVERIFY(!stalls[i].name.empty());
        if (i > 0) QVERIFY(stalls[i].share <= stalls[i - 1].share);
      }
      QVERIFY(std::abs(all - 1) < 1e-9);
    }
  }

  // Samples and counters are two different measurements of the same launches.
  void samplesAgreeWithCounters() {
    double worst = 0;
    int compared = 0;
    for (const runs::RunRecord& run : counted()) {
      const Stage& s = stage(run.stage);
      const auto* samples = runs::recordedSamples(usualSubject(s, run.tile), run.problem, "sm_90");
      if (samples == nullptr || samples->problem != run.problem) continue;
      std::array<std::uint64_t, runs::kStallReasons> by{};
      for (const runs::SampledInstruction& each : samples->at) {
        for (std::size_t i = 0; i < by.size(); ++i) by[i] += each.by[i];
      }
      const model::StallShare all = model::stallShare(by, samples->total());
      QVERIFY(std::abs(all.share - 1) < 1e-9 && all.reason.has_value());
      const auto stalls = model::stallsOf(run.counters);
      for (std::size_t i = 0; i < runs::kOtherReason; ++i) {
        const auto found =
            std::ranges::find(stalls, *runs::counterOfReason(i), &model::Stall::counter);
        const double share = found != stalls.end() ? found->share : 0;
        worst = std::max(worst, std::abs(share - all.by[i]));
      }
      ++compared;
    }
    qInfo("%d launches, largest difference of a share %.3f", compared, worst);
    QCOMPARE(compared, 28);
    QVERIFY(worst < 0.05);
  }

  // A ready warp does not wait, and a line's reason is the largest one.
  void sharesOfALine() {
    std::array<std::uint64_t, runs::kStallReasons> by{};
    by[0] = 10;                       // at a barrier
    by[1] = 30;                       // for data from L1, L2 or DRAM
    by[runs::kOtherReason - 1] = 40;  // issued
    by[runs::kOtherReason - 2] = 20;  // another warp was chosen
    const model::StallShare share = model::stallShare(by, 200);
    QCOMPARE(share.share, 0.5);
    QCOMPARE(share.ready, 0.3);
    QVERIFY(share.reason == std::size_t{1});
    QCOMPARE(share.reasonShare, 0.15);
    QCOMPARE(q(model::stallText(share)),
             QString("50.0 % of the samples: 20.0 % not at all: an instruction was issued, 15.0 % "
                     "for data from L1, L2 or DRAM, 10.0 % while another warp was chosen, 5.0 % at "
                     "a barrier"));
    QCOMPARE(model::stallShare({}, 0).share, 0.0);
  }

  void whatIsNotCountedIsUnknown() {
    runs::Counters counters;
    QVERIFY(model::stallsOf(counters).empty());
    counters.set(Counter::StalledBarrier, 1);
    QVERIFY(model::stallsOf(counters).empty());
  }

  // Two independent views of the same launches: where the model says that the issue slots are busy,
  // the hardware says that warps wait for them, and not for data.
  void countedStallsAgreeWithPredictedCosts() {
    const auto rates = *model::ratesFor("sm_90", {});
    emulator::Workspace workspace;
    std::vector<double> predicted, measured;
    for (const runs::RunRecord& run : counted()) {
      const Stage& s = stage(run.stage);
      const auto costs =
          costsOf(workspace, usualSubject(s, run.tile), run.problem, model::factsOf(run), rates);
      double issue = 0, issuing = 0;
      for (std::size_t i = 0; i < model::kCosts; ++i) {
        if (kindOf(static_cast<Cost>(i)) == CostKind::Issue)
          issue += costs.share(static_cast<Cost>(i));
      }
      for (const model::Stall& stall : model::stallsOf(run.counters)) {
        if (kindOf(stall.cost) == CostKind::Issue) issuing += stall.share;
      }
      predicted.push_back(issue);
      measured.push_back(issuing);
    }
    const double agreement = correlation(predicted, measured);
    qInfo("issue slots, predicted and counted: Spearman's correlation %.2f over %zu launches",
          agreement, predicted.size());
    QVERIFY(agreement > 0.85);
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::StallsTest, EventLoop)
#include "stalls_test.moc"
