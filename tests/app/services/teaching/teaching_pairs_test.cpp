// SPDX-License-Identifier: GPL-3.0-or-later
// Every pair opens at an access at which its two sides differ.
#include "app/services/teaching/teaching_pairs.h"

#include <QtTest>
#include <algorithm>
#include <cmath>
#include <tuple>

#include "app/pages/page.h"
#include "app/services/choice/explorer.h"
#include "kernels/analysis/counterpart.h"
#include "kernels/analysis/telling_difference.h"
#include "kernels/emulator/run.h"
#include "kernels/tile/subject.h"
#include "tests/support/test_class.h"

namespace tileloom {

using analysis::Moment;
using analysis::Recording;
using analysis::Waste;

class TeachingPairsTest : public QObject {
  Q_OBJECT

  static std::shared_ptr<const Recording> recorded(const Subject& side) {
    static emulator::Workspace workspace;
    ViewState view = openingView();
    view.problem = {1024, 1024, 1024};
    return analysis::record(workspace, *Explorer::requestFor(*side.rung(), side.tile, view));
  }
  // A load of global memory and a copy to shared memory have no comparable waste.
  static double unlike(const Moment& a, const Moment& b) {
    if (emulator::isShared(a.instruction.kind) != emulator::isShared(b.instruction.kind)) return 0;
    const Waste x = analysis::wasteOf(a.cost), y = analysis::wasteOf(b.cost);
    return std::max(std::abs(x.conflicts - y.conflicts), std::abs(x.sectors - y.sectors));
  }

 private slots:
  void everyPairOpensWhereItDiffersMost_data() {
    QTest::addColumn<int>("pair");
    const auto pairs = teachingPairs();
    for (std::size_t i = 0; i < pairs.size(); ++i)
      QTest::newRow(qPrintable(QStringLiteral("%1: %2").arg(i).arg(pairs[i].name))) << int(i);
  }
  void everyPairOpensWhereItDiffersMost() {
    QFETCH(int, pair);
    const TeachingPair shown = teachingPairs()[static_cast<std::size_t>(pair)];
    const auto baseline = recorded(shown.baseline), now = recorded(shown.now);
    const std::uint32_t index = analysis::tellingDifference(*baseline, *now, 0);
    const auto at = [&](std::uint32_t i) {
      const auto met = analysis::counterpart(*now, 0, i, *baseline);
      return std::tuple(now->moment(0, i), baseline->moment(met.warp, met.index), met.sameStep);
    };
    const auto [here, there, together] = at(index);
    const double most = together ? unlike(there, here) : 0;
    for (std::uint32_t i = 0; i < now->trace.length(0); ++i) {
      const auto& moment = now->moment(0, i);
      if (!emulator::isMemory(moment.instruction.kind) || moment.follower) continue;
      if (moment.instruction.kTile != here.instruction.kTile) continue;
      const auto [other, itsBaseline, same] = at(i);
      if (same) QVERIFY(unlike(itsBaseline, other) <= std::max(most, 0.02));
    }
    if (most > 0.02) {
      QCOMPARE(there.array, here.array);
    } else if (!together) {
      // The baseline has nothing like it.
      for (std::uint32_t i = 0; i < baseline->trace.length(0); ++i) {
        const auto& other = baseline->moment(0, i).instruction;
        if (other.kTile == here.instruction.kTile) QVERIFY(other.kind != here.instruction.kind);
      }
    }
  }

  // A pair whose first access is the same on both sides, or is missing, names the page that shows
  // the difference, and that page draws both.
  void pagesTellWhatAccessesDoNot() {
    for (const TeachingPair& pair : teachingPairs()) {
      if (*pair.page != '\0') {
        const PageRow* row = pageRow(pair.page);
        QVERIFY2(row != nullptr && row->showsBothSides, qPrintable(pair.name));
        continue;
      }
      const auto baseline = recorded(pair.baseline), now = recorded(pair.now);
      const std::uint32_t index = analysis::tellingDifference(*baseline, *now, 0);
      const auto met = analysis::counterpart(*now, 0, index, *baseline);
      const Moment here = now->moment(0, index), there = baseline->moment(met.warp, met.index);
      const double use = analysis::passesPerProduct(*now, 0, index);
      const double before = analysis::passesPerProduct(*baseline, met.warp, met.index);
      QVERIFY2(here.instruction.kind != there.instruction.kind ||
                   here.cost.wavefronts() != there.cost.wavefronts() ||
                   here.cost.conflicts() != there.cost.conflicts() ||
                   here.cost.global.sectors != there.cost.global.sectors ||
                   here.cost.global.lines != there.cost.global.lines ||
                   std::abs(use - before) > 0.05 * before,
               qPrintable(pair.name));
    }
  }

  // What their sentences describe.
  void pairsOpenAtWhatTheyTell() {
    struct Told {
      const char* begin;
      const char* array;
      bool store, shared;
    };
    for (const Told& told :
         {Told{"WNITER 1 beside", "As", false, true}, Told{"TN 16", "Bs", false, true},
          Told{"PAD 0", "As", true, true}, Told{"PAD 4 beside PAD 8", "As", true, true},
          Told{"SWIZZLE 0", "As", false, true}, Told{"SWIZZLE 32", "A", false, false},
          Told{"1 beside 2", "A", false, false}}) {
      const auto pairs = teachingPairs();
      const auto pair = std::ranges::find_if(pairs, [&](const TeachingPair& p) {
        return p.name.startsWith(QLatin1String(told.begin));
      });
      QVERIFY2(pair != pairs.end(), told.begin);
      const auto baseline = recorded(pair->baseline), now = recorded(pair->now);
      const Moment m = now->moment(0, analysis::tellingDifference(*baseline, *now, 0));
      QVERIFY2(m.array == told.array, told.begin);
      QVERIFY2(emulator::isStore(m.instruction.kind) == told.store, told.begin);
      QVERIFY2(emulator::isShared(m.instruction.kind) == told.shared, told.begin);
    }
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::TeachingPairsTest, EventLoop)
#include "teaching_pairs_test.moc"
