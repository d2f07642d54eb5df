// SPDX-License-Identifier: GPL-3.0-or-later
// Which roof is the limit, and which lower bounds apply.
#include "kernels/model/limits/roofline.h"

#include <QtTest>

#include "tests/support/test_class.h"

namespace tileloom::model {

class RooflineTest : public QObject {
  Q_OBJECT

  static Ceilings device() {
    Ceilings c;
    c.fmaGflops = {60000, 60000, 60000};
    c.dramGBs = {3000, 3000, 3000};
    c.sharedGBs = {30000, 30000, 30000};
    return c;
  }
  static Traffic launch(double dram, double l2, double shared) {
    Traffic t;
    t.flops = 1e12;
    t.dramBytes = dram;
    t.l2Bytes = l2;
    t.sharedBytes = shared;
    t.leastBytes = 3e9;
    return t;
  }

 private slots:
  void theLowestRoofBinds() {
    // 100, 50 and 10 FLOP per byte: 300,000, unknown, 300,000 GFLOP/s; the pipes give less.
    const Traffic fma = launch(1e10, 2e10, 1e11);
    QVERIFY(bindingOf(device(), fma)->roof == Roof::Fma);
    QCOMPARE(bindingOf(device(), fma)->gflops, 60000.0);
    // 10 FLOP per byte of DRAM: 30,000.
    const Traffic dram = launch(1e11, 1e11, 1e11);
    QVERIFY(bindingOf(device(), dram)->roof == Roof::Dram);
    QCOMPARE(bindingOf(device(), dram)->gflops, 30000.0);
    // One FLOP per byte of shared memory: 30,000.
    QVERIFY(bindingOf(device(), launch(1e10, 1e10, 1e12))->roof == Roof::Shared);
  }

  void whatIsUnknownDoesNotBind() {
    Ceilings c = device();
    const Traffic t = launch(1e10, 1e12, 0);
    QVERIFY(!attainable(c, t, Roof::L2));      // the ceiling is not known
    QVERIFY(!attainable(c, t, Roof::Shared));  // no byte moves there
    QVERIFY(bindingOf(c, t)->roof == Roof::Fma);
    c.l2GBs = {5000, 5000, 5000};
    QVERIFY(bindingOf(c, t)->roof == Roof::L2);
    QCOMPARE(bindingOf(c, t)->gflops, 5000.0);
    QVERIFY(!bindingOf({}, t));
  }

  // Rungs of the tensor ladder have other pipes, whose peak is computed for the clock.
  void tensorRungsHaveTheirOwnRoofs() {
    Ceilings c = device();
    Traffic t = launch(1e9, 0, 0);  // 1,000 FLOP per byte of DRAM: 3,000,000 GFLOP/s
    t.ladder = Ladder::Tensor;
    QVERIFY(!ceilingOf(c, Roof::Tensor));  // neither architecture nor clock
    c.arch = "sm_90";
    c.sms = 132;
    c.smClockMHz = 1980;
    const double peak = 2.0 * 2048 * 132 * 1.98;
    QVERIFY(std::abs(*ceilingOf(c, Roof::Tensor) / peak - 1) < 1e-9);
    QVERIFY(bindingOf(c, t)->roof == Roof::Tensor);
    QVERIFY(!ceilingOf(c, Roof::MmaSync));
    QCOMPARE(*lowerBounds(c, t).pipeSeconds, 1e12 / (*ceilingOf(c, Roof::Tensor) * 1e9));
    QVERIFY(lowerBounds(c, t).pipes == Roof::Tensor);
    // The rate of mma.sync is the limit if measured, and the peak is that of its clock.
    c.mmaGflops = {650000, 640000, 660000};
    c.mmaClockMHz = 1755;
    QVERIFY(bindingOf(c, t)->roof == Roof::MmaSync);
    QCOMPARE(bindingOf(c, t)->gflops, 650000.0);
    QVERIFY(std::abs(*ceilingOf(c, Roof::Tensor) / (2.0 * 2048 * 132 * 1.755) - 1) < 1e-9);
    // The pipes of the other ladder are never the limit.
    t.ladder = Ladder::Fp32;
    QVERIFY(bindingOf(c, t)->roof == Roof::Fma);
    for (const Ladder ladder : {Ladder::Fp32, Ladder::Tensor}) {
      for (const Roof roof : roofsOf(ladder)) QVERIFY(!name(roof).empty());
      QVERIFY(!levelOf(peakOf(ladder)));
    }
  }

  void lowerBoundsOfTime() {
    const LowerBounds bounds = lowerBounds(device(), launch(1e11, 1e11, 1e11));
    QCOMPARE(*bounds.pipeSeconds, 1e12 / 60000e9);
    QCOMPARE(*bounds.dramSeconds, 0.001);  // the least bytes, not those that the tile moves
    QVERIFY(!lowerBounds({}, launch(1, 1, 1)).pipeSeconds);
    // The H100 as shipped, 4096 cubed.
    Traffic t;
    t.flops = 2.0 * 4096 * 4096 * 4096;
    t.leastBytes = 4.0 * 4 * 4096 * 4096;
    const LowerBounds h100 = lowerBounds(*ceilingsOf({}, {}), t);
    QVERIFY(std::abs(*h100.pipeSeconds * 1e3 - 2.083) < 0.001);
    QVERIFY(std::abs(*h100.dramSeconds * 1e3 - 0.095) < 0.001);
  }
};

}  // namespace tileloom::model

TILELOOM_TEST(tileloom::model::RooflineTest, Nothing)
#include "roofline_test.moc"
