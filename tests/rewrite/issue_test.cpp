// SPDX-License-Identifier: GPL-3.0-or-later
// The model of when instructions may be issued.
#include "kernels/rewrite/issue.h"

#include <QtTest>

#include "tests/rewrite/code.h"
#include "tests/support/test_class.h"

namespace tileloom::test {

using namespace rewrite;

class IssueTest : public QObject {
  Q_OBJECT

  // What the last of these needs after the others: "" or "wait 5", "3 cycles", the problem.
  static std::string needs(std::vector<sass::Decoded> code) {
    const auto ops = opsOf(std::move(code));
    Issue issue;
    for (std::size_t i = 0; i + 1 < ops.size(); ++i) issue.issue(ops[i]);
    const Issue::Needs its = issue.needsOf(ops.back());
    if (!its.problem.empty()) return its.problem;
    std::string text;
    if (its.wait != 0) text += "wait " + std::to_string(its.wait);
    if (its.cycles > 0)
      text += std::string(text.empty() ? "" : ", ") + std::to_string(its.cycles) + " cycles";
    return text;
  }

 private slots:
  void fixedResultsNeedCycles() {
    QCOMPARE(needs({make::mov(5, 6), make::mov(7, 5)}), "5 cycles");
    QCOMPARE(needs({stalled(make::mov(5, 6), 4), make::mov(7, 5)}), "2 cycles");
    QCOMPARE(needs({stalled(make::mov(5, 6), 6), make::mov(7, 5)}), "");
    QCOMPARE(needs({make::mov(5, 6), make::nop(), make::mov(7, 5)}), "4 cycles");
    QCOMPARE(needs({make::mov(5, 6), make::mov(7, 6)}), "");
    // A later result must not be overtaken.
    QCOMPARE(needs({make::mov(5, 6), make::mov(5, 7)}), "5 cycles");
    // An operand that is only read is read at once.
    QCOMPARE(needs({make::mov(5, 6), make::mov(6, 7)}), "");
    // No stall means one cycle.
    QCOMPARE(needs({stalled(make::mov(5, 6), 0), make::mov(7, 5)}), "5 cycles");
  }
  void predicatesNeedMore() {
    QCOMPARE(needs({make::isetp(1, 2, 3), under(make::mov(5, 6), 1)}), "13 cycles");
    QCOMPARE(needs({make::isetp(1, 2, 3), under(make::mov(5, 6), 2)}), "");
    QCOMPARE(needs({make::isetp(1, 2, 3), under(make::branch(0), 1, true)}), "13 cycles");
    QCOMPARE(needs({make::isetp(1, 2, 3), make::isetp(1, 4, 5)}), "13 cycles");
  }
  void uniformRegistersNeedMoreBeforeMemory() {
    QCOMPARE(needs({make::uiadd3(5, 4, 1), make::uiadd3(6, 5, 1)}), "7 cycles");
    QCOMPARE(needs({make::uiadd3(12, 4, 1), make::ldg128(20, 2)}), "12 cycles");
    QCOMPARE(needs({make::ldg128(20, 2)}), "");
  }
  void loadsNeedTheirScoreboard() {
    const auto load = stalled(counting(make::lds128(20, 1), 3), 2);
    QCOMPARE(needs({load, make::mov(7, 22)}), "wait 8");
    QCOMPARE(needs({load, make::mov(22, 7)}), "wait 8");
    QCOMPARE(needs({load, make::mov(7, 24)}), "");
    // Its address is read some time after it was issued.
    QCOMPARE(needs({load, make::mov(1, 7)}), "wait 8");
    QCOMPARE(needs({load, waiting(make::nop(), 8), make::mov(7, 22)}), "");
    QCOMPARE(needs({load, waiting(make::nop(), 4), make::mov(7, 22)}), "wait 8");
    QCOMPARE(
        needs({make::lds128(20, 1), make::mov(7, 22)}),
        "\"MOV R7, R22\" has to wait for \"LDS.128 R20, [R1]\", but has no scoreboard for that");
  }
  void aScoreboardCountsTwoCyclesLater() {
    QCOMPARE(needs({counting(make::lds128(20, 1), 3), make::mov(7, 22)}), "wait 8, 1 cycles");
    QCOMPARE(needs({counting(make::lds128(20, 1), 3), waiting(make::nop(), 8)}), "1 cycles");
  }
  void sharedLoadsArriveInOrder() {
    const auto first = make::lds128(20, 1);
    const auto second = stalled(counting(make::lds128(24, 1), 2), 2);
    QCOMPARE(needs({first, second, make::mov(7, 20)}), "wait 4");
    QCOMPARE(needs({first, second, waiting(make::nop(), 4), make::mov(7, 20)}), "");
    // Not loads from global memory.
    const auto global = make::ldg128(20, 2);
    QVERIFY(needs({global, counting(make::ldg128(24, 4), 2), make::mov(7, 20)})
                .ends_with("has no scoreboard for that"));
    QVERIFY(
        needs({global, counting(make::ldg128(24, 4), 2), waiting(make::nop(), 4), make::mov(7, 20)})
            .ends_with("has no scoreboard for that"));
    // And no load implies an earlier one that others do not wait for.
    QVERIFY(needs({second, first, make::mov(7, 20)}).ends_with("has no scoreboard for that"));
  }
  // A load that may not be executed implies nothing.
  void aGuardedLoadTellsOfItsOwnGuardOnly() {
    const auto first = make::lds128(20, 1);
    const auto guarded = stalled(counting(under(make::lds128(24, 1), 0), 2), 2);
    QVERIFY(needs({first, guarded, make::mov(7, 20)}).ends_with("has no scoreboard for that"));
    QVERIFY(needs({first, guarded, waiting(make::nop(), 4), make::mov(7, 20)})
                .ends_with("has no scoreboard for that"));
    QCOMPARE(needs({under(first, 0), guarded, make::mov(7, 20)}), "wait 4");
    QVERIFY(needs({under(first, 0, true), guarded, make::mov(7, 20)})
                .ends_with("has no scoreboard for that"));
    // The same guard is another one if its predicate has been written in between.
    QVERIFY(needs({under(first, 0), make::isetp(0, 4, 5), guarded, make::mov(7, 20)})
                .ends_with("has no scoreboard for that"));
    QCOMPARE(needs({under(first, 0), make::isetp(1, 4, 5), guarded, make::mov(7, 20)}), "wait 4");
  }
  void storesNeedTheirOperandsRead() {
    const auto store = stalled(counting(make::sts(1, 20), -1, 4), 2);
    QCOMPARE(needs({store, make::mov(20, 7)}), "wait 16");
    QCOMPARE(needs({store, make::mov(1, 7)}), "wait 16");
    QCOMPARE(needs({store, make::mov(7, 20)}), "");
    QCOMPARE(needs({make::sts(1, 21), store, make::mov(21, 7)}), "wait 16");
    QCOMPARE(needs({make::sts(1, 21), store, waiting(make::nop(), 16), make::mov(21, 7)}), "");
    QVERIFY(needs({make::sts(1, 20), make::mov(20, 7)}).ends_with("has no scoreboard for that"));
    // A guard is read when the instruction is issued.
    QCOMPARE(needs({under(store, 1), make::isetp(1, 4, 5)}), "");
    QCOMPARE(needs({counting(make::ldgsts(6, 8), -1, 1), make::nop(), make::mov(9, 7)}), "wait 2");
  }
  // Their latency is unknown even if their scoreboard was removed.
  void constantsAndSpecialRegistersTakeAnUnknownTime() {
    QVERIFY(takesUnknownTime(Op::of(make::ldc(4, 0x210), 0)));
    QVERIFY(takesUnknownTime(Op::of(make::s2r(4), 0)));
    QVERIFY(needs({stalled(make::ldc(4, 0x210), 15), make::nop(), make::mov(7, 4)})
                .ends_with("has no scoreboard for that"));
    QCOMPARE(
        needs({make::ldc(4, 0x210), stalled(counting(make::ldc(5, 0x214), 1), 2), make::mov(7, 4)}),
        "wait 2");
    QVERIFY(!takesUnknownTime(Op::of(make::ffma(1, 2, 3, 1), 0)));
    QVERIFY(!takesUnknownTime(Op::of(under(make::lds(255, 255), 7, true), 0)));
    QVERIFY(takesUnknownTime(Op::of(counting(make::mov(1, 2), 3), 0)));
  }
  void aBarrierNeedsSharedLoadsToHaveArrived() {
    QCOMPARE(needs({stalled(counting(make::lds128(20, 1), 3), 2), make::barrier()}), "wait 8");
    QCOMPARE(needs({stalled(counting(make::lds128(20, 1), 3), 2), waiting(make::nop(), 8),
                    make::barrier()}),
             "");
    QVERIFY(needs({make::lds128(20, 1), make::barrier()}).ends_with("has no scoreboard for that"));
    QCOMPARE(needs({counting(make::ldg128(20, 2), 3), make::barrier()}), "");
    QCOMPARE(needs({under(make::lds(255, 255), 7, true), make::barrier()}), "");
  }
  // Distances that NVIDIA's assembler always leaves.
  void accessesKeepTheirDistance() {
    const auto load = counting(make::lds128(20, 1), 3);
    QCOMPARE(needs({load, counting(make::lds128(24, 1), 3)}), "3 cycles");
    QCOMPARE(needs({load, make::nop(), make::nop(), make::nop(), make::lds128(24, 1)}), "");
    QCOMPARE(needs({stalled(load, 2), make::sts(1, 8)}), "2 cycles");
    QCOMPARE(needs({load, under(make::lds(255, 255), 7, true)}), "");
    QCOMPARE(needs({load, make::ffma(8, 9, 10, 8)}), "");
    QCOMPARE(needs({counting(make::ldgsts(1, 8), -1, 1), make::commit(0)}), "1 cycles");
    QCOMPARE(needs({counting(make::ldg128(20, 8), 1), make::commit(0)}), "3 cycles");
  }
  void nothingButArithmeticFollowsABarrierAtOnce() {
    QCOMPARE(needs({make::barrier(), make::lds128(20, 1)}), "5 cycles");
    QCOMPARE(needs({make::barrier(), make::sts(1, 8)}), "5 cycles");
    QCOMPARE(needs({make::barrier(), make::branch(0)}), "5 cycles");
    QCOMPARE(needs({make::barrier(), make::ffma(8, 9, 10, 8)}), "");
    QCOMPARE(needs({make::depbar(0, 0), make::barrier()}), "3 cycles");
    QCOMPARE(needs({make::depbar(0, 0), make::ffma(8, 9, 10, 8)}), "");
  }
  void pendingNamesTheScoreboardsOfWhatIsUnderWay() {
    Issue issue;
    const auto ops = opsOf({counting(make::lds128(20, 1), 3), counting(make::sts(1, 8), -1, 4),
                            counting(make::ldg128(24, 2), 5, 2), waiting(make::nop(), 1 << 2),
                            waiting(make::nop(), 1 << 3), waiting(make::nop(), 1 << 5 | 1 << 4)});
    for (std::size_t i = 0; i < 3; ++i) issue.issue(ops[i]);
    QCOMPARE(issue.pending(), 1u << 3 | 1u << 4 | 1u << 5 | 1u << 2);
    issue.issue(ops[3]);
    QCOMPARE(issue.pending(), 1u << 3 | 1u << 4 | 1u << 5);
    issue.issue(ops[4]);
    QCOMPARE(issue.pending(), 1u << 4 | 1u << 5);
    issue.issue(ops[5]);
    QCOMPARE(issue.pending(), 0u);
    QCOMPARE(issue.now(), 6);
  }
  // Correct code may use results without a wait; an instruction that a branch may skip awaits
  // nothing.
  void knownCodeIsRight() {
    const auto ops = opsOf({make::sts(1, 20), make::mov(20, 7), make::ffma(8, 20, 9, 8)});
    Issue issue;
    issue.issueKnown(ops[0], true);
    QVERIFY(!issue.needsOf(ops[1]).problem.empty());
    Issue passed = issue;
    issue.issueKnown(ops[1], true);
    QVERIFY(issue.needsOf(ops[1]).problem.empty());
    passed.issueKnown(ops[1], false);
    QVERIFY(!passed.needsOf(ops[1]).problem.empty());
    // And takes no time.
    QCOMPARE(passed.needsOf(ops[2]).cycles, 6);
    QCOMPARE(issue.needsOf(ops[2]).cycles, 5);
  }
  // After a wait for all copies up to a commit their addresses have been read.
  void awaitedCopiesAreOver() {
    const auto problem = [](const std::vector<sass::Decoded>& known) {
      Issue issue;
      for (const Op& op : opsOf(known)) issue.issueKnown(op, true);
      return issue.needsOf(opsOf({make::mov(9, 7)}).front()).problem;
    };
    const auto copy = make::ldgsts(6, 8);  // from the address in R8 and R9
    QVERIFY(!problem({copy}).empty());
    QVERIFY(!problem({copy, make::commit(0)}).empty());
    QCOMPARE(problem({copy, make::commit(0), make::depbar(0, 0)}), "");
    QCOMPARE(problem({copy, copy, make::commit(0), make::depbar(0, 0)}), "");
    // Not if one commit may be left, another scoreboard is awaited, the copy comes later, or the
    // wait has a guard.
    QVERIFY(!problem({copy, make::commit(0), make::depbar(0, 1)}).empty());
    QVERIFY(!problem({copy, make::commit(0), make::depbar(1, 0)}).empty());
    QVERIFY(!problem({make::commit(0), copy, make::depbar(0, 0)}).empty());
    QVERIFY(!problem({copy, make::commit(0), under(make::depbar(0, 0), 1)}).empty());
  }
  void codeThatIsNotJudgedLeavesNothing() {
    Issue issue;
    const auto ops = opsOf({counting(make::lds128(20, 1), 3), make::uiadd3(12, 4, 1),
                            make::ldg128(24, 2), make::mov(7, 20)});
    issue.pass(ops[0]);
    issue.pass(ops[1]);
    QCOMPARE(issue.needsOf(ops[2]).cycles, 0);
    QCOMPARE(issue.needsOf(ops[3]).wait, 0u);
    QCOMPARE(issue.pending(), 0u);
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::IssueTest, Nothing)
#include "issue_test.moc"
