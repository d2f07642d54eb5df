// SPDX-License-Identifier: GPL-3.0-or-later
// Symbolic execution: which values are the same expression, and which are not.
#include "kernels/rewrite/expressions.h"

#include <QtTest>

#include "tests/rewrite/code.h"
#include "tests/support/test_class.h"

namespace tileloom::test {

using namespace rewrite;

class ExpressionsTest : public QObject {
  Q_OBJECT

  using Code = std::vector<sass::Decoded>;

  struct Both {
    Expressions expressions;
    Execution one{expressions}, other{expressions};
    Both(Code a, Code b) {
      for (const Op& op : opsOf(std::move(a))) one.run(op);
      for (const Op& op : opsOf(std::move(b))) other.run(op);
    }
    bool same(const Place& place) { return one.valueOf(place) == other.valueOf(place); }
  };
  static bool same(Code a, Code b, int reg = 5) {
    return Both(std::move(a), std::move(b)).same({Place::File::General, reg});
  }
  static bool samePredicate(Code a, Code b, int number) {
    return Both(std::move(a), std::move(b)).same({Place::File::Predicate, number});
  }
  static bool sameEffects(Code a, Code b) {
    Both both(std::move(a), std::move(b));
    return both.one.effects() == both.other.effects();
  }
  static bool sameLoads(Code a, Code b) {
    Both both(std::move(a), std::move(b));
    return both.one.sharedLoads() == both.other.sharedLoads();
  }
  static sass::Decoded swapped(sass::Decoded code, std::size_t a, std::size_t b) {
    std::swap(code.operands[a].number, code.operands[b].number);
    return code;
  }

 private slots:
  void namesArePrinted() {
    QCOMPARE(nameOf({Place::File::General, 4}), "R4");
    QCOMPARE(nameOf({Place::File::Uniform, 5}), "UR5");
    QCOMPARE(nameOf({Place::File::Predicate, 0}), "P0");
    QCOMPARE(nameOf({Place::File::UniformPredicate, 1}), "UP1");
  }
  void registersHoldWhatWasComputed() {
    QVERIFY(same({make::mov(5, 6)}, {make::mov(5, 6)}));
    QVERIFY(!same({make::mov(5, 6)}, {make::mov(5, 7)}));
    QVERIFY(!same({make::mov(5, 6)}, {}));
    QVERIFY(same({}, {}));
    // Whatever registers it passed through.
    QVERIFY(same({make::iadd3(9, 6, 4), make::mov(5, 9)}, {make::iadd3(7, 6, 4), make::mov(5, 7)}));
    QVERIFY(!same({make::iadd3(5, 6, 4)}, {make::iadd3(5, 6, 8)}));
    // In order.
    QVERIFY(!same({make::mov(6, 7), make::mov(5, 6)}, {make::mov(5, 6), make::mov(6, 7)}));
  }
  void factorsHaveNoOrder() {
    QVERIFY(same({make::ffma(5, 6, 7, 5)}, {make::ffma(5, 7, 6, 5)}));
    QVERIFY(!same({make::ffma(5, 6, 7, 5)}, {make::ffma(5, 6, 5, 7)}));
    // The order of sums matters: rounding depends on it.
    QVERIFY(!same({make::ffma(5, 6, 7, 5), make::ffma(5, 8, 9, 5)},
                  {make::ffma(5, 8, 9, 5), make::ffma(5, 6, 7, 5)}));
  }
  void twoResultsAreTwo() {
    const auto compare = make::isetp(1, 6, 7);
    // The second predicate is the negation of the first.
    QVERIFY(!samePredicate({compare}, {swapped(compare, 0, 1)}, 1));
    QVERIFY(samePredicate({compare}, {compare}, 1));
    // Words of one load.
    QVERIFY(!same({make::lds128(4, 1)}, {make::lds128(5, 1)}));
  }
  void zeroStaysZero() {
    QVERIFY(same({make::mov(255, 6), make::mov(5, 255)}, {make::mov(5, 255)}));
    QVERIFY(!same({make::mov(5, 255)}, {make::mov(5, 6)}));
  }
  void placeholdersDoNothing() {
    QVERIFY(same({under(make::mov(5, 6), 7, true)}, {}));
    QVERIFY(sameEffects({under(make::sts(1, 6), 7, true)}, {}));
    QVERIFY(sameLoads({under(make::lds(255, 255), 7, true)}, {}));
  }
  void guardsAreConditions() {
    QVERIFY(same({under(make::mov(5, 6), 0)}, {under(make::mov(5, 6), 0)}));
    QVERIFY(!same({under(make::mov(5, 6), 0)}, {make::mov(5, 6)}));
    QVERIFY(!same({under(make::mov(5, 6), 0)}, {under(make::mov(5, 6), 0, true)}));
    QVERIFY(!same({under(make::mov(5, 6), 0)}, {under(make::mov(5, 6), 1)}));
    QVERIFY(!same({under(make::mov(5, 6), 0)}, {}));
    // The predicate's value counts, not its name.
    QVERIFY(!same({make::isetp(0, 8, 9), under(make::mov(5, 6), 0)}, {under(make::mov(5, 6), 0)}));
    QVERIFY(same({make::isetp(0, 8, 9), under(make::mov(5, 6), 0)},
                 {make::isetp(1, 8, 9), under(make::mov(5, 6), 1)}));
    QVERIFY(!sameEffects({under(make::sts(1, 6), 0)}, {make::sts(1, 6)}));
    QVERIFY(!sameEffects({under(make::sts(1, 6), 0)}, {under(make::sts(1, 6), 0, true)}));
  }
  // Under the same condition the conditional value is read; the other value does not matter.
  void whatIsReadUnderTheSameConditionIsKnown() {
    QVERIFY(sameEffects({under(make::mov(5, 6), 0), under(make::sts(1, 5), 0)},
                        {under(make::mov(9, 6), 0), under(make::sts(1, 9), 0)}));
    QVERIFY(!sameEffects({under(make::mov(5, 6), 0), under(make::sts(1, 5), 0, true)},
                         {under(make::mov(9, 6), 0), under(make::sts(1, 9), 0, true)}));
    QVERIFY(!sameEffects({under(make::mov(5, 6), 0), make::sts(1, 5)},
                         {under(make::mov(9, 6), 0), make::sts(1, 9)}));
  }
  void forwardJumpsAreConditions() {
    const Code jump = {under(make::branch(3), 0), make::mov(5, 6), make::sts(1, 5),
                       make::mov(8, 9)};
    const Code guards = {under(make::mov(5, 6), 0, true), under(make::sts(1, 5), 0, true),
                         make::mov(8, 9)};
    QVERIFY(same(jump, guards));
    QVERIFY(same(jump, guards, 8));
    QVERIFY(sameEffects(jump, guards));
    const Code wrong = {under(make::mov(5, 6), 0), under(make::sts(1, 5), 0), make::mov(8, 9)};
    QVERIFY(!same(jump, wrong));
    QVERIFY(!sameEffects(jump, wrong));
    // A skipped instruction may have its own guard: both must hold.
    const Code two = {under(make::branch(2), 0), under(make::mov(5, 6), 1)};
    QVERIFY(!same(two, {under(make::mov(5, 6), 1)}));
    QVERIFY(!same(two, {under(make::mov(5, 6), 0, true)}));
    QVERIFY(same(two, two));
  }
  void effectsHaveAnOrder() {
    QVERIFY(sameEffects({make::sts(1, 6), make::sts(2, 7)}, {make::sts(1, 6), make::sts(2, 7)}));
    QVERIFY(!sameEffects({make::sts(1, 6), make::sts(2, 7)}, {make::sts(2, 7), make::sts(1, 6)}));
    QVERIFY(!sameEffects({make::sts(1, 6)}, {make::sts(1, 6), make::sts(1, 6)}));
    QVERIFY(!sameEffects({make::sts(1, 6)}, {make::sts(1, 7)}));
    QVERIFY(!sameEffects({make::sts(1, 6)}, {make::sts(1, 6, 4)}));
    QVERIFY(!sameEffects({make::sts(1, 6), make::barrier()}, {make::barrier(), make::sts(1, 6)}));
    QVERIFY(!sameEffects({make::depbar(0, 0)}, {make::depbar(1, 0)}));
    QVERIFY(!sameEffects({make::depbar(0, 0)}, {make::depbar(0, 1)}));
    QVERIFY(!sameEffects({make::ldgsts(1, 8)}, {make::ldgsts(2, 8)}));
    QVERIFY(!sameEffects({make::ldgsts(1, 8)}, {make::ldgsts(1, 10)}));
  }
  void aCommitIsTiedToItsScoreboard() {
    QVERIFY(sameEffects({make::commit(0)}, {make::commit(0)}));
    QVERIFY(!sameEffects({make::commit(0)}, {make::commit(1)}));
    QVERIFY(!sameEffects({make::commit(0)}, {make::commit(-1)}));
  }
  void sharedLoadsDependOnBarriersOnly() {
    const auto load = make::lds128(4, 1);
    QVERIFY(same({load, make::sts(2, 9)}, {make::sts(2, 9), load}));
    QVERIFY(!same({load, make::barrier()}, {make::barrier(), load}));
    QVERIFY(sameLoads({load, make::lds128(8, 2)}, {load, make::lds128(8, 2)}));
    QVERIFY(!sameLoads({load, make::barrier()}, {make::barrier(), load}));
    QVERIFY(!sameLoads({load}, {make::lds128(4, 1, 16)}));
    QVERIFY(!sameLoads({load}, {under(load, 0)}));
  }
  // The same access may have another result after another one.
  void globalLoadsDependOnWhatWasBefore() {
    const auto load = make::ldg128(4, 8);
    QVERIFY(same({load}, {load}));
    QVERIFY(!same({load, make::stg128(10, 20)}, {make::stg128(10, 20), load}));
    QVERIFY(!same({load, make::ldg128(12, 8), make::mov(5, 5)},
                  {load, make::ldg128(12, 8), make::mov(5, 13)}));
  }
  void itIsKnownWhatIsReadFirst() {
    Expressions expressions;
    Execution execution(expressions);
    for (const Op& op : opsOf({make::mov(5, 6), make::mov(7, 5), under(make::mov(8, 9), 2)}))
      execution.run(op);
    const auto first = execution.readFirst();
    QCOMPARE(first.registers.count(), std::size_t{2});
    QVERIFY(first.registers[6] && first.registers[9]);
    QCOMPARE(int(first.predicates), 1 << 2);
    QCOMPARE(placesOf(first).size(), std::size_t{3});
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::ExpressionsTest, Nothing)
#include "expressions_test.moc"
