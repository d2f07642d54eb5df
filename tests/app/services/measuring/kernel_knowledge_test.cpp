// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/measuring/kernel_knowledge.h"

#include <QtTest>
#include <algorithm>

#include "kernels/runs/recordings.h"
#include "kernels/tile/derived.h"
#include "kernels/tile/identity/fingerprint.h"
#include "kernels/tile/subject.h"
#include "kernels/tile/words.h"
#include "tests/support/runs.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom {

using test::q;
using test::stage;

constexpr Problem kSize{4096, 4096, 4096};

class KernelKnowledgeTest : public QObject {
  Q_OBJECT

  static Subject place(const char* id) { return standardSubject(stage(id)); }
  static LabMachine compiler() {
    LabMachine machine;
    machine.compiles = true;
    return machine;
  }
  static LabMachine gpu(const char* device) {
    LabMachine machine = compiler();
    machine.device = device;
    machine.measures = true;
    return machine;
  }
  static KnownKernel kernel(int registers) { return {registers, 0, "NVRTC 13.0", {}}; }

 private slots:
  void whatWasCompiledIsKnown() {
    KernelKnowledge knowledge;
    QVERIFY(!knowledge.find(place("warptiled"), kSize, compiler()));  // it is compiled soon
    knowledge.remember(place("warptiled"), kernel(168));
    knowledge.remember(place("naive"), kernel(40));
    const auto found = knowledge.find(place("warptiled"), kSize, compiler());
    QVERIFY(found && found->registers == 168 && found->source == "NVRTC 13.0");
    knowledge.remember(place("warptiled"), kernel(170));
    QCOMPARE(knowledge.find(place("warptiled"), kSize, compiler())->registers, 170);
    knowledge.clear();
    QVERIFY(!knowledge.find(place("warptiled"), kSize, compiler()));
  }

  void theOlderHalfIsForgotten() {
    KernelKnowledge knowledge;
    knowledge.remember(place("warptiled"), kernel(168));
    for (std::size_t i = 0; i < KernelKnowledge::kMost; ++i)
      knowledge.remember(place("naive"), kernel(40));
    QVERIFY(!knowledge.find(place("warptiled"), kSize, compiler()));
    QVERIFY(knowledge.find(place("naive"), kSize, compiler()));
  }

  void withoutACompilerItIsRecorded() {
    const auto all = runs::recordings();
    const auto run = std::ranges::find_if(all, [](const runs::RunRecord& r) {
      return stageWithId(r.stage) != nullptr && r.registers >= 0 && r.problem == kSize &&
             r.arch == defaultArchitecture().name;
    });
    if (run == all.end()) QSKIP("no run of 4096x4096x4096 is recorded yet: tileloom record");
    const Subject there = usualSubject(*stageWithId(run->stage), run->tile);
    const KernelKnowledge knowledge;
    QVERIFY(!knowledge.find(there, kSize, compiler()));
    const auto found = knowledge.find(there, kSize, LabMachine());
    QVERIFY(found && found->registers >= 0 && found->source == "recorded");
    QVERIFY(KernelKnowledge::recorded(there, {96, 80, 64}, defaultArchitecture()));
    QVERIFY(!KernelKnowledge::recorded(there, kSize, *architectureNamed("sm_80")));
  }

  void occupancyFollowsFromRegisters() {
    const Subject there = place("warptiled");
    const Architecture arch = defaultArchitecture();
    const KernelFacts few = kernelFacts(there, kernel(32), arch);
    const KernelFacts many = kernelFacts(there, kernel(255), arch);
    QVERIFY(few.blocks > many.blocks && many.blocks >= 1);
    QCOMPARE(many.warps, many.blocks * derive(*there.rung(), there.tile).warps);
    QVERIFY(many.limitedBy.contains("registers"));
    QCOMPARE(many.arch, q(arch.name));
    HistoryPoint point;
    point.subject() = there;
    fillOccupancy(point, arch);
    QCOMPARE(point.blocks, 0);  // its registers are unknown
    point.registers = 255;
    fillOccupancy(point, arch);
    QCOMPARE(point.blocks, many.blocks);
    QCOMPARE(point.limitedBy, many.limitedBy);
  }

  void aRunIsLiveOnItsOwnDeviceOnly() {
    runs::RunRecord run = test::madeUpRun();
    run.stage = "naive";
    run.tile = stage("naive").standardTile();
    run.device = "Fake H100";
    run.origin = runs::Origin::Live;
    run.fingerprint = fingerprintOf(stage("naive"));
    const LabMachine here = gpu("Fake H100");
    QVERIFY(pointOf(run, here).freshness == Freshness::Live);
    QVERIFY(pointOf(run, LabMachine()).freshness == Freshness::Recorded);
    QVERIFY(pointOf(run, gpu("Other")).freshness == Freshness::Recorded);
    QCOMPARE(pointOf(run, here).blocks, run.blocksPerSm);
    run.fingerprint = "0123456789abcdef";
    QVERIFY(pointOf(run, here).freshness == Freshness::Stale);
    QVERIFY(!pointOf(run, here).note.isEmpty());
    run.stage = "of tomorrow";
    QVERIFY(pointOf(run, here).rung() == nullptr);
  }

  // In the words of the command line, from either source.
  void whatBecameOfTheMainLoop() {
    runs::RunRecord run = test::madeUpRun();
    run.stage = "rewritten";
    run.tile = stage("rewritten").standardTile();
    QCOMPARE(pointOf(run, LabMachine()).mainLoop, QString());
    run.rewritten = true;
    QCOMPARE(pointOf(run, LabMachine()).mainLoop, "main loop rewritten");
    run.rewritten = false;
    run.whyNotRewritten = "the new loop is slower";
    QCOMPARE(pointOf(run, LabMachine()).mainLoop,
             "main loop as compiled, because the new loop is slower");
    const KnownKernel known = knownFrom(run, "recorded");
    QCOMPARE(known.registers, run.registers);
    QCOMPARE(known.source, "recorded");
    const Subject there = usualSubject(stage("rewritten"), run.tile);
    QCOMPARE(kernelFacts(there, known, defaultArchitecture()).mainLoop, known.mainLoop);
    QVERIFY(known.mainLoop.endsWith("the new loop is slower"));
    // Predictions for it use the loop as it was compiled.
    const KernelFacts facts = kernelFacts(there, known, defaultArchitecture());
    QVERIFY(facts.asCompiled && facts.blocks > 0);
    QVERIFY(shapeOf(facts).asCompiled && shapeOf(facts).blocksPerSm == facts.blocks);
    run.rewritten = true;
    run.whyNotRewritten.clear();
    QVERIFY(
        !shapeOf(kernelFacts(there, knownFrom(run, "recorded"), defaultArchitecture())).asCompiled);
  }

  void neighboursAreAskedForOrCompared() {
    const Subject here = place("warptiled");
    KernelKnowledge knowledge;
    const auto nothing = knowledge.neighbours(here, kSize, compiler());
    QVERIFY(nothing.cliffs.empty() && !nothing.unknown.empty());
    for (const Subject& there : nothing.unknown) {
      QVERIFY(there.rung() == here.rung() && !(there.tile == here.tile));
      knowledge.remember(there, kernel(255));
    }
    // Nothing is known of the present tile, so there is nothing to compare with.
    const auto around = knowledge.neighbours(here, kSize, compiler());
    QVERIFY(around.unknown.empty() && around.cliffs.empty());
    knowledge.remember(here, kernel(32));
    const auto compared = knowledge.neighbours(here, kSize, compiler());
    QVERIFY(!compared.cliffs.empty());
    const int now = kernelFacts(here, kernel(32), defaultArchitecture()).warps;
    for (const auto& [parameter, cliffs] : compared.cliffs) {
      for (const ParameterSlider::Cliff& cliff : cliffs)
        QVERIFY(cliff.value != here.tile[parameter]);
    }
    for (const Subject& there : nothing.unknown) {
      const int then = kernelFacts(there, kernel(255), defaultArchitecture()).warps;
      const auto count = std::ranges::count_if(compared.cliffs, [&](const auto& entry) {
        return std::ranges::any_of(entry.second, [&](const ParameterSlider::Cliff& cliff) {
          return here.tile.with(entry.first, cliff.value) == there.tile;
        });
      });
      QCOMPARE(count, then == now ? 0 : 1);
    }
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::KernelKnowledgeTest, Nothing)
#include "kernel_knowledge_test.moc"
