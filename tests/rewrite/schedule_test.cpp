// SPDX-License-Identifier: GPL-3.0-or-later
// The places of instructions in the new iteration, for any spacing.
#include "kernels/rewrite/schedule.h"

#include <QtTest>
#include <algorithm>
#include <map>

#include "kernels/rewrite/control.h"
#include "kernels/rewrite/equality.h"
#include "kernels/rewrite/issue.h"
#include "kernels/rewrite/reuse.h"
#include "kernels/rewrite/rewrite.h"
#include "tests/rewrite/code.h"
#include "tests/support/random.h"
#include "tests/support/test_class.h"

namespace tileloom::test {

using namespace rewrite;

class ScheduleTest : public QObject {
  Q_OBJECT

  static constexpr const char* kNoRoom =
      "256 multiply-adds per iteration leave no room for the other instructions";

  struct Made {
    LoopCode loop;
    ProductLoop products;
    tl::expected<std::vector<Op>, std::string> turn;
  };
  static Made made(const sass::Cubin& cubin, const Spacing& spacing, const Changes& changes = {},
                   const std::vector<int>& scoreboards = {3, 2}) {
    auto loop = loopCodeOf(cubin);
    if (!loop) qFatal("%s", loop.error().c_str());
    auto products = productLoopOf(loop->turn);
    if (!products) qFatal("%s", products.error().c_str());
    const auto plan = planRegisters(*loop, *products, liveAround(*loop), cubin.registers, 255);
    if (!plan) qFatal("%s", plan.error().c_str());
    auto turn = scheduleTurn(*loop, *products, *plan, spacing, scoreboards, changes);
    return {std::move(*loop), std::move(*products), std::move(turn)};
  }
  static Made made(const std::string& name, const Changes& changes = {}) {
    return made(*sass::readCubin(cubinFixture(name)), {}, changes);
  }
  static std::string whyOf(const std::vector<sass::Decoded>& code) {
    const auto its = made(kernelOf(code), {});
    return its.turn ? "" : its.turn.error();
  }
  static bool isBarrier(const Op& op) { return op.code.effect() == sass::Effect::Barrier; }
  static int multiplyAddsBefore(std::span<const Op> turn, std::size_t at) {
    return int(std::ranges::count_if(
        turn.first(at), [](const Op& op) { return multiplyAddOf(op.code).has_value(); }));
  }
  static int barrierOf(std::span<const Op> turn) {
    return multiplyAddsBefore(turn,
                              std::size_t(std::ranges::find_if(turn, isBarrier) - turn.begin()));
  }
  // For each k, the places of its multiply-adds in the untouched kernel.
  static std::vector<std::vector<std::size_t>> placesOfSteps(const Made& its) {
    const std::size_t perStep = its.products.rows() * its.products.columns();
    std::vector<std::vector<std::size_t>> steps;
    for (const Op& op : *its.turn) {
      if (!multiplyAddOf(op.code)) continue;
      if (steps.empty() || steps.back().size() == perStep) steps.emplace_back();
      steps.back().push_back(op.at);
    }
    return steps;
  }
  // For a load of fragments that this iteration uses: how many multiply-adds are between the two.
  struct Ahead {
    int distance = 0;
    int before = 0;  // multiply-adds before the load
  };
  // By the places of loads in the untouched kernel.
  static std::map<std::size_t, Ahead> loadsAhead(std::span<const Op> turn) {
    std::map<std::size_t, Ahead> all;
    for (std::size_t i = 0; i < turn.size(); ++i) {
      if (!loadedWordsOf(turn[i].code)) continue;
      const auto rest = turn.subspan(i + 1);
      const auto use = std::ranges::find_if(
          rest, [&](const Op& op) { return overlap(op.reads, turn[i].writes); });
      if (use == rest.end()) continue;
      const int before = multiplyAddsBefore(turn, i);
      const auto at = std::size_t(use - rest.begin()) + i + 1;
      all[turn[i].at] = {multiplyAddsBefore(turn, at) - before, before};
    }
    return all;
  }
  static void addFixtures() {
    QTest::addColumn<QString>("name");
    QTest::newRow("small") << "small";
    QTest::newRow("square") << "square";
  }

 private slots:
  void everyInstructionComesOnce_data() { addFixtures(); }
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
      if (!multiplyAddOf(op.code) && !loadedWordsOf(op.code)) places.push_back(op.at);
    QVERIFY(places.size() > 20);
    QVERIFY(std::ranges::is_sorted(places));
  }
  void loadsOfFragmentsCountTheirScoreboard() {
    const Made its = made("small");
    for (const Op& op : *its.turn) {
      const auto load = loadedWordsOf(op.code);
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
      if (passed && loadedWordsOf(op.code)) ++behind;
    }
    QCOMPARE(behind, its.products.nextRows.size() + its.products.nextColumns.size());
  }

  // The parts that the rewriter leaves as the assembler has set them.
  void multiplyAddsWithoutBlocks_data() { addFixtures(); }
  void multiplyAddsWithoutBlocks() {
    QFETCH(QString, name);
    const Made blocks = made(name.toStdString());
    const Made plain = made(name.toStdString(), Changes{.order = false});
    const auto before = placesOfSteps(blocks);
    const auto steps = placesOfSteps(plain);
    QCOMPARE(steps.size(), plain.products.steps.size());
    for (std::size_t k = 0; k < steps.size(); ++k) {
      QVERIFY(steps[k] != before[k]);
      auto one = before[k], other = steps[k];
      std::ranges::sort(one);
      std::ranges::sort(other);
      QVERIFY(one == other);
    }
  }
  void loadsAsFarAheadAsCompiled_data() { addFixtures(); }
  void loadsAsFarAheadAsCompiled() {
    QFETCH(QString, name);
    for (const bool order : {true, false}) {
      const Made its = made(name.toStdString(), Changes{.order = order, .loads = false});
      QVERIFY2(its.turn, its.turn ? "" : its.turn.error().c_str());
      const auto was = loadsAhead(its.loop.turn);
      const auto is = loadsAhead(*its.turn);
      const int perStep = int(its.products.rows() * its.products.columns());
      QVERIFY(is.size() > 4);
      QCOMPARE(is.size(), was.size());
      int same = 0;
      for (const auto& [at, load] : is) {
        // Or its registers are not free before its k begins, or it would be within its own one.
        const int old = was.at(at).distance;
        QVERIFY(load.distance == old || (load.distance < old && load.before % perStep == 0) ||
                (load.distance > old && load.before % perStep == perStep - 1));
        same += load.distance == old ? 1 : 0;
      }
      QVERIFY(same > 0);
    }
    // Close to their use, they are awaited one by one.
    const Made its = made(name.toStdString(), Changes{.loads = false});
    int expected = 3;
    for (const Op& op : *its.turn) {
      if (!loadedWordsOf(op.code)) continue;
      QCOMPARE(op.code.control.writeScoreboard, expected);
      expected = expected == 3 ? 2 : 3;
    }
  }
  void theBarrierAtItsCompiledPlace() {
    const Made early = made("square");
    const Made compiled = made("square", Changes{.barrier = false});
    QVERIFY2(compiled.turn, compiled.turn ? "" : compiled.turn.error().c_str());
    QCOMPARE(barrierOf(*compiled.turn), barrierOf(compiled.loop.turn));
    QVERIFY(barrierOf(*early.turn) < barrierOf(*compiled.turn));
    // The instructions after it in the other fixture have no room between the last multiply-adds.
    const Made none = made("small", Changes{.barrier = false});
    QVERIFY(!none.turn);
    QCOMPARE(none.turn.error(), kNoRoom);
  }
  void everyVersionPassesItsJudges_data() {
    addFixtures();
    QTest::newRow("narrow") << "narrow";
    QTest::newRow("single") << "single";
    QTest::newRow("copies") << "copies";
  }
  void everyVersionPassesItsJudges() {
    QFETCH(QString, name);
    const auto file = cubinFixture(name.toStdString());
    for (int version = 0; version < 8; ++version) {
      Request request;
      request.changes = {(version & 1) == 0, (version & 2) == 0, (version & 4) == 0};
      const auto rewritten = rewriteMainLoop(file, request);
      if (name == "small" && !request.changes.barrier) {
        QVERIFY(!rewritten && rewritten.error() == kNoRoom);
        continue;
      }
      QVERIFY2(rewritten, rewritten ? "" : rewritten.error().c_str());
      QCOMPARE(rewritten->multiplyAdds, name == "copies" ? 512 : 256);
      const Judged judged = judgedOf(file, rewritten->cubin);
      QCOMPARE(whyNotEqual(judged.old, judged.turn, judged.live), "");
      QCOMPARE(whyTooEarly(judged.before, judged.turn, judged.behind), "");
      QCOMPARE(whyStale(judged.turn), "");
    }
  }

  // Any distances: each resulting iteration is complete, and the rewriter returns it only if its
  // checks pass.
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
    QCOMPARE(whyOf(without), "an iteration has no barrier");
    auto two = code;
    two.insert(two.begin() + (barrier - code.begin()), make::barrier());
    for (auto& operand : two[two.size() - 2].operands)
      if (operand.kind == sass::OperandKind::Label)
        operand.value = std::int64_t((two.size() - 2) * 16);
    QCOMPARE(whyOf(two), "an iteration has more than one barrier");
  }
  void fragmentsLoadedBeforeTheBarrier() {
    auto code = productKernel();
    const auto barrier = std::ranges::find_if(
        code, [](const sass::Decoded& d) { return d.effect() == sass::Effect::Barrier; });
    std::swap(*barrier, *(barrier + 1));
    QCOMPARE(whyOf(code), "it loads the first fragments of the next iteration before the barrier");
  }
  // No load of a fragment is between copies, whether others of the loop are or not.
  void copiesShareTheirPlaceholders_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("copies");
    QTest::newRow("copies") << "copies" << 4;
    QTest::newRow("narrow") << "narrow" << 2;
    QTest::newRow("single") << "single" << 2;
  }
  void copiesShareTheirPlaceholders() {
    QFETCH(QString, name);
    QFETCH(int, copies);
    const Made its = made(name.toStdString());
    QVERIFY2(its.turn, its.turn ? "" : its.turn.error().c_str());
    int found = 0, placeholders = 0;
    for (const Op& op : *its.turn) {
      if (isPlaceholder(op)) ++placeholders;
      if (op.code.effect() == sass::Effect::AsyncCopy) {
        QCOMPARE(placeholders, kPlaceholders);
        ++found;
      }
      if (loadedWordsOf(op.code) && found > 0) QCOMPARE(found, copies);
    }
    QCOMPARE(found, copies);
  }
  // The small loop with copies before its stores: too many to fit between two loads.
  void loadsMakeRoomForManyCopies() {
    const auto cubin = *sass::readCubin(cubinFixture("copies"));
    auto loop = *loopCodeOf(cubin);
    const auto copy = std::ranges::find_if(
        loop.turn, [](const Op& op) { return op.code.effect() == sass::Effect::AsyncCopy; });
    const Op first = *copy;
    loop.turn.insert(copy, 7, first);
    const auto products = productLoopOf(loop.turn);
    QVERIFY2(products, products ? "" : products.error().c_str());
    const auto plan = planRegisters(loop, *products, liveAround(loop), cubin.registers, 255);
    QVERIFY2(plan, plan ? "" : plan.error().c_str());
    const std::vector<int> scoreboards = {3, 2};
    const auto turn = scheduleTurn(loop, *products, *plan, {}, scoreboards, {});
    QVERIFY2(turn, turn ? "" : turn.error().c_str());
    QCOMPARE(turn->size(), loop.turn.size());
    int found = 0;
    for (const Op& op : *turn) {
      if (op.code.effect() == sass::Effect::AsyncCopy) ++found;
      if (loadedWordsOf(op.code) && found > 0) QCOMPARE(found, 11);
    }
    QCOMPARE(found, 11);
    // Loads that stay where the assembler has set them leave no room.
    const auto asCompiled =
        scheduleTurn(loop, *products, *plan, {}, scoreboards, Changes{.loads = false});
    if (asCompiled) QCOMPARE(asCompiled->size(), loop.turn.size());
  }
  // An address that is advanced before many stores would delay them until the last load has used
  // it.
  void addressesAreSteppedLateWhereThatMakesRoom() {
    auto code = productKernel();
    for (const std::size_t at : {kProductLoop, kProductLoop + 1}) code[at].control.stall = 1;
    const auto barrier = std::ranges::find_if(
        code, [](const sass::Decoded& d) { return d.effect() == sass::Effect::Barrier; });
    std::vector<sass::Decoded> added = {make::iadd3(1, 1, 64)};
    added.insert(added.end(), 10, make::sts(2, 9));
    code.insert(barrier, added.begin(), added.end());
    for (auto& operand : code[code.size() - 2].operands)
      if (operand.kind == sass::OperandKind::Label)
        operand.value = std::int64_t((code.size() - 2) * 16);
    Spacing spacing{.order = {}, .firstLoad = 12, .load = 1, .beforeUse = 1};
    spacing.other = spacing.afterBarrier = 1;
    spacing.fetch = spacing.barrier = 0;
    const Made its = made(kernelOf(code), spacing);
    QVERIFY2(its.turn, its.turn ? "" : its.turn.error().c_str());
    QCOMPARE(its.turn->size(), its.loop.turn.size());
    const auto at = [&its](const auto& is) { return std::ranges::find_if(*its.turn, is); };
    const auto step =
        at([](const Op& op) { return op.code.base() == "IADD3" && op.writes.registers[1]; });
    QVERIFY(step != its.turn->end() && step > at(isBarrier));
    // If the barrier stays where the assembler has set it, so do they.
    const Made compiled = made(kernelOf(code), spacing, Changes{.barrier = false});
    QVERIFY(!compiled.turn);
  }
  void tooManyOthers() {
    auto code = productKernel();
    const auto barrier = std::ranges::find_if(
        code, [](const sass::Decoded& d) { return d.effect() == sass::Effect::Barrier; });
    code.insert(barrier + 1, 40, make::mov(9, 8));
    for (auto& operand : code[code.size() - 2].operands)
      if (operand.kind == sass::OperandKind::Label)
        operand.value = std::int64_t((code.size() - 2) * 16);
    QCOMPARE(whyOf(code),
             "32 multiply-adds per iteration leave no room for the other instructions");
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::ScheduleTest, Nothing)
#include "schedule_test.moc"
