// SPDX-License-Identifier: GPL-3.0-or-later
// The model of an SM on small iterations, compared with results computed by hand.
#include "kernels/rewrite/turn_time.h"

#include <QtTest>
#include <cmath>
#include <numeric>

#include "tests/rewrite/code.h"
#include "tests/support/test_class.h"

namespace tileloom::test {

using namespace rewrite;

class TurnTimeTest : public QObject {
  Q_OBJECT

  using Code = std::vector<sass::Decoded>;

  // Independent ones: none needs what another writes.
  static Code multiplyAdds(int count) {
    Code code;
    for (int i = 0; i < count; ++i) code.push_back(make::ffma(100 + i % 64, 10, 11, 100 + i % 64));
    return code;
  }
  static Code joined(Code first, const Code& second) {
    first.insert(first.end(), second.begin(), second.end());
    return first;
  }
  static TurnTime timeOf(const Code& code, const Residency& residency,
                         std::vector<sass::Lost> lost = {}) {
    lost.resize(code.size());
    return turnTime(opsOf(code), lost, residency);
  }
  static double cyclesOf(const Code& code, const Residency& residency) {
    return timeOf(code, residency).cycles;
  }
  static constexpr Residency kOne{4, 4};  // a warp per scheduler

 private slots:
  void aMultiplyAddTakesACycle() {
    for (const int count : {1, 2, 16, 100}) {
      const TurnTime time = timeOf(multiplyAdds(count), kOne);
      QCOMPARE(time.cycles, double(count));
      std::vector<int> inOrder(std::size_t(count), 0);
      std::iota(inOrder.begin(), inOrder.end(), 0);
      QVERIFY(time.issued == inOrder);
      QVERIFY(time.waited == std::vector<int>(std::size_t(count), 0));
      QCOMPARE(time.issueShare(count, 4), 1.0);
    }
    // A warp alone on an SM is not faster, and three schedulers are idle.
    const TurnTime alone = timeOf(multiplyAdds(16), {1, 1});
    QCOMPARE(alone.cycles, 16.0);
    QCOMPARE(alone.issueShare(16, 1), 0.25);
  }
  // A scheduler switches to its other warps when one has to pause.
  void warpsShareTheirScheduler() {
    Code code = multiplyAdds(16);
    code.back() = stalled(code.back(), 5);
    QCOMPARE(cyclesOf(code, {4, 4}), 20.0);
    QCOMPARE(cyclesOf(code, {8, 4}), 32.0);
    QCOMPARE(cyclesOf(code, {16, 4}), 64.0);
    const TurnTime time = timeOf(code, {8, 4});
    QCOMPARE(time.issueShare(16, 8), 1.0);
    // The cycles in which it issued for the other warp are not waiting.
    QCOMPARE(time.waited.front(), 4);
    QCOMPARE(std::accumulate(time.waited.begin(), time.waited.end(), 0), 4);
    // An iteration of all of them is counted, in whatever order they are served.
    QCOMPARE(cyclesOf(multiplyAdds(16), {8, 4}), 32.0);
  }
  // docs/hardware.md, rule 84: one warp as long as it can issue, then one of the oldest block. Of
  // three blocks whose warps pause, two alternate, and the third one is left alone at the end.
  void theOldestBlockGoesFirst() {
    Code code = multiplyAdds(16);
    code.back() = stalled(code.back(), 15);
    const TurnTime time = timeOf(code, {12, 4});
    QCOMPARE(time.cycles, 32.0 + 30.0);
    QVERIFY(std::abs(time.stateShare(WarpState::Ready) - 1.0 / 3) < 0.1);
    // Four blocks: two pairs of them, one after the other.
    QCOMPARE(cyclesOf(code, {16, 4}), 32.0 + 32.0);
    // Warps of one block that meet in each iteration have to be served alike.
    code.push_back(make::barrier());
    code = joined({make::lds(20, 1)}, code);
    QVERIFY(cyclesOf(code, {12, 12}) > 3 * 18);
  }
  // All time of all warps is in one of the states.
  void whatWarpsDo() {
    const auto sum = [](const TurnTime& time) {
      return std::accumulate(time.states.begin(), time.states.end(), 0.0);
    };
    const TurnTime busy = timeOf(multiplyAdds(16), kOne);
    QCOMPARE(busy.stateShare(WarpState::Issues), 1.0);
    QCOMPARE(sum(busy), 1.0);
    const std::vector<sass::Lost> lost = {{}, {.banks = 2}, {}, {}};
    const TurnTime banks = timeOf(multiplyAdds(4), kOne, lost);
    QVERIFY(std::abs(banks.stateShare(WarpState::RegisterFile) - 1.0 / 3) < 0.01);
    QVERIFY(std::abs(banks.stateShare(WarpState::Issues) - 2.0 / 3) < 0.01);
    const auto loading = [](const sass::Decoded& load) {
      return timeOf({counting(load, 0), waiting(make::mov(40, 20), 1)}, {1, 1});
    };
    const TurnTime shared = loading(make::lds(20, 1)), global = loading(make::ldg128(20, 2));
    QVERIFY(shared.stateShare(WarpState::SharedLoads) > 0.9 &&
            shared.stateShare(WarpState::GlobalLoads) == 0);
    QVERIFY(global.stateShare(WarpState::GlobalLoads) > 0.9 &&
            global.stateShare(WarpState::SharedLoads) == 0);
    const TurnTime full = timeOf(Code(64, make::ldgsts(1, 2)), {4, 4});
    QVERIFY(full.stateShare(WarpState::MemoryWay) > 0.5);
    for (const TurnTime& each : {banks, shared, global, full, timeOf(multiplyAdds(9), {16, 4})})
      QVERIFY2(std::abs(sum(each) - 1) < 0.02, qPrintable(QString::number(sum(each))));
  }
  void stallCyclesPass() {
    const Code code = {stalled(make::mov(20, 10), 4), make::mov(21, 20)};
    const TurnTime time = timeOf(code, kOne);
    QCOMPARE(time.cycles, 5.0);
    QVERIFY(time.issued == (std::vector{0, 4}));
    QVERIFY(time.waited == (std::vector{0, 3}));
    // No stall means one cycle.
    QCOMPARE(cyclesOf({stalled(make::mov(20, 10), 0), make::mov(21, 10)}, kOne), 2.0);
  }
  // Cycles of the register file delay the scheduler, not only the warp.
  void lostCyclesDelayTheScheduler() {
    Code code = multiplyAdds(3);
    const std::vector<sass::Lost> lost = {{}, {.banks = 2}, {}};
    const TurnTime time = timeOf(code, kOne, lost);
    QCOMPARE(time.cycles, 5.0);
    QVERIFY(time.issued == (std::vector{0, 3, 4}));
    QVERIFY(time.waited == (std::vector{0, 2, 0}));
    code.back() = stalled(code.back(), 2);
    QCOMPARE(timeOf(code, {8, 4}, lost).cycles, 10.0);
  }

  // docs/hardware.md, rule 80: 23 cycles for one wavefront, two more for each further one, and one
  // more for each further register that comes alone.
  void aLoadBeforeItsUse_data() {
    QTest::addColumn<bool>("wide");
    QTest::addColumn<bool>("paired");
    QTest::addColumn<int>("latency");
    QTest::newRow("4 bytes") << false << false << 23;
    QTest::newRow("4 bytes, paired") << false << true << 23;
    QTest::newRow("16 bytes") << true << false << 32;
    QTest::newRow("16 bytes, paired") << true << true << 25;
  }
  void aLoadBeforeItsUse() {
    QFETCH(bool, wide);
    QFETCH(bool, paired);
    QFETCH(int, latency);
    const sass::Decoded load = counting(wide ? make::lds128(20, 1) : make::lds(20, 1), 0);
    const sass::Decoded use = waiting(make::ffma(40, 20, 11, 40), 1);
    const Residency alone{1, 1};
    const std::vector<sass::Lost> lost = {{.pairedBytes = paired && wide ? 16 : 0}};
    const TurnTime time = timeOf({load, use}, alone, lost);
    QCOMPARE(time.cycles, latency + 1.0);
    QVERIFY(time.issued == (std::vector{0, latency}));
    QVERIFY(time.waited == (std::vector{0, latency - 1}));
    const auto uses = loadsToUses(opsOf({load, use}), time);
    QCOMPARE(uses.size(), std::size_t{1});
    QCOMPARE(uses[0].cycles, latency);
    // Multiply-adds between the two hide it, as many as there are.
    for (const int between : {1, 10, latency - 1, latency + 20}) {
      const TurnTime hidden =
          timeOf(joined(joined({load}, multiplyAdds(between)), {use}), alone, lost);
      QCOMPARE(hidden.waited.back(), std::max(0, latency - 1 - between));
      QCOMPARE(hidden.cycles, double(std::max(latency, between + 1) + 1));
    }
  }
  // One pipe serves all four schedulers: 16 warps with a load of four wavefronts each take 64
  // cycles, and half of that where lanes share addresses in pairs.
  void theDataPipeIsALimit() {
    for (const int loads : {8, 16}) {
      Code code;
      for (int i = 0; i < loads; ++i) code.push_back(counting(make::lds128(20 + 4 * i, 1), 0));
      code.back() = stalled(code.back(), 2);
      code.push_back(stalled(waiting(make::ffma(100, 20, 11, 100), 1), 2));
      const std::vector<sass::Lost> pairs(std::size_t(loads), {.pairedBytes = 16});
      const double plain = cyclesOf(code, {16, 4});
      const double paired = timeOf(code, {16, 4}, pairs).cycles;
      // The iterations of one warp are counted, and not all warps are served alike.
      QVERIFY2(std::abs(plain / (64 * loads) - 1) < 0.06, qPrintable(QString::number(plain)));
      QVERIFY2(std::abs(paired / (32 * loads) - 1) < 0.06, qPrintable(QString::number(paired)));
    }
  }
  // Twice as many wavefronts as without bank conflicts, on the path back, too.
  void bankConflictsAreMoreWavefronts() {
    Residency alone{1, 1};
    alone.loadConflicts = 2;
    const Code load = {counting(make::lds(20, 1), 0), waiting(make::mov(40, 20), 1)};
    QCOMPARE(cyclesOf(load, alone), 23 + 2 + 1.0);
    alone.storeConflicts = 3;
    const Code store = {counting(make::sts(1, 20), -1, 2), waiting(make::mov(20, 10), 1u << 2)};
    QCOMPARE(cyclesOf(store, alone), 15 + 2.0);
  }
  // The path back to one scheduler takes two cycles per wavefront: a warp alone shows it.
  void theWayBackIsALimit() {
    Code code;
    for (int i = 0; i < 8; ++i) code.push_back(counting(make::lds128(20 + 4 * i, 1), 0));
    code.push_back(waiting(make::ffma(100, 20, 11, 100), 1));
    QCOMPARE(cyclesOf(code, {1, 1}), 8 * 4 * 2 + 21 + 3 + 1.0);
  }
  void storedValuesAreReadLater() {
    const Code code = {counting(make::sts(1, 20), -1, 2), waiting(make::mov(20, 10), 1u << 2)};
    QCOMPARE(cyclesOf(code, {1, 1}), 15.0);
  }
  // Global memory answers after 283 to 693 cycles, 488 on average.
  static bool isOneLatency(double cycles) { return std::abs(cycles - 489) < 25; }
  void copiesAreAwaited() {
    const auto turn = [](int mostLeft) {
      return Code{make::ldgsts(1, 2), make::commit(0), make::depbar(0, mostLeft)};
    };
    const double one = cyclesOf(turn(0), {1, 1});
    QVERIFY2(isOneLatency(one), qPrintable(QString::number(one)));
    // With one group left in flight two of them share that time.
    const double two = cyclesOf(turn(1), {1, 1});
    QVERIFY2(two < 0.65 * one && two > 0.5 * one, qPrintable(QString::number(two)));
    // A warp awaits its own copies, but not those that another has issued between copy and commit.
    QVERIFY(isOneLatency(
        cyclesOf({stalled(make::ldgsts(1, 2), 4), make::commit(0), make::depbar(0, 0)}, {8, 8})));
    QVERIFY(isOneLatency(
        cyclesOf({counting(make::ldg128(20, 2), 1), waiting(make::mov(40, 20), 1u << 1)}, {1, 1})));
    // The answers vary, and are the same in each simulation.
    QCOMPARE(cyclesOf(turn(0), {1, 1}), one);
  }
  // A copy occupies its scheduler's path to memory for eight cycles: a shared load after it is
  // late.
  void aLoadBehindCopiesIsLate() {
    const auto waits = [](int copies, int warps) {
      Code code(std::size_t(copies), make::ldgsts(1, 2));
      code.push_back(counting(make::lds(20, 1), 0));
      code.push_back(stalled(waiting(make::ffma(40, 20, 11, 40), 1), 15));
      const TurnTime time = timeOf(code, {warps, warps});
      return time.issued.back() - time.issued[std::size_t(copies)];
    };
    QCOMPARE(waits(0, 1), 23);
    QCOMPARE(waits(1, 1), 23 + 8 - 1);
    QCOMPARE(waits(4, 1), 23 + 4 * (8 - 1));
    QVERIFY(waits(1, 8) > waits(1, 4) && waits(4, 4) >= waits(4, 1));
  }
  // Copies of 4 bytes have their lines looked up one by one, and only a few wait for that outside
  // of the schedulers' paths.
  void linesOfCopiesAreALimit() {
    constexpr int kCopies = 16;
    const auto cycles = [](double lines) {
      Code code(kCopies, counting(make::ldgsts4(1, 2), -1, 2));
      code.push_back(waiting(make::mov(40, 10), 1u << 2));
      Residency residency{4, 4};
      residency.copyLines = lines;
      return cyclesOf(code, residency);
    };
    // Four warps with a copy each: as long as the look-up takes less than eight cycles of each
    // scheduler, the paths are the limit.
    QCOMPARE(cycles(1), 8 * (kCopies - 1) + 15.0);
    for (const double lines : {4.0, 16.0, 32.0}) {
      const double expected = 4 * 1.13 * lines * kCopies;
      QVERIFY2(std::abs(cycles(lines) / expected - 1) < 0.1,
               qPrintable(QString("%1 %2").arg(lines).arg(cycles(lines))));
    }
  }
  // If nothing waits for the loaded data, the pipe itself delays the loads: 32 lanes that read 16
  // bytes each take four cycles of it.
  void loadsWithoutAWait() {
    Code code(16, make::lds128(20, 1));
    QVERIFY2(std::abs(cyclesOf(code, {4, 4}) - 4 * 4 * 16) < 2,
             qPrintable(QString::number(cyclesOf(code, {4, 4}))));
  }
  // docs/hardware.md, rule 82.
  void constantsAndSpecialRegisters() {
    const sass::Decoded use = waiting(make::mov(40, 20), 1);
    QCOMPARE(cyclesOf({counting(make::ldc(20, 0x210), 0), use}, {1, 1}), 26.0);
    QCOMPARE(cyclesOf({counting(make::s2r(20), 0), use}, {1, 1}), 36.0);
  }
  // A branch costs its warp twelve cycles, in which others can issue; a loop that does not fit the
  // scheduler's instruction cache costs all of them 25 per round.
  void jumpsBackwards() {
    const auto loop = [](int adds) {
      Code code = multiplyAdds(adds);
      code.push_back(make::branch(0));
      return code;
    };
    QCOMPARE(cyclesOf(loop(100), {4, 4}), 112.0);
    QCOMPARE(cyclesOf(loop(100), {8, 8}), 202.0);
    QCOMPARE(cyclesOf(loop(400), {4, 4}), 427.0);
    QCOMPARE(cyclesOf(loop(400), {8, 8}), 802.0 + 24);
    QCOMPARE(cyclesOf(loop(400), {16, 16}), 1604.0 + 24);
  }
  // Values of a paired load are written in cycles that write nothing else (sass/write_ports.h): a
  // scheduler whose warps leave none loses three per two pairs of registers, and one whose warps
  // sometimes wait loses nothing.
  void pairedLoadsNeedIdleCycles() {
    Code code = multiplyAdds(100);
    code.push_back(counting(make::lds128(20, 1), 0));
    std::vector<sass::Lost> lost(code.size(), {.writesAtOnce = true});
    lost.back() = {};
    QCOMPARE(timeOf(code, kOne, lost).cycles, 101.0);
    lost.back() = {.pairedBytes = 16};
    QCOMPARE(timeOf(code, kOne, lost).cycles, 104.0);
    for (sass::Decoded& each : code) each = stalled(each, 3);
    QCOMPARE(timeOf(code, kOne, lost).cycles, 303.0);
  }

  // 12 cycles from the last arrival, and 2 per warp of the block; a scheduler brings its warps to
  // the barrier one after the other. The load after it waits for all of them.
  void aBarrierWaitsForEachWarp() {
    const int before = 4;
    Code code = joined({make::lds(20, 1)}, multiplyAdds(before));
    code.push_back(stalled(make::barrier(), 6));
    double last = 0;
    for (const int warps : {1, 4, 8, 16}) {
      const int perScheduler = (warps + 3) / 4;
      const double expected = perScheduler * (before + 2) - 1 + 12 + 2 * warps;
      const double cycles = cyclesOf(code, {warps, warps});
      // The warp that a scheduler begins with changes from iteration to iteration.
      QVERIFY2(std::abs(cycles - expected) < 1, qPrintable(QString::number(cycles)));
      QVERIFY(cycles > last);
      last = cycles;
    }
    // Blocks do not wait for each other.
    QVERIFY(cyclesOf(code, {8, 4}) < cyclesOf(code, {8, 8}) - 5);
  }
  // docs/hardware.md, rule 75: arithmetic does not wait for the others, but the next barrier does.
  void arithmeticPassesABarrier() {
    Code code = multiplyAdds(4);
    code.push_back(stalled(make::barrier(), 6));
    for (const int warps : {1, 4, 8, 16}) {
      const double expected = (warps + 3) / 4 - 1 + 12 + 2 * warps;
      const double cycles = cyclesOf(code, {warps, warps});
      QVERIFY2(std::abs(cycles - expected) < 1, qPrintable(QString::number(cycles)));
    }
    // A warp with enough of it never waits.
    code = joined({stalled(make::barrier(), 6)}, multiplyAdds(100));
    QCOMPARE(timeOf(code, kOne).stateShare(WarpState::Barrier), 0.0);
    // Constants and moves to a uniform register wait like loads.
    for (const sass::Decoded& held : {make::ldc(20, 0x210), make::s2r(20), make::branch(0)}) {
      Code its = {stalled(make::barrier(), 6), held};
      its = joined(its, multiplyAdds(100));
      QVERIFY(timeOf(its, kOne).stateShare(WarpState::Barrier) > 0);
    }
  }

  void nothingToSimulate() {
    const auto isEmpty = [](const TurnTime& time) {
      return time.cycles == 0 && time.issued.empty() && time.waited.empty();
    };
    QVERIFY(isEmpty(turnTime({}, {}, kOne)));
    const auto ops = opsOf(multiplyAdds(3));
    QVERIFY(isEmpty(turnTime(ops, std::vector<sass::Lost>(2), kOne)));
    QVERIFY(isEmpty(turnTime(ops, std::vector<sass::Lost>(4), kOne)));
    QVERIFY(isEmpty(turnTime(ops, std::vector<sass::Lost>(3), {0, 4})));
    QVERIFY(isEmpty(turnTime(ops, std::vector<sass::Lost>(3), {-4, 4})));
    QCOMPARE(TurnTime().issueShare(3, 4), 0.0);
    // Blocks of no warps count as blocks of one.
    QCOMPARE(cyclesOf(multiplyAdds(3), {4, 0}), 3.0);
  }
  // A simulation that would wait forever is abandoned.
  void whatNeverEnds() {
    // A scoreboard that is never incremented is zero: nothing waits for it.
    QCOMPARE(cyclesOf({waiting(make::mov(20, 10), 63)}, kOne), 1.0);
    // No group of copies is ever fewer than none.
    const TurnTime time = timeOf({make::mov(20, 10), make::depbar(0, -1)}, kOne);
    QCOMPARE(time.cycles, 0.0);
    QVERIFY(time.issued == (std::vector{0, 0}));
    // Half of a block never completes its barrier, whatever a whole one beside it does.
    const Code meeting = {stalled(make::barrier(), 6)};
    QCOMPARE(cyclesOf(meeting, {4, 8}), 0.0);
    QCOMPARE(cyclesOf(meeting, {12, 8}), 0.0);
    QVERIFY(cyclesOf(meeting, {8, 8}) > 0);
  }

  void fromALoadToItsUse() {
    const Code code = {make::ffma(40, 20, 11, 40),  // uses what the previous iteration has loaded
                       make::lds(24, 1),            // never used
                       make::lds128(28, 1), make::mov(41, 30), stalled(make::lds(20, 1), 3)};
    const auto ops = opsOf(code);
    const TurnTime time = timeOf(code, {1, 1});
    QCOMPARE(time.cycles, 7.0);
    const auto uses = loadsToUses(ops, time);
    QCOMPARE(uses.size(), std::size_t{2});
    QVERIFY(uses[0].load == 2 && uses[0].use == 3 && !uses[0].nextTurn && uses[0].cycles == 1);
    QVERIFY(uses[1].load == 4 && uses[1].use == 0 && uses[1].nextTurn && uses[1].cycles == 3);
    QVERIFY(loadsToUses(ops, {}).empty());
    QVERIFY(loadsToUses({}, {}).empty());
  }
  void whatIsOverwrittenIsNotUsed() {
    const auto usesOf = [](const Code& code) {
      QStringList all;
      for (const LoadToUse& each : loadsToUses(opsOf(code), timeOf(code, {1, 1})))
        all += QString("%1 to %2").arg(each.load).arg(each.use);
      return all.join(", ");
    };
    const sass::Decoded use = make::mov(40, 20);
    QCOMPARE(usesOf({make::lds128(20, 1), make::lds128(20, 2), use}), "1 to 2");
    // It may stay as it is.
    QCOMPARE(usesOf({make::lds128(20, 1), under(make::lds128(20, 2), 0), use}), "0 to 2, 1 to 2");
    // Its words are overwritten one by one, and the last remaining one is used.
    const Code words = {make::mov(20, 9), make::mov(21, 9), make::mov(22, 9)};
    QCOMPARE(usesOf(joined(joined({make::lds128(20, 1)}, words), {use})), "");
    QCOMPARE(usesOf(joined(joined({make::lds128(20, 1)}, words), {make::mov(40, 23)})), "0 to 4");
    // A load whose address is its own result of the previous iteration.
    QCOMPARE(usesOf({make::lds(20, 20)}), "0 to 0");
    // Placeholders load nothing.
    QCOMPARE(usesOf({under(make::lds(255, 255), sass::kTruePredicate, true), use}), "");
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::TurnTimeTest, Nothing)
#include "turn_time_test.moc"
