// SPDX-License-Identifier: GPL-3.0-or-later
// The rule of the two register banks, on instructions made by hand.
#include "kernels/sass/register_banks.h"

#include <QtTest>
#include <array>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

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

  // Cycles per issue slot of a long sequence of FFMAs: the i-th is `make(i)`.
  template <class Make>
  static double perSlot(Make make) {
    constexpr int kMany = 240;
    std::string code;
    for (int i = 0; i < kMany; ++i) code += make(i) + "\n";
    const QList<int> all = lost(code);
    return 1 + double(std::accumulate(all.begin(), all.end(), 0)) / kMany;
  }
  static std::string even(int i) { return "R" + std::to_string(64 + 2 * (i % 30)); }
  static std::string odd(int i) { return "R" + std::to_string(65 + 2 * (i % 30)); }
  static std::string ffma(const std::string& a, const std::string& b, const std::string& c) {
    return "FFMA R8, " + a + ", " + b + ", " + c;
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
    // In another slot it is not there,
    QCOMPARE(lost("FFMA R9, R3, R2.reuse, RZ\n" + pair), (QList<int>{0, 0, 1}));
    // nor after another register of its bank has come through the slot,
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

  // What micro-kernels in machine code took on an H100, in cycles per issue slot; 0.01 to 0.02 of
  // these are the loop's own. docs/hardware.md, rule 30.
  void microKernels() {
    struct Case {
      const char* what;
      double measured;
      double predicted;
    };
    const auto flip = [](int i) { return i % 2 == 0 ? even(i) : odd(i); };
    const std::vector<Case> cases = {
        {"one register, its bank alternating", 1.014,
         perSlot([&](int i) { return ffma("R4.reuse", "R6.reuse", flip(i)); })},
        {"two even ones", 2.015, perSlot([](int i) {
           return ffma("R4.reuse", "R" + std::to_string(32 + 2 * (i % 12)), even(i));
         })},
        {"two even ones, then two odd ones", 1.018, perSlot([&](int i) {
           return ffma("RZ", flip(i), "R" + std::to_string(32 + i % 2 + 2 * (i % 12)));
         })},
        {"two even ones twice, then two odd ones twice", 1.514, perSlot([](int i) {
           const int bank = i / 2 % 2;
           return ffma("RZ", bank == 0 ? even(i) : odd(i),
                       "R" + std::to_string(32 + bank + 2 * (i % 12)));
         })},
        {"two even ones eight times, then two odd ones eight times", 1.893, perSlot([](int i) {
           const int bank = i / 8 % 2;
           return ffma("RZ", bank == 0 ? even(i) : odd(i),
                       "R" + std::to_string(32 + bank + 2 * (i % 12)));
         })},
        {"three even ones", 3.007, perSlot([](int i) {
           return ffma("R" + std::to_string(10 + 2 * (i % 6)),
                       "R" + std::to_string(32 + 2 * (i % 12)), even(i));
         })},
        {"three even ones, then three odd ones", 1.510, perSlot([&](int i) {
           const int bank = i % 2;
           return ffma("R" + std::to_string(10 + bank + 2 * (i % 6)),
                       "R" + std::to_string(32 + bank + 2 * (i % 12)), flip(i));
         })},
        {"an even and an odd one, the third of alternating banks", 1.510, perSlot([&](int i) {
           return ffma("R" + std::to_string(10 + 2 * (i % 6)),
                       "R" + std::to_string(33 + 2 * (i % 12)), flip(i));
         })},
        {"two odd ones once among four even ones that are read alone", 1.268, perSlot([](int i) {
           return i % 4 == 3 ? ffma("R4.reuse", "R" + std::to_string(32 + 2 * (i % 12)), even(i))
                             : ffma("R4.reuse", "R" + std::to_string(33 + 2 * (i % 12)), even(i));
         })},
        {"kept registers of both banks by turns", 1.018, perSlot([](int i) {
           return ffma("R" + std::to_string(4 + i % 2) + ".reuse",
                       "R" + std::to_string(33 + 2 * (i % 12)), even(i));
         })},
        {"kept registers of one bank by turns", 2.010, perSlot([](int i) {
           return ffma("R" + std::to_string(4 + 2 * (i % 2)) + ".reuse",
                       "R" + std::to_string(33 + 2 * (i % 12)), even(i));
         })},
        {"one of the two is not kept", 1.507, perSlot([](int i) {
           return ffma(i % 2 == 0 ? "R4.reuse" : "R5", "R" + std::to_string(33 + 2 * (i % 12)),
                       even(i));
         })},
        {"2 x 2 blocks of sums", 1.014, perSlot([&](int i) {
           static constexpr std::array<std::pair<int, int>, 4> kOrder = {
               {{4, 6}, {4, 7}, {5, 7}, {5, 6}}};
           const auto [a, b] = kOrder[std::size_t(i % 4)];
           return ffma("R" + std::to_string(a) + ".reuse", "R" + std::to_string(b) + ".reuse",
                       flip(i));
         })},
    };
    for (const Case& c : cases) {
      QVERIFY2(std::abs(c.predicted - c.measured) < 0.03,
               qPrintable(QStringLiteral("%1: measured %2, predicted %3")
                              .arg(c.what)
                              .arg(c.measured)
                              .arg(c.predicted)));
    }
  }

  void othersLoseNothing() { QCOMPARE(lost("IADD3 R9, R2, R4, R6\nEXIT\n"), (QList<int>{0, 0})); }

  void theCostOfALoop() {
    const Listing l = listingOf("LDS R2, [R8]\nFFMA R9, R2, R4, R7\nFFMA R1, R2, R6, R7\n");
    const LoopCost cost = loopCost(l, {0, 3});
    QCOMPARE(cost.instructions, 3);
    QCOMPARE(cost.ffmas, 2);
    QCOMPARE(cost.lost, 1);
    QCOMPARE(cost.cycles(), 4);
    QCOMPARE(cost.share(), 0.5);
    QCOMPARE(loopCost(l, {0, 0}).share(), 0.0);
  }

  void aRealLoop() {
    const auto listing = parseListing(fixture("naive.life-ranges.txt"));
    const LoopCost cost = loopCost(*listing, mainLoop(*listing).range);
    QCOMPARE(cost.lost, 1);
    QCOMPARE(cost.cycles(), 33);
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::RegisterBanksTest, Nothing)
#include "register_banks_test.moc"
