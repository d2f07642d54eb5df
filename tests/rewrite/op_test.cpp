// SPDX-License-Identifier: GPL-3.0-or-later
// How the rewriter classifies an instruction.
#include "kernels/rewrite/op.h"

#include <QtTest>

#include "tests/rewrite/code.h"
#include "tests/support/test_class.h"

namespace tileloom::test {

using namespace rewrite;

class RewriteOpTest : public QObject {
  Q_OBJECT

 private slots:
  void aMultiplyAddHasThreePlainRegisters() {
    const auto product = multiplyAddOf(make::ffma(8, 1, 2, 9));
    QVERIFY(product);
    QCOMPARE(product->result, 8);
    QCOMPARE(product->factors[0], 1);
    QCOMPARE(product->factors[1], 2);
    QCOMPARE(product->addend, 9);
  }
  void nothingElseIsOne() {
    QVERIFY(!multiplyAddOf(under(make::ffma(8, 1, 2, 8), 0)));
    QVERIFY(!multiplyAddOf(under(make::ffma(8, 1, 2, 8), 7, true)));
    QVERIFY(!multiplyAddOf(make::ffma(8, 255, 2, 8)));
    QVERIFY(!multiplyAddOf(make::ffma(8, 1, 2, 255)));
    QVERIFY(!multiplyAddOf(make::ffma(255, 1, 2, 8)));
    QVERIFY(!multiplyAddOf(make::mov(8, 1)));
    // A factor from a uniform register: FFMA R15, R15, UR6, R52.
    const auto uniform = sass::decode({0x000000060f0f7c23, 0x000fe20008000034}, 0, 90);
    QVERIFY(uniform);
    QVERIFY(!multiplyAddOf(*uniform));
  }
  void aSharedLoadBringsNeighbouringRegisters() {
    QVERIFY(loadedWordsOf(make::lds128(20, 1)) == std::optional(LoadedWords{20, 4}));
    QVERIFY(loadedWordsOf(make::lds64(20, 1)) == std::optional(LoadedWords{20, 2}));
    QVERIFY(loadedWordsOf(make::lds(21, 1)) == std::optional(LoadedWords{21, 1}));
    QVERIFY(!loadedWordsOf(under(make::lds128(20, 1), 0)));
    QVERIFY(!loadedWordsOf(make::lds128(255, 1)));
    QVERIFY(!loadedWordsOf(under(make::lds(255, 255), 7, true)));
    QVERIFY(!loadedWordsOf(make::ldg128(20, 2)));
    QVERIFY(!loadedWordsOf(make::sts(1, 20)));
  }
  void aPlaceholderIsNeverExecuted() {
    QVERIFY(Op::of(under(make::lds(255, 255), 7, true), 0).never());
    QVERIFY(!Op::of(make::lds(4, 1), 0).never());
    QVERIFY(!Op::of(under(make::lds(4, 1), 0, true), 0).never());
    QVERIFY(Op::of(under(make::lds(4, 1), 0), 0).guarded());
    QVERIFY(!Op::of(make::lds(4, 1), 0).guarded());
  }
  void anInstructionKnowsWhatItTouches() {
    const Op op = Op::of(under(make::ldg128(12, 18), 2), 5);
    QCOMPARE(op.at, std::size_t{5});
    QVERIFY(op.reads.registers[18] && op.reads.registers[19] && !op.reads.registers[20]);
    QVERIFY(op.reads.uniform[12] && op.reads.uniform[13]);
    QCOMPARE(int(op.reads.predicates), 1 << 2);
    for (std::size_t reg : {12, 13, 14, 15}) QVERIFY(op.writes.registers[reg]);
    QCOMPARE(op.writes.registers.count(), std::size_t{4});
  }
  void setsOfRegistersAreSets() {
    const Op one = Op::of(make::ffma(8, 1, 2, 8), 0), other = Op::of(make::mov(1, 3), 0);
    QVERIFY(overlap(one.reads, other.writes));
    QVERIFY(!overlap(one.writes, other.writes));
    QVERIFY(overlap(Op::of(make::isetp(1, 4, 5), 0).writes,
                    Op::of(under(make::mov(9, 8), 1), 0).reads));
    QVERIFY(overlap(Op::of(make::uiadd3(12, 4, 1), 0).writes, Op::of(make::ldg128(8, 2), 0).reads));
    QCOMPARE(without(united(one.reads, other.reads), other.reads), one.reads);
    QVERIFY(empty(without(one.reads, one.reads)));
    QVERIFY(!empty(one.reads));
  }
  void addressesNameRegisters() {
    QVERIFY(namesRegisters(make::lds128(20, 1).operands[0]));
    QVERIFY(namesRegisters(make::lds128(20, 1).operands[1]));
    QVERIFY(!namesRegisters(make::lds128(20, 255).operands[1]));
    QVERIFY(!namesRegisters(make::isetp(0, 1, 2).operands[0]));
    QVERIFY(!namesRegisters(make::uiadd3(5, 4, 1).operands[0]));
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::RewriteOpTest, Nothing)
#include "op_test.moc"
