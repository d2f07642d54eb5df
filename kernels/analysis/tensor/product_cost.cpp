// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/analysis/tensor/product_cost.h"

#include <algorithm>
#include <array>

#include "kernels/analysis/memory/wavefronts.h"
#include "kernels/emulator/product_shape.h"

namespace tileloom::analysis {
namespace {

constexpr std::uint32_t kEdge = OperandRead::kEdge;

}  // namespace

// Eight rows of 16 bytes: the number of wavefronts is the most different words in one bank.
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

OperandRead readOfA(const emulator::Operand& a, std::uint32_t row, std::uint32_t k) {
  OperandRead read{row, k, {}, {}};
  for (std::uint32_t i = 0; i < kEdge; ++i) read.bytes[i] = a.alongK(row + i, k);
  read.cost = costOf(read.bytes);
  return read;
}

OperandRead readOfB(const emulator::Operand& b, std::uint32_t k, std::uint32_t column) {
  OperandRead read{k, column, {}, {}};
  for (std::uint32_t i = 0; i < kEdge; ++i) read.bytes[i] = b.alongN(k + i, column);
  read.cost = costOf(read.bytes);
  return read;
}

ProductCost costOfA(const emulator::Operand& a, std::uint32_t warpOfGroup) {
  constexpr std::uint32_t kRows = emulator::kProductRows / emulator::kWarpsPerGroup;
  ProductCost cost;
  for (std::uint32_t row = warpOfGroup * kRows; row < (warpOfGroup + 1) * kRows; row += kEdge) {
    for (std::uint32_t k = 0; k < emulator::kProductDepth; k += kEdge)
      cost += readOfA(a, row, k).cost;
  }
  return cost;
}

ProductCost costOfB(const emulator::Operand& b, std::uint32_t columns) {
  ProductCost cost;
  for (std::uint32_t n = 0; n < columns; n += kEdge) {
    for (std::uint32_t k = 0; k < emulator::kProductDepth; k += kEdge)
      cost += readOfB(b, k, n).cost;
  }
  return cost;
}

ProductCost costOfPart(const emulator::ProductRecord& product, std::uint32_t warp) {
  const std::uint32_t part = warp % emulator::kWarpsPerGroup;
  ProductCost cost = costOfA(product.a, part);
  if (part == 0) cost += costOfB(product.b, product.columns);
  return cost;
}

}  // namespace tileloom::analysis
