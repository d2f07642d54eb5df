// SPDX-License-Identifier: GPL-3.0-or-later
// The path of bytes that no thread moves: every chunk is at its recorded place, and the swizzle
// that follows from it is the documented one.
#include "kernels/analysis/tensor/chunk_path.h"

#include <QtTest>
#include <set>

#include "kernels/analysis/tensor/product_cost.h"
#include "kernels/tile/placement.h"
#include "tests/support/group_tiles.h"
#include "tests/support/test_class.h"

namespace tileloom::analysis {

class ChunkPathTest : public QObject {
  Q_OBJECT

 private slots:
  void operands_data() { test::addGroupTiles(); }
  void operands() {
    const auto& tile = test::groupTileOfRow();
    const auto r = test::recordedTile(tile);
    const std::uint32_t index = test::indexOf(*r, 1, [](const emulator::Instruction& i) {
      return i.kind == emulator::Kind::Product && i.dot == 0;
    });
    const auto p = groupProduct(*r, 1, index);
    QVERIFY(p.has_value());
    for (const Matrix matrix : {Matrix::A, Matrix::B}) {
      const ChunkPath path = chunkPath(*r, *p, matrix, 8, 8);
      QVERIFY(!path.chunks.empty());
      QVERIFY(path.rows <= ChunkPath::kRows);
      QCOMPARE(path.swizzle, static_cast<std::uint32_t>(tile.swizzle));
      std::set<std::uint32_t> bytes, read;
      for (const ChunkPath::Chunk& chunk : path.chunks) {
        QVERIFY(bytes.insert(chunk.byte).second);
        QVERIFY(chunk.first && chunk.first->matrix == matrix);
        QCOMPARE(path.lines[path.lineOf(chunk)] * 128 + ChunkPath::groupOf(chunk) * 16, chunk.byte);
        // It is where the descriptor finds it, if the wgmma reads it; else it is not a factor.
        const auto place = p->placeOf(*chunk.first);
        QCOMPARE(place.has_value(), chunk.wavefront.has_value());
        if (place) {
          QCOMPARE(p->byteOf(*place), chunk.byte);
          read.insert(*chunk.wavefront);
        }
      }
      // One wavefront for each 8 x 8 elements: none of these tiles has conflicts.
      if (tile.problem.m == 1024) {
        const auto columns = static_cast<std::uint32_t>(std::min(tile.swizzle / 2, tile.bn));
        QCOMPARE(path.wavefronts, matrix == Matrix::A ? 2u : columns / 8);
        QCOMPARE(read.size(), std::size_t{path.wavefronts});
        QCOMPARE(path.chunks.size(), std::size_t{8} * static_cast<std::size_t>(tile.swizzle) / 16);
        // The eight rows of a wavefront lie in all 32 banks.
        std::set<std::uint32_t> groups;
        for (const ChunkPath::Chunk& chunk : path.chunks) {
          if (chunk.wavefront == 0u) groups.insert(ChunkPath::groupOf(chunk));
        }
        QCOMPARE(groups.size(), std::size_t{8});
      }
    }
  }

  // Rows of a box of 128 bytes: chunk c of row r is at c XOR r, and holds the recorded elements.
  void aBox() {
    const auto r = test::recorded({.stage = "hopper"});
    QVERIFY(!r->trace.boxes.empty());
    for (const emulator::BoxRecord& box : r->trace.boxes) {
      const ChunkPath path = chunkPath(*r, box, 9);
      QCOMPARE(path.firstRow, 8u);
      QCOMPARE(path.columns, box.columns / 8);
      QCOMPARE(path.chunks.size(), std::size_t{8} * path.columns);
      for (const ChunkPath::Chunk& chunk : path.chunks) {
        QCOMPARE(ChunkPath::groupOf(chunk), chunk.column ^ chunk.row);
        const Element expected{static_cast<Matrix>(box.matrix), std::int64_t{box.y} + 8 + chunk.row,
                               std::int64_t{box.x} + 8 * chunk.column};
        QVERIFY(chunk.first && *chunk.first == expected);
        QVERIFY(!chunk.wavefront);
        QCOMPARE(path.chunks[*path.find(expected)].byte, chunk.byte);
      }
    }
    const Element elsewhere{Matrix::C, 0, 0};
    QVERIFY(!chunkPath(*r, r->trace.boxes.front()).find(elsewhere));
  }

  // Outside the matrix there are zeros, without an element.
  void aBoxOverTheEdge() {
    const auto r = test::recorded({.stage = "tma", .problem = {72, 72, 40}});
    std::size_t outside = 0;
    for (const emulator::BoxRecord& box : r->trace.boxes) {
      for (const ChunkPath::Chunk& chunk : chunkPath(*r, box).chunks) {
        const bool in = std::int64_t{box.x} + 8 * chunk.column < (box.matrix == 0 ? 40 : 72) &&
                        std::int64_t{box.y} + chunk.row < (box.matrix == 0 ? 72 : 40);
        QCOMPARE(chunk.first.has_value(), in);
        outside += in ? 0 : 1;
      }
    }
    QVERIFY(outside > 0);
  }
};

}  // namespace tileloom::analysis

TILELOOM_TEST(tileloom::analysis::ChunkPathTest, Nothing)
#include "chunk_path_test.moc"
