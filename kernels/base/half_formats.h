// SPDX-License-Identifier: GPL-3.0-or-later
// The two 16-bit formats of tensor cores, as exact conversions: bf16 is the upper half of an fp32
// number (8 bits of exponent, 7 of fraction), fp16 is the IEEE half (5 and 10). Rounding is to the
// nearest, ties to even; NaN becomes 0x7FFF, as in the GPU's conversions.
#pragma once

#include <bit>
#include <cstdint>

namespace tileloom {

namespace half_formats {

inline constexpr std::uint16_t kNotANumber = 0x7FFF;
inline constexpr std::uint32_t kInfinity32 = 0x7F80'0000;

// `bits` without its lowest `dropped` ones (1 to 31), rounded to the nearest, ties to even.
constexpr std::uint32_t rounded(std::uint32_t bits, int dropped) {
  const std::uint32_t kept = bits >> dropped;
  const std::uint32_t rest = bits & ((1u << dropped) - 1);
  const std::uint32_t half = 1u << (dropped - 1);
  return kept + (rest > half || (rest == half && (kept & 1u) != 0) ? 1 : 0);
}

}  // namespace half_formats

constexpr float fromBf16(std::uint16_t bits) {
  return std::bit_cast<float>(std::uint32_t{bits} << 16);
}

constexpr std::uint16_t toBf16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if ((bits & 0x7FFF'FFFF) > half_formats::kInfinity32) return half_formats::kNotANumber;
  // A carry out of the fraction goes up into the exponent, and from the largest one to infinity.
  return static_cast<std::uint16_t>(half_formats::rounded(bits, 16));
}

constexpr float fromFp16(std::uint16_t bits) {
  const std::uint32_t sign = std::uint32_t{bits & 0x8000u} << 16;
  const std::uint32_t magnitude = bits & 0x7FFFu;
  constexpr std::uint32_t kRebias = (127 - 15) << 23;
  if (magnitude >= 0x7C00) {  // infinity and NaN keep the largest exponent
    return std::bit_cast<float>(sign | half_formats::kInfinity32 | (magnitude & 0x3FF) << 13);
  }
  if (magnitude >= 0x0400) return std::bit_cast<float>(sign | ((magnitude << 13) + kRebias));
  const float subnormal = static_cast<float>(magnitude) * 0x1p-24f;
  return sign != 0 ? -subnormal : subnormal;
}

constexpr std::uint16_t toFp16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = bits >> 16 & 0x8000;
  const std::uint32_t magnitude = bits & 0x7FFF'FFFF;
  if (magnitude > half_formats::kInfinity32) return half_formats::kNotANumber;
  constexpr std::uint32_t kLeastNormal = (127 - 14) << 23;  // 2^-14
  constexpr std::uint32_t kTooLarge = (127 + 16) << 23;     // 2^16
  constexpr std::uint32_t kRebias = (127 - 15) << 23;
  if (magnitude >= kTooLarge) return static_cast<std::uint16_t>(sign | 0x7C00);
  if (magnitude >= kLeastNormal) {
    return static_cast<std::uint16_t>(sign | half_formats::rounded(magnitude - kRebias, 13));
  }
  // Subnormal: a multiple of 2^-24, namely the fraction with its leading one, times 2^(exponent -
  // 126).
  const int dropped = 126 - static_cast<int>(magnitude >> 23);
  if (dropped > 24) return static_cast<std::uint16_t>(sign);  // below half of the smallest one
  const std::uint32_t fraction = (magnitude & 0x7F'FFFF) | 0x80'0000;
  return static_cast<std::uint16_t>(sign | half_formats::rounded(fraction, dropped));
}

}  // namespace tileloom
