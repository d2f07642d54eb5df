// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the order of the multiply-adds of one k that loses the fewest cycles to the register file.
#pragma once

#include <cstddef>
#include <vector>

#include "kernels/sass/register_file.h"

namespace tileloom::rewrite {

// The outer product of one k: every register of `rows` times every register of `columns`, added to
// its accumulator.
struct OuterProduct {
  std::vector<int> rows;     // registers of one operand; an even number of them
  std::vector<int> columns;  // registers of the other; an even number of them
  std::vector<int> sums;     // registers, rows.size() x columns.size(), row by row

  int sumAt(std::size_t row, std::size_t column) const {
    return sums[row * columns.size() + column];
  }
};

// One multiply-add: indices into `rows` and `columns`.
struct Product {
  std::size_t row = 0;
  std::size_t column = 0;
  bool operator==(const Product&) const = default;
};

struct OrderedProducts {
  std::vector<Product> products;  // every pair once
  int lost = 0;                   // cycles, by the model of register_file.h
  sass::RegisterFile registers;   // its state after them
};

struct ProductOrder {
  // Whether the pairs of columns are visited in the outer loop, and the pairs of rows forwards and
  // backwards in the inner one; otherwise the other way round.
  bool columnsOutside = false;
  // How many partial orders are followed at a time; with more the search takes longer and may lose
  // less.
  int followed = 4;
};

// Visits blocks of two rows by two columns: each of the four registers is read once per block if
// its neighbour in the block has the other parity, and stays in the operand cache; all rows and
// columns are assumed to be kept there (`.reuse`). Within a block all 24 orders are tried.
OrderedProducts orderProducts(const OuterProduct& product, const ProductOrder& how,
                              const sass::RegisterFile& before = {});

// The cost of these products in this order, with all rows and columns kept in the operand cache.
OrderedProducts takeOrder(const OuterProduct& product, std::vector<Product> order,
                          const sass::RegisterFile& before = {});

// Line by line, forwards and backwards: every row from left to right and then from right to left,
// or the same with columns.
std::vector<Product> thereAndBack(const OuterProduct& product, bool columnsOutside);

}  // namespace tileloom::rewrite
