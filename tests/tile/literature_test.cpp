// SPDX-License-Identifier: GPL-3.0-or-later
// The literature's figures stand at their rungs, and agree with themselves.
#include "kernels/tile/literature.h"

#include <QtTest>
#include <cmath>

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
      QVERIFY(!stage.is(Trait::Roles));
      QCOMPARE(std::lround(100 * figure->gflops / figure->cublas), stage.rung == 6 ? 84 : 101);
      // The rung says itself which of them it is.
      QVERIFY(stage.idea.find(figure->version) != std::string_view::npos);
    }
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
