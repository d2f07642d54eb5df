// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/model/prediction/foretell.h"

#include <QtTest>
#include <cmath>

#include "kernels/analysis/counts/loop_totals.h"
#include "kernels/model/prediction/rates.h"
#include "kernels/runs/recordings.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/subject.h"
#include "kernels/tuning/tile_map.h"
#include "tests/support/random.h"
#include "tests/support/random_tiles.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::test {

class ForetellTest : public QObject {
  Q_OBJECT

  static constexpr Problem kProblem{4096, 4096, 4096};

 private slots:
  // Before anything is compiled: a useful order.
  void theOrderOfRecordedTiles() {
    const Stage& s = stage("warptiled");
    std::vector<const runs::RunRecord*> runs;
    for (const auto& run : runs::recordings()) runs.push_back(&run);
    const auto figures = tuning::figuresOf(runs, s, kProblem, kReferenceDevice, s.usualFormat());
    std::vector<TileShape> tiles;
    for (std::size_t i = 0; i < figures.size(); i += 6) tiles.push_back(figures[i].tile);
    const auto rates = model::ratesFor("sm_90", {});
    const auto gflops = model::foretell(subjectsOf(s, s.usualFormat(), tiles), kProblem,
                                        defaultArchitecture(), *rates);
    QCOMPARE(gflops.size(), tiles.size());
    // figures are sorted: the fast half must be predicted faster than the slow half, pair by pair.
    int right = 0, pairs = 0;
    for (std::size_t i = 0; i < gflops.size(); ++i) {
      QVERIFY(gflops[i] > 0);
      for (std::size_t j = i + gflops.size() / 4; j < gflops.size(); ++j, ++pairs)
        right += gflops[i] > gflops[j] ? 1 : 0;
    }
    QVERIFY2(right > 0.84 * pairs, qPrintable(QString("%1 of %2").arg(right).arg(pairs)));
  }

  // Neither the order of blocks nor split-K changes the counts of a K tile: tiles that differ in
  // these are traced once.
  void whatTheLoopDoesNotDependOn() {
    emulator::Workspace workspace;
    Random random(16);
    for (const char* id : {"tuned", "rewritten"}) {
      const Stage& s = stage(id);
      for (const TileShape& tile : legalTiles(s, 4, random)) {
        std::vector<TileShape> tiles;
        for (const int group : {1, 3, 16}) {
          tiles.push_back(tile.with(Parameter::GROUP, group));
          if (s.spec(Parameter::SPLIT) != nullptr)
            tiles.push_back(tiles.back().with(Parameter::SPLIT, 3));
        }
        const Problem problem{3000, 2000, 500};
        const auto first = analysis::traceLoop(workspace, usualSubject(s, tiles.front()), problem);
        for (const TileShape& other : tiles) {
          const auto loop = analysis::traceLoop(workspace, usualSubject(s, other), problem);
          QVERIFY2(loop.totals == first.totals && loop.kTiles == first.kTiles,
                   toString(s, other).c_str());
        }
        const auto rates = model::ratesFor("sm_90", {});
        const auto together = model::foretell(subjectsOf(s, s.usualFormat(), tiles), problem,
                                              defaultArchitecture(), *rates);
        for (std::size_t i = 0; i < tiles.size(); ++i) {
          const auto alone =
              model::foretell(subjectsOf(s, s.usualFormat(), std::span(tiles).subspan(i, 1)),
                              problem, defaultArchitecture(), *rates);
          QCOMPARE(together[i], alone[0]);
        }
      }
    }
  }

  void registersAreLikely() {
    double off = 0;
    int tiles = 0;
    for (const auto& run : runs::recordings()) {
      if (run.stage != "warptiled" || run.problem.m != 4096 || run.spillBytes > 0) continue;
      off += std::abs(model::likelyRegisters(stage("warptiled"), run.tile) - run.registers);
      ++tiles;
    }
    QVERIFY2(off / tiles < 10, qPrintable(QString::number(off / tiles)));
    for (const Stage& s : stages()) {
      const int registers = model::likelyRegisters(s, s.standardTile());
      QVERIFY2(registers >= 16 && registers <= Architecture::kRegistersPerThread,
               qPrintable(q(s.id)));
    }
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::ForetellTest, EventLoop)
#include "foretell_test.moc"
