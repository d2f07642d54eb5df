// SPDX-License-Identifier: GPL-3.0-or-later
// What a main loop computes, found in its machine code: one outer product of fragments per k, added
// to accumulators that stay in registers.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "kernels/rewrite/op.h"

namespace tileloom::rewrite {

// A piece of a fragment: 1, 2 or 4 neighbouring words of one load.
struct Piece {
  static constexpr std::size_t kBefore = static_cast<std::size_t>(-1);
  std::size_t load = kBefore;  // index of the load among the loop's instructions; kBefore: the
                               // words are in registers when the iteration begins
  LoadedWords words;           // its registers then, or those that the load writes
};

// One k. The i-th piece of the rows has the same number of words and contributes to the same
// accumulators at every k, and so does that of the columns.
struct Step {
  std::vector<Piece> rows;
  std::vector<Piece> columns;
  std::vector<std::size_t>
      products;  // indices of its multiply-adds, in the order of the accumulators
};

// The total number of words of the pieces, and for each word its piece.
std::size_t wordsIn(std::span<const Piece> pieces);
std::vector<std::size_t> pieceOfWord(std::span<const Piece> pieces);

struct ProductLoop {
  std::vector<Step>
      steps;  // of one iteration; the first one's pieces are in registers when it begins
  // The loads of this iteration that bring the first step of the next one, in the order of the
  // pieces of steps[0].
  std::vector<std::size_t> nextRows;
  std::vector<std::size_t> nextColumns;
  std::vector<int> sums;  // registers, rows() x columns(), row by row

  // Whether this instruction of the iteration loads a fragment.
  bool loads(std::size_t op) const;
  std::size_t rows() const { return wordsIn(steps.front().rows); }  // words
  std::size_t columns() const { return wordsIn(steps.front().columns); }
};

// `ops` are the instructions of one iteration, in order, without branches. The error is one
// sentence without a full stop that says why the loop is not an outer product of this kind.
tl::expected<ProductLoop, std::string> productLoopOf(std::span<const Op> ops);

}  // namespace tileloom::rewrite
