// SPDX-License-Identifier: GPL-3.0-or-later
// The rule of the two register banks, on instructions made by hand.
#include "kernels/sass/register_banks.h"

#include <QtTest>
#include <string>

#include "tests/sass/fixtures.h"
#include "tests/support/test_class.h"

namespace tileloom::test {

using namespace sass;

class RegisterBanksTest : public QObject {
  Q_OBJECT

  static QList<int> lost(std::string_view code) {
    const Listing l = listingOf(code);
    QList<int> banks;
    for (const Lost& each : lostCycles(l, {0, l.instructions.size()}, {})) banks += each.banks;
    return banks;
  }

 private slots:
  // One late read is free, as long as the next FFMA leaves its bank alone.
  void oneOfEachBankIsFree() { QCOMPARE(lost("FFMA R9, R2, R3, RZ\n"), QList<int>{0}); }
  void twoOfOneBankMayEndLate() {
    QCOMPARE(lost("FFMA R9, R2, R4, R3\n"), QList<int>{0});
    QCOMPARE(lost("FFMA R9, R2, R4, RZ\nFFMA R9, R2, R4, RZ\n"), (QList<int>{0, 1}));
    QCOMPARE(lost("FFMA R9, R2, R4, RZ\nFFMA R9, R3, R5, RZ\nFFMA R9, R2, R4, RZ\n"),
             (QList<int>{0, 0, 0}));
    // Another instruction gives the bank the cycle that it needs.
    QCOMPARE(lost("FFMA R9, R2, R4, RZ\nS2R R1, SR_TID.X\nFFMA R9, R2, R4, RZ\n"),
             (QList<int>{0, 0, 0}));
  }
  void theSameRegisterIsReadOnce() {
    QCOMPARE(lost("FFMA R9, R2, R2, R4\nFFMA R9, R2, R2, R4\n"), (QList<int>{0, 1}));
    QCOMPARE(lost("FFMA R9, R2, R2, R3\nFFMA R9, R2, R2, R3\n"), (QList<int>{0, 0}));
  }

  void whatIsNoRegisterCostsNothing() {
    QCOMPARE(lost("FFMA R9, R2, UR4, R4\nFFMA R9, R2, 2, R3\nFFMA R9, R2, c[0x0][0x10], RZ\n"),
             (QList<int>{0, 0, 0}));
  }

  void aKeptOperandIsNotRead() {
    const std::string pair = "FFMA R11, R2, R4, RZ\nFFMA R11, R6, R8, RZ\n";
    QCOMPARE(lost(pair), (QList<int>{0, 1}));
    QCOMPARE(lost("FFMA R9, R2.reuse, R3, RZ\n" + pair), (QList<int>{0, 0, 0}));
    // In another slot it is not cached,
    QCOMPARE(lost("FFMA R9, R3, R2.reuse, RZ\n" + pair), (QList<int>{0, 0, 1}));
    // nor after another register of its bank has passed through the slot,
    QCOMPARE(lost("FFMA R9, R2.reuse, R3, RZ\nFFMA R9, R4, R3, RZ\n" + pair),
             (QList<int>{0, 0, 0, 1}));
    // nor after a read that does not keep it;
    QCOMPARE(lost("FFMA R9, R2.reuse, R3, RZ\nFFMA R9, R2, R3, RZ\n" + pair),
             (QList<int>{0, 0, 0, 1}));
    // but registers of the other bank and other instructions leave it there.
    QCOMPARE(lost("FFMA R9, R2.reuse, R4, RZ\nFFMA R9, R3.reuse, R5, RZ\n"
                  "LDS R20, [R30]\n" +
                  pair),
             (QList<int>{0, 0, 0, 0, 0}));
  }

  void othersLoseNothing() { QCOMPARE(lost("IADD3 R9, R2, R4, R6\nEXIT\n"), (QList<int>{0, 0})); }

  void theCostOfALoop() {
    const Listing l = listingOf("LDS R2, [R8]\nFFMA R9, R2, R4, R7\nFFMA R1, R2, R6, R7\n");
    const LoopCost cost = loopCost(l, {0, 3}, {});
    QCOMPARE(cost.instructions, 3);
    QCOMPARE(cost.ffmas, 2);
    QCOMPARE(cost.lostToBanks, 1);
    QCOMPARE(cost.cycles(), 4);
    QCOMPARE(cost.share(), 0.5);
    QCOMPARE(loopCost(l, {0, 0}, {}).share(), 0.0);
  }

  void aRealLoop() {
    const auto listing = parseListing(fixture("naive.life-ranges.txt"));
    const LoopCost cost = loopCost(*listing, mainLoop(*listing).range, {});
    QCOMPARE(cost.lostToBanks, 1);
    QCOMPARE(cost.cycles(), 33);
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::RegisterBanksTest, Nothing)
#include "register_banks_test.moc"
