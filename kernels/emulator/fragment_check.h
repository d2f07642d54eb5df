// SPDX-License-Identifier: GPL-3.0-or-later
// Checks by provenance whether the factors that a warp gives to a tensor core belong together:
// values can agree by chance, elements cannot.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kernels/emulator/fragment_layout.h"
#include "kernels/emulator/trace.h"

namespace tileloom::emulator {

// The elements of both factors of one instruction, by row and column.
struct Factors {
  // Along K, an mma.sync has at most 256 bits.
  static constexpr std::uint32_t kMostRows = 16, kMostColumns = 8,
                                 kMostDepth = 256 / kLeastElementBits;

  const MmaRow* mma = &rowOf(kUsualWarpMma);  // the instruction: its shape is what is used
  Provenance a[kMostRows][kMostDepth];
  Provenance b[kMostDepth][kMostColumns];
};

struct Misfit {
  std::uint32_t lane = 0;  // that holds it
  Provenance element;
  std::string detail;  // "holds B[0][0] in …: their k differ", about the lane's thread
};

// One factor must be of A and one of B; a row of the first must be a part of one row of its matrix,
// and a column of the second a part of one column; and both parts must have the same k. Returns the
// first violation, or nothing. `arrays` are the block's.
std::optional<Misfit> misfitOf(const Factors& factors, const std::vector<Array>& arrays);

}  // namespace tileloom::emulator
