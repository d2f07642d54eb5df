// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/analysis/tensor/chunk_path.h"

#include <algorithm>
#include <map>
#include <set>

#include "kernels/analysis/memory/boxes.h"
#include "kernels/analysis/tensor/product_cost.h"

namespace tileloom::analysis {
namespace {

using Chunk = ChunkPath::Chunk;

void sortAndCount(ChunkPath& path) {
  std::ranges::sort(path.chunks, [](const Chunk& a, const Chunk& b) {
    return std::pair(a.row, a.column) < std::pair(b.row, b.column);
  });
  std::set<std::uint32_t> lines;
  for (const Chunk& chunk : path.chunks) {
    lines.insert(chunk.byte / ChunkPath::kLineBytes);
    path.rows = std::max(path.rows, chunk.row + 1);
    path.columns = std::max(path.columns, chunk.column + 1);
  }
  path.lines.assign(lines.begin(), lines.end());
}

std::vector<OperandRead> readsOf(const GroupProduct& p, Matrix matrix, std::uint32_t row,
                                 std::uint32_t column) {
  constexpr std::uint32_t kEdge = OperandRead::kEdge;
  std::vector<OperandRead> reads;
  if (matrix == Matrix::A) {
    for (std::uint32_t k = 0; k < GroupProduct::kDepth; k += kEdge)
      reads.push_back(readOfA(p.first, row, k));
    return reads;
  }
  const std::uint32_t panel = std::min(p.columns, std::max(kEdge, p.with.swizzle / 2));
  const std::uint32_t first = column / panel * panel;
  for (std::uint32_t n = first; n < std::min(p.columns, first + panel); n += kEdge)
    reads.push_back(readOfB(p.with, row, n));
  return reads;
}

// The wavefront that serves each byte: a bank serves one row of a read after the other.
std::map<std::uint32_t, std::uint32_t> wavefrontsOf(const std::vector<OperandRead>& reads,
                                                    std::uint32_t& count) {
  std::map<std::uint32_t, std::uint32_t> served;
  for (const OperandRead& read : reads) {
    std::array<std::uint32_t, ChunkPath::kPerLine> rows = {};
    for (const std::uint32_t byte : read.bytes) {
      const std::uint32_t group = byte / ChunkPath::kChunkBytes % ChunkPath::kPerLine;
      served.emplace(byte, count + rows[group]++);
    }
    count += read.cost.wavefronts;
  }
  return served;
}

}  // namespace

std::size_t ChunkPath::lineOf(const Chunk& chunk) const {
  return static_cast<std::size_t>(std::ranges::find(lines, chunk.byte / kLineBytes) -
                                  lines.begin());
}

std::optional<std::size_t> ChunkPath::find(const Element& element) const {
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    const auto& first = chunks[i].first;
    if (first && first->matrix == element.matrix && first->row == element.row &&
        element.column >= first->column && element.column < first->column + kElements)
      return i;
  }
  return std::nullopt;
}

ChunkPath chunkPath(const Recording& recording, const emulator::BoxRecord& box,
                    std::uint32_t firstRow) {
  ChunkPath path;
  path.matrix = static_cast<Matrix>(box.matrix);
  path.array = box.array;
  path.swizzle = box.swizzle;
  path.firstRow = std::min(firstRow, box.rows - 1) / ChunkPath::kRows * ChunkPath::kRows;
  const Region inside = insideOf(recording.trace, box);
  for (std::uint32_t row = path.firstRow;
       row < std::min(box.rows, path.firstRow + ChunkPath::kRows); ++row) {
    for (std::uint32_t column = 0; column < box.columns; column += ChunkPath::kElements) {
      Chunk chunk{
          row - path.firstRow, column / ChunkPath::kElements, {}, box.byteOf(row, column), {}};
      const Element e{path.matrix, std::int64_t{box.y} + row, std::int64_t{box.x} + column};
      if (inside.contains(e.row, e.column)) chunk.first = e;
      path.chunks.push_back(chunk);
    }
  }
  sortAndCount(path);
  return path;
}

ChunkPath chunkPath(const Recording& recording, const GroupProduct& product, Matrix matrix,
                    std::uint32_t row, std::uint32_t column) {
  const bool isA = matrix == Matrix::A;
  ChunkPath path;
  path.matrix = matrix;
  path.array = isA ? product.originA.array : product.originB.array;
  path.swizzle = isA ? product.first.swizzle : product.with.swizzle;
  path.firstRow = row;
  const auto reads = readsOf(product, matrix, row, column);
  const auto served = wavefrontsOf(reads, path.wavefronts);
  std::set<std::uint32_t> lines;
  for (const auto& [byte, wavefront] : served) lines.insert(byte / ChunkPath::kLineBytes);

  const emulator::Array& array = recording.trace.arrays[path.array];
  const auto held = recording.contents(path.array, product.warp, product.index);
  for (const std::uint32_t line : lines) {
    for (std::uint32_t c = 0; c < ChunkPath::kPerLine; ++c) {
      const std::uint32_t byte = line * ChunkPath::kLineBytes + c * ChunkPath::kChunkBytes;
      const std::int64_t at = std::int64_t{byte} / 2 - std::int64_t{array.base} * 2;
      if (at < 0 || at >= static_cast<std::int64_t>(held.size())) continue;
      const auto first = recording.elementOf(held[static_cast<std::size_t>(at)]);
      if (!first || first->matrix != matrix) continue;
      const auto by = served.find(byte);
      path.chunks.push_back(
          {0, 0, first, byte, by == served.end() ? std::nullopt : std::optional(by->second)});
    }
  }
  // Their places in global memory, counted from the first one that is shown.
  std::int64_t top = INT64_MAX, left = INT64_MAX;
  for (const Chunk& chunk : path.chunks) {
    top = std::min(top, chunk.first->row);
    left = std::min(left, chunk.first->column);
  }
  for (Chunk& chunk : path.chunks) {
    chunk.row = static_cast<std::uint32_t>(chunk.first->row - top);
    chunk.column = static_cast<std::uint32_t>((chunk.first->column - left) / ChunkPath::kElements);
  }
  // Lines of a narrow swizzle also hold rows of others.
  std::erase_if(path.chunks, [](const Chunk& chunk) { return chunk.row >= ChunkPath::kRows; });
  sortAndCount(path);
  return path;
}

}  // namespace tileloom::analysis
