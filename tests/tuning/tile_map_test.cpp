// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/tuning/tile_map.h"
#include "kernels/tile/subject.h"

#include <QtTest>
#include <algorithm>

#include "kernels/runs/recordings.h"
#include "kernels/tile/parameters.h"
#include "kernels/tuning/space.h"
#include "tests/support/runs.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::test {

using runs::RunRecord;
using tuning::figuresOf;
using tuning::Others;
using tuning::TileCell;
using tuning::TileFigure;
using tuning::tileMap;

class TileMapTest : public QObject {
  Q_OBJECT

  static std::vector<const RunRecord*> shipped() {
    std::vector<const RunRecord*> all;
    for (const RunRecord& run : runs::recordings()) all.push_back(&run);
    return all;
  }
  static constexpr Problem kProblem{4096, 4096, 4096};

  static tuning::TileMap mapOf(const Stage& s, const TileShape& present, Parameter x, Parameter y,
                               Others others, std::span<const TileFigure> figures) {
    const auto values = tuning::mapValues(s, present, x, y, others, {&figures, 1});
    return tileMap(s, present, values, others, figures, defaultArchitecture());
  }

 private slots:
  void figuresAreTheLatestOfEachTile() {
    const Stage& s = stage("warptiled");
    const auto devices = tuning::devicesOf(shipped(), s, kProblem, s.usualFormat());
    // The one with more runs first.
    QVERIFY((devices == std::vector<std::string>{std::string(kReferenceDevice), "NVIDIA H200"}));
    const auto figures = figuresOf(shipped(), s, kProblem, devices.front(), s.usualFormat());
    QVERIFY(figures.size() > 1200);
    for (std::size_t i = 1; i < figures.size(); ++i)
      QVERIFY(figures[i - 1].gflops.median >= figures[i].gflops.median);
    // Each tile once, with what the index of recordings finds.
    for (const TileFigure& f : figures) {
      QCOMPARE(std::ranges::count(figures, f.tile, &TileFigure::tile), 1);
      const RunRecord* run = runs::recordedRun(usualSubject(s, f.tile), kProblem);
      QVERIFY(run != nullptr && run->gflops == f.gflops && run->registers == f.registers);
      QVERIFY(f.kind == TileFigure::Kind::Recorded);
    }
    // A sweep of the same rung on another device, over half of whose tiles ran on the first, too.
    const auto beside = figuresOf(shipped(), s, kProblem, devices.back(), s.usualFormat());
    QVERIFY(beside.size() > 1000);
    QVERIFY(std::ranges::count_if(beside, [&](const TileFigure& f) {
              return std::ranges::count(figures, f.tile, &TileFigure::tile) == 1;
            }) > 500);
    QVERIFY(figuresOf(shipped(), s, kProblem, "another", s.usualFormat()).empty());
    QVERIFY(figuresOf(shipped(), s, {123, 4096, 4096}, devices.front(), s.usualFormat()).empty());
  }

  void liveBeatsRecordedAndStaleIsNone() {
    const Stage& s = stage("warptiled");
    RunRecord live = *runs::recordedRun(standardSubject(s), kProblem);
    live.origin = runs::Origin::Live;
    live.when = "2020-01-01T00:00:00Z";
    live.gflops = {1, 1, 1};
    RunRecord stale = live;
    stale.fingerprint = "0123456789abcdef";
    stale.when = "2030-01-01T00:00:00Z";
    auto runs = shipped();
    runs.push_back(&live);
    runs.push_back(&stale);
    const auto figures = figuresOf(runs, s, kProblem, live.device, s.usualFormat());
    const auto found = std::ranges::find(figures, s.standardTile(), &TileFigure::tile);
    QVERIFY(found != figures.end());
    QCOMPARE(found->gflops.median, 1.0);
    QVERIFY(found->kind == TileFigure::Kind::Live);
  }

  // Of one rung in one arithmetic, and cuBLAS's speed of that arithmetic.
  void formatsAreApart() {
    const Stage& s = stage("mmaring");
    RunRecord bf16 = *runs::recordedRun(standardSubject(stage("warptiled")), kProblem);
    bf16.stage = s.id;
    bf16.fingerprint.clear();
    bf16.tile = s.standardTile();
    bf16.format = Format::Bf16;
    bf16.gflops = {400000, 400000, 400000};
    bf16.cublas = {700000, 700000, 700000};
    RunRecord fp16 = bf16;
    fp16.format = Format::Fp16;
    fp16.gflops = {390000, 390000, 390000};
    fp16.cublas = {690000, 690000, 690000};
    const std::vector<const RunRecord*> runs = {&bf16, &fp16};
    const std::string& device = bf16.device;
    QCOMPARE(figuresOf(runs, s, kProblem, device, s.usualFormat()).size(), std::size_t{1});
    QCOMPARE(figuresOf(runs, s, kProblem, device, s.usualFormat())[0].gflops.median, 400000.0);
    QCOMPARE(figuresOf(runs, s, kProblem, device, Format::Fp16)[0].gflops.median, 390000.0);
    QCOMPARE(tuning::fastestOf(runs, s, kProblem, device, Format::Fp16)->tiles, 1);
    QCOMPARE(tuning::cublasOf(runs, kProblem, device), 0.0);
    QCOMPARE(tuning::cublasOf(runs, kProblem, device, Format::Fp16), 690000.0);
    const std::vector<const RunRecord*> one = {&fp16};
    QVERIFY(tuning::devicesOf(one, s, kProblem, s.usualFormat()).empty());
    QCOMPARE(tuning::devicesOf(one, s, kProblem, Format::Fp16).size(), std::size_t{1});
  }

  void aMapOfThePresentTilesNeighbours() {
    const Stage& s = stage("warptiled");
    const TileShape present = s.standardTile();
    const auto figures = figuresOf(
        shipped(), s, kProblem, tuning::devicesOf(shipped(), s, kProblem, s.usualFormat()).front(),
        s.usualFormat());
    const auto map = mapOf(s, present, Parameter::BN, Parameter::BM, Others::AsNow, figures);
    QCOMPARE(map.cells.size(), map.columns() * map.rows());
    QVERIFY(std::ranges::is_sorted(map.valuesX) && std::ranges::is_sorted(map.valuesY));
    int known = 0, illegal = 0;
    for (std::size_t row = 0; row < map.rows(); ++row) {
      for (std::size_t column = 0; column < map.columns(); ++column) {
        const TileCell& cell = map.at(column, row);
        QVERIFY(
            cell.tile ==
            present.with(Parameter::BN, map.valuesX[column]).with(Parameter::BM, map.valuesY[row]));
        const bool legal = isLegal(s, cell.tile);
        QCOMPARE(cell.kind == TileCell::Kind::Illegal, !legal);
        QCOMPARE(cell.rule.empty(), legal);
        if (!legal) ++illegal;
        if (cell.kind != TileCell::Kind::Known) continue;
        ++known;
        QVERIFY(figures[*cell.figure].tile == cell.tile);
      }
    }
    QVERIFY(known > 4 && illegal > 4);
  }

  void theOthersAtTheirBest() {
    const Stage& s = stage("warptiled");
    const auto figures = figuresOf(
        shipped(), s, kProblem, tuning::devicesOf(shipped(), s, kProblem, s.usualFormat()).front(),
        s.usualFormat());
    const auto map =
        mapOf(s, s.standardTile(), Parameter::BN, Parameter::BM, Others::Best, figures);
    std::size_t known = 0;
    for (std::size_t row = 0; row < map.rows(); ++row) {
      for (std::size_t column = 0; column < map.columns(); ++column) {
        const TileCell& cell = map.at(column, row);
        const auto best = std::ranges::find_if(figures, [&](const TileFigure& f) {
          return f.tile[Parameter::BN] == map.valuesX[column] &&
                 f.tile[Parameter::BM] == map.valuesY[row];
        });
        QCOMPARE(cell.kind == TileCell::Kind::Known, best != figures.end());
        if (best == figures.end()) continue;
        ++known;
        QVERIFY(cell.tile == best->tile);
        QCOMPARE(figures[*cell.figure].gflops.median, best->gflops.median);
      }
    }
    QVERIFY(known > 10);
    // The fastest of all is on it.
    QVERIFY(std::ranges::any_of(map.cells, [](const TileCell& cell) { return cell.figure == 0; }));
  }

  // A cell is hatched if no values of the other parameters make it legal. A legal cell without a
  // measurement is empty, and a click there leads to the nearest legal tile.
  void whatCannotBeHadAtAll() {
    const Stage& s = stage("warptiled");
    const auto devices = tuning::devicesOf(shipped(), s, kProblem, s.usualFormat());
    const auto figures = figuresOf(shipped(), s, kProblem, devices.back(), s.usualFormat());
    const TileShape present = s.standardTile();
    const auto map = mapOf(s, present, Parameter::BN, Parameter::BM, Others::Best, figures);
    const auto space = tuning::spaceOf(s, {true, {}});
    int unknown = 0, illegal = 0;
    for (const TileCell& cell : map.cells) {
      const int bn = cell.tile[Parameter::BN], bm = cell.tile[Parameter::BM];
      const bool possible = std::ranges::any_of(space->legal, [&](const TileShape& tile) {
        return tile[Parameter::BN] == bn && tile[Parameter::BM] == bm;
      });
      QCOMPARE(cell.kind == TileCell::Kind::Illegal, !possible);
      illegal += cell.kind == TileCell::Kind::Illegal ? 1 : 0;
      if (cell.kind != TileCell::Kind::Unknown) continue;
      ++unknown;
      QVERIFY(isLegal(s, cell.tile));
      // Nothing is changed unnecessarily.
      if (isLegal(s, present.with(Parameter::BN, bn).with(Parameter::BM, bm)))
        QVERIFY(cell.tile == present.with(Parameter::BN, bn).with(Parameter::BM, bm));
    }
    QVERIFY2(unknown > 5 && illegal > 0, qPrintable(QString("%1 %2").arg(unknown).arg(illegal)));
  }

  // Two devices side by side have the same axes, whatever was measured on either.
  void mapsSideBySideShareTheirAxes() {
    const Stage& s = stage("warptiled");
    const auto devices = tuning::devicesOf(shipped(), s, kProblem, s.usualFormat());
    const auto one = figuresOf(shipped(), s, kProblem, devices.front(), s.usualFormat());
    const auto other = figuresOf(shipped(), s, kProblem, devices.back(), s.usualFormat());
    const std::span<const TileFigure> both[] = {one, other};
    const auto values =
        tuning::mapValues(s, s.standardTile(), Parameter::BN, Parameter::BM, Others::Best, both);
    for (const auto& sweep : both) {
      for (const TileFigure& f : sweep) {
        QVERIFY(std::ranges::binary_search(values.valuesX, f.tile[Parameter::BN]));
        QVERIFY(std::ranges::binary_search(values.valuesY, f.tile[Parameter::BM]));
      }
      // Each map has these values, and a cell that one map knows is possible in the other.
      const auto map =
          tileMap(s, s.standardTile(), values, Others::Best, sweep, defaultArchitecture());
      QVERIFY(map.valuesX == values.valuesX && map.valuesY == values.valuesY);
      for (std::size_t i = 0; i < map.cells.size(); ++i) {
        const bool measured = std::ranges::any_of(one, [&](const TileFigure& f) {
          return f.tile[Parameter::BN] == values.valuesX[i % map.columns()] &&
                 f.tile[Parameter::BM] == values.valuesY[i / map.columns()];
        });
        if (measured) QVERIFY(map.cells[i].kind != TileCell::Kind::Illegal);
      }
    }
    // As they are, only tiles on the map have a row.
    const auto now =
        tuning::mapValues(s, s.standardTile(), Parameter::BN, Parameter::BM, Others::AsNow, both);
    QVERIFY(now.valuesX.size() < values.valuesX.size());
  }

  // A tile between the round values, and one tile parameter without figures.
  void oddTilesHaveARow() {
    const Stage& s = stage("warptiled");
    const TileShape odd = s.standardTile().with(Parameter::BM, 160);
    const auto map = mapOf(s, odd, Parameter::BK, Parameter::BM, Others::AsNow, {});
    QVERIFY(std::ranges::count(map.valuesY, 160) == 1);
    for (const TileCell& cell : map.cells) QVERIFY(cell.kind != TileCell::Kind::Known);
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::TileMapTest, EventLoop)
#include "tile_map_test.moc"
