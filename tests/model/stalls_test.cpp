// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/model/stalls.h"

#include <QtTest>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernels/model/rates.h"
#include "kernels/runs/counters.h"
#include "kernels/runs/run_store.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::test {

using model::Cost;
using model::CostKind;
using runs::Counter;

class StallsTest : public QObject {
  Q_OBJECT

  // 14 default tiles and eight neighbours of rung 8, counted on an H200.
  static std::vector<runs::RunRecord> counted() {
    auto file = runs::readRuns(TILELOOM_SOURCE_DIR "/resources/stalls/h200.jsonl");
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
    QCOMPARE(runs.size(), std::size_t{22});
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

  void whatIsNotCountedIsUnknown() {
    runs::Counters counters;
    QVERIFY(model::stallsOf(counters).empty());
    counters.set(Counter::StalledBarrier, 1);
    QVERIFY(model::stallsOf(counters).empty());
  }

  // Two views of the same launches that know nothing of each other: where the model says that the
  // issue slots are busy, the hardware says that warps wait for them, and not for data.
  void countedStallsAgreeWithPredictedCosts() {
    const auto rates = *model::ratesFor("sm_90", {});
    emulator::Workspace workspace;
    std::vector<double> predicted, measured;
    for (const runs::RunRecord& run : counted()) {
      const Stage& s = stage(run.stage);
      const auto costs = costsOf(workspace, s, run.tile, run.problem, model::factsOf(run), rates);
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
    QVERIFY(agreement > 0.6);
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::StallsTest, EventLoop)
#include "stalls_test.moc"
