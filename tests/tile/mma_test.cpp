// SPDX-License-Identifier: GPL-3.0-or-later
// The table of tensor core instructions, and the lane maps that follow from it.
#include "kernels/tile/mma.h"

#include <QtTest>
#include <set>

#include "kernels/tile/mma_table.h"
#include "kernels/tile/stage.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom {

class MmaTest : public QObject {
  Q_OBJECT

  using Places = std::set<std::pair<std::uint32_t, std::uint32_t>>;

  // Whether `count` elements of each lane are all elements of a rows x columns operand, once each.
  template <class Place>
  static bool covers(std::uint32_t rows, std::uint32_t columns, std::uint32_t count, Place place) {
    Places seen;
    for (std::uint32_t lane = 0; lane < MmaRow::kLanes; ++lane) {
      for (std::uint32_t i = 0; i < count; ++i) {
        const FragmentPlace at = place(lane, i);
        if (at.row >= rows || at.column >= columns) return false;
        if (!seen.insert({at.row, at.column}).second) return false;
      }
    }
    return seen.size() == std::size_t{rows} * columns;
  }

 private slots:
  void rowsAreDistinct() {
    std::set<std::pair<std::string_view, std::uint32_t>> shapes;  // with the width of an element
    std::set<std::string_view> names;
    for (const MmaRow& row : kMmaTable) {
      QCOMPARE(&rowOf(row.mma), &row);
      QVERIFY(shapes.emplace(row.shape, row.elementBits).second);
      QVERIFY(names.insert(row.sass).second);
    }
  }

  void eachElementHasOneLane() {
    for (const MmaRow& row : kMmaTable) {
      QVERIFY(covers(row.warpRows(), row.columns, row.laneC(),
                     [&](auto lane, auto i) { return row.placeInC(lane, i); }));
      if (row.inShared) continue;
      QVERIFY(covers(row.rows, row.depth, row.laneA(),
                     [&](auto lane, auto i) { return row.placeInA(lane, i); }));
      QVERIFY(covers(row.depth, row.columns, row.laneB(),
                     [&](auto lane, auto i) { return row.placeInB(lane, i); }));
    }
  }

  // The figures of the PTX ISA for m16n8k16.
  void placesOfTheIsa() {
    const MmaRow& row = rowOf(Mma::M16n8k16);
    QCOMPARE(row.products(), 2048u);
    QVERIFY((row.placeInA(5, 0) == FragmentPlace{1, 2}));
    QVERIFY((row.placeInA(5, 3) == FragmentPlace{9, 3}));
    QVERIFY((row.placeInA(5, 4) == FragmentPlace{1, 10}));
    QVERIFY((row.placeInB(5, 0) == FragmentPlace{2, 1}));
    QVERIFY((row.placeInB(5, 3) == FragmentPlace{11, 1}));
    QVERIFY((row.placeInC(5, 2) == FragmentPlace{9, 2}));
  }

  // The accumulators of wgmma that a lane holds go on eight columns to the right.
  void placesOfAWarpgroup() {
    const MmaRow& row = rowOf(Mma::M64nNk16);
    QCOMPARE(row.products(), 2048u);
    QVERIFY((row.placeInC(5, 4) == FragmentPlace{1, 10}));
  }

  void rungsHaveTheInstructionOfTheirFormat() {
    for (const Stage* stage : everyStage()) {
      const MmaRow* mma = stage->mma();
      QCOMPARE(mma != nullptr, stage->ladder == Ladder::Tensor);
      if (mma == nullptr) continue;
      for (const Format format : stage->formats)
        QCOMPARE(rowOf(format).bits, static_cast<int>(mma->elementBits));
    }
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::MmaTest, Nothing)
#include "mma_test.moc"
