// SPDX-License-Identifier: GPL-3.0-or-later
// The memory path of transfers without threads: a TMA box between global and shared memory, or the
// operands of a wgmma between shared memory and the tensor core. Chunks of 16 bytes are shown in
// global memory, over the banks of shared memory, and in the wavefronts in which the tensor core
// reads them.
#pragma once

#include <QRectF>
#include <QString>
#include <optional>
#include <vector>

#include "kernels/analysis/tensor/chunk_path.h"
#include "viz/base/scene.h"
#include "viz/base/theme.h"
#include "viz/base/widgets/cursor_move.h"
#include "viz/memory/operand_banks.h"

class QPainter;

namespace tileloom {

struct ChunkPicture {
  enum class Station { Global, CopyEngine, Shared, TensorCore };

  // One station of one path: a grid of cells.
  struct Grid {
    Station station = Station::Global;
    std::size_t path = 0;  // index into paths
    QRectF body;
    double label = 0;  // width of the names of its rows, to the left of the body
    std::uint32_t rows = 0, columns = 0;
    bool echo = false;  // the same bytes in another block of the cluster

    QRectF cell(std::size_t row, std::size_t column) const;
    QRectF rowName(std::size_t row) const;
  };
  struct Title {
    QRectF place;  // two lines
    QString name;
    AccessVerdict verdict;  // what happens to the bytes there, or their cost
  };
  struct Cell {
    std::size_t grid = 0, chunk = 0;
    bool operator==(const Cell&) const = default;
  };

  QString what;  // the instruction
  QRectF header, footer;
  std::vector<analysis::ChunkPath> paths;
  std::vector<QString> names;  // of paths: "A: rows 0–7 of the wgmma · As, stage 1"
  std::vector<QRectF> namePlaces;
  std::vector<std::size_t> chosen;  // followed column of global memory, of each path
  std::vector<Title> titles;
  std::vector<Grid> grids;  // path by path, in the order of the bytes
  QString note;
  std::optional<ShownReads> shown;  // of a wgmma

  // The place of a chunk of the grid's path; empty: it does not pass the grid.
  QRectF cellOf(const Grid& grid, const analysis::ChunkPath::Chunk& chunk) const;
  std::optional<Cell> at(const QPointF& pixel) const;
};

// "A[16][64–127]": the part of the path in a row of global memory, by its first chunk; empty if
// that is outside the matrix.
QString globalRow(const analysis::ChunkPath& path, const analysis::ChunkPath::Chunk& first);

// The picture of an instant whose bytes no thread moves: of the TMA load or store that is issued,
// else of the wgmma of productForBanks(); for a warp that does neither and accesses no memory, of
// its latest box. `before`: the last shown reads of a wgmma.
std::optional<ChunkPicture> chunkPicture(const Scene& scene, const QRectF& canvas,
                                         const Fonts& fonts,
                                         const std::optional<ShownReads>& before = {});
void paintChunks(QPainter& painter, const ChunkPicture& picture, const Scene& scene,
                 const Theme& theme, const Fonts& fonts);

Selection chunkSelection(const Scene& scene, const ChunkPicture& picture,
                         const ChunkPicture::Cell& cell);
// "A[16][8–15], in As[1040], banks 8 to 11, read in wavefront 1"
QString describeChunk(const Scene& scene, const ChunkPicture& picture,
                      const ChunkPicture::Cell& cell);
// Left and right follow a chunk from station to station, up and down go through its column, Next
// and Previous through all chunks of the path. Without a start, the first one.
ChunkPicture::Cell moveInChunks(const ChunkPicture& picture, std::optional<ChunkPicture::Cell> from,
                                CursorMove move, int count = 1);

}  // namespace tileloom
