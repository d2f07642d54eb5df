// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <cmath>

#include "kernels/tile/constraints.h"
#include "kernels/tile/parameters.h"
#include "tests/support/random.h"
#include "tests/support/random_tiles.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom {

using test::q;

class NearestTest : public QObject {
  Q_OBJECT

  // Tiles as a user leaves them: legal except for one or two tile parameters that were just
  // changed.
  static std::vector<TileShape> disturbedTiles(const Stage& stage, std::size_t count) {
    test::Random random(test::seed());
    std::vector<TileShape> tiles = test::legalTiles(stage, count, random);
    for (TileShape& tile : tiles) {
      for (int change = random.integer(1, 2); change > 0; --change) {
        const auto i = random.integer(0, static_cast<int>(stage.parameters.size()) - 1);
        const ParameterSpec& spec = stage.parameters[static_cast<std::size_t>(i)];
        tile[spec.parameter] = random.integer(spec.min, spec.max);
      }
    }
    return tiles;
  }

  static int parametersChanged(const TileShape& from, const TileShape& to) {
    int changed = 0;
    for (const Parameter parameter : kAllParameters)
      changed += from[parameter] != to[parameter] ? 1 : 0;
    return changed;
  }

 private slots:
  void legalValuesAreThoseThatIsLegalAccepts_data() { test::addStageRows(); }
  void legalValuesAreThoseThatIsLegalAccepts() {
    const Stage& stage = test::stageOfRow();
    for (const TileShape& tile : disturbedTiles(stage, 30)) {
      for (const ParameterSpec& spec : stage.parameters) {
        // Beyond the range too: no value from there may be offered.
        std::vector<int> expected;
        for (int value = -5; value <= 1100; ++value) {
          if (isLegal(stage, tile.with(spec.parameter, value))) expected.push_back(value);
        }
        QVERIFY(legalValues(stage, tile, spec.parameter) == expected);

        Nearest byForce;
        for (const int value : expected) {
          if (value < tile[spec.parameter]) byForce.below = value;
        }
        for (auto value = expected.rbegin(); value != expected.rend(); ++value) {
          if (*value > tile[spec.parameter]) byForce.above = *value;
        }
        const Nearest nearest = nearestValues(stage, tile, spec.parameter);
        QVERIFY(nearest.below == byForce.below);
        QVERIFY(nearest.above == byForce.above);
      }
    }
  }

  void aParameterThatTheStageLacksHasNoLegalValue() {
    const Stage& naive = test::stage("naive");
    QVERIFY(legalValues(naive, naive.standardTile(), Parameter::BM).empty());
    const Nearest nearest = nearestValues(naive, naive.standardTile(), Parameter::BM);
    QVERIFY(!nearest.below && !nearest.above);
  }

  void nearestTileIsLegalAndClose_data() { test::addStageRows(); }
  void nearestTileIsLegalAndClose() {
    const Stage& stage = test::stageOfRow();
    for (const TileShape& tile : disturbedTiles(stage, 100)) {
      const auto near = nearestTile(stage, tile);
      QVERIFY2(near.has_value(), test::toString(stage, tile).c_str());
      QVERIFY(isLegal(stage, *near));
      // The walk that made it illegal moved at most two tile parameters, but the way back may lead
      // elsewhere.
      QVERIFY2(parametersChanged(tile, *near) <= 4, test::toString(stage, tile).c_str());
      QCOMPARE(parametersChanged(tile, *near) == 0, isLegal(stage, tile));
    }
  }

  void oneParameterIsEnoughWhereOneParameterIs() {
    const Stage& stage = test::stage("warptiled");
    const TileShape tile = stage.standardTile().with(Parameter::WNITER, 3);
    const auto near = nearestTile(stage, tile);
    QVERIFY(near.has_value());
    QVERIFY(*near == stage.standardTile());  // 4 is nearer to 3 than 2 is, by ratio
  }

  void theMovedParameterStays() {
    const Stage& stage = test::stage("vectorized");
    for (const int bm : {16, 32, 64}) {
      const TileShape tile = stage.standardTile().with(Parameter::BM, bm);
      QVERIFY(!isLegal(stage, tile));
      const auto near = nearestTile(stage, tile, Parameter::BM);
      QVERIFY(near.has_value());
      QVERIFY(isLegal(stage, *near));
      QCOMPARE((*near)[Parameter::BM], bm);
    }
  }

  // The nearest tile by one tile parameter may have any value of it, as the table of the tile
  // parameters says.
  void oneParameterMayHaveAnyValue() {
    for (const Stage* stage : everyStage()) {
      for (const TileShape& tile : disturbedTiles(*stage, 40)) {
        if (isLegal(*stage, tile)) continue;
        double least = 1e9;
        for (const ParameterSpec& spec : stage->parameters) {
          const Nearest values = nearestValues(*stage, tile, spec.parameter);
          for (const auto& value : {values.below, values.above}) {
            if (value)
              least = std::min(least, std::abs(std::log2(1.0 * std::max(*value, 1) /
                                                         std::max(tile[spec.parameter], 1))));
          }
        }
        if (least > 1e8) continue;
        const auto near = nearestTile(*stage, tile);
        QVERIFY(near.has_value());
        int moved = 0;
        double by = 0;
        for (const ParameterSpec& spec : stage->parameters) {
          if ((*near)[spec.parameter] == tile[spec.parameter]) continue;
          ++moved;
          by = std::abs(std::log2(1.0 * std::max((*near)[spec.parameter], 1) /
                                  std::max(tile[spec.parameter], 1)));
        }
        QCOMPARE(moved, 1);
        QVERIFY(std::abs(by - least) < 1e-9);
      }
    }
  }

  void anImpossibleParameterIsGivenUp() {
    const Stage& autotuned = test::stage("autotuned");
    const auto near =
        nearestTile(autotuned, autotuned.standardTile().with(Parameter::BK, 7), Parameter::BK);
    QVERIFY(near.has_value() && isLegal(autotuned, *near));
    // 256 rows at one float4 per thread leave each thread too many results for its registers.
    const Stage& vectorized = test::stage("vectorized");
    const auto other =
        nearestTile(vectorized, vectorized.standardTile().with(Parameter::BM, 256), Parameter::BM);
    QVERIFY(other.has_value() && isLegal(vectorized, *other));
  }

  void explanationsOfferTheWayOut() {
    const Stage& autotuned = test::stage("autotuned");
    const TileShape fill = autotuned.standardTile()
                               .with(Parameter::BM, 64)
                               .with(Parameter::TM, 4)
                               .with(Parameter::BK, 8);
    QCOMPARE(derive(autotuned, fill).threads, 256);
    QCOMPARE(q(explainTile(autotuned, fill, Parameter::BK)),
             QString("BM·BK = 512 floats cannot be split into whole float4 loads over 256 threads; "
                     "choose BK = 16"));
    const Stage& warptiled = test::stage("warptiled");
    QCOMPARE(q(explainTile(warptiled, warptiled.standardTile().with(Parameter::WNITER, 3),
                           Parameter::WNITER)),
             QString("WN = 64 is not a multiple of WNITER = 3, so subtiles cannot cover the warp "
                     "tile; choose WNITER = 2 or 4"));
  }

  void explanationsNameAWholeTileWhereNoSingleParameterHelps() {
    const Stage& stage = test::stage("vectorized");
    const QString text =
        q(explainTile(stage, stage.standardTile().with(Parameter::BM, 64), Parameter::BM));
    QVERIFY2(text.contains("; choose BM = 128") || text.contains("the nearest legal tile has"),
             qPrintable(text));
    const TileShape far = {{Parameter::BM, 64},
                           {Parameter::BN, 100},
                           {Parameter::BK, 8},
                           {Parameter::TM, 8},
                           {Parameter::TN, 8}};
    QVERIFY2(q(explainTile(stage, far)).contains("; the nearest legal tile has "),
             explainTile(stage, far).c_str());
  }

  void whatIsOfferedIsLegal_data() { test::addStageRows(); }
  void whatIsOfferedIsLegal() {
    static const QRegularExpression offer("; choose (\\w+) = (\\d+)(?: or (\\d+))?$");
    const Stage& stage = test::stageOfRow();
    int illegal = 0, offers = 0;
    for (const TileShape& tile : disturbedTiles(stage, 40)) {
      const QString text = q(explainTile(stage, tile));
      illegal += text.isEmpty() ? 0 : 1;
      QCOMPARE(text.isEmpty(), isLegal(stage, tile));
      const QRegularExpressionMatch match = offer.match(text);
      if (!match.hasMatch()) continue;
      ++offers;
      const Parameter parameter = parameterNamed(match.captured(1).toStdString()).value();
      QVERIFY2(isLegal(stage, tile.with(parameter, match.captured(2).toInt())), qPrintable(text));
      if (!match.captured(3).isEmpty()) {
        QVERIFY2(isLegal(stage, tile.with(parameter, match.captured(3).toInt())), qPrintable(text));
      }
    }
    QVERIFY2(illegal == 0 || offers > 0, "no explanation reads as this test expects");
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::NearestTest, Nothing)
#include "nearest_test.moc"
