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

// Four neighbouring words of a fragment, which one 128-bit load brings.
struct Quad {
  static constexpr std::size_t kBefore = static_cast<std::size_t>(-1);
  std::size_t load = kBefore;  // index of the load among the loop's instructions; kBefore: the
                               // words are in registers when the turn begins
  int first = 0;               // the first of the four registers then, or that the load writes
};

// One dot index. The i-th row quad meets the same sums at every dot index.
struct Step {
  std::vector<Quad> rows;
  std::vector<Quad> columns;
  std::vector<std::size_t> products;  // indices of its multiply-adds, in the order of the sums
};

struct ProductLoop {
  std::vector<Step> steps;  // of one turn; the first one's quads are there when the turn begins
  // Which loads of this turn bring the first step of the next one, in the order of the quads of
  // steps[0].
  std::vector<std::size_t> nextRows;
  std::vector<std::size_t> nextColumns;
  std::vector<int> sums;  // registers, (4 x row quads) x (4 x column quads), row by row

  // Whether this instruction of the turn loads a fragment.
  bool loads(std::size_t op) const;
  std::size_t rows() const { return steps.front().rows.size() * kWideLoad; }
  std::size_t columns() const { return steps.front().columns.size() * kWideLoad; }
};

// `ops` are the instructions of one turn, in order, without jumps. The error is one sentence
// without a full stop, which says what the loop does that is no outer product of this kind.
tl::expected<ProductLoop, std::string> productLoopOf(std::span<const Op> ops);

}  // namespace tileloom::rewrite
