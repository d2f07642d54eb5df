// SPDX-License-Identifier: GPL-3.0-or-later
// Global memory as the emulator sees it.
#pragma once

#include <cstdint>

namespace tileloom::emulator {

// A row-major matrix of fp32 or 16-bit numbers (kernels/tile/format.h). Without data it is
// virtual: a read gives a fixed pseudo-random value for each element and a write is discarded, so
// that one block of a huge problem can be traced without allocating the matrices.
struct Matrix {
  std::uint32_t rows = 0;
  std::uint32_t columns = 0;
  const float* read = nullptr;
  float* write = nullptr;
  const std::uint16_t* readHalves = nullptr;  // instead of these two in a 16-bit arithmetic
  std::uint16_t* writeHalves = nullptr;
};

// The value of element `index` of virtual matrix `which`, in [-1, 1).
inline float virtualValue(std::uint32_t which, std::uint32_t index) {
  std::uint32_t h = index * 2654435761u + which * 0x9E3779B9u;
  h ^= h >> 15;
  h *= 0x85EBCA6Bu;
  h ^= h >> 13;
  return static_cast<float>(static_cast<std::int32_t>(h)) * 0x1p-31f;
}

}  // namespace tileloom::emulator
