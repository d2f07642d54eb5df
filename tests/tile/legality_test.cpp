// SPDX-License-Identifier: GPL-3.0-or-later
// What the constraint table calls legal, against counting: every element of C belongs to exactly
// one thread, and one fill writes every element of the tiles of A and of B exactly once.
#include <QtTest>
#include <set>
#include <vector>

#include "kernels/tile/constraints.h"
#include "kernels/tile/parameters.h"
#include "tests/support/kinds.h"
#include "tests/support/random.h"
#include "tests/support/random_tiles.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom {

using test::q;

class LegalityTest : public QObject {
  Q_OBJECT

  // A rectangle of elements, each of which has to be touched once.
  class Rectangle {
   public:
    Rectangle(int rows, int columns)
        : rows_(rows),
          columns_(columns),
          times_(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns)) {}
    void touch(int row, int column) {
      if (row < 0 || row >= rows_ || column < 0 || column >= columns_) {
        outside_ = true;
      } else {
        ++times_[static_cast<std::size_t>(row * columns_ + column)];
      }
    }
    bool eachOnce() const {
      return !outside_ && std::ranges::all_of(times_, [](int times) { return times == 1; });
    }

   private:
    int rows_, columns_;
    std::vector<int> times_;
    bool outside_ = false;
  };

  // The elements of C as the kernels deal them out: TM rows of one column per thread, TM x TN, or
  // warp tiles of subtiles.
  static bool ownsEachElementOnce(const Stage& stage, const TileShape& tile) {
    const int bm = tile[Parameter::BM], bn = tile[Parameter::BN], tm = tile[Parameter::TM];
    Rectangle c(bm, bn);
    if (stage.has(Parameter::WNITER)) {
      const int wm = tile[Parameter::WM], wn = tile[Parameter::WN], tn = tile[Parameter::TN];
      const int across = tile[Parameter::WNITER];
      const int down = wm * wn / (32 * tm * tn * across);
      if (down == 0 || wn / across < tn) return false;
      const int subtileRows = wm / down, subtileColumns = wn / across, lanes = subtileColumns / tn;
      for (int warp = 0; warp < (bm / wm) * (bn / wn); ++warp) {
        for (int lane = 0; lane < 32; ++lane) {
          for (int subtile = 0; subtile < down * across; ++subtile) {
            const int row =
                warp / (bn / wn) * wm + subtile / across * subtileRows + lane / lanes * tm;
            const int column =
                warp % (bn / wn) * wn + subtile % across * subtileColumns + lane % lanes * tn;
            for (int i = 0; i < tm * tn; ++i) c.touch(row + i / tn, column + i % tn);
          }
        }
      }
    } else {
      const int tn = stage.has(Parameter::TN) ? tile[Parameter::TN] : 1;
      for (int thread = 0; thread < (bm / tm) * (bn / tn); ++thread) {
        const int row = thread / (bn / tn) * tm, column = thread % (bn / tn) * tn;
        for (int i = 0; i < tm * tn; ++i) c.touch(row + i / tn, column + i % tn);
      }
    }
    return c.eachOnce();
  }

  // `threads` write `width` neighbours each, pass by pass, whole rows at a time.
  static bool fillsEachElementOnce(int rows, int columns, int width, int threads, bool onePass) {
    if (columns < width) return false;
    const int rowsOfPass = onePass ? rows : width * threads / columns;
    if (rowsOfPass == 0) return false;
    Rectangle tile(rows, columns);
    for (int pass = 0; pass < rows; pass += rowsOfPass) {
      for (int thread = 0; thread < threads; ++thread) {
        const int row = pass + thread / (columns / width);
        const int column = thread % (columns / width) * width;
        for (int i = 0; i < width; ++i) tile.touch(row, column + i);
      }
    }
    return tile.eachOnce();
  }

  static TileShape disturbed(const Stage& stage, TileShape tile, test::Random& random) {
    const TileShape other = test::anyTile(stage, random);
    for (int change = random.integer(0, 2); change > 0; --change) {
      const auto at = random.integer(0, static_cast<int>(stage.parameters.size()) - 1);
      const Parameter parameter = stage.parameters[static_cast<std::size_t>(at)].parameter;
      tile[parameter] = other[parameter];
    }
    return tile;
  }

  static QString shown(const Stage& stage, const TileShape& tile, const QString& verdict) {
    return q(test::toString(stage, tile)) + ": " + verdict;
  }

 private slots:
  void tilesAreLegalWhereCountingSaysSo_data() { test::addFp32StageRows(); }
  void tilesAreLegalWhereCountingSaysSo() {
    const Stage& stage = test::stageOfRow();
    if (stage.spec(Parameter::BM) == nullptr) return;  // one element per thread: nothing to divide
    static const std::set<std::string_view> kOfC = {
        "warp-rows",    "warp-columns",    "subtiles-across", "wmiter",        "subtiles-down",
        "subtile-rows", "subtile-columns", "thread-rows",     "thread-columns"};
    static const std::set<std::string_view> kOfA = {"float4-bk", "one-float4-a", "fill-a",
                                                    "rows-a"};
    static const std::set<std::string_view> kOfB = {"float4-bn", "one-float4-b", "fill-b",
                                                    "rows-b"};
    test::Random random(test::seed());
    const std::vector<TileShape> walk = test::legalTiles(stage, 150, random);
    int legal = 0, brokenC = 0, brokenFill = 0;
    for (int i = 0; i < 1500; ++i) {
      const TileShape tile =
          disturbed(stage, walk[static_cast<std::size_t>(i) % walk.size()], random);
      const auto violation = firstViolation(stage, tile);
      const std::string_view row = violation ? violation->row->id : "";
      const int threads = derive(stage, tile).threads;
      const int width = test::fillsByFloat4(stage) ? 4 : 1;
      const bool onePass = test::simt(stage).fill == Simt::Fill::OneFloat4;
      const auto fillsA = [&] {
        // Rungs with PAD deal out A by other rules, which the emulator's coverage proof covers.
        return test::simt(stage).runs ||
               fillsEachElementOnce(tile[Parameter::BM], tile[Parameter::BK], width, threads,
                                    onePass);
      };
      const auto fillsB = [&] {
        return fillsEachElementOnce(tile[Parameter::BK], tile[Parameter::BN], width, threads,
                                    onePass);
      };
      if (!violation) {
        ++legal;
        QVERIFY2(ownsEachElementOnce(stage, tile), qPrintable(shown(stage, tile, "elements of C")));
        QVERIFY2(fillsA(), qPrintable(shown(stage, tile, "fill of A")));
        QVERIFY2(fillsB(), qPrintable(shown(stage, tile, "fill of B")));
      } else if (kOfC.contains(row)) {
        ++brokenC;
        QVERIFY2(!ownsEachElementOnce(stage, tile), qPrintable(shown(stage, tile, q(row))));
      } else if (kOfA.contains(row) && !test::simt(stage).runs) {
        ++brokenFill;
        QVERIFY2(!fillsA(), qPrintable(shown(stage, tile, q(row))));
      } else if (kOfB.contains(row)) {
        ++brokenFill;
        QVERIFY2(!fillsB(), qPrintable(shown(stage, tile, q(row))));
      }
    }
    QVERIFY2(legal > 100 && brokenC > 50 && brokenFill > 20,
             qPrintable(QString("%1, %2, %3").arg(legal).arg(brokenC).arg(brokenFill)));
  }

  // Square tiles have one element of C, of A and of B per thread: 32 x 32 threads are the most.
  void squareTilesAreLegalUpToAFullBlock() {
    int square = 0;
    for (const Stage& stage : stages()) {
      if (stage.spec(Parameter::BLOCKSIZE) == nullptr) continue;
      ++square;
      for (int edge = 0; edge <= 40; ++edge) {
        QCOMPARE(isLegal(stage, {{Parameter::BLOCKSIZE, edge}}),
                 edge >= 1 && edge * edge <= Architecture::kThreadsPerBlock);
      }
    }
    QCOMPARE(square, 3);  // the rungs before block tiling
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::LegalityTest, Nothing)
#include "legality_test.moc"
