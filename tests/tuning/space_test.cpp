// SPDX-License-Identifier: GPL-3.0-or-later
// The search space: enumeration with early pruning finds what trying everything would find.
#include "kernels/tuning/space.h"

#include <QtTest>
#include <random>

#include "kernels/tile/parameters.h"
#include "tests/support/random_tiles.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::test {
namespace {

using tuning::Space;
using tuning::spaceOf;
using tuning::SpaceOptions;

// Every combination, judged whole.
std::vector<TileShape> bruteForce(const Stage& stage, const Space& space,
                                  const Architecture& arch) {
  std::vector<TileShape> legal;
  for (std::uint64_t i = 0; i < space.generated; ++i) {
    TileShape tile;
    std::uint64_t rest = i;
    for (std::size_t k = space.parameters.size(); k-- > 0;) {
      const auto& [parameter, values] = space.parameters[k];
      tile[parameter] = values[rest % values.size()];
      rest /= values.size();
    }
    if (isLegal(stage, tile, arch)) legal.push_back(tile);
  }
  return legal;
}

const Stage& stageCalled(std::string_view id) {
  return **stageNamed(id);
}

}  // namespace

class SpaceTest : public QObject {
  Q_OBJECT

  // The search's sieve and the constraint table know both ladders.
  static void addAllStages() {
    QTest::addColumn<int>("stage");
    const auto all = everyStage();
    for (std::size_t i = 0; i < all.size(); ++i)
      QTest::newRow(std::string(all[i]->id).c_str()) << static_cast<int>(i);
  }
  static const Stage& stageOfAll() {
    QFETCH(int, stage);
    return *everyStage()[static_cast<std::size_t>(stage)];
  }

 private slots:
  void asTryingEverything_data() { addAllStages(); }
  void asTryingEverything() {
    const Stage& stage = stageOfAll();
    // The later rungs have millions of combinations: there some tile parameters are fixed.
    SpaceOptions options;
    const bool many = stage.ladder == Ladder::Fp32 && stage.rung >= 8;
    options.threes = !many;
    if (many) {
      options.listed = {
          {Parameter::BM, {32, 96, 128}}, {Parameter::BN, {64, 128}}, {Parameter::BK, {8, 12, 16}}};
      if (stage.spec(Parameter::GROUP) != nullptr)
        options.listed.push_back({Parameter::GROUP, {1, 8}});
    }
    for (const Architecture& arch : {defaultArchitecture(), *architectureNamed("sm_86")}) {
      const auto space = spaceOf(stage, options, arch);
      QVERIFY(space.has_value());
      QVERIFY(space->legal == bruteForce(stage, *space, arch));
      std::uint64_t counted = space->legal.size();
      for (const tuning::Rejection& r : space->rejected) counted += r.tiles;
      QCOMPARE(counted, space->generated);
    }
  }

  void rowsNameWhatTheyRead_data() { addAllStages(); }
  // A row that reads a tile parameter which it does not name would be applied before that parameter
  // is set.
  void rowsNameWhatTheyRead() {
    const Stage& stage = stageOfAll();
    std::mt19937 random(5);
    for (int i = 0; i < 20000; ++i) {
      TileShape tile;
      for (const ParameterSpec& spec : stage.parameters) {
        const std::vector<int> values = tuning::searchValues(spec, true);
        tile[spec.parameter] = values[random() % values.size()];
      }
      const ParameterSpec& turned = stage.parameters[random() % stage.parameters.size()];
      const std::vector<int> values = tuning::searchValues(turned, true);
      for (const int value : {values[0], values[random() % values.size()]}) {
        const TileShape other = tile.with(turned.parameter, value);
        const Derived before = derive(stage, tile), after = derive(stage, other);
        for (const Constraint* its : constraintsOf(stage)) {
          const Constraint& row = *its;
          // A row may rely on the earlier ones, so the first that fails is the last that is
          // applied.
          const Architecture& arch = defaultArchitecture();
          const bool held = row.holds({stage, tile, before, arch});
          const bool holds = row.holds({stage, other, after, arch});
          if (std::ranges::find(row.parameters, turned.parameter) == row.parameters.end()) {
            QVERIFY2(held == holds, qPrintable(QString("%1 reads %2 in %3")
                                                   .arg(std::string(row.id).c_str(),
                                                        std::string(name(turned.parameter)).c_str(),
                                                        std::string(stage.id).c_str())));
          }
          if (!held || !holds) break;
        }
      }
    }
  }

  void warpTilingHasAThousand() {
    const auto space = spaceOf(stageCalled("warptiled"));
    QCOMPARE(space->legal.size(), std::size_t{15360});
    QCOMPARE(space->generated, std::uint64_t{1058400});
    QVERIFY(std::ranges::is_sorted(space->legal, {},
                                   [](const TileShape& t) { return t[Parameter::BM]; }));
    const auto more = spaceOf(stageCalled("warptiled"), {.threes = true, .listed = {}});
    QCOMPARE(more->legal.size(), std::size_t{42759});
  }

  void cheap_data() { addStageRows(); }
  // No more than a few applied rows for each legal tile and some for each block tile, where judging
  // all combinations whole takes ten and more for each of millions.
  void cheap() {
    const Stage& stage = stageOfRow();
    const auto space = spaceOf(stage);
    QVERIFY2(space->judged < 1500000, qPrintable(QString::number(space->judged)));
    if (stage.ladder == Ladder::Fp32 && stage.rung >= 8) QVERIFY(space->judged < space->generated);
  }

  void narrowed() {
    const auto one = spaceOf(
        stageCalled("warptiled"),
        {.threes = false, .listed = {{Parameter::BM, {128, 64, 64}}, {Parameter::TM, {8}}}});
    QCOMPARE(one->parameters[0].values, (std::vector<int>{64, 128}));
    QVERIFY(!one->legal.empty());
    for (const TileShape& t : one->legal)
      QVERIFY((t[Parameter::BM] == 64 || t[Parameter::BM] == 128) && t[Parameter::TM] == 8);
    const auto none =
        spaceOf(stageCalled("warptiled"), {.threes = false, .listed = {{Parameter::BK, {6}}}});
    QVERIFY(none->legal.empty());
    QCOMPARE(none->rejected.size(), std::size_t{1});
    QCOMPARE(none->rejected[0].row, std::string_view("float4-bk"));
  }

  void badInput() {
    const auto error = [](tuning::ParameterValues values) {
      const auto space = spaceOf(stageCalled("warptiled"), {.threes = false, .listed = {values}});
      return space ? std::string() : space.error();
    };
    QCOMPARE(error({Parameter::BM, {1000}}), std::string("BM = 1000 is not between 8 and 256"));
    QVERIFY(error({Parameter::GROUP, {1}})
                .starts_with("warptiled has no tile parameter GROUP: choose from BM,"));
    QVERIFY(error({Parameter::TM, {}}).starts_with("no value is listed for TM: name some"));
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::SpaceTest, EventLoop)
#include "space_test.moc"
