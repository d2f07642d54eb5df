// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/analysis/telling_access.h"

#include <QtTest>
#include <algorithm>

#include "tests/support/recorded.h"
#include "tests/support/test_class.h"

namespace tileloom::analysis {

using emulator::Kind;
using test::recorded;

class TellingAccessTest : public QObject {
  Q_OBJECT
 private slots:
  // Nothing else of that K tile has more conflicts, nor as many before it.
  void nothingTellsMore_data() { test::addStageRows(); }
  void nothingTellsMore() {
    const auto r = recorded({.stage = test::stageOfRow().id, .problem = {256, 256, 256}});
    const std::uint32_t index = tellingAccess(*r, 0);
    const Moment m = r->moment(0, index);
    // Where the tensor core reads shared memory by itself, threads do not.
    if (test::stageOfRow().features().warpgroupMma) {
      QVERIFY(m.instruction.kind == Kind::Product);
    } else {
      QVERIFY(emulator::isMemory(m.instruction.kind) && !m.follower);
    }
    QCOMPARE(m.instruction.kTile, std::min(1u, r->trace.kTilesTraced - 1));
    for (std::uint32_t i = 0; i < r->trace.length(0); ++i) {
      const Moment other = r->moment(0, i);
      if (other.instruction.kTile != m.instruction.kTile || other.follower) continue;
      QVERIFY(other.cost.conflicts() <= m.cost.conflicts());
      if (i < index && m.cost.conflicts() > 0) QVERIFY(other.cost.conflicts() < m.cost.conflicts());
    }
  }

  // However many K tiles there are: a ring needs some to come round, and the second one shows it.
  void inTheSecondOfMany() {
    for (const char* stage : {"async", "mmaring", "tma", "overlapped"}) {
      for (const std::uint32_t kTiles : {1u, 2u, 4u}) {
        const auto r = recorded({.stage = stage, .problem = {512, 512, 512}, .kTiles = kTiles});
        const Moment m = r->moment(0, tellingAccess(*r, 0));
        QCOMPARE(m.instruction.kTile, kTiles == 1 ? 0u : 1u);
      }
    }
  }

  void whatEachRungShows() {
    const auto shown = [](const char* stage) {
      const auto r = recorded({.stage = stage, .problem = {256, 256, 256}});
      return r->moment(0, tellingAccess(*r, 0));
    };
    // Rung 1 reads A down its rows: 32 sectors where 4 would do.
    const Moment naive = shown("naive");
    QVERIFY(naive.instruction.kind == Kind::GlobalLoad && naive.cost.scattered());
    QCOMPARE(naive.array, std::string("A"));
    // Nothing is wasted there.
    QVERIFY(shown("coalesced").instruction.kind == Kind::GlobalLoad);
    QVERIFY(shown("shared").instruction.kind == Kind::SharedLoad);
    const Moment load = shown("vectorized");
    QVERIFY(load.instruction.kind == Kind::SharedLoad && load.cost.conflicts() == 4);
    QCOMPARE(load.array, std::string("Bs"));
    // The transposing store.
    const Moment store = shown("warptiled");
    QVERIFY(store.instruction.kind == Kind::SharedStore && store.cost.conflicts() == 3);
    QVERIFY(shown("async").instruction.kind == Kind::AsyncCopy);
  }
};

}  // namespace tileloom::analysis

TILELOOM_TEST(tileloom::analysis::TellingAccessTest, Nothing)
#include "telling_access_test.moc"
