// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/analysis/tensor/product_pattern.h"

#include <bit>

namespace tileloom::analysis {

using emulator::Provenance;

ProductPattern::Factor& ProductPattern::factorOf(std::uint32_t bits, std::uint32_t offset) {
  const std::size_t mask = table_.size() - 1;
  for (std::size_t at = (bits * 2654435761u) >> 8;; ++at) {
    std::uint32_t& place = table_[at & mask];
    if (place == 0) {
      factors_.push_back({offset, 0, 0});
      keys_.push_back(bits);
      place = static_cast<std::uint32_t>(factors_.size());
    }
    if (keys_[place - 1] == bits) return factors_[place - 1];
  }
}

void ProductPattern::read(std::span<const Product> products, const std::uint32_t* words) {
  rows_.clear();
  factors_.clear();
  keys_.clear();
  sums_.clear();
  places_.clear();
  // Twice as many places as elements, so that few of them collide.
  table_.assign(std::bit_ceil(4 * products.size() + 1), 0);
  known_ = false;
  for (const Product& product : products) {
    const std::uint32_t* payload = words + product.offset;
    const Provenance a(payload[0]), b(payload[1]), sum(payload[2]);
    if (!a.isElement() || !b.isElement() || !sum.isAccumulator()) return;
    Row row{product.offset, 0, 0, payload[2]};
    const auto use = [&](std::uint32_t operand) {
      Factor& factor = factorOf(payload[operand], product.offset + operand);
      ++factor.count;
      factor.stamp = product.stamp;
      return factor.offset;
    };
    row.firstA = use(0);
    row.firstB = use(1);
    rows_.push_back(row);
    if (sum.slot() >= places_.size()) places_.resize(sum.slot() + 1);
    std::uint32_t& place = places_[sum.slot()];
    if (place == 0) {
      sums_.push_back({sum.slot(), 0, 0});
      place = static_cast<std::uint32_t>(sums_.size());
    }
    ++sums_[place - 1].count;
    sums_[place - 1].stamp = product.stamp;
  }
  known_ = true;
}

bool ProductPattern::holds(const std::uint32_t* words) const {
  if (!known_) return false;
  std::uint32_t differences = 0;
  for (const Row& row : rows_) {
    differences |= (words[row.offset] ^ words[row.firstA]) |
                   (words[row.offset + 1] ^ words[row.firstB]) | (words[row.offset + 2] ^ row.sum);
  }
  if (differences != 0) return false;
  for (const Factor& factor : factors_) {
    if (!Provenance(words[factor.offset]).isElement()) return false;
  }
  return true;
}

}  // namespace tileloom::analysis
