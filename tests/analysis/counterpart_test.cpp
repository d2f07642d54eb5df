// SPDX-License-Identifier: GPL-3.0-or-later
// Two recordings in lock step: the same K tile, k and access, wherever the other has them.
#include "kernels/analysis/counterpart.h"

#include <QtTest>

#include "kernels/analysis/recording.h"
#include "kernels/tile/parameters.h"
#include "tests/support/recorded.h"
#include "tests/support/test_class.h"

namespace tileloom::analysis {

using emulator::Instruction;
using emulator::Kind;
using emulator::kNoDot;
using test::indexOf;
using test::instructionAt;
using test::recorded;

class CounterpartTest : public QObject {
  Q_OBJECT

 private slots:
  void everyInstructionIsItsOwnCounterpart() {
    for (const Stage& stage : stages()) {
      const auto r = recorded({.stage = stage.id, .problem = {256, 256, 256}});
      const std::uint32_t warp = r->trace.warps - 1;
      for (std::uint32_t i = 0; i < r->trace.length(warp); i += 7) {
        const Counterpart c = counterpart(*r, warp, i, *r);
        QCOMPARE(c.warp, warp);
        QCOMPARE(c.index, i);
        QVERIFY(c.same);
      }
    }
  }

  // At every instant of one rung the other is at the same K tile and k.
  void placesAgreeBetweenRungs() {
    const auto here = recorded({.stage = "vectorized"});
    const auto there = recorded({.stage = "blocktile2d"});
    QCOMPARE(here->trace.tile[Parameter::BK], there->trace.tile[Parameter::BK]);
    for (std::uint32_t i = 0; i < here->trace.length(3); ++i) {
      const Instruction now = instructionAt(*here, 3, i);
      const Counterpart c = counterpart(*here, 3, i, *there);
      const Instruction then = instructionAt(*there, c.warp, c.index);
      QCOMPARE(then.kTile, now.kTile);
      if (now.kind == Kind::SharedLoad || now.kind == Kind::Fma) {
        QCOMPARE(then.dot, now.dot);
        QCOMPARE(then.kind, now.kind);
      }
      if (now.kind == Kind::SharedLoad) {
        QCOMPARE(there->trace.arrays[then.array].name, here->trace.arrays[now.array].name);
      }
    }
  }

  // What one rung does before its loop, another does in its first K tile, not after its last.
  void aPrologueMeetsTheFirstTile() {
    const auto here = recorded({.stage = "tuned"});
    for (const char* id : {"warptiled", "fragments"}) {
      const auto there = recorded({.stage = id});
      for (std::uint32_t i = 0; i < here->trace.length(0); ++i) {
        const Instruction now = instructionAt(*here, 0, i);
        if (now.kTile != emulator::kNoTile) break;
        const Counterpart c = counterpart(*here, 0, i, *there);
        const Instruction then = instructionAt(*there, c.warp, c.index);
        QCOMPARE(then.kTile, 0u);
        if (now.kind != Kind::SharedLoad) continue;
        QCOMPARE(then.kind, now.kind);
        QCOMPARE(there->trace.arrays[then.array].name, here->trace.arrays[now.array].name);
      }
    }
  }

  // A kernel that fills nothing meets every instruction of the loop inside its own loop, at the
  // same k.
  void aFillMeetsTheSameKWhereNothingIsFilled() {
    const auto there = recorded({.stage = "naive"});
    for (const char* id : {"warptiled", "shared", "mmaring", "overlapped"}) {
      const auto here = recorded({.stage = id});
      for (std::uint32_t i = 0; i < here->trace.length(0); i += 3) {
        const Instruction now = instructionAt(*here, 0, i);
        if (now.kTile == emulator::kNoTile) continue;
        const Counterpart c = counterpart(*here, 0, i, *there);
        const Instruction then = instructionAt(*there, c.warp, c.index);
        QVERIFY2(then.kTile != emulator::kNoTile, id);
        const std::uint32_t k = now.kTile * here->trace.stepK;
        const std::uint32_t met = then.kTile * there->trace.stepK + then.dot;
        if (k + here->trace.stepK > there->trace.kTilesTraced * there->trace.stepK) continue;
        QVERIFY2(met >= k && met < k + here->trace.stepK, id);
        if (now.dot != kNoDot) QCOMPARE(met, k + now.dot);
        // What both do, they do together.
        if (now.kind == Kind::GlobalLoad) {
          QCOMPARE(then.kind, now.kind);
          QCOMPARE(there->trace.arrays[then.array].name, here->trace.arrays[now.array].name);
          QVERIFY(c.sameStep);
        }
      }
    }
  }

  // Another kind of instruction that does the same step: a copy for a store, ldmatrix for a load.
  void stepsAnswerEachOther() {
    const auto here = recorded({.stage = "async"});
    const auto there = recorded({.stage = "warptiled"});
    const auto met = [&](Kind kind) {
      const auto at = indexOf(*here, 0, [kind](const Instruction& i) {
        return i.kind == kind && i.kTile != emulator::kNoTile;
      });
      const Counterpart c = counterpart(*here, 0, at, *there);
      return std::pair(instructionAt(*there, c.warp, c.index).kind, c);
    };
    const auto [copy, copyMet] = met(Kind::AsyncCopy);
    QCOMPARE(copy, Kind::SharedStore);
    QVERIFY(!copyMet.same);
    const auto tensor = recorded({.stage = "mma"});
    const auto at = indexOf(*tensor, 0, [](const Instruction& i) { return i.kind == Kind::Mma; });
    const Counterpart c = counterpart(*tensor, 0, at, *there);
    QCOMPARE(instructionAt(*there, c.warp, c.index).kind, Kind::Fma);
    QVERIFY(c.sameStep);
  }

  // A load, an asynchronous copy and a TMA load that bring the same matrix, at any k.
  void fetchesAnswerEachOther() {
    struct Case {
      const char *here, *there;
      Kind kind, met;
      const char* array;
    };
    for (const Case& c : {Case{"async", "doublebuffered", Kind::AsyncCopy, Kind::GlobalLoad, "A"},
                          Case{"doublebuffered", "async", Kind::GlobalLoad, Kind::AsyncCopy, "As"},
                          Case{"tuned", "rasterised", Kind::GlobalLoad, Kind::AsyncCopy, "As"},
                          Case{"tma", "swizzled", Kind::BoxLoad, Kind::GlobalLoad, "A"}}) {
      const auto here = recorded({.stage = c.here}), there = recorded({.stage = c.there});
      const auto at = indexOf(*here, 0, [&](const Instruction& i) {
        return i.kind == c.kind && i.kTile == 1 && here->trace.arrays[i.array].name.front() == 'A';
      });
      const Counterpart met = counterpart(*here, 0, at, *there);
      const Instruction& then = instructionAt(*there, met.warp, met.index);
      QVERIFY2(then.kind == c.met, c.here);
      QCOMPARE(there->trace.arrays[then.array].name, std::string(c.array));
      QVERIFY2(met.sameStep && !met.same, c.here);
    }
  }

  void theSecondLoadMeetsTheSecondLoad() {
    const auto here = recorded({.stage = "warptiled"});
    const TileShape tile = here->trace.tile;
    const auto there = recorded({.stage = "warptiled", .tile = tile.with(Parameter::WNITER, 2)});
    const auto ofBs = [](const Recording& r) {
      return [&r](const Instruction& i) {
        return i.kind == Kind::SharedLoad && r.trace.arrays[i.array].name == "Bs" && i.dot == 3;
      };
    };
    std::uint32_t from = 0, last = 0;
    for (int nth = 0; nth < 4; ++nth) {
      const std::uint32_t at = indexOf(*here, 1, ofBs(*here), from);
      from = at + 1;
      const Counterpart c = counterpart(*here, 1, at, *there);
      QVERIFY(ofBs(*there)(instructionAt(*there, 1, c.index)));
      QCOMPARE(c.same, nth < 2);  // two subtiles there, four here
      if (nth == 0) QCOMPARE(c.index, indexOf(*there, 1, ofBs(*there)));
      if (nth >= 2) QCOMPARE(c.index, last);
      last = c.index;
    }
  }

  // What the other has less of becomes its last.
  void warpsTilesAndDotsAreClamped() {
    const auto large = recorded({.stage = "warptiled"});
    const auto small = recorded({.stage = "vectorized", .kTiles = 1});
    const auto at = indexOf(*large, 3, [](const Instruction& i) {
      return i.kTile == 1 && i.dot == 13 && i.kind == Kind::SharedLoad;
    });
    const Counterpart c = counterpart(*large, 3, at, *small);
    const Instruction there = instructionAt(*small, c.warp, c.index);
    QCOMPARE(there.kTile, 0u);
    QCOMPARE(int(there.dot), small->trace.tile[Parameter::BK] - 1);
    const auto wide = recorded({.stage = "blocktile2d"});
    QVERIFY(wide->trace.warps > large->trace.warps);
    QCOMPARE(counterpart(*wide, wide->trace.warps - 1, 5, *large).warp, large->trace.warps - 1);
  }

  void theEndMeetsTheEnd() {
    const auto here = recorded({.stage = "warptiled"});
    const auto there = recorded({.stage = "naive"});
    const auto isStore = [](const Instruction& i) { return i.kind == Kind::GlobalStore; };
    const Counterpart c = counterpart(*here, 0, indexOf(*here, 0, isStore), *there);
    QVERIFY(isStore(instructionAt(*there, c.warp, c.index)));
    // A kernel without shared memory has no such load: its own first one of that k.
    const auto load = indexOf(*here, 0, [](const Instruction& i) {
      return i.kind == Kind::SharedLoad && i.kTile == 0 && i.dot == 0;
    });
    const Counterpart none = counterpart(*here, 0, load, *there);
    QVERIFY(!none.same);
    QCOMPARE(instructionAt(*there, none.warp, none.index).kTile, 0u);
  }
};

}  // namespace tileloom::analysis

TILELOOM_TEST(tileloom::analysis::CounterpartTest, EventLoop)
#include "counterpart_test.moc"
