// SPDX-License-Identifier: GPL-3.0-or-later
// The texts of the pairs about roles agree with the recordings: which warps issue TMA loads, how
// many there are, which have roles, which tiles are legal, and that no figure is missing.
#include "app/services/teaching/role_pairs.h"

#include <QtTest>
#include <bit>
#include <set>

#include "app/services/teaching/teaching_pairs.h"
#include "kernels/runs/recordings.h"
#include "kernels/tile/constraints.h"
#include "kernels/tile/derived.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/subject.h"
#include "tests/support/recorded.h"
#include "tests/support/test_class.h"

namespace tileloom {

class RolePairsTest : public QObject {
  Q_OBJECT

  static TeachingPair pairNamed(const QString& begin) {
    auto pairs = rolePairs();
    std::erase_if(pairs, [&](const TeachingPair& p) { return !p.name.startsWith(begin); });
    if (pairs.size() != 1) qFatal("not one pair of this name");
    return pairs.front();
  }

  static test::RecordingPointer recorded(const Subject& side) {
    return test::recorded({.stage = side.rung()->id, .tile = side.tile});
  }

  // The warps that issue TMA loads, all with one lane.
  static std::set<std::uint32_t> askers(const analysis::Recording& recording) {
    std::set<std::uint32_t> warps;
    for (std::uint32_t warp = 0; warp < recording.trace.warps; ++warp) {
      for (std::uint32_t i = 0; i < recording.trace.length(warp); ++i) {
        const auto& at = test::instructionAt(recording, warp, i);
        if (at.kind != emulator::Kind::BoxLoad) continue;
        if (std::popcount(at.mask) != 1) qFatal("more than one lane asks");
        warps.insert(warp);
      }
    }
    return warps;
  }

  static std::set<std::string> roles(const Subject& side) {
    const auto r = recorded(side);
    return {r->trace.roles.begin(), r->trace.roles.end()};
  }

 private slots:
  void inT6OneThreadOfAWarpThatMultipliesAsks() {
    const TeachingPair pair = pairNamed("Roles belong to warps");
    QCOMPARE(askers(*recorded(pair.baseline)), std::set<std::uint32_t>{0});
    const auto now = recorded(pair.now);
    QCOMPARE(now->trace.warps, 9u);
    QCOMPARE(askers(*now), std::set<std::uint32_t>{8});
    QCOMPARE(now->trace.roles[8], std::string("producer"));
    for (const Parameter parameter :
         {Parameter::BM, Parameter::BN, Parameter::BK, Parameter::STAGES})
      QCOMPARE(pair.baseline.tile[parameter], pair.now.tile[parameter]);
  }

  void eightWarpsBesideTwelve() {
    const TeachingPair pair = pairNamed("What roles can change");
    QCOMPARE(recorded(pair.baseline)->trace.warps, 8u);
    QCOMPARE(recorded(pair.now)->trace.warps, 12u);
  }

  // T8 refuses the tile that T7 and T9 accept, and none accepts 256 x 256.
  void whereTheTileFits() {
    const TeachingPair pair = pairNamed("Resources");
    const TileShape tile = pair.now.tile;
    for (const Stage& stage : tensorStages()) {
      if (stage.rung < 7 || stage.rung > 9) continue;
      const auto of = [&](int columns) {
        return stage.standardTile()
            .with(Parameter::BM, 256)
            .with(Parameter::BN, columns)
            .with(Parameter::CONSUMERS, 2)
            .with(Parameter::STAGES, 3);
      };
      QCOMPARE(isLegal(stage, of(192)), stage.rung != 8);
      QVERIFY(!isLegal(stage, of(256)));
    }
    QCOMPARE(derive(*pair.now.rung(), tile).results, 192);
    QCOMPARE(derive(*pair.baseline.rung(), pair.baseline.tile).results, 192);
  }

  // The best rung for Ampere has no roles, and the last rung has a producer and consumers.
  void whoHasRoles() {
    const TeachingPair pair = pairNamed("Who finds the order?");
    QVERIFY(recorded(pair.baseline)->trace.roles.empty());
    QVERIFY(roles(pair.now).contains("producer") && roles(pair.now).size() > 1);
    QVERIFY(recorded(pairNamed("Waits that block: T6 beside T7").now)->trace.roles.empty());
  }

  // No figure is missing, and those of the literature are named as such.
  void everyFigureIsRecorded() {
    for (const TeachingPair& pair : rolePairs()) {
      QCOMPARE(pair.group, rolesGroup());
      // A user who opens the pair reads this, even if its two rungs are another pair as well.
      QCOMPARE(teachingPair(pair.baseline, pair.now)->look, pair.look);
      QVERIFY2(!pair.look.contains(u'–') && !pair.look.contains("%1"), qPrintable(pair.look));
    }
    const QString order = pairNamed("Waits that block: T6 beside T7").look;
    for (const char* part :
         {"680.4 TFLOP/s, 87.6 %", "762.7 TFLOP/s, 98.5 %", "cublasGemmEx in bf16",
          "v1 675.9 of 805.4 TFLOP/s, 83.9 %", "v2 815.9 of 807.7 TFLOP/s, 101.0 %"})
      QVERIFY2(order.contains(part), qPrintable(order));
  }

  // With another tile T7 loses most of all.
  void theFixedOrderLosesMost() {
    const TeachingPair pair = pairNamed("A fixed order is brittle");
    const auto share = [&](const Subject& side) {
      return runs::recordedRun(side, {pair.size, pair.size, pair.size})->ratio.median;
    };
    const auto lost = [&](const Subject& side) {
      return share(standardSubject(*side.rung())) - share(side);
    };
    QVERIFY(lost(pair.baseline) > 0.25);
    QVERIFY(lost(pair.now) < 0.03);
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::RolePairsTest, EventLoop)
#include "role_pairs_test.moc"
