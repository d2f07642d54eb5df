// SPDX-License-Identifier: GPL-3.0-or-later
// The operands of a wgmma in shared memory: where a matrix descriptor says that its elements are.
//
// Layouts are in units of 16 bytes of a row (PTX ISA, "Matrix descriptor", and the canonical
// layouts of CUTLASS's mma_sm90_desc.hpp):
//   rows along k:       (8, n) x 2 units : ((span, stride), next unit), without a swizzle `lead`
//   rows along m or n:  (span, n) x (8, k) : ((unit, lead), (span, stride)), without a swizzle with
//                       `lead` and `stride` exchanged
#pragma once

#include <cstdint>
#include <string>

#include "kernels/executor/memory.h"

namespace tileloom::executor {

struct GroupOperand {
  static constexpr std::uint32_t kUnit = 16;  // bytes

  std::uint32_t start = 0, lead = 0, stride = 0;  // bytes
  std::uint32_t swizzle = 0;                      // 0: none
  std::uint32_t offset = 0;                       // of the pattern, in lines

  static GroupOperand of(std::uint64_t descriptor);
  // The place of 16 bytes of row `row` of a matrix whose rows are along k: the first half of its
  // 32 bytes, or the second one.
  std::uint32_t alongK(std::uint32_t row, std::uint32_t half) const;
  // The place of 8 elements of 16 bits, from `n` on, of row `k` of a matrix whose rows are along n.
  std::uint32_t alongN(std::uint32_t k, std::uint32_t n) const;
};

}  // namespace tileloom::executor
