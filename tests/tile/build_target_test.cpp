// SPDX-License-Identifier: GPL-3.0-or-later
// Hopper's rungs are for Hopper, and whoever asks for another architecture is told what to choose.
#include "kernels/tile/build_target.h"

#include <QtTest>

#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom {

using test::q;

class BuildTargetTest : public QObject {
  Q_OBJECT

 private slots:
  void hopperIsOneArchitecture() {
    for (const Stage* stage : everyStage()) {
      for (const Architecture& arch : architectures()) {
        const bool can = !stage->is(Trait::CopyEngine) || arch.name == "sm_90";
        QCOMPARE(canBeBuiltFor(*stage, arch), can);
        QCOMPARE(compilerTarget(*stage, arch.name),
                 std::string(arch.name) + (stage->is(Trait::CopyEngine) ? "a" : ""));
      }
    }
  }

  void theSentenceSaysWhatInstead() {
    const Stage& stage = test::stage("wgmma");
    QCOMPARE(whyNotFor(stage, Arithmetic::Bf16, *architectureNamed("sm_100")),
             "T5 (wgmma) is for Hopper alone, and sm_100 does not run what is compiled for sm_90a: "
             "choose sm_90, or T3 (mmaring)");
    Architecture old = *architectureNamed("sm_80");
    old.name = "sm_75";
    old.major = 7;
    old.minor = 5;
    QCOMPARE(whyNotFor(stage, Arithmetic::Fp16, old).empty(), false);
    QCOMPARE(whyNotFor(test::stage("mma"), Arithmetic::Bf16, old),
             "sm_75 has no tensor cores for bf16: they begin with sm_80");
    QVERIFY(whyNotFor(test::stage("warptiled"), Arithmetic::Fp32, old).empty());
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::BuildTargetTest, Nothing)
#include "build_target_test.moc"
