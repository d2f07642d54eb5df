// SPDX-License-Identifier: GPL-3.0-or-later
// Which shared loads of the rungs are paired, by the lines that their machine code names.
#include "kernels/analysis/memory/pairing.h"

#include <QtTest>
#include <map>

#include "kernels/sass/mix.h"
#include "kernels/sass/recorded.h"
#include "kernels/tile/subject.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"
#include "tests/support/unrecorded.h"

namespace tileloom::test {

using sass::Pairing;

class PairingTest : public QObject {
  Q_OBJECT

  // Wide shared loads of the main loop of the recorded default tile.
  static std::map<Pairing, int> wideLoadsOf(std::string_view id) {
    const Stage& its = stage(id);
    const auto code = sass::recordedListing(standardSubject(its), "sm_90");
    if (!code) qFatal("no listing");
    emulator::Workspace workspace;
    const auto loads = analysis::pairedLoads(workspace, its, its.standardTile());
    const sass::Range loop = sass::mainLoop(code->listing).range;
    std::map<Pairing, int> counts;
    for (std::size_t i = loop.begin; i < loop.end; ++i) {
      const sass::Instruction& each = code->listing.instructions[i];
      if (each.opcode == "LDS.128" || each.opcode == "LDS.64") ++counts[loads.of(each)];
    }
    return counts;
  }

 private slots:
  void rung14DealsLanesInPairs() {
    QCOMPARE(wideLoadsOf("tuned"), (std::map<Pairing, int>{{Pairing::Paired, 64}}));
  }
  // Lanes of a row of results read the same words of A; those of B are all different.
  void rung8PairsWithinA() {
    QCOMPARE(wideLoadsOf("warptiled"),
             (std::map<Pairing, int>{{Pairing::Paired, 4}, {Pairing::None, 2}}));
  }
  void everyLineOfTheLadderIsKnown() {
    for (const Stage& stage : stages()) {
      if (!sass::hasRecordedListing(stage)) continue;
      QVERIFY2(!wideLoadsOf(stage.id).contains(Pairing::Unknown), std::string(stage.id).c_str());
    }
  }
  void narrowLoadsAreNot() {
    emulator::Workspace workspace;
    const Stage& naive = stages().front();
    QVERIFY(analysis::pairedLoads(workspace, naive, naive.standardTile()) == sass::PairedLoads());
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::PairingTest, Nothing)
#include "pairing_test.moc"
