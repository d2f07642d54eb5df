// SPDX-License-Identifier: GPL-3.0-or-later
// Waits and stall cycles: each one that is needed is set, and its absence is detected; a simulated
// warp that executes damaged iterations in time checks the check.
#include "kernels/rewrite/control.h"

#include <QtTest>
#include <algorithm>

#include "kernels/rewrite/equality.h"
#include "kernels/rewrite/reuse.h"
#include "kernels/rewrite/rewrite.h"
#include "tests/rewrite/code.h"
#include "tests/rewrite/damage.h"
#include "tests/rewrite/machine.h"
#include "tests/support/random.h"
#include "tests/support/test_class.h"

namespace tileloom::test {

using namespace rewrite;

class ControlTest : public QObject {
  Q_OBJECT

  Judged small_;
  std::vector<Judged> all_;  // of every fixture

  static Judged judged(const std::string& name) {
    const auto file = cubinFixture(name);
    const auto rewritten = rewriteMainLoop(file);
    if (!rewritten) qFatal("%s", rewritten.error().c_str());
    return judgedOf(file, rewritten->cubin);
  }
  std::string why(const std::vector<Op>& turn) const {
    return whyTooEarly(small_.before, turn, small_.behind);
  }
  // Whether two iterations of it, executed in time, have the same effect as one instruction after
  // the other.
  static bool isTimely(const std::vector<Op>& turn, std::uint64_t runs) {
    std::vector<Op> twice = turn;
    twice.insert(twice.end(), turn.begin(), turn.end());
    for (std::uint64_t run = 0; run < runs; ++run) {
      const Outcome one = inOrder(twice, run), other = inTime(twice, run, run * 7 + 1);
      if (one.effects != other.effects || one.values != other.values) return false;
    }
    return true;
  }
  std::size_t find(std::string_view text) const {
    for (std::size_t i = 0; i < small_.turn.size(); ++i)
      if (small_.turn[i].code.text().find(text) != std::string::npos) return i;
    qFatal("the turn has no %s", std::string(text).c_str());
  }

  // An iteration made by hand: a load, a user of it, a comparison, and the branch.
  static std::vector<Op> turnOf(std::vector<sass::Decoded> code) {
    // A comparison is 14 cycles from the branch, but no single instruction stalls that long.
    code.push_back(stalled(make::nop(), 8));
    code.push_back(under(make::branch(0), 0));
    return opsOf(std::move(code));
  }

 private slots:
  void initTestCase() {
    for (const char* name : {"small", "square", "narrow", "single", "copies"})
      all_.push_back(judged(name));
    small_ = all_.front();
  }

  void waitsAreSetWhereTheyAreNeeded() {
    auto turn = turnOf({counting(make::lds128(20, 1), 3), make::nop(), make::nop(),
                        make::ffma(32, 20, 21, 32), make::isetp(0, 4, 5)});
    QCOMPARE(QString::fromStdString(setWaits({}, turn, {})), QString(""));
    QCOMPARE(turn[3].code.control.wait, 8u);
    for (const std::size_t i : {0, 1, 2}) QCOMPARE(turn[i].code.control.wait, 0u);
    // The comparison is as far from the branch as necessary.
    QCOMPARE(turn[4].code.control.stall + turn[5].code.control.stall, 14);
    QCOMPARE(whyTooEarly({}, turn, {}), "");
  }
  void nothingIsUnderWayWhenATurnEnds() {
    auto turn = turnOf({make::isetp(0, 4, 5), counting(make::ldg128(20, 2), 5)});
    QCOMPARE(QString::fromStdString(setWaits({}, turn, {})), QString(""));
    QCOMPARE(turn.back().code.control.wait, 1u << 5);
    // Without that wait the next iteration, and code far after it, could be affected.
    turn.back().code.control.wait = 0;
    QVERIFY(!whyTooEarly({}, turn, {}).empty());
  }
  void codeBehindTheLoopHasToBeSafe() {
    auto turn = turnOf({make::isetp(0, 4, 5), make::mov(7, 8)});
    const auto behind = opsOf({make::mov(9, 7), make::exit()}, 10);
    QCOMPARE(QString::fromStdString(setWaits({}, turn, behind)), QString(""));
    QCOMPARE(whyTooEarly({}, turn, behind), "");
    turn.back().code.control.stall = 1;
    turn[1].code.control.stall = 1;
    QCOMPARE(whyTooEarly({}, turn, {}).find("the code after"), std::string::npos);
    QVERIFY(!whyTooEarly({}, turn, behind).empty());
  }
  void codeBeforeTheLoopIsKnown() {
    auto turn = turnOf({make::mov(7, 20), make::isetp(0, 4, 5)});
    const auto before = opsOf({stalled(counting(make::lds128(20, 1), 2), 2)}, 10);
    QCOMPARE(QString::fromStdString(setWaits(before, turn, {})), QString(""));
    QCOMPARE(turn[0].code.control.wait, 4u);
    turn[0].code.control.wait = 0;
    QVERIFY(!whyTooEarly(before, turn, {}).empty());
    QCOMPARE(whyTooEarly({}, turn, {}), "");
    // A wait before the loop counts, unless a branch may skip it.
    const auto waited = opsOf({counting(make::lds128(20, 1), 2), waiting(make::nop(), 4)}, 10);
    QCOMPARE(whyTooEarly(waited, turn, {}), "");
    const auto jumped = opsOf({counting(make::lds128(20, 1), 2), under(make::branch(13), 1),
                               waiting(make::nop(), 4), make::nop()},
                              10);
    QVERIFY(!whyTooEarly(jumped, turn, {}).empty());
  }
  void whatNoScoreboardTells() {
    auto turn = turnOf({make::lds128(20, 1), make::mov(7, 20), make::isetp(0, 4, 5)});
    QCOMPARE(
        setWaits({}, turn, {}),
        "\"MOV R7, R20\" has to wait for \"LDS.128 R20, [R1]\", but has no scoreboard for that");
    QCOMPARE(whyTooEarly({}, turn, {}), setWaits({}, turn, {}));
  }
  void sentencesSayWhatIsMissing() {
    auto turn = turnOf({stalled(counting(make::lds128(20, 1), 3), 2), make::mov(7, 20),
                        stalled(make::isetp(0, 4, 5), 6)});
    turn.back().code.control.wait = 8;
    QCOMPARE(whyTooEarly({}, turn, {}),
             "\"MOV R7, R20\" does not wait for scoreboards that it needs (bits 001000)");
    turn[1].code.control.wait = 8;
    QCOMPARE(whyTooEarly({}, turn, {}), "");
    turn[2].code.control.stall = 2;
    QCOMPARE(whyTooEarly({}, turn, {}), "\"@P0 BRA 0x0\" is issued 4 cycles too early");
    turn[2].code.control.stall = 12;
    QCOMPARE(
        whyTooEarly({}, turn, {}),
        "\"ISETP.GE.U32.AND P0, PT, R4, R5, PT\" stalls 12 cycles, which is illegal without the "
        "yield bit");
    turn[2].code.control.yield = true;
    QCOMPARE(whyTooEarly({}, turn, {}), "");
  }

  void theNewTurnIsInTime() {
    for (const Judged& its : all_) {
      QCOMPARE(whyTooEarly(its.before, its.turn, its.behind), "");
      QCOMPARE(whyStale(its.turn), "");
      QVERIFY(isTimely(its.turn, briefly() ? 4 : 12));
    }
  }
  // Every bit of every wait is needed.
  void everyWaitIsMissed() {
    int dropped = 0;
    for (std::size_t i = 0; i < small_.turn.size(); ++i) {
      for (int scoreboard = 0; scoreboard < 6; ++scoreboard) {
        auto turn = small_.turn;
        unsigned& wait = turn[i].code.control.wait;
        if ((wait >> scoreboard & 1) == 0) continue;
        wait &= ~(1u << scoreboard);
        QVERIFY2(!why(turn).empty(), turn[i].code.text().c_str());
        ++dropped;
      }
    }
    QVERIFY(dropped > 8);
  }
  // Nothing stalls without a reason: one cycle less is too early, except for the branch, whose
  // cycles are those of the old one.
  void everyStallIsMissed() {
    int lowered = 0;
    for (std::size_t i = 0; i + 1 < small_.turn.size(); ++i) {
      auto turn = small_.turn;
      if (turn[i].code.control.stall < 2) continue;
      --turn[i].code.control.stall;
      QVERIFY2(!why(turn).empty(), turn[i].code.text().c_str());
      ++lowered;
    }
    QVERIFY(lowered > 0);
  }
  void everyScoreboardIsMissed() {
    for (std::size_t i = 0; i < small_.turn.size(); ++i) {
      if (small_.turn[i].code.control.writeScoreboard < 0) continue;
      auto turn = small_.turn;
      turn[i].code.control.writeScoreboard = -1;
      const bool seen = !why(turn).empty() || !whyNotEqual(small_.old, turn, small_.live).empty();
      // Shared loads arrive in order: a later one implies this one.
      const bool told = loadedWordsOf(turn[i].code).has_value() && isTimely(turn, 6);
      QVERIFY2(seen || told, turn[i].code.text().c_str());
    }
  }
  void theBarrierWaitsForLoads() {
    const std::size_t barrier = find("BAR.SYNC");
    std::size_t load = barrier;
    while (!loadedWordsOf(small_.turn[load].code)) --load;
    auto turn = small_.turn;
    std::swap(turn[load + 1], turn[barrier]);
    const auto placed = placedAgain(turn);
    QVERIFY(placed);
    QVERIFY(!why(*placed).empty());
  }

  // Random damage to the timing: what a warp would do wrong is detected. The check is stricter than
  // the warp, whose latencies are random.
  void whateverComesTooEarlyIsSeen() {
    Random random(seed());
    int seen = 0, passed = 0;
    const int count = briefly() ? 20 : 160;
    for (int i = 0; i < count; ++i) {
      const auto damaged = damagedTime(small_.turn, random);
      if (!damaged || !whyNotEqual(small_.old, damaged->turn, small_.live).empty()) continue;
      const bool found = !why(damaged->turn).empty() || !whyStale(damaged->turn).empty();
      if (found) {
        ++seen;
        continue;
      }
      ++passed;
      QVERIFY2(isTimely(damaged->turn, 4),
               qPrintable(QString("seed %1: %2").arg(seed()).arg(damaged->what.c_str())));
    }
    QVERIFY(seen > 0 && passed > 0);
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::ControlTest, Nothing)
#include "control_test.moc"
