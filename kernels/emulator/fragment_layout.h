// SPDX-License-Identifier: GPL-3.0-or-later
// The lane that holds each element of a tensor core instruction, as the hardware fixes it (PTX ISA,
// "ldmatrix"; the rows of mma.h for mma.sync).
#pragma once

#include <cstdint>

#include "kernels/tile/format.h"
#include "kernels/tile/mma.h"

namespace tileloom::emulator {

// ldmatrix.x4: four matrices of 8 rows of 16 bytes. Lane l names row l % 8 of matrix l / 8.
inline constexpr std::uint32_t kMatrixEdge = 8, kMatrices = 4, kRowWords = 4;
inline constexpr std::uint32_t kMostRowElements = kRowWords * kWordBits / kLeastElementBits;

// The lane and value that receive an element: part value % `parts` of the lane's register value /
// `parts`, where a register holds `parts` elements.
struct Received {
  std::uint32_t lane = 0;
  std::uint32_t value = 0;
};

// Element `element` of the row that lane `namer` names; `turned`: with ldmatrix.trans, of 16-bit
// elements.
constexpr Received receivedAs(std::uint32_t namer, std::uint32_t element, bool turned,
                              std::uint32_t parts = 2) {
  const std::uint32_t matrix = namer / kMatrixEdge, row = namer % kMatrixEdge;
  return turned ? Received{element * 4 + row / 2, matrix * 2 + row % 2}
                : Received{row * 4 + element / parts, matrix * parts + element % parts};
}

}  // namespace tileloom::emulator
