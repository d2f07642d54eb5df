// SPDX-License-Identifier: GPL-3.0-or-later
// Global memory as the emulator sees it.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace tileloom::emulator {

static_assert(std::endian::native == std::endian::little,
              "the bits of an element are the lowest ones of a word");

// A row-major matrix of numbers of a format (kernels/tile/format.h). Without data it is
// virtual: a read gives a fixed pseudo-random value for each element and a write is discarded, so
// that one block of a huge problem can be traced without allocating the matrices.
struct Matrix {
  std::uint32_t rows = 0;
  std::uint32_t columns = 0;
  const float* read = nullptr;
  float* write = nullptr;
  // Instead of these two on tensor cores: elements of the run's format, as their bits.
  const std::byte* elements = nullptr;
  std::byte* writable = nullptr;
};

// Element `index` of elements that are stored in `width` bits each (FormatRow::bits), as its bits.
inline std::uint32_t elementBits(const std::byte* elements, std::uint32_t index, int width) {
  const std::size_t at = std::size_t{index} * static_cast<std::size_t>(width);
  const std::byte* const from = elements + at / 8;
  if (width < 8) return std::to_integer<std::uint32_t>(*from) >> at % 8 & ((1u << width) - 1);
  std::uint32_t bits = 0;
  std::memcpy(&bits, from, static_cast<std::size_t>(width) / 8);
  return bits;
}
// The other elements of its byte stay as they are.
inline void setElementBits(std::byte* elements, std::uint32_t index, int width,
                           std::uint32_t bits) {
  const std::size_t at = std::size_t{index} * static_cast<std::size_t>(width);
  std::byte* const to = elements + at / 8;
  if (width < 8) {
    const std::uint32_t mask = (1u << width) - 1;
    *to = (*to & ~std::byte(mask << at % 8)) | std::byte((bits & mask) << at % 8);
    return;
  }
  std::memcpy(to, &bits, static_cast<std::size_t>(width) / 8);
}

// The value of element `index` of virtual matrix `which`, in [-1, 1).
inline float virtualValue(std::uint32_t which, std::uint32_t index) {
  std::uint32_t h = index * 2654435761u + which * 0x9E3779B9u;
  h ^= h >> 15;
  h *= 0x85EBCA6Bu;
  h ^= h >> 13;
  return static_cast<float>(static_cast<std::int32_t>(h)) * 0x1p-31f;
}

}  // namespace tileloom::emulator
