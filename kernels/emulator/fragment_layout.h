// SPDX-License-Identifier: GPL-3.0-or-later
// The lane that holds each element of a tensor core instruction, as the hardware fixes it (PTX ISA,
// "Matrix Fragments for mma.m16n8k16" and "ldmatrix").
#pragma once

#include <cstdint>

namespace tileloom::emulator {

// mma.m16n8k16: C (16 x 8) += A (16 x 16) · B (16 x 8).
inline constexpr std::uint32_t kMmaRows = 16, kMmaColumns = 8, kMmaDepth = 16;
inline constexpr std::uint32_t kMmaProducts = kMmaRows * kMmaColumns * kMmaDepth;
// Elements of each operand that one lane holds.
inline constexpr std::uint32_t kLaneA = 8, kLaneB = 4, kLaneC = 4;

// A row and column of an operand.
struct FragmentPlace {
  std::uint32_t row = 0;
  std::uint32_t column = 0;
  bool operator==(const FragmentPlace&) const = default;
};

// Value i of a lane: half i % 2 of its register i / 2.
constexpr FragmentPlace placeInA(std::uint32_t lane, std::uint32_t i) {
  return {lane / 4 + i / 2 % 2 * 8, lane % 4 * 2 + i % 2 + i / 4 * 8};
}
constexpr FragmentPlace placeInB(std::uint32_t lane, std::uint32_t i) {
  return {lane % 4 * 2 + i % 2 + i / 2 * 8, lane / 4};
}
// Sum i of a lane.
constexpr FragmentPlace placeInC(std::uint32_t lane, std::uint32_t i) {
  return {lane / 4 + i / 2 * 8, lane % 4 * 2 + i % 2};
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
