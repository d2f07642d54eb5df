// SPDX-License-Identifier: GPL-3.0-or-later
// The last wave, cut along K: everything is computed once, evenly, and with the longest parts
// first.
#include "kernels/tile/last_wave.h"
#include "kernels/tile/residency.h"

#include <fmt/format.h>

#include <QtTest>
#include <algorithm>
#include <map>
#include <numeric>
#include <queue>

#include "kernels/tile/constraints.h"
#include "kernels/tile/parameters.h"
#include "tests/support/random.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom {
namespace {

constexpr std::uint32_t kLeast = 64;  // elements of K, below which nothing is cut off

struct Case {
  std::uint32_t tiles = 0, k = 0, stepK = 8;
  std::int64_t room = 132;
  int split = 2;

  LastWave wave() const { return lastWaveOf(tiles, k, stepK, room, split); }
  std::string text() const {
    return fmt::format("{} tiles with K = {} in steps of {}, {} slots, SPLIT = {}", tiles, k, stepK,
                       room, split);
  }
};

// Elements of K until the last of `room` blocks at a time has ended, if each takes the next block
// when it is through with one.
std::uint32_t endOf(const LastWave& wave, std::int64_t room) {
  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> ends;
  std::uint32_t last = 0;
  for (std::int64_t i = 0; i < room; ++i) ends.push(0);
  for (const TilePart& part : wave.blocks) {
    const std::uint32_t end = ends.top() + part.depth;
    ends.pop();
    ends.push(end);
    last = std::max(last, end);
  }
  return last;
}

std::vector<Case> cases() {
  std::vector<Case> list;
  for (int split = 1; split <= 4; ++split) {
    for (const std::int64_t room : {1, 2, 3, 5, 7, 12}) {
      for (std::uint32_t tiles = 1; tiles <= 2 * room + 1; ++tiles) {
        for (const std::uint32_t k : {8u, 64u, 72u, 128u, 136u, 200u, 1024u})
          list.push_back({tiles, k, 8, room, split});
      }
    }
  }
  test::Random random(test::seed());
  for (int i = 0; i < 200; ++i) {
    const std::uint32_t step = 1u << random.integer(2, 5);
    list.push_back({static_cast<std::uint32_t>(random.integer(1, 700)),
                    step * static_cast<std::uint32_t>(random.integer(1, 300)), step,
                    random.integer(1, 528), random.integer(1, 4)});
  }
  return list;
}

}  // namespace

class LastWaveTest : public QObject {
  Q_OBJECT

 private slots:
  // Each part of a last wave that is cut is a block, of a full wave at the most.
  void wavesOfBlocks() {
    QCOMPARE(wavesOf(264, 0, 0, 132), 2.0);
    QCOMPARE(wavesOf(33, 0, 0, 132), 0.25);
    QCOMPARE(wavesOf(9, 9, 36, 132), 36 / 132.0);
    QCOMPARE(wavesOf(132 + 100, 100, 140, 132), 2.0);
    for (const std::uint32_t tiles : {9u, 21u, 32u, 100u, 232u}) {
      const LastWave wave = lastWaveOf(tiles, 336, 8, 132, 4);
      const WaveDivision division = divisionOf(tiles, 336, 132, 4);
      QCOMPARE(partsOf(division, 336, 8),
               static_cast<std::int64_t>(wave.blocks.size()) - (tiles - division.cut));
    }
  }

  // Ends may be moved, so that there are fewer parts than the division says, and never more.
  void partsAreThoseOfTheDivision() {
    const auto parts = [](const Case& c) {
      return divisionOf(c.tiles, c.k, c.room, c.split).parts();
    };
    for (const Case& c : cases()) QVERIFY2(c.wave().places <= parts(c), c.text().c_str());
    const Case large{512, 4096, 8, 132, 4};
    QCOMPARE(parts(large), 244);
    QCOMPARE(large.wave().places, 244u);
    const Case small{32, 1024, 8, 132, 4};
    QCOMPARE(parts(small), 128);
    QCOMPARE(small.wave().places, 128u);
  }

  void everythingIsComputedOnce() {
    for (const Case& its : cases()) {
      const std::string text = its.text();
      const LastWave wave = its.wave();
      const WaveDivision division = divisionOf(its.tiles, its.k, its.room, its.split);
      std::map<std::uint32_t, std::vector<TilePart>> byTile;
      for (const TilePart& part : wave.blocks) byTile[part.tile].push_back(part);
      QVERIFY2(byTile.size() == its.tiles && byTile.rbegin()->first == its.tiles - 1, text.c_str());
      std::vector<int> flags(wave.flags), places(wave.places);
      for (auto& [tile, parts] : byTile) {
        std::ranges::sort(parts, {}, &TilePart::which);
        QVERIFY2(parts.size() == 1 || tile >= its.tiles - division.cut, text.c_str());
        std::uint32_t at = 0;
        for (std::size_t i = 0; i < parts.size(); ++i) {
          const TilePart& part = parts[i];
          QVERIFY2(part.which == i && part.count == parts.size(), text.c_str());
          QVERIFY2(part.from == at && part.depth > 0 && part.depth % its.stepK == 0, text.c_str());
          QVERIFY2(parts.size() == 1 || part.depth >= kLeast, text.c_str());
          QVERIFY2(part.flag == parts[0].flag && part.place == parts[0].place, text.c_str());
          at += part.depth;
          if (parts.size() == 1) continue;
          ++places.at(part.place + part.which);
        }
        QVERIFY2(at == its.k, text.c_str());
        if (parts.size() > 1) ++flags.at(parts[0].flag);
      }
      // No flag and no place has two owners, and none is without.
      const auto once = [](int count) { return count == 1; };
      QVERIFY2(std::ranges::all_of(flags, once) && std::ranges::all_of(places, once), text.c_str());
    }
  }

  // Whole tiles as they are numbered, then the parts, from long to short.
  void theLongestPartsStartFirst() {
    for (const Case& its : cases()) {
      const LastWave wave = its.wave();
      const auto whole = its.tiles - divisionOf(its.tiles, its.k, its.room, its.split).cut;
      for (std::size_t i = 0; i < wave.blocks.size(); ++i) {
        const TilePart& part = wave.blocks[i];
        if (static_cast<std::int64_t>(i) < whole) {
          QVERIFY2(part == (TilePart{.tile = static_cast<std::uint32_t>(i), .depth = its.k}),
                   its.text().c_str());
        } else if (static_cast<std::int64_t>(i) > whole) {
          QVERIFY2(part.depth <= wave.blocks[i - 1].depth, its.text().c_str());
        }
      }
    }
  }

  // A share more than evenly, as a share ends at a K tile, and not near the end of a tile.
  void allEndTogether() {
    for (const Case& its : cases()) {
      const WaveDivision division = divisionOf(its.tiles, its.k, its.room, its.split);
      const std::uint32_t end = endOf(its.wave(), its.room);
      const auto waves = static_cast<double>((its.tiles - division.cut + its.room - 1) / its.room);
      const double share =
          division.cut == 0 ? 0 : static_cast<double>(division.cut) / double(division.shares);
      QVERIFY2(end <= (waves + share) * its.k + 2 * kLeast,
               fmt::format("{}: {} elements of K", its.text(), end).c_str());
      QVERIFY2(end <= endOf(lastWaveOf(its.tiles, its.k, its.stepK, its.room, 1), its.room),
               its.text().c_str());
    }
  }

  void aWaveIsCutWhereItPays_data() {
    QTest::addColumn<int>("tiles");
    QTest::addColumn<int>("k");
    QTest::addColumn<int>("split");
    QTest::addColumn<int>("cut");
    QTest::addColumn<int>("shares");
    // Tiles of 128 x 256 on 132 SMs.
    QTest::newRow("1024, as it is") << 32 << 1024 << 1 << 0 << 0;
    QTest::newRow("1024, halves") << 32 << 1024 << 2 << 32 << 64;
    QTest::newRow("1024, quarters") << 32 << 1024 << 4 << 32 << 128;
    QTest::newRow("2048 is nearly full") << 128 << 2048 << 4 << 0 << 0;
    QTest::newRow("4096") << 512 << 4096 << 2 << 116 << 132;
    QTest::newRow("4096, more parts than SMs") << 512 << 4096 << 4 << 116 << 132;
    QTest::newRow("8192") << 2048 << 8192 << 2 << 68 << 132;
    QTest::newRow("whole waves") << 264 << 4096 << 2 << 0 << 0;
    QTest::newRow("nine tenths") << 132 + 118 << 4096 << 2 << 118 << 132;
    QTest::newRow("more") << 132 + 119 << 4096 << 2 << 0 << 0;
    QTest::newRow("a short K in two at most") << 32 << 256 << 4 << 32 << 64;
    QTest::newRow("a shorter one not at all") << 32 << 128 << 4 << 0 << 0;
    QTest::newRow("and one between") << 32 << 200 << 4 << 32 << 50;
  }
  void aWaveIsCutWhereItPays() {
    QFETCH(int, tiles);
    QFETCH(int, k);
    QFETCH(int, split);
    const WaveDivision division = divisionOf(tiles, k, 132, split);
    QTEST(static_cast<int>(division.cut), "cut");
    QTEST(static_cast<int>(division.shares), "shares");
  }

  void rung16HasOneBlockPerSmOrMore() {
    const Stage& stage = test::stage("rewritten");
    QVERIFY(stage.split() == SplitK::Parts);
    QCOMPARE(stage.standardTile()[Parameter::SPLIT], 4);
    QCOMPARE(slotsOf(stage, stage.standardTile(), 132), std::int64_t{132});
    const TileShape small = stage.standardTile().with(Parameter::BM, 64).with(Parameter::BN, 64);
    QVERIFY(isLegal(stage, small));
    QVERIFY(slotsOf(stage, small, 132) > 132);
    QCOMPARE(slotsOf(stage, small, 132) % 132, std::int64_t{0});
  }

  void theLaunchHasABlockForEachPart() {
    const Stage& stage = test::stage("rewritten");
    const TileShape one = stage.standardTile().with(Parameter::SPLIT, 1),
                    two = one.with(Parameter::SPLIT, 2);
    const Problem large{4096, 4096, 4096};
    QVERIFY(!looksUpParts(stage, one) && looksUpParts(stage, two));
    QVERIFY(!looksUpParts(test::stage("hopper"), test::stage("hopper").standardTile()));
    QVERIFY((residentLaunch(stage, one, large).grid == Extent{16, 32}));
    QVERIFY((residentLaunch(stage, one, large).grid == launchOf(stage, two, large).grid));
    const LastWave wave = lastWaveOf(stage, two, large, 132);
    QVERIFY((residentLaunch(stage, two, large).grid ==
             Extent{static_cast<int>(wave.blocks.size()), 1}));
    QCOMPARE(wave.flags, 116u);
    // Two waves on a smaller GPU.
    QVERIFY((residentLaunch(stage, two, large, 256).grid == Extent{512, 1}));
    // Views name a block by its tile.
    const Resident its = residentOf(stage, two, large, {3, 2});
    QVERIFY((its.block == Extent{2 * 16 + 3, 0}) && its.walk == 0);
    QVERIFY((residentOf(stage, one, large, {3, 2}).block == Extent{3, 2}));
  }

  // The words that a kernel reads.
  void theTable() {
    const LastWave wave = lastWaveOf(3, 256, 8, 2, 2);
    QCOMPARE(wave.blocks.size(), std::size_t{4});
    QCOMPARE(wave.flags, 1u);
    QCOMPARE(wave.places, 2u);
    const std::vector<std::uint32_t> table = partTable(wave, 1000);
    // Four blocks of eight words, the flag, and up to the next 16 bytes.
    QCOMPARE(table.size(), std::size_t{36});
    const auto words = [&](std::size_t block) {
      return std::vector(table.begin() + static_cast<std::ptrdiff_t>(8 * block),
                         table.begin() + static_cast<std::ptrdiff_t>(8 * block + 8));
    };
    using Words = std::vector<std::uint32_t>;
    QVERIFY((words(1) == Words{1, 0, 256, 0, 32, 36, 0, 1}));
    QVERIFY((words(2) == Words{2, 0, 128, 0, 32, 36, 0, 2}));
    QVERIFY((words(3) == Words{2, 128, 128, 0, 32, 36, 1, 2}));
    for (std::size_t i = 32; i < table.size(); ++i) QCOMPARE(table[i], 0u);
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::LastWaveTest, Nothing)
#include "last_wave_test.moc"
