// SPDX-License-Identifier: GPL-3.0-or-later
// The rule of the two register banks, on instructions made by hand.
#include "kernels/sass/register_banks.h"

#include <QtTest>

#include "tests/sass/fixtures.h"
#include "tests/support/test_class.h"

namespace tileloom::test {

using namespace sass;

class RegisterBanksTest : public QObject {
  Q_OBJECT

  static QList<int> lost(std::string_view code) {
    const Listing l = listingOf(code);
    const auto all = lostCycles(l, {0, l.instructions.size()});
    return {all.begin(), all.end()};
  }

 private slots:
  void oneOfEachBankIsFree() { QCOMPARE(lost("FFMA R9, R2, R3, RZ\n"), QList<int>{0}); }
  void twoOfOneBank() { QCOMPARE(lost("FFMA R9, R2, R4, R3\n"), QList<int>{1}); }
  void threeOfOneBank() { QCOMPARE(lost("FFMA R9, R2, R4, R6\n"), QList<int>{2}); }
  void theSameRegisterIsReadOnce() { QCOMPARE(lost("FFMA R9, R2, R2, R3\n"), QList<int>{0}); }
  void threeRegistersOfTwoBanksClash() { QCOMPARE(lost("FFMA R1, R1, R2, R3\n"), QList<int>{1}); }

  void whatIsNoRegisterCostsNothing() {
    QCOMPARE(lost("FFMA R9, R2, UR4, R4\nFFMA R9, R2, 2, R3\nFFMA R9, R2, c[0x0][0x10], RZ\n"),
             (QList<int>{1, 0, 0}));
  }

  void aKeptOperandIsNotRead() {
    QCOMPARE(lost("FFMA R9, R2.reuse, R3, R5\nFFMA R11, R2, R4, R7\n"), (QList<int>{1, 0}));
    // In another place it is not there,
    QCOMPARE(lost("FFMA R9, R2.reuse, R3, RZ\nFFMA R11, R4, R2, R7\n"), (QList<int>{0, 1}));
    // nor one instruction later, unless it is marked again,
    QCOMPARE(lost("FFMA R9, R2.reuse, R3, RZ\nFFMA R11, R2, R5, RZ\nFFMA R13, R2, R4, RZ\n"),
             (QList<int>{0, 0, 1}));
    QCOMPARE(lost("FFMA R9, R2.reuse, R3, RZ\nFFMA R11, R2.reuse, R5, RZ\nFFMA R13, R2, R4, RZ\n"),
             (QList<int>{0, 0, 0}));
    // nor after anything else.
    QCOMPARE(lost("FFMA R9, R2.reuse, R3, RZ\nLDS R20, [R30]\nFFMA R11, R2, R4, R7\n"),
             (QList<int>{0, 0, 1}));
  }

  void othersLoseNothing() { QCOMPARE(lost("IADD3 R9, R2, R4, R6\nEXIT\n"), (QList<int>{0, 0})); }

  void theCostOfALoop() {
    const Listing l = listingOf("LDS R2, [R8]\nFFMA R9, R2, R4, R3\nFFMA R1, R5, R6, R7\n");
    const LoopCost cost = loopCost(l, {0, 3});
    QCOMPARE(cost.instructions, 3);
    QCOMPARE(cost.ffmas, 2);
    QCOMPARE(cost.lost, 2);
    QCOMPARE(cost.cycles(), 5);
    QCOMPARE(cost.share(), 0.4);
    QCOMPARE(loopCost(l, {0, 0}).share(), 0.0);
  }

  // As another decoder has counted it, from the encodings.
  void aRealLoop() {
    const auto listing = parseListing(fixture("naive.life-ranges.txt"));
    const LoopCost cost = loopCost(*listing, mainLoop(*listing).range);
    QCOMPARE(cost.lost, 4);
    QCOMPARE(cost.cycles(), 36);
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::RegisterBanksTest, Nothing)
#include "register_banks_test.moc"
