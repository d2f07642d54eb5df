// SPDX-License-Identifier: GPL-3.0-or-later
// The cost of a wgmma where the tensor core reads shared memory.
//
// It reads 8 x 8 elements at a time, 8 rows of 16 bytes, in one wavefront if these are in different
// banks. All four warps' rows of A are read, and B once for all of them: 16 + N / 4 wavefronts for
// 64 x 16 by 16 x N (measured on an H100; rule 13 of the notes on Hopper in docs/hardware.md).
#pragma once

#include <array>
#include <cstdint>

#include "kernels/emulator/asynchronous.h"

namespace tileloom::analysis {

struct ProductCost {
  std::uint32_t wavefronts = 0;
  std::uint32_t conflicts = 0;  // of these, beyond one for each 8 x 8 elements
  bool operator==(const ProductCost&) const = default;
  ProductCost& operator+=(const ProductCost& other) {
    wavefronts += other.wavefronts;
    conflicts += other.conflicts;
    return *this;
  }
};

// One read of the tensor core: 8 x 8 elements of an operand, 8 rows of 16 bytes. The order of the
// reads is not documented.
struct OperandRead {
  static constexpr std::uint32_t kEdge = 8;
  std::uint32_t row = 0, column = 0;            // of the first element, in the operand
  std::array<std::uint32_t, kEdge> bytes = {};  // of shared memory, where each row begins
  ProductCost cost;
};
// The cost of one read.
ProductCost costOf(const std::array<std::uint32_t, OperandRead::kEdge>& bytes);
// In A, from this row and k on; both multiples of 8.
OperandRead readOfA(const emulator::Operand& a, std::uint32_t row, std::uint32_t k);
// In B, from this k and column on.
OperandRead readOfB(const emulator::Operand& b, std::uint32_t k, std::uint32_t column);

// For the rows of A of one warp of the warpgroup, 0 to 3.
ProductCost costOfA(const emulator::Operand& a, std::uint32_t warpOfGroup);
// For B, which is read once for the whole warpgroup.
ProductCost costOfB(const emulator::Operand& b, std::uint32_t columns);
// The part of one warp: its rows of A, and for the first warp of the warpgroup also B.
ProductCost costOfPart(const emulator::ProductRecord& product, std::uint32_t warp);

}  // namespace tileloom::analysis
