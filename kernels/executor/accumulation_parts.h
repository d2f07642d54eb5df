// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers of the formats of tensor cores, taken apart. For accumulation*.cpp only.
#pragma once

#include "kernels/executor/accumulation.h"

namespace tileloom::executor {

// A format: bits of fraction and of exponent. `shift`: unused bits below.
struct ElementFormat {
  int fraction, exponent, shift;
  bool finite;  // the largest exponent is of numbers, too; all ones are the only NaN
};
constexpr ElementFormat formatOf(Factor factor) {
  switch (factor) {
    case Factor::Fp16:
      return {10, 5, 0, false};
    case Factor::Bf16:
      return {7, 8, 0, false};
    case Factor::Tf32:
      return {10, 8, 13, false};
    case Factor::E4m3:
      return {3, 4, 0, true};
    case Factor::E5m2:
      return {2, 5, 0, false};
  }
  return {};
}

// Of a zero: less than that of every product.
inline constexpr std::int32_t kNoExponent = -2048;
// The accumulator is a term, too: a sum's exponent is never below that of FP32.
inline constexpr std::int32_t kLeastExponent = -126;

// Parts of numbers: (-1 if `sign`) x significand x 2^(exponent - bits of the fraction).
template <std::size_t Count>
struct Parts {
  alignas(32) std::array<std::int32_t, Count> significand, exponent, sign;
  bool special = false;  // one of them is infinite or no number
};

using FactorsA = Parts<Products::kRows * Products::kMostDepth>;
using FactorsB = Parts<Products::kMostDepth * Products::kColumns>;

// Takes `count` numbers apart, into `parts` from `at` on.
template <std::size_t Count>
[[gnu::always_inline]] inline void takeApart(const std::uint32_t* bits, std::size_t count,
                                             const ElementFormat& format, Parts<Count>& parts,
                                             std::size_t at = 0) {
  const int width = format.fraction + format.exponent;
  const std::int32_t bias = (1 << (format.exponent - 1)) - 1, most = (1 << format.exponent) - 1;
  const std::int32_t mask = (1 << format.fraction) - 1;
  // Larger than every number of the format.
  const std::int32_t beyond =
      format.finite ? most << format.fraction | mask : most << format.fraction;
  std::int32_t special = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const auto number = static_cast<std::int32_t>(bits[i] >> format.shift);
    const std::int32_t field = number >> format.fraction & most, low = number & mask;
    const std::int32_t significand = low | (field != 0 ? mask + 1 : 0);
    special |= (field << format.fraction | low) >= beyond ? 1 : 0;
    parts.significand[at + i] = significand;
    parts.exponent[at + i] = significand == 0 ? kNoExponent : (field > 1 ? field : 1) - bias;
    parts.sign[at + i] = -(number >> width & 1);
  }
  parts.special |= special != 0;
}

inline constexpr std::uint32_t kInfiniteSum = 0x7f800000, kNoSum = 0x7fffffff;

// One element, with everything that can happen: infinities, NaN, denormal and too large sums.
std::uint32_t dotAdd(const Products& p, std::uint32_t row, std::uint32_t column,
                     const ElementFormat& formatA, const ElementFormat& formatB, bool half,
                     const Accumulation& how);

}  // namespace tileloom::executor
