// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/tile/words.h"

#include <QtTest>

#include "kernels/tile/parameters.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom {

using test::q;

class WordsTest : public QObject {
  Q_OBJECT

 private slots:
  // A share that is not all is not shown as all, and one that is not 0 is not shown as 0.
  void shares() {
    QCOMPARE(q(percentText(0.719)), "71.9 %");
    QCOMPARE(q(percentText(1)), "100.0 %");
    QCOMPARE(q(percentText(1 - 1e-12)), "100.0 %");
    QCOMPARE(q(percentText(0)), "0.0 %");
    QCOMPARE(q(percentText(0.9996)), "> 99.9 %");
    QCOMPARE(q(percentText(0.9994)), "99.9 %");
    QCOMPARE(q(percentText(0.0004)), "< 0.1 %");
    QCOMPARE(q(percentText(0.0006)), "0.1 %");
    QCOMPARE(q(percentText(1.2)), "120.0 %");
    QCOMPARE(q(percentText(0.996, 0)), "> 99 %");
    QCOMPARE(q(percentText(0.004, 0)), "< 1 %");
    QCOMPARE(q(percentText(0.5, 0)), "50 %");
  }

  void stagesByTheirIdAlone() {
    for (const Stage& stage : stages()) QCOMPARE(stageWithId(stage.id), &stage);
    for (const char* id : {"", "8", "k10", "Warptiled", "warp"}) QVERIFY(!stageWithId(id));
  }

  void tiles() {
    const Stage& stage = test::stage("padded");
    QCOMPARE(q(tileText(stage, stage.standardTile().with(Parameter::PAD, 0))),
             "BM=128,BN=128,BK=16,WM=64,WN=64,WNITER=4,TM=8,TN=4,PAD=0");
  }

  void counts() {
    QCOMPARE(q(grouped(0)), "0");
    QCOMPARE(q(grouped(999)), "999");
    QCOMPARE(q(grouped(1000)), "1,000");
    QCOMPARE(q(grouped(1074790400)), "1,074,790,400");
    QCOMPARE(q(counted(0, "warp")), "0 warps");
    QCOMPARE(q(counted(1, "warp")), "1 warp");
    QCOMPARE(q(counted(1024, "warp")), "1,024 warps");
    QCOMPARE(q(counted(1, "box", "boxes")), "1 box");
    QCOMPARE(q(counted(2, "box", "boxes")), "2 boxes");
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::WordsTest, Nothing)
#include "words_test.moc"
