// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/model/why/turn_stalls.h"

#include <QtTest>
#include <algorithm>

#include "kernels/model/why/stalls.h"
#include "kernels/runs/counters.h"
#include "kernels/sass/micro_code.h"
#include "tests/support/test_class.h"

namespace tileloom::test {

using namespace model;
using rewrite::WarpState;

class TurnStallsTest : public QObject {
  Q_OBJECT

  // Three instructions at 0x20, 0x30 and 0x40 of their kernel.
  static rewrite::TurnFacts loop() {
    rewrite::TurnFacts facts;
    for (std::uint32_t i = 2; i < 5; ++i) {
      sass::Decoded code = sass::micro::ffma(64, 65, 66, 64);
      code.address = 16 * i;
      facts.turn.push_back(rewrite::Op::of(code, i));
    }
    facts.time.cycles = 10;
    const auto set = [&](WarpState state, double share) {
      facts.time.states[static_cast<std::size_t>(state)] = share;
    };
    set(WarpState::Issues, 0.5);
    set(WarpState::Ready, 0.25);
    set(WarpState::Barrier, 0.2);
    set(WarpState::SharedLoads, 0.0495);
    set(WarpState::FixedLatency, 0.0005);
    return facts;
  }
  static std::size_t reason(runs::Counter counter) {
    for (std::size_t i = 0; i < runs::kStallReasons; ++i)
      if (runs::counterOfReason(i) == counter) return i;
    qFatal("no such reason");
  }
  static const TurnStall* of(const std::vector<TurnStall>& stalls, runs::Counter counter) {
    const auto found = std::ranges::find(stalls, stallName(reason(counter)), &TurnStall::name);
    return found == stalls.end() ? nullptr : &*found;
  }

 private slots:
  void withoutSamples() {
    const auto stalls = turnStalls(loop(), nullptr);
    QCOMPARE(stalls.size(), std::size_t{4});  // what takes less than a thousandth is left out
    QCOMPARE(stalls.front().name, stallName(reason(runs::Counter::StalledSelected)));
    for (const TurnStall& each : stalls) QVERIFY(each.predicted && !each.sampled);
    QCOMPARE(*of(stalls, runs::Counter::StalledBarrier)->predicted, 0.2);
    QCOMPARE(*of(stalls, runs::Counter::StalledNotSelected)->predicted, 0.25);
    QCOMPARE(*of(stalls, runs::Counter::StalledShortScoreboard)->predicted, 0.0495);
    QVERIFY(of(stalls, runs::Counter::StalledWait) == nullptr);
    QVERIFY(of(stalls, runs::Counter::StalledBarrier)->waits);
    QVERIFY(!of(stalls, runs::Counter::StalledNotSelected)->waits && !stalls.front().waits);
  }
  // Of the loop alone, in the order of the samples; reasons unknown to the model have no
  // prediction.
  void besideSamples() {
    runs::StallSamples samples;
    const auto add = [&](std::uint32_t address, runs::Counter counter, std::uint32_t count) {
      runs::SampledInstruction at;
      at.address = address;
      at.by[reason(counter)] = count;
      samples.at.push_back(at);
    };
    add(0x10, runs::Counter::StalledBarrier, 1000);  // before the loop
    add(0x20, runs::Counter::StalledSelected, 10);
    add(0x30, runs::Counter::StalledMathPipe, 60);
    add(0x40, runs::Counter::StalledBarrier, 30);
    add(0x50, runs::Counter::StalledSelected, 1000);  // after it
    const auto stalls = turnStalls(loop(), &samples);
    QCOMPARE(stalls.front().name, stallName(reason(runs::Counter::StalledMathPipe)));
    QVERIFY(!stalls.front().predicted && stalls.front().sampled == 0.6);
    QCOMPARE(*of(stalls, runs::Counter::StalledBarrier)->sampled, 0.3);
    QCOMPARE(*of(stalls, runs::Counter::StalledSelected)->sampled, 0.1);
    // A reason that only the model has is listed with a sampled 0.
    QCOMPARE(*of(stalls, runs::Counter::StalledNotSelected)->sampled, 0.0);
  }
  void samplesOfOtherPlaces() {
    runs::StallSamples samples;
    runs::SampledInstruction elsewhere;
    elsewhere.address = 0x100;
    elsewhere.by[0] = 5;
    samples.at.push_back(elsewhere);
    for (const TurnStall& each : turnStalls(loop(), &samples)) QVERIFY(!each.sampled);
    QVERIFY(turnStalls({}, nullptr).empty());
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::TurnStallsTest, Nothing)
#include "turn_stalls_test.moc"
