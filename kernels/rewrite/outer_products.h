// SPDX-License-Identifier: GPL-3.0-or-later
// What a main loop computes, found in its machine code: one outer product of fragments per dot
// index, added to sums that stay in registers.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "kernels/rewrite/op.h"

namespace tileloom::rewrite {

// A piece of a fragment: 1, 2 or 4 neighbouring words, which one load brings.
struct Piece {
  static constexpr std::size_t kBefore = static_cast<std::size_t>(-1);
  std::size_t load = kBefore;  // index of the load among the loop's instructions; kBefore: the
                               // words are in registers when the turn begins
  LoadedWords words;           // its registers then, or those that the load writes
};

// One dot index. The i-th piece of the rows has as many words and meets the same sums at every dot
// index, and so does that of the columns.
struct Step {
  std::vector<Piece> rows;
  std::vector<Piece> columns;
  std::vector<std::size_t> products;  // indices of its multiply-adds, in the order of the sums
};

// How many words the pieces have together, and for each word its piece.
std::size_t wordsIn(std::span<const Piece> pieces);
std::vector<std::size_t> pieceOfWord(std::span<const Piece> pieces);

struct ProductLoop {
  std::vector<Step> steps;  // of one turn; the first one's pieces are there when the turn begins
  // Which loads of this turn bring the first step of the next one, in the order of the pieces of
  // steps[0].
  std::vector<std::size_t> nextRows;
  std::vector<std::size_t> nextColumns;
  std::vector<int> sums;  // registers, rows() x columns(), row by row

  // Whether this instruction of the turn loads a fragment.
  bool loads(std::size_t op) const;
  std::size_t rows() const { return wordsIn(steps.front().rows); }  // words
  std::size_t columns() const { return wordsIn(steps.front().columns); }
};

// `ops` are the instructions of one turn, in order, without jumps. The error is one sentence
// without a full stop, which says what the loop does that is no outer product of this kind.
tl::expected<ProductLoop, std::string> productLoopOf(std::span<const Op> ops);

}  // namespace tileloom::rewrite
