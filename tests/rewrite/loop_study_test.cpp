// SPDX-License-Identifier: GPL-3.0-or-later
// A loop as compiled beside all its rewritten versions.
#include "kernels/rewrite/loop_study.h"

#include <QtTest>
#include <algorithm>
#include <map>
#include <set>

#include "tests/rewrite/code.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::test {

using namespace rewrite;

class LoopStudyTest : public QObject {
  Q_OBJECT

  std::map<std::string, LoopStudy> studies_;

  static constexpr Residency kResidency{16, 4, false};
  static std::string why(std::span<const char> file, const Request& request = {}) {
    const auto study = studyLoop(file, request, kResidency);
    return study ? "" : study.error();
  }
  static void addFixtures() {
    QTest::addColumn<QString>("name");
    QTest::newRow("small") << "small";
    QTest::newRow("square") << "square";
  }
  const LoopStudy& study() const {
    QFETCH(QString, name);
    return studies_.at(name.toStdString());
  }

 private slots:
  void initTestCase() {
    for (const char* name : {"small", "square"}) {
      auto study = studyLoop(cubinFixture(name), {}, kResidency);
      if (!study) qFatal("%s", study.error().c_str());
      studies_.emplace(name, std::move(*study));
    }
  }

  void eachVersionOnce_data() { addFixtures(); }
  void eachVersionOnce() {
    const LoopStudy& its = study();
    QCOMPARE(its.warps, 16);
    QCOMPARE(its.versions.size(), std::size_t{16});
    QVERIFY(its.rewritten().version == Version{});
    QVERIFY(its.rewritten().version.changes.all());
    QVERIFY(its.rewritten().whyNot.empty());
    for (int i = 0; i < 16; ++i) {
      const Version version{{(i & 1) != 0, (i & 2) != 0, (i & 4) != 0}, (i & 8) != 0};
      QCOMPARE(std::ranges::count(its.versions, version, &VersionFacts::version), 1);
      QVERIFY(its.of(version).version == version);
    }
  }
  void originsAreInstructionsOfTheUntouchedTurn_data() { addFixtures(); }
  void originsAreInstructionsOfTheUntouchedTurn() {
    const LoopStudy& its = study();
    for (const VersionFacts& each : its.versions) {
      if (!each.whyNot.empty()) {
        QVERIFY(each.facts.turn.empty() && each.origins.empty());
        QVERIFY(!each.whyNot.ends_with('.'));
        continue;
      }
      QCOMPARE(each.origins.size(), each.facts.turn.size());
      std::set<std::size_t> multiplyAdds;
      for (std::size_t i = 0; i < each.origins.size(); ++i) {
        QVERIFY(each.origins[i] < its.untouched.turn.size());
        const Op& old = its.untouched.turn[each.origins[i]];
        QCOMPARE(q(each.facts.turn[i].code.base()), q(old.code.base()));
        if (multiplyAddOf(old.code)) QVERIFY(multiplyAdds.insert(each.origins[i]).second);
      }
      QCOMPARE(int(multiplyAdds.size()), its.untouched.multiplyAdds);
      QCOMPARE(each.origins.back(), its.untouched.turn.size() - 1);
    }
  }

  void theUntouchedTurnIsThatOfTheListing_data() { addFixtures(); }
  void theUntouchedTurnIsThatOfTheListing() {
    QFETCH(QString, name);
    const TurnFacts& facts = study().untouched;
    const auto cubin = sass::readCubin(cubinFixture(name.toStdString()));
    auto listing = *sass::listingOf(*cubin);
    const sass::Range loop = sass::mainLoop(listing).range;
    QCOMPARE(facts.turn.size(), loop.size());
    QCOMPARE(facts.instructions(), int(loop.size()));
    QCOMPARE(facts.classes.size(), loop.size());
    QCOMPARE(facts.lost.size(), loop.size());
    for (std::size_t i = 0; i < loop.size(); ++i) {
      const sass::Instruction& instruction = listing.instructions[loop.begin + i];
      QCOMPARE(q(facts.turn[i].code.mnemonic()), q(instruction.opcode));
      QVERIFY(facts.classes[i] == sass::classOf(instruction));
    }
    const sass::LoopCost cost = sass::loopCost(listing, loop, {});
    QCOMPARE(facts.multiplyAdds, 256);
    QCOMPARE(facts.multiplyAdds, cost.ffmas);
    QCOMPARE(facts.lostToBanks, cost.lostToBanks);
    QCOMPARE(facts.lostToLoads, 0);
    const int wide = int(std::ranges::count_if(
        facts.turn, [](const Op& op) { return loadedWordsOf(op.code).has_value(); }));
    QCOMPARE(int(facts.uses.size()), wide);
  }

  void timesAndSharesGoTogether_data() { addFixtures(); }
  void timesAndSharesGoTogether() {
    const LoopStudy& its = study();
    const auto check = [&its](const TurnFacts& facts) {
      // Four warps per scheduler, each with all of its instructions.
      QVERIFY(facts.time.cycles >= 4.0 * facts.instructions());
      QVERIFY(facts.share > 0 && facts.share < 1);
      QCOMPARE(facts.share, 4.0 * 256 / facts.time.cycles);
      QCOMPARE(facts.slotsLost(facts.time.cycles, its.warps),
               facts.time.cycles - 4.0 * facts.instructions());
      QCOMPARE(facts.time.issued.size(), facts.turn.size());
      int banks = 0, loads = 0;
      for (const sass::Lost& lost : facts.lost) banks += lost.banks, loads += lost.loads;
      QCOMPARE(facts.lostToBanks, banks);
      QCOMPARE(facts.lostToLoads, loads);
    };
    check(its.untouched);
    for (const VersionFacts& each : its.versions)
      if (each.whyNot.empty()) check(each.facts);
    const TurnFacts& rewritten = its.rewritten().facts;
    // Four warps per scheduler hide most of what the rewriter hides.
    QVERIFY(rewritten.time.cycles < 1.01 * its.untouched.time.cycles);
    QVERIFY(rewritten.lostToBanks <= its.of({{.order = false}, false}).facts.lostToBanks);
  }
  // Paired loads bring two operands at once, which are written to both banks.
  void pairsLoseOtherCycles_data() { addFixtures(); }
  void pairsLoseOtherCycles() {
    QCOMPARE(study().rewritten().facts.lostToLoads, 0);
    QVERIFY(study().of({{}, true}).facts.lostToLoads > 0);
    QVERIFY(study().of({{}, true}).origins == study().rewritten().origins);
    const TurnFacts& other = study().untouchedOtherwise;
    QVERIFY(other.lostToLoads > 0 && other.time.cycles > 0);
    QCOMPARE(other.instructions(), study().untouched.instructions());
  }
  void asTheStageDealsItsLanes() {
    Residency paired = kResidency;
    paired.pairedLoads = true;
    const auto its = studyLoop(cubinFixture("small"), {}, paired);
    QVERIFY(its && its->rewritten().version == (Version{{}, true}));
    QVERIFY(its->untouched.lostToLoads > 0);
    const auto& other = studies_.at("small").of({{}, true});
    QCOMPARE(its->rewritten().facts.time.cycles, other.facts.time.cycles);
    const LoopStudy& usual = studies_.at("small");
    QCOMPARE(its->untouched.time.cycles, usual.untouchedOtherwise.time.cycles);
    QCOMPARE(its->untouchedOtherwise.time.cycles, usual.untouched.time.cycles);
  }

  void whatIsRefusedIsOneSentence() {
    QCOMPARE(why(std::string_view("no ELF file at all, but long enough to have a header of 64 …")),
             "the file is not a 64-bit ELF file");
    auto file = cubinFixture("small");
    for (char& byte : std::span(file).subspan(48, 4))
      if (byte == 90) byte = 86;
    QVERIFY(!why(file).empty() && !why(file).ends_with('.'));
    Request request;
    request.registerLimit = 32;
    QVERIFY(why(cubinFixture("small"), request).ends_with("but only 32 are allowed"));
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::LoopStudyTest, Nothing)
#include "loop_study_test.moc"
