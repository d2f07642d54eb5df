// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/analysis/telling_difference.h"

#include <QtTest>
#include <cmath>

#include "kernels/analysis/counterpart.h"
#include "kernels/analysis/telling_access.h"
#include "kernels/tile/parameters.h"
#include "tests/support/recorded.h"
#include "tests/support/test_class.h"

namespace tileloom::analysis {

using test::recorded;

class TellingDifferenceTest : public QObject {
  Q_OBJECT

  struct Sides {
    Moment baseline, now;
  };
  static Sides shown(const test::Take& before, const test::Take& after) {
    const auto baseline = recorded(before), now = recorded(after);
    const std::uint32_t index = tellingDifference(*baseline, *now, 0);
    const Counterpart there = counterpart(*now, 0, index, *baseline);
    return {baseline->moment(there.warp, there.index), now->moment(0, index)};
  }
  static Sides shown(const char* before, const char* after) {
    return shown({.stage = before}, {.stage = after});
  }

 private slots:
  // Rung 1 wastes sectors of A, and rung 2 none.
  void sectors() {
    const Sides s = shown("naive", "coalesced");
    QCOMPARE(s.baseline.array, std::string("A"));
    QCOMPARE(s.now.array, std::string("A"));
    QVERIFY(s.baseline.cost.scattered());
    QVERIFY(!s.now.cost.scattered());
  }

  // The stores of rungs 7 and 8 conflict alike; the loads of rung 8 do not.
  void conflicts() {
    const Sides s = shown("autotuned", "warptiled");
    QCOMPARE(s.baseline.instruction.kind, emulator::Kind::SharedLoad);
    QCOMPARE(s.now.array, s.baseline.array);
    QVERIFY(s.baseline.cost.conflicts() > 0);
    QCOMPARE(s.now.cost.conflicts(), 0u);
  }

  // With the same sectors, those in fewer lines.
  void lines() {
    const TileShape wide = test::stage("swizzled").standardTile().with(Parameter::SWIZZLE, 128);
    const Sides s = shown({.stage = "swizzled", .tile = wide.with(Parameter::SWIZZLE, 32)},
                          {.stage = "swizzled", .tile = wide});
    QCOMPARE(s.now.array, s.baseline.array);
    QCOMPARE(s.baseline.cost.global.sectors, s.now.cost.global.sectors);
    QVERIFY(s.baseline.cost.global.lines > s.now.cost.global.lines);
  }

  // What the other side lacks: loads from shared memory, asynchronous copies, boxes.
  void newKinds() {
    const Sides s = shown("coalesced", "shared");
    QCOMPARE(s.now.instruction.kind, emulator::Kind::SharedLoad);
    QCOMPARE(s.baseline.instruction.kind, emulator::Kind::GlobalLoad);
    QCOMPARE(shown("doublebuffered", "async").now.instruction.kind, emulator::Kind::AsyncCopy);
    QCOMPARE(shown("swizzled", "tma").now.instruction.kind, emulator::Kind::BoxLoad);
  }

  // Nothing is wasted in either: one side needs fewer accesses for as many products.
  void howOften() {
    const Sides s = shown("shared", "blocktile1d");
    QCOMPARE(s.now.instruction.kind, emulator::Kind::SharedLoad);
    QCOMPARE(s.now.array, s.baseline.array);
    // By as much as a thread's column is high.
    const auto before = recorded({.stage = "shared"}), after = recorded({.stage = "blocktile1d"});
    const std::uint32_t index = tellingDifference(*before, *after, 0);
    const Counterpart met = counterpart(*after, 0, index, *before);
    QVERIFY(passesPerProduct(*before, met.warp, met.index) >=
            4 * passesPerProduct(*after, 0, index));
  }

  // A tile beside itself is seen where it is seen alone.
  void nothingDiffers() {
    const auto r = recorded({.stage = "warptiled"});
    QCOMPARE(tellingDifference(*r, *r, 0), tellingAccess(*r, 0));
    const auto product = recorded({.stage = "overlapped"});
    QCOMPARE(tellingDifference(*product, *product, 0), tellingAccess(*product, 0));
  }
};

}  // namespace tileloom::analysis

TILELOOM_TEST(tileloom::analysis::TellingDifferenceTest, Nothing)
#include "telling_difference_test.moc"
