// SPDX-License-Identifier: GPL-3.0-or-later
// Which tiles are measured first. Everything here is calculated again from the constraint table.
#include "kernels/tuning/spread.h"

#include <QtTest>
#include <cmath>
#include <limits>
#include <set>

#include "kernels/tile/parameters.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::test {
namespace {

using tuning::powerOfTwoTiles;
using tuning::spreadTiles;

std::string text(const Stage& stage, const TileShape& tile) {
  return toString(stage, tile);
}

int differing(const Stage& stage, const TileShape& a, const TileShape& b) {
  int count = 0;
  for (const ParameterSpec& spec : stage.parameters)
    count += a[spec.parameter] != b[spec.parameter] ? 1 : 0;
  return count;
}

int distance(const Stage& stage, const TileShape& a, const TileShape& b) {
  double sum = 0;
  for (const ParameterSpec& spec : stage.parameters)
    sum += std::abs(std::log2(double(a[spec.parameter])) - std::log2(double(b[spec.parameter])));
  return static_cast<int>(std::lround(sum));
}

// A list of this length also has far tiles, if there are any.
std::size_t enough(const Stage& stage, const Architecture& arch = defaultArchitecture()) {
  const std::vector<TileShape> all = powerOfTwoTiles(stage, arch);
  const auto near = std::ranges::count_if(
      all, [&](const TileShape& t) { return differing(stage, t, stage.standardTile()) <= 2; });
  return std::min(all.size(), static_cast<std::size_t>(near) + 40);
}

// All tiles, but for warp tiling, whose list would take minutes under a sanitizer.
std::size_t bearable(const Stage& stage, const Architecture& arch = defaultArchitecture()) {
  const std::size_t all = powerOfTwoTiles(stage, arch).size();
  return all < 2000 ? all : enough(stage, arch);
}

// Rungs 1 to 8. The later ones have so many tiles that their lists take minutes, and the choice
// among tiles knows no stage: theLaterRungs() looks at what is different there.
void addRows() {
  QTest::addColumn<QString>("stage");
  for (const Stage& stage : stages()) {
    if (stage.rung <= 8) QTest::newRow(std::string(stage.id).c_str()) << q(stage.id);
  }
}

}  // namespace

class SpreadTest : public QObject {
  Q_OBJECT

 private slots:
  void everyPowerOfTwo_data() { addRows(); }
  // All combinations of powers of two, filtered: slow and simple.
  void everyPowerOfTwo() {
    const Stage& stage = stageOfRow();
    std::vector<std::vector<int>> values;
    std::size_t combinations = 1;
    for (const ParameterSpec& spec : stage.parameters) {
      values.emplace_back();
      for (int e = 0; e < 20; ++e) {
        if (1 << e >= spec.min && 1 << e <= spec.max) values.back().push_back(1 << e);
      }
      combinations *= values.back().size();
    }
    std::set<std::string> want;
    for (std::size_t i = 0; i < combinations; ++i) {
      TileShape tile;
      std::size_t rest = i;
      for (std::size_t parameter = 0; parameter < values.size(); ++parameter) {
        tile[stage.parameters[parameter].parameter] =
            values[parameter][rest % values[parameter].size()];
        rest /= values[parameter].size();
      }
      if (isLegal(stage, tile)) want.insert(text(stage, tile));
    }
    std::set<std::string> got;
    const std::vector<TileShape> tiles = powerOfTwoTiles(stage);
    for (const TileShape& tile : tiles) got.insert(text(stage, tile));
    QCOMPARE(got.size(), tiles.size());  // none twice
    QVERIFY(got == want);
    QVERIFY(got.count(text(stage, stage.standardTile())) == 1);
  }

  void theLaterRungs_data() {
    QTest::addColumn<QString>("stage");
    for (const Stage& stage : stages()) {
      if (stage.rung > 8) QTest::newRow(std::string(stage.id).c_str()) << q(stage.id);
    }
  }
  // Of the tiles that differ from the default one in BM, BN and the late tile parameters alone: the
  // same list as that made by trying all. Late tile parameters take their least value, the usual
  // one and twice that.
  void theLaterRungs() {
    const Stage& stage = stageOfRow();
    const TileShape standard = stage.standardTile();
    std::vector<TileShape> want = {standard};
    for (const ParameterSpec& spec : stage.parameters) {
      const bool late = spec.parameter == Parameter::PAD || spec.parameter == Parameter::STAGES ||
                        spec.parameter == Parameter::GROUP;
      if (!late && spec.parameter != Parameter::BM && spec.parameter != Parameter::BN) continue;
      std::vector<TileShape> more;
      for (const TileShape& tile : want) {
        for (int value = spec.min; value <= spec.max; ++value) {
          const bool tried =
              late ? value == spec.min || value == spec.standard || value == 2 * spec.standard
                   : (value & (value - 1)) == 0;
          if (tried) more.push_back(tile.with(spec.parameter, value));
        }
      }
      want = more;
    }
    std::set<std::string> wanted, got;
    for (const TileShape& tile : want) {
      if (isLegal(stage, tile)) wanted.insert(text(stage, tile));
    }
    std::size_t all = 0;
    for (const TileShape& tile : powerOfTwoTiles(stage)) {
      ++all;
      TileShape same = tile;
      for (const Parameter parameter :
           {Parameter::BM, Parameter::BN, Parameter::PAD, Parameter::STAGES, Parameter::GROUP})
        same[parameter] = standard[parameter];
      if (same == standard) got.insert(text(stage, tile));
    }
    QVERIFY(wanted.size() > 3);
    QVERIFY(got == wanted);
    QVERIFY(all > 1000);
  }

  void legalAndDistinct_data() { addRows(); }
  void legalAndDistinct() {
    const Stage& stage = stageOfRow();
    // No architecture of today has too little shared memory for any of these tiles. One with 24 KiB
    // a block has it for the default ones, one with 8 KiB for few.
    for (const int kiB : {227, 24, 8}) {
      Architecture arch = defaultArchitecture();
      arch.sharedPerBlock = kiB * 1024;
      const std::vector<TileShape> tiles = spreadTiles(stage, bearable(stage, arch), arch);
      std::set<std::string> seen;
      for (const TileShape& tile : tiles) {
        QVERIFY2(isLegal(stage, tile, arch), text(stage, tile).c_str());
        QVERIFY2(seen.insert(text(stage, tile)).second, text(stage, tile).c_str());
        for (const Parameter parameter : kAllParameters)
          QCOMPARE(tile[parameter] != 0, stage.spec(parameter) != nullptr);
      }
      QVERIFY(!tiles.empty());
      if (isLegal(stage, stage.standardTile(), arch))
        QVERIFY(tiles.front() == stage.standardTile());
    }
  }

  void theSameEveryTime_data() { addRows(); }
  // And a longer list begins with the shorter one: a search can continue where another stopped.
  void theSameEveryTime() {
    const Stage& stage = stageOfRow();
    const std::vector<TileShape> all = powerOfTwoTiles(stage);
    const std::size_t count = enough(stage);
    const std::vector<TileShape> tiles = spreadTiles(stage, count);
    QVERIFY(spreadTiles(stage, count) == tiles);
    for (const std::size_t fewer : {std::size_t{1}, std::size_t{2}, count / 2, count - 1}) {
      const std::size_t n = std::min(fewer, tiles.size());
      QVERIFY(spreadTiles(stage, n) ==
              std::vector<TileShape>(tiles.begin(), tiles.begin() + static_cast<long>(n)));
    }
  }

  void neighboursComeFirst_data() { addRows(); }
  void neighboursComeFirst() {
    const Stage& stage = stageOfRow();
    const TileShape standard = stage.standardTile();
    const std::vector<TileShape> all = powerOfTwoTiles(stage);
    std::array<std::size_t, 3> near{};
    for (const TileShape& tile : all) {
      const int d = differing(stage, tile, standard);
      if (d <= 2) ++near[static_cast<std::size_t>(d)];
    }
    QCOMPARE(near[0], std::size_t{1});
    const std::vector<TileShape> tiles = spreadTiles(stage, enough(stage));
    std::size_t at = 0;
    for (std::size_t d = 0; d < near.size(); ++d) {
      for (std::size_t i = 0; i < near[d]; ++i, ++at)
        QCOMPARE(differing(stage, tiles[at], standard), static_cast<int>(d));
    }
    for (; at < tiles.size(); ++at) QVERIFY(differing(stage, tiles[at], standard) > 2);
  }

  void farOnesAreFarthest_data() { addRows(); }
  void farOnesAreFarthest() {
    const Stage& stage = stageOfRow();
    const std::vector<TileShape> all = powerOfTwoTiles(stage);
    const std::vector<TileShape> tiles = spreadTiles(stage, enough(stage));
    std::vector<int> nearest(all.size(), std::numeric_limits<int>::max());
    int before = std::numeric_limits<int>::max(), far = 0;
    for (const TileShape& tile : tiles) {
      if (differing(stage, tile, stage.standardTile()) > 2) {
        const auto self = std::ranges::find(all, tile);
        QVERIFY(self != all.end());
        const int own = nearest[static_cast<std::size_t>(self - all.begin())];
        QCOMPARE(own, *std::ranges::max_element(nearest));
        QVERIFY(own > 0 && own <= before);  // the gaps only become smaller
        before = own;
        ++far;
      }
      for (std::size_t i = 0; i < all.size(); ++i)
        nearest[i] = std::min(nearest[i], distance(stage, all[i], tile));
    }
    // Stages with more than two tile parameters have such tiles, and this test saw them.
    QCOMPARE(far > 0, stage.parameters.size() > 2);
  }

  void countsAreKept_data() { addRows(); }
  void countsAreKept() {
    const Stage& stage = stageOfRow();
    const std::size_t all = powerOfTwoTiles(stage).size(), many = bearable(stage);
    for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{3}, many})
      QCOMPARE(spreadTiles(stage, count).size(), std::min(count, all));
    if (many < all) return;
    for (const std::size_t count : {all + 1, std::numeric_limits<std::size_t>::max()})
      QCOMPARE(spreadTiles(stage, count).size(), all);
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::SpreadTest, Nothing)
#include "spread_test.moc"
