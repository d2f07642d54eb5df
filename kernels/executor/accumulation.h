// SPDX-License-Identifier: GPL-3.0-or-later
// How tensor cores add: the sum of products and an accumulator, bit by bit. NVIDIA does not
// document it; the table in accumulation.cpp says where its numbers are from.
//
// A group of `terms` products and the accumulator are added at once. Products are exact. The
// exponent of a product is the sum of those of its factors, that of a denormal number is the least
// of its format. All terms are aligned to the largest exponent, and truncated to `fraction` bits
// below 1 at this exponent. Their sum is exact, and becomes the accumulator of the next group:
// truncated to FP32, or rounded to FP16.
#pragma once

#include <array>
#include <cstdint>

namespace tileloom::executor {

enum class Factor : std::uint8_t { Fp16, Bf16, Tf32, E4m3, E5m2 };

struct Accumulation {
  int terms = 0;     // of a group, without the accumulator
  int fraction = 0;  // bits of a term
  int kept = 23;     // bits of the fraction of an FP32 result
  bool operator==(const Accumulation&) const = default;
};

// That of an architecture, 90 for compute capability 9.0; `terms` is 0 where it is not known.
Accumulation accumulationOf(int capability, Factor factor);

// C (16 x 8) += A (16 x depth) B (depth x 8). Each element has the bits of its format.
struct Products {
  static constexpr std::uint32_t kRows = 16, kColumns = 8, kMostDepth = 32;
  std::uint32_t depth = 0;
  alignas(32) std::array<std::array<std::uint32_t, kMostDepth>, kRows> a;
  alignas(32) std::array<std::array<std::uint32_t, kColumns>, kMostDepth> b;
  alignas(32) std::array<std::array<std::uint32_t, kColumns>, kRows> c;
};

// The same with more columns, a multiple of 8.
struct WideProducts {
  static constexpr std::uint32_t kRows = 16, kMostColumns = 256, kMostDepth = 32;
  std::uint32_t depth = 0, columns = 0;
  alignas(32) std::array<std::array<std::uint32_t, kMostDepth>, kRows> a;
  alignas(32) std::array<std::array<std::uint32_t, kMostColumns>, kMostDepth> b;
  alignas(32) std::array<std::array<std::uint32_t, kMostColumns>, kRows> c;
};

// `half`: C is FP16, otherwise FP32.
void multiplyAdd(Products& products, Factor factor, bool half, const Accumulation& how);
// The factors of A and B may differ where both have 8 bits.
void multiplyAdd(WideProducts& products, Factor a, Factor b, bool half, const Accumulation& how);

}  // namespace tileloom::executor
