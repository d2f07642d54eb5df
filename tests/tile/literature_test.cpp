// SPDX-License-Identifier: GPL-3.0-or-later
// The literature's figures belong to their rungs, and are consistent.
#include "kernels/tile/literature.h"

#include <QtTest>
#include <algorithm>
#include <cmath>

#include "kernels/sass/recorded.h"
#include "kernels/tile/subject.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom {

class LiteratureTest : public QObject {
  Q_OBJECT

 private slots:
  void onlyRungsThatItHas() {
    double last = 0;
    for (const Stage& stage : stages()) {
      const auto figure = literatureOf(stage);
      QCOMPARE(figure.has_value(), stage.literature != 0);
      QCOMPARE(figure.has_value(), stage.rung <= 8);
      if (!figure) continue;
      QVERIFY(figure->gflops > last);  // there each rung was faster than the one before
      last = figure->gflops;
      // Its share of its own cuBLAS, as printed: to a tenth of a percent.
      QVERIFY(std::abs(100 * figure->gflops / kLiteratureCublas - figure->percentOfCublas) < 0.06);
    }
    QVERIFY(last < kLiteratureCublas);
  }

  // The article on roles: its first kernel has 84 % of its cuBLAS, its second 101 %.
  void rungsWithoutRoles() {
    for (const Stage& stage : tensorStages()) {
      const auto figure = rolesFigureOf(stage);
      QCOMPARE(figure.has_value(), stage.rung == 6 || stage.rung == 7);
      if (!figure) continue;
      QVERIFY(!stage.features().roles);
      QCOMPARE(std::lround(100 * figure->gflops / figure->cublas), stage.rung == 6 ? 84 : 101);
      QCOMPARE(std::string(figure->version), std::string(stage.rung == 6 ? "v1" : "v2"));
    }
  }

  // What the sentences say of this program's side, counted in the listings that ship.
  void whereTheMachineCodeDiffers() {
    struct Row {
      const char* id;
      std::string_view arch;
      int wide, narrow;  // LDS.128 and LDS of the whole listing
    };
    for (const auto& [id, arch, wide, narrow] : {Row{"shared", "sm_86", 40, 160},
                                                 {"shared", "sm_90", 40, 160},
                                                 {"blocktile1d", "sm_86", 16, 8},
                                                 {"blocktile1d", "sm_90", 16, 8},
                                                 {"blocktile2d", "sm_86", 2, 8},
                                                 {"blocktile2d", "sm_90", 2, 8},
                                                 {"vectorized", "sm_86", 32, 0},
                                                 {"vectorized", "sm_90", 32, 0},
                                                 {"autotuned", "sm_86", 64, 0},
                                                 {"autotuned", "sm_90", 4, 0},
                                                 {"warptiled", "sm_86", 6, 0},
                                                 {"warptiled", "sm_90", 6, 0}}) {
      const Stage& stage = test::stage(id);
      const auto code = sass::recordedListing(standardSubject(stage), arch);
      QVERIFY2(code.has_value(), id);
      const auto loads = [&code](std::string_view opcode) {
        return static_cast<int>(
            std::ranges::count(code->listing.instructions, opcode, &sass::Instruction::opcode));
      };
      QCOMPARE(loads("LDS.128"), wide);
      QCOMPARE(loads("LDS"), narrow);
    }
    for (const Stage* stage : everyStage())
      QCOMPARE(literatureDifference(*stage).empty(), stage->literature == 0);
    QVERIFY(test::q(literatureDifference(test::stage("blocktile2d")))
                .contains("32 LDS.128 and 8 LDS for a K tile"));
  }

  void theFiguresThemselves() {
    QCOMPARE(literatureOf(test::stage("naive"))->gflops, 309.0);
    QCOMPARE(literatureOf(test::stage("autotuned"))->gflops, 19721.0);  // its kernel 9
    QCOMPARE(literatureOf(test::stage("warptiled"))->percentOfCublas, 93.7);
    QVERIFY(!literatureOf(test::stage("tuned")));
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::LiteratureTest, Nothing)
#include "literature_test.moc"
