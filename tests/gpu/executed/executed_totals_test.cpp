// SPDX-License-Identifier: GPL-3.0-or-later
// The counters of an H100, and the machine code of the same launches, executed here: they are equal
// but for what depends on other warps or on time, and docs/design/02-fidelity.md says so.
#include <QtTest>
#include <fstream>
#include <map>
#include <sstream>

#include "kernels/gpu/executed/executed_totals.h"
#include "kernels/gpu/executed/rung_launch.h"
#include "kernels/runs/counters.h"
#include "kernels/runs/run_exchange.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/words.h"
#include "tests/support/random.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::gpu {

using test::q;

class ExecutedTotalsTest : public QObject {
  Q_OBJECT

  std::shared_ptr<const Nvrtc> nvrtc_;
  std::vector<runs::RunRecord> records_;

  static std::string source(const char* path) {
    return std::string(TILELOOM_SOURCE_DIR "/") + path;
  }

 private slots:
  void initTestCase() {
    const auto nvrtc = Nvrtc::load();
    if (!nvrtc) QSKIP("needs NVRTC");
    nvrtc_ = *nvrtc;
    auto file = runs::readRuns(source("tests/fixtures/fidelity/h100.jsonl"));
    QVERIFY(file && !file->runs.empty());
    records_ = std::move(file->runs);
  }

  // Launches that the trace of the source does not count right: the compiler loads values of rung 4
  // again, predicates the stores of rung 16, and passes a guarded store in two groups.
  void whatTheTraceMisses() {
    std::vector<runs::RunRecord> chosen;
    for (const runs::RunRecord& run : records_) {
      const bool small = std::int64_t{run.problem.m} * run.problem.n * run.problem.k < 150'000;
      if (small &&
          (run.stage == "blocktile1d" || run.stage == "rewritten" || run.stage == "rasterised"))
        chosen.push_back(run);
    }
    QVERIFY(chosen.size() >= 4);
    for (const auto& c : runs::compareWith(chosen, executedTotals(nvrtc_, nullptr))) {
      QVERIFY2(c.whyNot.empty(), c.whyNot.c_str());
      QVERIFY(c.compared > 10);
      for (const runs::Difference& d : c.differences) {
        const bool timed =
            d.reason == runs::Reason::Arbitration || d.reason == runs::Reason::AmongWarps ||
            d.reason == runs::Reason::PatchedOff || d.reason == runs::Reason::LooksAgain;
        QVERIFY2(timed, qPrintable(q(c.run->stage) + " " + q(runs::specOf(d.counter).key) + ": " +
                                   QString::number(d.hardware) + ", executed " +
                                   QString::number(d.trace)));
      }
    }
  }

  // Figures of an H100 that no rule was made for: the trace of the source shows 432 copies and no
  // store.
  void figuresHeldBack() {
    using enum Parameter;
    const auto counted = [&](const char* stage, Problem problem,
                             std::initializer_list<std::pair<Parameter, int>> tile) {
      Subject subject = standardSubject(*stageOfEitherLadder(stage));
      for (const auto& [parameter, value] : tile) subject.tile[parameter] = value;
      const auto build = buildStage(*nvrtc_, nullptr, subject, *architectureNamed("sm_90"));
      if (!build) qFatal("%s", build.error().text.c_str());
      auto launch = RungLaunch::of(*build, problem);
      if (!launch) qFatal("%s", launch.error().c_str());
      launch->randomise(1);
      const auto totals = launch->count();
      if (!totals) qFatal("%s", totals.error().c_str());
      return *totals;
    };
    QCOMPARE(counted("mmaring", {128, 32, 384},
                     {{BM, 128},
                      {BN, 16},
                      {BK, 128},
                      {WM, 16},
                      {WN, 16},
                      {SWIZZLE, 32},
                      {STAGES, 6},
                      {GROUP, 1}})
                 .asyncInstructions,
             std::uint64_t{1152});
    QCOMPARE(counted("hopper", {128, 512, 192}, {{SPLIT, 2}, {STAGES, 2}, {GROUP, 8}, {CLUSTER, 1}})
                 .globalStoreRequests,
             std::uint64_t{520});
  }

  void theDocumentIsWhatIsExecuted() {
    if (test::briefly())
      QSKIP("NOT TESTED: all recorded launches are executed where no sanitizer slows it down");
    const auto comparisons = runs::compareWith(records_, executedTotals(nvrtc_, nullptr));
    const std::string part = runs::withFidelityText(
        {}, runs::fidelityText(comparisons, runs::Counted::Executed), runs::Counted::Executed);
    std::ifstream file(source("docs/design/02-fidelity.md"));
    std::stringstream document;
    document << file.rdbuf();
    const std::string whole = document.str();
    if (whole.find(part) != std::string::npos) return;
    std::istringstream lines(part);
    for (std::string line; std::getline(lines, line);)
      if (whole.find(line) == std::string::npos)
        QFAIL(qPrintable("\"" + q(line) +
                         "\" is missing: make it again: tileloom fidelity --from "
                         "tests/fixtures/fidelity/h100.jsonl --executed --out "
                         "docs/design/02-fidelity.md"));
    QFAIL("its lines have another order");
  }
};

}  // namespace tileloom::gpu

TILELOOM_TEST(tileloom::gpu::ExecutedTotalsTest, Nothing)
#include "executed_totals_test.moc"
