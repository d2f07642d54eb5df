// SPDX-License-Identifier: GPL-3.0-or-later
// The way of bytes that no thread moves: boxes of the copy engine, and operands that the tensor
// core reads from shared memory by itself. In chunks of 16 bytes, the unit of the swizzle, which
// lie in four banks each. Eight rows are shown: with the next eight the pattern begins anew.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/analysis/group_product.h"
#include "kernels/analysis/recording.h"

namespace tileloom::analysis {

struct ChunkPath {
  static constexpr std::uint32_t kRows = 8;      // at most, of one path
  static constexpr std::uint32_t kElements = 8;  // of 16 bits, in a chunk
  static constexpr std::uint32_t kPerLine = 8;   // chunks that lie over all 32 banks
  static constexpr std::uint32_t kChunkBytes = 16, kLineBytes = 128;

  struct Chunk {
    std::uint32_t row = 0, column = 0;  // among those shown, as they lie in global memory
    std::optional<Element> first;       // nothing: a zero from outside of the matrix
    std::uint32_t byte = 0;             // of shared memory
    // Which wavefront of the tensor core reads it, counted among those shown; nothing: this product
    // does not read it.
    std::optional<std::uint32_t> wavefront;
    bool operator==(const Chunk&) const = default;
  };

  Matrix matrix = Matrix::A;
  std::uint32_t array = 0;           // in Trace::arrays
  std::uint32_t swizzle = 0;         // bytes; 0: none
  std::uint32_t columns = 0;         // chunks of a row
  std::uint32_t rows = 0;            // shown
  std::uint32_t firstRow = 0;        // of the box, or of the operand
  std::uint32_t wavefronts = 0;      // of the tensor core that are shown
  std::vector<Chunk> chunks;         // by row, then by column
  std::vector<std::uint32_t> lines;  // of 128 bytes of shared memory, ascending

  // Where a chunk lies: which of the lines, and which eighth of it.
  std::size_t lineOf(const Chunk& chunk) const;
  static std::uint32_t groupOf(const Chunk& chunk) { return chunk.byte / kChunkBytes % kPerLine; }
  // The chunk that holds an element; nothing if none of those shown does.
  std::optional<std::size_t> find(const Element& element) const;
};

// Eight rows of a box, loaded or stored, from a multiple of 8 on.
ChunkPath chunkPath(const Recording& recording, const emulator::BoxRecord& box,
                    std::uint32_t firstRow = 0);

// Of an operand of a product, what lies in the lines of shared memory that hold `row` to `row` + 7:
// of A rows, with the k of a panel of SWIZZLE bytes, from which the product reads 16; of B values
// of k, with the columns of a panel, of which `column` is one. `row` is a multiple of 8.
ChunkPath chunkPath(const Recording& recording, const GroupProduct& product, Matrix matrix,
                    std::uint32_t row, std::uint32_t column);

}  // namespace tileloom::analysis
