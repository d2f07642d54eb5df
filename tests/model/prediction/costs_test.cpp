// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/model/prediction/costs.h"

#include <QtTest>
#include <cmath>
#include <set>

#include "kernels/model/prediction/rates.h"
#include "kernels/runs/counters.h"
#include "kernels/tile/derived.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/subject.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::test {

using model::Cost;
using model::TileCosts;

class CostsTest : public QObject {
  Q_OBJECT

  const model::Rates m_rates = *model::ratesFor("sm_90", {});
  emulator::Workspace m_workspace;

  TileCosts costs(const char* id, const TileShape& tile, int size) {
    const Stage& s = stage(id);
    return costsOf(m_workspace, usualSubject(s, tile), {size, size, size},
                   model::guessedFacts(s, tile, defaultArchitecture()), m_rates);
  }

 private slots:
  void namesAndKeysAreTheirOwn() {
    std::set<std::string_view> names, keys;
    for (std::size_t i = 0; i < model::kCosts; ++i) {
      names.insert(name(static_cast<Cost>(i)));
      keys.insert(key(static_cast<Cost>(i)));
    }
    QCOMPARE(names.size(), model::kCosts);
    QCOMPARE(keys.size(), model::kCosts);
    QVERIFY(!names.contains("") && !keys.contains(""));
  }

  void everyRungsCostsAddUpToItsPrediction_data() { addFp32StageRows(); }
  void everyRungsCostsAddUpToItsPrediction() {
    const Stage& s = stageOfRow();
    for (const int size : {300, 1024}) {
      const TileCosts c = costs(s.id.data(), s.standardTile(), size);
      const double predicted = predictCycles(c.work, m_rates, m_rates.chip);
      QVERIFY(std::abs(c.cycles.sum() - predicted) < 1e-6 * predicted);
      QVERIFY(c.share(Cost::MultiplyAdds) > 0);
      // Waves that are not full never save time, except for warps that are spread over schedulers
      // more evenly.
      QVERIFY(c.share(Cost::TailWave) > -0.1);
      QCOMPARE(c.share(Cost::Spills), 0.0);
      if (!s.features().sharedTiles) {
        for (const Cost none :
             {Cost::Wavefronts, Cost::BankConflicts, Cost::Barriers, Cost::SharedLatency})
          QCOMPARE(c.cycles[none], 0.0);
      }
    }
  }

  void conflictsArePaddedAway() {
    const TileShape tile = stage("padded").standardTile();
    const TileCosts with = costs("padded", tile.with(Parameter::PAD, 0), 1024);
    const TileCosts without = costs("padded", tile.with(Parameter::PAD, 4), 1024);
    QVERIFY(with.cycles[Cost::BankConflicts] > 0);
    QCOMPARE(without.cycles[Cost::BankConflicts], 0.0);
  }

  void paddingIsNotUseful() {
    const TileShape tile = stage("warptiled").standardTile();
    const TileCosts whole = costs("warptiled", tile, 1024);
    QCOMPARE(whole.usefulShare, 1.0);
    QCOMPARE(whole.paddingCycles, 0.0);
    const TileCosts edges = costs("warptiled", tile, 1025);  // 9 blocks by 9, and 65 K tiles
    const double useful = std::pow(1025.0, 3) / (1152.0 * 1152 * 1040);
    QVERIFY(std::abs(edges.usefulShare - useful) < 1e-9);
    QVERIFY(edges.cycles[Cost::Padding] > 0);
  }

  void countedValuesTakeThePlaceOfPredictedOnes() {
    const Stage& s = stage("warptiled");
    const TileShape tile = s.standardTile();
    const Problem problem{1024, 1024, 1024};
    const TileCosts plain = costs("warptiled", tile, 1024);
    runs::Counters counters;
    const double blockTiles = static_cast<double>(plain.work.blocks) * plain.work.kTiles;
    counters.set(runs::Counter::SharedLoadWavefronts, 2000 * blockTiles);
    counters.set(runs::Counter::SharedStoreWavefronts, 500 * blockTiles);
    counters.set(runs::Counter::SharedLoadConflicts, 600 * blockTiles);
    counters.set(runs::Counter::SharedStoreConflicts, 100 * blockTiles);
    counters.set(runs::Counter::DramBytes, 300 * blockTiles);
    counters.set(runs::Counter::L2Bytes, 1000 * blockTiles);
    const auto facts = model::guessedFacts(s, tile, defaultArchitecture());
    const TileCosts c =
        costsOf(usualSubject(s, tile), problem, plain.loop, 1, facts, m_rates, &counters);
    QVERIFY(c.counted.wavefronts && c.counted.dram && !plain.counted.any());
    QCOMPARE(c.work.wavefronts, 2500.0);
    QCOMPARE(c.work.conflicts, 700.0);
    QCOMPARE(c.work.dramBytes, 300.0);
    QCOMPARE(c.work.l2Bytes, 850.0);  // without the half of DRAM's that the counter has, too
    // Runs of the window have conflicts, but not all wavefronts.
    runs::Counters live;
    live.set(runs::Counter::SharedLoadConflicts, 600 * blockTiles);
    live.set(runs::Counter::SharedStoreConflicts, 0);
    const TileCosts window =
        costsOf(usualSubject(s, tile), problem, plain.loop, 1, facts, m_rates, &live);
    QCOMPARE(window.work.conflicts, 600.0);
    QCOMPARE(window.work.wavefronts, plain.work.wavefronts - plain.work.conflicts + 600);
    QVERIFY(window.counted.conflicts && !window.counted.wavefronts && !window.counted.l2);
    // A run that lacks one keeps the predicted value.
    runs::Counters few;
    few.set(runs::Counter::SharedLoadWavefronts, 1);
    const TileCosts rest =
        costsOf(usualSubject(s, tile), problem, plain.loop, 1, facts, m_rates, &few);
    QCOMPARE(rest.work.wavefronts, plain.work.wavefronts);
    QCOMPARE(rest.work.l2Bytes, plain.work.l2Bytes);
  }

  // The work of a pipe takes its cycles, whatever else runs: the multiply-adds of a launch keep the
  // issue busy for at least one cycle each, four schedulers at a time.
  void pipesAreBusyAtLeastAsLongAsTheirWork_data() { addFp32StageRows(); }
  void pipesAreBusyAtLeastAsLongAsTheirWork() {
    const Stage& s = stageOfRow();
    for (const int size : {1000, 4096}) {
      const TileCosts c = costs(s.id.data(), s.standardTile(), size);
      const double size3 = std::pow(static_cast<double>(size), 3);
      const double least = size3 / (132.0 * 128);
      const double busy = c.busy[Cost::MultiplyAdds];
      QVERIFY2(busy >= 0.999 * least && busy < c.cycles.sum(),
               qPrintable(QString("%1 %2").arg(busy).arg(least)));
      if (size == 4096) QVERIFY(std::abs(busy / least - 1) < 0.01);
      QCOMPARE(c.busy[Cost::Barriers], 0.0);
      QVERIFY(c.busyShare(model::Pipe::Issue) > c.busyShare(Cost::MultiplyAdds));
      for (const auto pipe :
           {model::Pipe::Issue, model::Pipe::Shared, model::Pipe::L2, model::Pipe::Dram})
        QVERIFY(c.busyShare(pipe) < 1.02);
    }
  }

  // A K tile of a full wave has the same shares as a launch of full waves: eight of 132 SMs with
  // two blocks each, and no edges. The cycles that its busiest pipe does not take are waiting.
  void oneTileHasTheSharesOfTheLaunch_data() { addFp32StageRows(); }
  void oneTileHasTheSharesOfTheLaunch() {
    const Stage& s = stageOfRow();
    const TileShape tile = s.standardTile();
    const auto facts = model::guessedFacts(s, tile, defaultArchitecture());
    const Derived d = derive(s, tile);
    const int blocks = 8 * 132 * facts.shape.blocksPerSm;
    for (const bool listed : {false, true}) {
      auto known = facts;
      if (listed) known.banks = sass::LoopCost{100, 9, 90};
      const Problem problem{d.blockM * blocks, d.blockN, 1024};
      const TileCosts c = costsOf(m_workspace, usualSubject(s, tile), problem, known, m_rates);
      const double cycles = c.prediction.cycles;
      double most = 0;
      for (const auto pipe :
           {model::Pipe::Issue, model::Pipe::Shared, model::Pipe::L2, model::Pipe::Dram}) {
        most = std::max(most, c.busyOfTile(pipe));
        QVERIFY2(std::abs(c.busyOfTile(pipe) / cycles / c.busyShare(pipe) - 1) < 1e-6,
                 qPrintable(QString("%1 %2").arg(c.busyOfTile(pipe)).arg(c.busyShare(pipe))));
      }
      QCOMPARE(c.idleOfTile(), std::max(0.0, cycles - most));
    }
  }

  // Ten blocks on ten of 132 SMs have all of DRAM.
  void fewSmsHaveDramForThemselves() {
    const Stage& s = stage("warptiled");
    const TileShape tile = s.standardTile();
    const auto facts = model::guessedFacts(s, tile, defaultArchitecture());
    const auto dram = [&](int tiles) {
      const TileCosts c =
          costsOf(m_workspace, usualSubject(s, tile), {128 * tiles, 128, 1024}, facts, m_rates);
      return c.busyOfTile(model::Pipe::Dram) / c.work.dramBytes;
    };
    QVERIFY(std::abs(dram(10) / dram(132) - 10.0 / 132) < 1e-9);
  }

  // A listing with fewer losses than were fitted does not make the issue slots cost more than they
  // are busy.
  void noShareIsMoreThanItsPipeIsBusy() {
    const Stage& s = stage("warptiled");
    const TileCosts plain = costs("warptiled", s.standardTile(), 4096);
    auto facts = model::guessedFacts(s, s.standardTile(), defaultArchitecture());
    facts.banks = sass::LoopCost{100, 0, 90};
    const TileCosts c =
        costsOf(standardSubject(s), {4096, 4096, 4096}, plain.loop, 1, facts, m_rates);
    for (const Cost cost : {Cost::MultiplyAdds, Cost::IssueSlots})
      QVERIFY(c.cycles[cost] <= c.busy[cost] * (1 + 1e-9));
    QCOMPARE(c.cycles[Cost::RegisterBanks], 0.0);
    QVERIFY(std::abs(c.cycles.sum() / plain.cycles.sum() - 1) < 1e-9);
  }

  void aListingDealsOutTheIssueSlots() {
    model::Terms terms;
    terms[model::Term::MultiplyAdds] = 70;
    terms[model::Term::OtherInstructions] = 10;
    terms[model::Term::RegisterBanks] = 20;
    model::KernelFacts facts;
    const auto family = model::Family::WarpTiled;
    QCOMPARE(byCost(terms, family, facts)[Cost::RegisterBanks], 20.0);
    facts.banks = sass::LoopCost{90, 10, 80};
    const auto dealt = byCost(terms, family, facts);
    QCOMPARE(dealt[Cost::RegisterBanks], 10.0);
    QCOMPARE(dealt[Cost::MultiplyAdds], 78.75);
    QCOMPARE(dealt.sum(), 100.0);
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::CostsTest, EventLoop)
#include "costs_test.moc"
