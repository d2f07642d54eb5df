// SPDX-License-Identifier: GPL-3.0-or-later
// The path of bytes that no thread moves: TMA boxes, and operands that the tensor core reads from
// shared memory by itself. In chunks of 16 bytes, the unit of the swizzle, which take four banks
// each. Eight rows are shown: the pattern repeats every eight rows.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/analysis/recording.h"
#include "kernels/analysis/tensor/group_product.h"

namespace tileloom::analysis {

struct ChunkPath {
  static constexpr std::uint32_t kRows = 8;      // at most, of one path
  static constexpr std::uint32_t kElements = 8;  // of 16 bits, in a chunk
  static constexpr std::uint32_t kPerLine = 8;   // chunks across all 32 banks
  static constexpr std::uint32_t kChunkBytes = 16, kLineBytes = 128;

  struct Chunk {
    std::uint32_t row = 0, column = 0;  // among those shown, as in global memory
    std::optional<Element> first;       // nothing: a zero from outside the matrix
    std::uint32_t byte = 0;             // of shared memory
    // The wavefront of the tensor core that reads it, counted among those shown; nothing: this
    // wgmma does not read it.
    std::optional<std::uint32_t> wavefront;
    bool operator==(const Chunk&) const = default;
  };

  Matrix matrix = Matrix::A;
  std::uint32_t array = 0;           // in Trace::arrays
  std::uint32_t swizzle = 0;         // bytes; 0: none
  std::uint32_t columns = 0;         // chunks of a row
  std::uint32_t rows = 0;            // shown
  std::uint32_t firstRow = 0;        // of the box, or of the operand
  std::uint32_t wavefronts = 0;      // of the tensor core, as shown
  std::vector<Chunk> chunks;         // by row, then by column
  std::vector<std::uint32_t> lines;  // of 128 bytes of shared memory, ascending

  // The place of a chunk: the index of its line, and the eighth within it.
  std::size_t lineOf(const Chunk& chunk) const;
  static std::uint32_t groupOf(const Chunk& chunk) { return chunk.byte / kChunkBytes % kPerLine; }
  // The chunk that holds an element; nothing if no shown chunk does.
  std::optional<std::size_t> find(const Element& element) const;
};

// Eight rows of a box, loaded or stored, from a multiple of 8 on.
ChunkPath chunkPath(const Recording& recording, const emulator::BoxRecord& box,
                    std::uint32_t firstRow = 0);

// For an operand of a wgmma, the contents of the lines of shared memory that hold `row` to `row` +
// 7: rows of A, with the k of a panel of SWIZZLE bytes, from which the instruction reads 16; or
// values of k of B, with the columns of a panel, of which `column` is one. `row` is a multiple of
// 8.
ChunkPath chunkPath(const Recording& recording, const GroupProduct& product, Matrix matrix,
                    std::uint32_t row, std::uint32_t column);

}  // namespace tileloom::analysis
