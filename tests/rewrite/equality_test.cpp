// SPDX-License-Identifier: GPL-3.0-or-later
// The proof that two iterations compute the same: what must pass, what must be detected, and a
// thread that executes damaged iterations with numbers to check the check.
#include "kernels/rewrite/equality.h"

#include <QtTest>
#include <algorithm>

#include "kernels/rewrite/rewrite.h"
#include "tests/rewrite/code.h"
#include "tests/rewrite/damage.h"
#include "tests/rewrite/machine.h"
#include "tests/support/random.h"
#include "tests/support/test_class.h"

namespace tileloom::test {

using namespace rewrite;

class EqualityTest : public QObject {
  Q_OBJECT

  Judged small_;
  std::vector<Judged> all_;  // of every fixture

  static Judged judged(const std::string& name) {
    const auto file = cubinFixture(name);
    const auto rewritten = rewriteMainLoop(file);
    if (!rewritten) qFatal("%s", rewritten.error().c_str());
    return judgedOf(file, rewritten->cubin);
  }
  std::string why(std::vector<Op> turn) const {
    const auto placed = placedAgain(std::move(turn));
    if (!placed) qFatal("the turn cannot be encoded");
    return whyNotEqual(small_.old, *placed, small_.live);
  }
  static bool sameNumbers(const Judged& its, std::span<const Op> turn, std::uint64_t seed) {
    const Outcome one = inOrder(its.old, seed), other = inOrder(turn, seed);
    if (one.effects != other.effects) return false;
    return std::ranges::all_of(
        placesOf(united(its.live.turn, its.live.exit)),
        [&](const Place& place) { return one.valueOf(place) == other.valueOf(place); });
  }

  // The nth instruction of the new iteration with this beginning.
  std::size_t find(std::string_view text, std::size_t nth = 0) const {
    for (std::size_t i = 0; i < small_.turn.size(); ++i) {
      const std::string its = small_.turn[i].code.text();
      if (its.find(text) == std::string::npos) continue;
      if (nth-- == 0) return i;
    }
    qFatal("the turn has no %s", std::string(text).c_str());
  }
  std::vector<Op> moved(std::size_t from, std::size_t to) const {
    auto turn = small_.turn;
    Op op = turn[from];
    turn.erase(turn.begin() + std::ptrdiff_t(from));
    turn.insert(turn.begin() + std::ptrdiff_t(to), std::move(op));
    return turn;
  }

 private slots:
  void initTestCase() {
    for (const char* name : {"small", "square", "narrow", "single", "copies"})
      all_.push_back(judged(name));
    small_ = all_.front();
  }

  void theNewTurnIsEqual() {
    for (const Judged& its : all_) {
      QCOMPARE(whyNotEqual(its.old, its.turn, its.live), "");
      QCOMPARE(whyNotEqual(its.old, its.old, its.live), "");
      for (std::uint64_t run = 0; run < 16; ++run) QVERIFY(sameNumbers(its, its.turn, run));
    }
  }
  void emptyTurns() {
    QCOMPARE(whyNotEqual({}, small_.turn, small_.live),
             "one of the two iterations has no instruction");
    QCOMPARE(whyNotEqual(small_.old, {}, small_.live),
             "one of the two iterations has no instruction");
  }

  // Changes that keep the meaning pass.
  void theOrderOfFactorsDoesNotMatter() {
    auto turn = small_.turn;
    for (Op& op : turn)
      if (multiplyAddOf(op.code)) std::swap(op.code.operands[1].number, op.code.operands[2].number);
    QCOMPARE(why(turn), "");
  }
  void independentMultiplyAddsMayChangePlaces() {
    auto turn = small_.turn;
    int swapped = 0;
    for (std::size_t i = 0; i + 2 < turn.size(); ++i) {
      const auto a = multiplyAddOf(turn[i].code), b = multiplyAddOf(turn[i + 1].code);
      if (!a || !b || a->result == b->result) continue;
      std::swap(turn[i], turn[i + 1]);
      ++swapped;
      ++i;
    }
    QVERIFY(swapped > 50);
    QCOMPARE(why(turn), "");
  }
  void loadsMayMoveBetweenBarriers() {
    const std::size_t load = find("LDS.128"), barrier = find("BAR.SYNC");
    QVERIFY(load + 1 < barrier);
    std::size_t to = load + 1;
    while (!overlap(small_.turn[to].reads, small_.turn[load].writes)) ++to;
    QVERIFY(to > load + 1);
    QCOMPARE(why(moved(load, to - 1)), "");
    // It may be exchanged with stores of the same interval.
    const std::size_t store = find("STS");
    auto turn = small_.turn;
    std::size_t last = store;
    while (loadedWordsOf(turn[last].code) == std::nullopt) --last;
    QVERIFY(last < store);
    bool free = true;
    for (std::size_t i = last + 1; i <= store; ++i)
      free &=
          !overlap(turn[i].reads, turn[last].writes) && !overlap(turn[i].writes, turn[last].reads);
    if (free) QCOMPARE(why(moved(last, store)), "");
  }
  void aTemporaryMayHaveAnotherName() {
    // The pair of registers that the code of a branch uses for an address.
    auto turn = small_.turn;
    const auto touched = [&turn](int reg) {
      return std::ranges::any_of(turn, [reg](const Op& op) {
        return op.reads.registers[std::size_t(reg)] || op.writes.registers[std::size_t(reg)];
      });
    };
    const std::size_t load = find("LDG.E.128");
    const int from = turn[load].code.operands[1].number, to = 240;
    QVERIFY(!touched(to) && !touched(to + 1));
    for (Op& op : turn) {
      for (auto& operand : op.code.operands)
        if (namesRegisters(operand) && (operand.number == from || operand.number == from + 1))
          operand.number += to - from;
      op = Op::of(op.code, op.at);
    }
    QVERIFY(touched(to));
    QCOMPARE(why(turn), "");
  }
  void waitsAndStallsAreNotItsBusiness() {
    auto turn = small_.turn;
    for (Op& op : turn) {
      if (op.code.effect() == sass::Effect::AsyncCommit) continue;
      op.code.control = {.stall = 1};
      for (auto& operand : op.code.operands) operand.reuse = false;
    }
    QCOMPARE(why(turn), "");
  }

  // Changes of the meaning are detected, with a sentence.
  void aLoadMayNotPassABarrier() {
    const std::size_t barrier = find("BAR.SYNC");
    std::size_t load = barrier;
    while (!loadedWordsOf(small_.turn[load].code)) --load;
    QVERIFY(!why(moved(load, barrier)).empty());
    load = barrier;
    while (!loadedWordsOf(small_.turn[load].code)) ++load;
    QVERIFY(!why(moved(load, barrier)).empty());
  }
  void storesKeepTheirOrder() {
    auto turn = small_.turn;
    std::swap(turn[find("STS", 0)], turn[find("STS", 1)]);
    QVERIFY(why(turn).starts_with("access "));
    turn = small_.turn;
    turn.erase(turn.begin() + std::ptrdiff_t(find("STS", 2)));
    QVERIFY(why(turn).starts_with("access "));
    turn = small_.turn;
    turn.insert(turn.begin() + std::ptrdiff_t(find("STS", 2)), turn[find("STS", 2)]);
    QVERIFY(why(turn).starts_with("access "));
  }
  void everySumIsCompared() {
    for (std::size_t i = 0; i < small_.turn.size(); ++i) {
      if (!multiplyAddOf(small_.turn[i].code)) continue;
      auto turn = small_.turn;
      turn.erase(turn.begin() + std::ptrdiff_t(i));
      QVERIFY(why(turn).ends_with("differs when the iteration ends"));
    }
  }
  void everyOtherInstructionIsNeeded() {
    for (std::size_t i = 0; i + 1 < small_.turn.size(); ++i) {
      if (multiplyAddOf(small_.turn[i].code) || small_.turn[i].never()) continue;
      auto turn = small_.turn;
      turn.erase(turn.begin() + std::ptrdiff_t(i));
      // A comparison that is made twice is needed once.
      QVERIFY2(!why(turn).empty() || sameNumbers(small_, turn, 1),
               small_.turn[i].code.text().c_str());
    }
  }
  void registersThatHoldNothingAreSeen() {
    auto turn = small_.turn;
    turn.insert(turn.begin(), Op::of(make::mov(240, 241), 0));
    QCOMPARE(why(turn),
             "the new iteration reads R241, which has no value when an iteration begins");
  }
  void aNewLoadIsSeen() {
    auto turn = small_.turn;
    turn.insert(turn.begin(), Op::of(make::lds128(240, 57), 0));
    QCOMPARE(why(turn), "the two iterations do not load the same from shared memory");
  }
  void theEndIsCompared() {
    auto turn = small_.turn;
    turn.back().code.guard.negated = !turn.back().code.guard.negated;
    QCOMPARE(why(turn), "the two iterations do not end on the same condition");
    // A branch to another place.
    turn = *placedAgain(small_.turn);
    for (auto& operand : turn.back().code.operands)
      if (operand.kind == sass::OperandKind::Label) operand.value += sass::kCodeWordBytes;
    QCOMPARE(whyNotEqual(small_.old, turn, small_.live),
             "the branch that closes the new iteration does not go to its first instruction");
  }
  void aCommitCountsItsScoreboard() {
    auto turn = small_.turn;
    turn[find("LDGDEPBAR")].code.control.writeScoreboard = 4;
    QVERIFY(why(turn).starts_with("access "));
  }

  // Random damage: every change of a number is detected. Conversely the proof may be stricter than
  // the numbers of a few runs, but not if nothing that matters was changed.
  void whateverChangesANumberIsSeen_data() {
    QTest::addColumn<bool>("square");
    QTest::addColumn<int>("count");
    QTest::newRow("small") << false << (briefly() ? 60 : 900);
    QTest::newRow("square") << true << (briefly() ? 20 : 400);
  }
  void whateverChangesANumberIsSeen() {
    QFETCH(bool, square);
    QFETCH(int, count);
    const Judged& its = square ? all_[1] : small_;
    Random random(seed());
    int seen = 0, passed = 0;
    for (int i = 0; i < count; ++i) {
      const auto damaged = damagedMeaning(its.turn, random);
      if (!damaged) continue;
      const std::string sentence = whyNotEqual(its.old, damaged->turn, its.live);
      if (!sentence.empty()) {
        QVERIFY2(!sentence.ends_with('.'), sentence.c_str());
        ++seen;
        continue;
      }
      ++passed;
      for (std::uint64_t run = 0; run < 3; ++run) {
        QVERIFY2(sameNumbers(its, damaged->turn, std::uint64_t(i) * 3 + run),
                 qPrintable(QString("seed %1: %2").arg(seed()).arg(damaged->what.c_str())));
      }
    }
    QVERIFY(seen > passed);
    QVERIFY(passed > (briefly() ? 0 : count / 10));
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::EqualityTest, Nothing)
#include "equality_test.moc"
