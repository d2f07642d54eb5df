// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/analysis/product_cost.h"

#include <algorithm>
#include <array>

#include "kernels/analysis/wavefronts.h"

namespace tileloom::analysis {
namespace {

constexpr std::uint32_t kEdge = 8;

// Eight rows of 16 bytes: as many wavefronts as one bank has different words to serve.
ProductCost costOf(const std::array<std::uint32_t, kEdge>& bytes) {
  std::array<std::uint32_t, kBanks> served{};
  std::array<std::uint32_t, 4 * kEdge> words{};
  std::uint32_t known = 0, most = 0;
  for (const std::uint32_t byte : bytes) {
    for (std::uint32_t w = 0; w < 4; ++w) {
      const std::uint32_t word = byte / 4 + w;
      if (std::find(words.begin(), words.begin() + known, word) != words.begin() + known) continue;
      words[known++] = word;
      most = std::max(most, ++served[word % kBanks]);
    }
  }
  return {most, most - 1};
}

}  // namespace

ProductCost costOfA(const emulator::Operand& a, std::uint32_t warpOfGroup) {
  constexpr std::uint32_t kRows = emulator::kProductRows / emulator::kWarpsPerGroup;
  ProductCost cost;
  std::array<std::uint32_t, kEdge> bytes{};
  for (std::uint32_t row = warpOfGroup * kRows; row < (warpOfGroup + 1) * kRows; row += kEdge) {
    for (std::uint32_t k = 0; k < emulator::kProductDepth; k += kEdge) {
      for (std::uint32_t i = 0; i < kEdge; ++i) bytes[i] = a.alongK(row + i, k);
      cost += costOf(bytes);
    }
  }
  return cost;
}

ProductCost costOfB(const emulator::Operand& b, std::uint32_t columns) {
  ProductCost cost;
  std::array<std::uint32_t, kEdge> bytes{};
  for (std::uint32_t n = 0; n < columns; n += kEdge) {
    for (std::uint32_t k = 0; k < emulator::kProductDepth; k += kEdge) {
      for (std::uint32_t i = 0; i < kEdge; ++i) bytes[i] = b.alongN(k + i, n);
      cost += costOf(bytes);
    }
  }
  return cost;
}

}  // namespace tileloom::analysis
