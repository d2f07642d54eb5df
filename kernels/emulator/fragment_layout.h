// SPDX-License-Identifier: GPL-3.0-or-later
// The lane that holds each element of a tensor core instruction, as the hardware fixes it (PTX ISA,
// "ldmatrix"; the table of mma.h for mma.sync).
#pragma once

#include <cstdint>

#include "kernels/tile/mma.h"

namespace tileloom::emulator {

// The instruction of the emulator's multiply_add().
inline constexpr const MmaRow& kMma = rowOf(Mma::M16n8k16);
inline constexpr std::uint32_t kMmaRows = kMma.rows, kMmaColumns = kMma.columns,
                               kMmaDepth = kMma.depth;
// Elements of each operand that one lane holds.
inline constexpr std::uint32_t kLaneA = kMma.laneA(), kLaneB = kMma.laneB(), kLaneC = kMma.laneC();

constexpr FragmentPlace placeInA(std::uint32_t lane, std::uint32_t i) {
  return kMma.placeInA(lane, i);
}
constexpr FragmentPlace placeInB(std::uint32_t lane, std::uint32_t i) {
  return kMma.placeInB(lane, i);
}
constexpr FragmentPlace placeInC(std::uint32_t lane, std::uint32_t i) {
  return kMma.placeInC(lane, i);
}

// ldmatrix.x4: four 8 x 8 matrices. Lane l names row l % 8 of matrix l / 8.
inline constexpr std::uint32_t kMatrixEdge = 8, kMatrices = 4;

// The lane and value that receive an element: half value % 2 of the lane's register value / 2.
struct Received {
  std::uint32_t lane = 0;
  std::uint32_t value = 0;
};

// Element `element` of the row that lane `namer` names; `turned`: with ldmatrix.trans.
constexpr Received receivedAs(std::uint32_t namer, std::uint32_t element, bool turned) {
  const std::uint32_t matrix = namer / kMatrixEdge, row = namer % kMatrixEdge;
  return turned ? Received{element * 4 + row / 2, matrix * 2 + row % 2}
                : Received{row * 4 + element / 2, matrix * 2 + element % 2};
}

}  // namespace tileloom::emulator
