// SPDX-License-Identifier: GPL-3.0-or-later
// Where instructions stand in the new turn, whatever spacing is asked for.
#include "kernels/rewrite/schedule.h"

#include <QtTest>
#include <algorithm>
#include <map>

#include "kernels/rewrite/rewrite.h"
#include "tests/rewrite/code.h"
#include "tests/support/random.h"
#include "tests/support/test_class.h"

namespace tileloom::test {

using namespace rewrite;

class ScheduleTest : public QObject {
  Q_OBJECT

  struct Made {
    LoopCode loop;
    ProductLoop products;
    tl::expected<std::vector<Op>, std::string> turn;
  };
  static Made made(const sass::Cubin& cubin, const Spacing& spacing, int scoreboard = 3) {
    auto loop = loopCodeOf(cubin);
    if (!loop) qFatal("%s", loop.error().c_str());
    auto products = productLoopOf(loop->turn);
    if (!products) qFatal("%s", products.error().c_str());
    const auto plan = planRegisters(*loop, *products, liveAround(*loop), cubin.registers, 255);
    if (!plan) qFatal("%s", plan.error().c_str());
    auto turn = scheduleTurn(*loop, *products, *plan, spacing, scoreboard);
    return {std::move(*loop), std::move(*products), std::move(turn)};
  }
  static Made made(const std::string& name, const Spacing& spacing = {}) {
    return made(*sass::readCubin(cubinFixture(name)), spacing);
  }
  static std::string whyOf(const std::vector<sass::Decoded>& code) {
    const auto its = made(kernelOf(code), {});
    return its.turn ? "" : its.turn.error();
  }
  static bool isBarrier(const Op& op) { return op.code.effect() == sass::Effect::Barrier; }

 private slots:
  void everyInstructionComesOnce_data() {
    QTest::addColumn<QString>("name");
    QTest::newRow("small") << "small";
    QTest::newRow("square") << "square";
  }
  void everyInstructionComesOnce() {
    QFETCH(QString, name);
    const Made its = made(name.toStdString());
    QVERIFY2(its.turn, its.turn ? "" : its.turn.error().c_str());
    QCOMPARE(its.turn->size(), its.loop.turn.size());
    std::map<std::string, int> kinds;
    for (const Op& op : its.loop.turn) ++kinds[op.code.mnemonic()];
    for (const Op& op : *its.turn) --kinds[op.code.mnemonic()];
    for (const auto& [mnemonic, left] : kinds) QVERIFY2(left == 0, mnemonic.c_str());
  }
  void otherInstructionsKeepTheirOrder() {
    const Made its = made("small");
    std::vector<std::size_t> places;
    for (const Op& op : *its.turn)
      if (!multiplyAddOf(op.code) && !wideLoadOf(op.code)) places.push_back(op.at);
    QVERIFY(places.size() > 20);
    QVERIFY(std::ranges::is_sorted(places));
  }
  void loadsOfFragmentsCountTheirScoreboard() {
    const Made its = made("small");
    for (const Op& op : *its.turn) {
      const auto load = wideLoadOf(op.code);
      if (load) QCOMPARE(op.code.control.writeScoreboard, 3);
      if (!load) QVERIFY(op.code.control.writeScoreboard != 3);
      QCOMPARE(op.code.control.wait, 0u);
      QCOMPARE(op.code.control.stall, 1);
    }
  }
  void loadsForTheNextTurnStandBehindTheBarrier() {
    const Made its = made("square");
    std::size_t behind = 0;
    bool passed = false;
    for (const Op& op : *its.turn) {
      passed |= isBarrier(op);
      if (passed && wideLoadOf(op.code)) ++behind;
    }
    QCOMPARE(behind, its.products.nextRows.size() + its.products.nextColumns.size());
  }
  // Any distances: each turn that comes of them is whole, and the rewriter hands it over only when
  // its judges let it pass.
  void anySpacingMakesAWholeTurnOrASentence() {
    Random random(seed());
    const auto file = cubinFixture("small");
    int kept = 0;
    const int rounds = briefly() ? 8 : 60;
    for (int round = 0; round < rounds; ++round) {
      Request request;
      Spacing& s = request.spacing;
      s.order = {random.oneIn(2), random.integer(1, 6)};
      s.firstLoad = random.integer(0, 40);
      s.load = random.integer(1, 30);
      s.beforeUse = random.integer(0, 40);
      s.other = random.integer(1, 20);
      s.fetch = random.integer(0, 40);
      s.barrier = random.integer(-60, 30);
      s.afterBarrier = random.integer(1, 12);
      const auto rewritten = rewriteMainLoop(file, request);
      if (!rewritten) {
        QVERIFY(!rewritten.error().empty() && !rewritten.error().ends_with('.'));
        continue;
      }
      ++kept;
      QCOMPARE(rewritten->multiplyAdds, 256);
    }
    QVERIFY(kept > rounds / 3);
  }
  void noBarrierAndTwo() {
    auto code = productKernel();
    const auto barrier = std::ranges::find_if(
        code, [](const sass::Decoded& d) { return d.effect() == sass::Effect::Barrier; });
    auto without = code;
    without[std::size_t(barrier - code.begin())] = make::nop();
    QCOMPARE(whyOf(without), "a turn has no barrier");
    auto two = code;
    two.insert(two.begin() + (barrier - code.begin()), make::barrier());
    for (auto& operand : two[two.size() - 2].operands)
      if (operand.kind == sass::OperandKind::Label)
        operand.value = std::int64_t((two.size() - 2) * 16);
    QCOMPARE(whyOf(two), "a turn has more than one barrier");
  }
  void fragmentsLoadedBeforeTheBarrier() {
    auto code = productKernel();
    const auto barrier = std::ranges::find_if(
        code, [](const sass::Decoded& d) { return d.effect() == sass::Effect::Barrier; });
    std::swap(*barrier, *(barrier + 1));
    QCOMPARE(whyOf(code), "it loads the first fragments of the next turn before the barrier");
  }
  void tooManyOthers() {
    auto code = productKernel();
    const auto barrier = std::ranges::find_if(
        code, [](const sass::Decoded& d) { return d.effect() == sass::Effect::Barrier; });
    code.insert(barrier + 1, 40, make::mov(9, 8));
    for (auto& operand : code[code.size() - 2].operands)
      if (operand.kind == sass::OperandKind::Label)
        operand.value = std::int64_t((code.size() - 2) * 16);
    QCOMPARE(whyOf(code), "32 multiply-adds per turn leave no room for its other instructions");
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::ScheduleTest, Nothing)
#include "schedule_test.moc"
