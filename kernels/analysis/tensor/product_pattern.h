// SPDX-License-Identifier: GPL-3.0-or-later
// The multiply-adds of a lane that share a factor, and the sum that each is added to. The lanes of
// a warp run the same code, so one lane's pattern holds for the others, with other elements: with
// the pattern of one, a replay looks up an element once per lane instead of once per multiply-add.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/emulator/trace.h"

namespace tileloom::analysis {

class ProductPattern {
 public:
  // A multiply-add as this class sees it.
  struct Product {
    std::uint32_t offset = 0;  // of its payload in a lane's words: factors, then the sum
    std::uint32_t stamp = 0;   // greater for later ones
  };
  // Products that have one element as a factor.
  struct Factor {
    std::uint32_t offset = 0;  // of the element in a lane's words
    std::uint32_t count = 0;
    std::uint32_t stamp = 0;  // of the latest
  };
  struct Sum {
    std::uint32_t slot = 0;
    std::uint32_t count = 0;
    std::uint32_t stamp = 0;
  };

  // Reads the pattern from one lane's words. There is no pattern if a product has a factor that is
  // not an element of a matrix, or adds to no accumulator, as the scaling of the sums does.
  void read(std::span<const Product> products, const std::uint32_t* words);

  // Whether the products of the lane with these words follow the pattern that was read.
  bool holds(const std::uint32_t* words) const;

  std::span<const Factor> factors() const { return factors_; }
  std::span<const Sum> sums() const { return sums_; }

 private:
  // A product, and the first ones with the same factors.
  struct Row {
    std::uint32_t offset = 0;
    std::uint32_t firstA = 0, firstB = 0;  // offsets of those factors
    std::uint32_t sum = 0;                 // bits of the provenance
  };
  Factor& factorOf(std::uint32_t bits, std::uint32_t offset);

  bool known_ = false;
  std::vector<Row> rows_;
  std::vector<Factor> factors_;
  std::vector<Sum> sums_;
  // A hash table over elements: their places in factors_, plus 1. And the place of each slot in
  // sums_, plus 1.
  std::vector<std::uint32_t> table_, places_, keys_;
};

}  // namespace tileloom::analysis
