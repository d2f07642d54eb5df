// SPDX-License-Identifier: GPL-3.0-or-later
// Rung 15: what its source says about lanes and about the order of loads and multiply-adds, as the
// emulator has recorded it.
#include <QtTest>
#include <algorithm>
#include <set>
#include <tuple>
#include <vector>

#include "kernels/analysis/counts/totals.h"
#include "kernels/tile/constraints.h"
#include "kernels/tile/parameters.h"
#include "tests/support/recorded.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom {

using emulator::Instruction;
using emulator::Kind;
using emulator::Provenance;

class ScheduledTest : public QObject {
  Q_OBJECT

  // The instructions of warp 0 at one k of the middle of three K tiles: a load, or the result of a
  // multiply-add.
  struct Deed {
    bool load = false;
    int row = 0, column = 0;  // of the thread's results
    bool operator==(const Deed&) const = default;
  };
  static std::vector<Deed> deedsAt(const TileShape& tile, int dot) {
    const Stage& stage = test::stage("scheduled");
    const Derived d = derive(stage, tile);
    const auto r = test::recorded(
        {.stage = "scheduled", .tile = tile, .problem = {d.blockM, d.blockN, 3 * d.stepK}});
    const int columns = d.wniter * tile[Parameter::TN];
    std::vector<Deed> deeds;
    for (std::uint32_t interval = 0; interval < r->trace.intervals(); ++interval) {
      const auto all = r->trace.at(0, interval);
      for (std::size_t i = 0; i < all.instructions.size(); ++i) {
        const Instruction& its = all.instructions[i];
        if (its.kTile != 1 || its.dot != dot) continue;
        if (its.kind == Kind::SharedLoad) deeds.push_back({.load = true});
        if (its.kind != Kind::Fma) continue;
        const auto slot = static_cast<int>(Provenance(all.payload(i, 0)[2]).slot());
        deeds.push_back({.row = slot / columns, .column = slot % columns});
      }
    }
    return deeds;
  }

  static TileShape standard() { return test::stage("scheduled").standardTile(); }
  // 3 x 16 results per thread: a row without a partner, and rows loaded one by one.
  static TileShape oddRows() {
    return {{Parameter::BM, 96},  {Parameter::BN, 96},    {Parameter::BK, 8}, {Parameter::WM, 48},
            {Parameter::WN, 32},  {Parameter::WNITER, 2}, {Parameter::TM, 1}, {Parameter::TN, 8},
            {Parameter::PAD, 12}, {Parameter::GROUP, 8}};
  }

 private slots:
  void theRungIsTheSourceOfRung14Ordered() {
    const Stage& stage = test::stage("scheduled");
    QCOMPARE(stage.rung, 15);
    QCOMPARE(test::q(stage.parent), QString("tuned"));
    QVERIFY(stage.kind == test::stage("tuned").kind);
    QCOMPARE(stage.assemblerLevel, 1);
    for (const Stage* other : everyStage())
      QVERIFY(other == &stage || other->assemblerLevel == kUsualAssemblerLevel);
    QVERIFY(isLegal(stage, standard()) && isLegal(stage, oddRows()));
  }

  // The speed does not show it: a conflict costs a wavefront, and shared addresses save one.
  void noConflictsAndNoPairsOfLanes() {
    const auto r = test::recorded({.stage = "scheduled", .problem = {128, 256, 24}});
    const auto loop = analysis::splitTotals(r->trace, analysis::accessesOf(r->trace)).loop;
    QCOMPARE(loop.sharedLoadConflicts, std::uint64_t{0});
    // 128 bits for each lane take four wavefronts, unless lanes share addresses in pairs.
    QVERIFY(loop.sharedLoadInstructions > 0);
    QCOMPARE(loop.sharedLoadWavefronts, 4 * loop.sharedLoadInstructions);
    int loads = 0;
    for (std::uint32_t interval = 0; interval < r->trace.intervals(); ++interval) {
      for (std::uint32_t warp = 0; warp < r->trace.warps; ++warp) {
        const auto all = r->trace.at(warp, interval);
        for (std::size_t i = 0; i < all.instructions.size(); ++i) {
          if (all.instructions[i].kind != Kind::SharedLoad) continue;
          ++loads;
          QCOMPARE(all.instructions[i].width, std::uint8_t{4});
          for (const std::uint32_t apart : {1u, 2u}) {
            int shared = 0;
            for (std::uint32_t lane = 0; lane < 32; ++lane)
              shared += all.payload(i, lane)[0] == all.payload(i, lane ^ apart)[0] ? 1 : 0;
            QVERIFY2(shared < 32, qPrintable(QString("lanes %1 apart").arg(apart)));
          }
        }
      }
    }
    QCOMPARE(loads, 8 * (2 * 8 + 1) * 6);  // warps, the k of two K tiles and the first one's
  }

  // The lanes of a stamp are a permutation of its places, whatever shape it has.
  void everyPlaceOfAStampHasOneLane_data() {
    QTest::addColumn<int>("down");
    for (const int down : {1, 2, 4, 8, 16, 32}) QTest::addRow("%d lanes down", down) << down;
  }
  void everyPlaceOfAStampHasOneLane() {
    QFETCH(int, down);
    const Stage& stage = test::stage("scheduled");
    const int across = 32 / down;
    const int tm = down == 1 ? 8 : 4, twice = across == 1 ? 2 : 1;  // no block tile is so narrow
    const int rows = tm * down, columns = 4 * across * twice;
    const TileShape tile = {{Parameter::BM, rows},    {Parameter::BN, columns},
                            {Parameter::BK, 16},      {Parameter::WM, rows},
                            {Parameter::WN, columns}, {Parameter::WNITER, twice},
                            {Parameter::TM, tm},      {Parameter::TN, 4},
                            {Parameter::PAD, 4},      {Parameter::GROUP, 1}};
    const auto broken = firstViolation(stage, tile);
    QVERIFY2(!broken, broken ? broken->reason.c_str() : "");
    const auto r =
        test::recorded({.stage = "scheduled", .tile = tile, .problem = {rows, columns, 16}});
    std::set<std::pair<std::uint32_t, std::uint32_t>> places;
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      const std::uint32_t element = r->trace.accumulatorElement(lane, 0);
      places.insert({element / r->trace.problem.n, element % r->trace.problem.n});
    }
    QCOMPARE(places.size(), std::size_t{32});
    for (const auto& [row, column] : places)
      QVERIFY(row % std::uint32_t(tm) == 0 && column % 4 == 0);
  }

  // An even and an odd row by an even and an odd column, then the next two columns; along the next
  // two rows back.
  void multiplyAddsGoInBlocksOfTwoByTwo() {
    for (const int dot : {0, 3, 7}) {
      auto deeds = deedsAt(standard(), dot);
      std::erase_if(deeds, [](const Deed& d) { return d.load; });
      QCOMPARE(deeds.size(), std::size_t{16 * 8});
      for (std::size_t block = 0; block < deeds.size() / 4; ++block) {
        const auto pair = static_cast<int>(block / 4), along = static_cast<int>(block % 4);
        const int row = 2 * pair, column = 2 * (pair % 2 == 0 ? along : 3 - along);
        const std::vector<Deed> expected = {{false, row, column},
                                            {false, row, column + 1},
                                            {false, row + 1, column + 1},
                                            {false, row + 1, column}};
        QVERIFY(std::ranges::equal(expected, std::span(deeds).subspan(4 * block, 4)));
      }
    }
  }

  // Every result occurs once, also in the last row, which has no partner.
  void anOddRowIsWalkedAlone() {
    auto deeds = deedsAt(oddRows(), 2);
    QCOMPARE(std::ranges::count_if(deeds, &Deed::load), 4 + 3);
    std::erase_if(deeds, [](const Deed& d) { return d.load; });
    QCOMPARE(deeds.size(), std::size_t{3 * 16});
    std::set<std::pair<int, int>> results;
    for (const Deed& d : deeds) results.insert({d.row, d.column});
    QCOMPARE(results.size(), deeds.size());
    const std::vector<Deed> last = {{false, 2, 2}, {false, 2, 3}, {false, 2, 0}, {false, 2, 1}};
    QVERIFY(std::ranges::equal(last, std::span(deeds).last(4)));
  }

  // A load of the next k's fragments after every 14 multiply-adds, or after fewer if there are
  // fewer.
  void loadsStandBetweenMultiplyAdds_data() {
    QTest::addColumn<bool>("odd");
    QTest::addColumn<int>("space");
    QTest::addColumn<int>("loads");
    QTest::newRow("default tile") << false << 14 << 6;
    QTest::newRow("odd rows") << true << 48 / 7 << 7;
  }
  void loadsStandBetweenMultiplyAdds() {
    QFETCH(bool, odd);
    QFETCH(int, space);
    QFETCH(int, loads);
    const TileShape tile = odd ? oddRows() : standard();
    for (const int dot : {0, 5, 7}) {  // the last one after the barrier
      int done = 0, load = 0;
      for (const Deed& deed : deedsAt(tile, dot)) {
        if (deed.load) QCOMPARE(done, ++load * space);
        if (!deed.load) ++done;
      }
      QCOMPARE(load, loads);
    }
  }

  // What the table allows fits the registers as well as it can be told before compiling.
  void registersAreThoseOfAnAssemblerThatKeepsTheOrder() {
    QCOMPARE(derive(test::stage("scheduled"), standard()).estimatedRegisters, 209);
    QVERIFY(derive(test::stage("tuned"), standard()).estimatedRegisters < 209);
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::ScheduledTest, Nothing)
#include "scheduled_test.moc"
