// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/tile/derived.h"

#include <QtTest>

#include "kernels/tile/parameters.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom {

using test::q;

class DerivedTest : public QObject {
  Q_OBJECT

  static Derived standard(std::string_view id) {
    const Stage& stage = test::stage(id);
    return derive(stage, stage.standardTile());
  }

 private slots:
  void warpTiling() {
    const Derived d = standard("warptiled");
    QCOMPARE(d.threads, 128);
    QCOMPARE(d.warps, 4);
    QCOMPARE(d.wmiter, 1);
    QCOMPARE(d.wniter, 4);
    QCOMPARE(d.wsubm, 64);
    QCOMPARE(d.wsubn, 16);
    QCOMPARE(d.results, 128);
    QCOMPARE(d.fragments, 8 + 16);
    QCOMPARE(d.sharedBytes, 16384);
    QCOMPARE(d.loadsA, 4);
    QCOMPARE(d.loadsB, 4);
    QCOMPARE(d.loadWidthB, 16);
  }

  void blockTiling() {
    const Derived two = standard("blocktile2d");
    QCOMPARE(two.threads, 256);
    QCOMPARE(two.results, 64);
    QCOMPARE(two.fragments, 16);
    QCOMPARE(two.sharedBytes, 8192);
    QCOMPARE(two.loadsA, 4);
    QCOMPARE(two.loadWidthB, 4);

    const Derived one = standard("blocktile1d");
    QCOMPARE(one.threads, 512);
    QCOMPARE(one.results, 8);
    QCOMPARE(one.sharedBytes, 4096);
    QCOMPARE(one.loadsA, 1);
    QCOMPARE(one.loadsB, 1);
  }

  // By the arrays that the sources declare: two sets of fragments where the next one is loaded
  // while products run.
  void valuesInRegisters() {
    QCOMPARE(standard("blocktile2d").values, 64 + 16);
    const Stage& ahead = test::stage("fragments");
    const TileShape small = ahead.standardTile().with(Parameter::BM, 64).with(Parameter::BN, 64);
    QCOMPARE(derive(ahead, small).values, 64 + 2 * (8 + 8));
    QCOMPARE(standard("mma").values, 128 + 4 * 4 + 8 * 2);
    QCOMPARE(standard("mmaring").values, 128 + 2 * (4 * 4 + 8 * 2));
  }

  void squareTiles() {
    const Derived d = standard("shared");
    QCOMPARE(d.blockM, 32);
    QCOMPARE(d.blockN, 32);
    QCOMPARE(d.stepK, 32);
    QCOMPARE(d.threads, 1024);
    QCOMPARE(d.sharedBytes, 8192);
    QCOMPARE(standard("naive").sharedBytes, 0);
    QCOMPARE(standard("naive").loadWidthB, 0);
  }

  // 16-bit elements, and registers that hold two of them.
  void tensorCores() {
    const Derived d = standard("mma");
    QCOMPARE(d.threads, 128);
    QCOMPARE(d.results, 128);
    QCOMPARE(d.fragments, 4 * 4 + 8 * 2);
    QCOMPARE(d.sharedBytes, 2 * (128 * 32 + 32 * 128));
    QCOMPARE(d.loadsA, 4);
    QCOMPARE(d.loadWidthA, 16);
    QCOMPARE(d.loadWidthB, 16);
    QCOMPARE(d.stepK, 32);
    const Stage& mma = test::stage("mma");
    const Derived wide = derive(mma, mma.standardTile().with(Parameter::BN, 256));
    QCOMPARE(wide.warps, 8);
    QCOMPARE(wide.loadsA, 2);
    QCOMPARE(wide.loadsB, 4);
  }

  void aPartlyFilledWarpCounts() {
    const Stage& stage = test::stage("coalesced");
    const Derived d = derive(stage, {{Parameter::BLOCKSIZE, 7}});
    QCOMPARE(d.threads, 49);
    QCOMPARE(d.warps, 2);
  }

  // Sliders may have any value: no quotient may divide by zero, for any tile.
  void brokenTilesHaveNoMeaninglessValues() {
    for (const Stage* each : everyStage()) {
      const Stage& stage = *each;
      const Derived d = derive(stage, {});
      QCOMPARE(d.threads, 0);
      QCOMPARE(d.sharedBytes, 0);
      for (const ParameterSpec& spec : stage.parameters) {
        const Derived one = derive(stage, stage.standardTile().with(spec.parameter, 0));
        QVERIFY(one.threads >= 0 && one.wmiter >= 0 && one.wsubm >= 0 && one.wsubn >= 0);
      }
    }
  }

  void shownValuesReadLikeTheStage() {
    const Stage& stage = test::stage("warptiled");
    QStringList shown;
    for (const NamedValue& value : shownValues(stage, stage.standardTile())) {
      shown += QString("%1 %2 %3").arg(q(value.name)).arg(value.value).arg(q(value.unit));
    }
    QCOMPARE(
        shown.join("; "),
        QString(
            "threads 128 per block; warps 4 per block; WMITER 1 subtiles down; WSUBM 64 rows per "
            "subtile; WSUBN 16 columns per subtile; results 128 per thread; shared 16384 bytes; "
            "loads "
            "of A 4 per thread; loads of B 4 per thread; load width 16 bytes"));
    const Stage& naive = test::stage("naive");
    QCOMPARE(shownValues(naive, naive.standardTile()).size(), std::size_t{3});
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::DerivedTest, Nothing)
#include "derived_test.moc"
