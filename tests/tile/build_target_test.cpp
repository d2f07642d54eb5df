// SPDX-License-Identifier: GPL-3.0-or-later
// The error names what an architecture lacks for a rung, and what to choose instead.
#include "kernels/tile/build_target.h"

#include <QtTest>
#include <string>

#include "tests/support/test_class.h"
#include "tests/support/text.h"
#include "tests/support/trial_stage.h"

namespace tileloom {

using test::q;

class BuildTargetTest : public QObject {
  Q_OBJECT

 private slots:
  // wgmma is sm_90a's alone; tensor maps stayed, and need no "a" on what came after.
  void whatHasWhat() {
    for (const Stage* stage : everyStage()) {
      const bool boxes = stage->features().tma, wgmma = stage->features().warpgroupMma;
      QCOMPARE(boxes, stage->ladder == Ladder::Tensor && stage->rung >= 4);
      QCOMPARE(wgmma, stage->ladder == Ladder::Tensor && stage->rung >= 5);
      for (const Architecture& arch : architectures()) {
        const bool can = wgmma ? arch.name == "sm_90" : !boxes || arch.major >= 9;
        QCOMPARE(canBeBuiltFor(*stage, arch), can);
        if (!can) continue;
        QCOMPARE(compilerTarget(*stage, arch.name),
                 std::string(arch.name) + (boxes && arch.name == "sm_90" ? "a" : ""));
      }
    }
  }

  // An instruction that the compiler has for the own target of an architecture only.
  void theInstructionNamesTheTarget() {
    const Stage fp4 = test::fp4Stage(), tf32 = test::tf32Stage();
    const Architecture arch = *architectureNamed("sm_120");
    QCOMPARE(compilerTarget(fp4, arch.name), std::string("sm_120a"));
    QCOMPARE(compilerTarget(tf32, arch.name), std::string("sm_120"));
  }

  void theSentenceSaysWhatInstead() {
    const Stage& stage = test::stage("wgmma");
    QCOMPARE(
        whyNotFor(stage, Format::Bf16, *architectureNamed("sm_100")),
        "T5 (wgmma) uses wgmma, which Hopper has and sm_100 does not: choose sm_90, or T4 (tma)");
    QCOMPARE(whyNotFor(test::stage("hopper"), Format::Fp16, *architectureNamed("sm_89")),
             "T13 (hopper) uses wgmma, which Hopper has and sm_89 does not: choose sm_90, or T3 "
             "(mmaring)");
    QCOMPARE(whyNotFor(test::stage("tma"), Format::Bf16, *architectureNamed("sm_86")),
             "T4 (tma) needs TMA, which sm_86 does not have: choose sm_90, or T3 (mmaring)");
    Architecture old = *architectureNamed("sm_80");
    old.name = "sm_75";
    old.major = 7;
    old.minor = 5;
    QCOMPARE(whyNotFor(stage, Format::Fp16, old).empty(), false);
    QCOMPARE(whyNotFor(test::stage("mma"), Format::Bf16, old),
             "sm_75 has no tensor cores for bf16: they begin with sm_80");
    QVERIFY(whyNotFor(test::stage("warptiled"), Format::Fp32, old).empty());
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::BuildTargetTest, Nothing)
#include "build_target_test.moc"
