// SPDX-License-Identifier: GPL-3.0-or-later
// TF32 and the formats of tensor cores with 8 or 4 bits, as exact conversions (OCP 8-bit Floating
// Point Specification, OCP Microscaling Formats; PTX ISA, cvt). Rounding is to the nearest, ties to
// even. The conversions to 8 or 4 bits saturate at the largest finite number (.satfinite): e4m3 and
// e2m1 have no infinity, and e5m2 gets none.
#pragma once

#include <bit>
#include <cstdint>

#include "kernels/base/half_formats.h"

namespace tileloom {

namespace small_formats {

inline constexpr int kTf32Dropped = 13;  // lowest bits of an fp32 number that tensor cores ignore
inline constexpr std::uint8_t kNotANumber = 0x7F;

// A format of one sign bit, `Exponent` bits and `Fraction` bits, whose largest finite number has
// the bits `Most`. NaN becomes `Nan`.
template <int Exponent, int Fraction, std::uint8_t Most, std::uint8_t Nan = kNotANumber>
struct Small {
  static constexpr int kWidth = 1 + Exponent + Fraction;
  static constexpr std::uint32_t kSign = 1u << (kWidth - 1);
  static constexpr int kBias = (1 << (Exponent - 1)) - 1;
  static constexpr int kDropped = 23 - Fraction;

  // Of a finite number.
  static constexpr float from(std::uint8_t bits) {
    const std::uint32_t sign = (bits & kSign) << (32 - kWidth);
    const std::uint32_t magnitude = bits & (kSign - 1);
    constexpr std::uint32_t kRebias = (127 - kBias) << 23;
    if (magnitude >= 1u << Fraction)
      return std::bit_cast<float>(sign | ((magnitude << kDropped) + kRebias));
    constexpr auto kUnit = std::uint32_t{127 + 1 - kBias - Fraction} << 23;  // a power of two
    const float subnormal = static_cast<float>(magnitude) * std::bit_cast<float>(kUnit);
    return sign != 0 ? -subnormal : subnormal;
  }

  static constexpr std::uint8_t to(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t sign = bits >> (32 - kWidth) & kSign;
    const std::uint32_t magnitude = bits & 0x7FFF'FFFF;
    if (magnitude > half_formats::kInfinity32) return Nan;
    constexpr std::uint32_t kLeastNormal = (127 + 1 - kBias) << 23;
    constexpr std::uint32_t kRebias = (127 - kBias) << 23;
    std::uint32_t result = 0;
    if (magnitude >= kLeastNormal) {
      result = half_formats::rounded(magnitude - kRebias, kDropped);
    } else {
      // Subnormal: a multiple of 2^(1 - bias - Fraction).
      const int dropped = 127 + 1 - kBias + kDropped - static_cast<int>(magnitude >> 23);
      constexpr int kBelowHalf = 24;  // of the smallest one
      if (dropped <= kBelowHalf)
        result = half_formats::rounded((magnitude & 0x7F'FFFF) | 0x80'0000, dropped);
    }
    return static_cast<std::uint8_t>(sign | (result < Most ? result : Most));
  }
};

using E4m3 = Small<4, 3, 0x7E>;      // 448
using E5m2 = Small<5, 2, 0x7B>;      // 57,344
using E2m1 = Small<2, 1, 0x7, 0x7>;  // 6; without NaN, which becomes 6

}  // namespace small_formats

constexpr float fromE4m3(std::uint8_t bits) {
  if ((bits & 0x7F) == small_formats::kNotANumber)
    return std::bit_cast<float>(half_formats::kInfinity32 | 0x40'0000);
  return small_formats::E4m3::from(bits);
}

constexpr std::uint8_t toE4m3(float value) {
  return small_formats::E4m3::to(value);
}

// The upper byte of an fp16 number, infinities and NaN included.
constexpr float fromE5m2(std::uint8_t bits) {
  return fromFp16(static_cast<std::uint16_t>(bits << 8));
}

constexpr std::uint8_t toE5m2(float value) {
  return small_formats::E5m2::to(value);
}

constexpr float fromE2m1(std::uint8_t bits) {
  return small_formats::E2m1::from(bits);
}

constexpr std::uint8_t toE2m1(float value) {
  return small_formats::E2m1::to(value);
}

// A power of two, 2^-127 to 2^127, or NaN: the exponent of an fp32 number. It has no zero and no
// sign, so a number that is not positive becomes NaN, but zero the least power. Rounded to the
// nearest, as no instruction of PTX does.
constexpr float fromE8m0(std::uint8_t bits) {
  if (bits == 0xFF) return std::bit_cast<float>(half_formats::kInfinity32 | 0x40'0000);
  return bits == 0 ? 0x1p-127f : std::bit_cast<float>(std::uint32_t{bits} << 23);
}

constexpr std::uint8_t toE8m0(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if (value < 0 || value != value) return 0xFF;
  constexpr std::uint32_t kMost = 0xFE;
  const std::uint32_t nearest = half_formats::rounded(bits & 0x7FFF'FFFF, 23);
  return static_cast<std::uint8_t>(nearest < kMost ? nearest : kMost);
}

// The bits of an fp32 number with a fraction of 10 bits.
constexpr std::uint32_t toTf32(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if ((bits & 0x7FFF'FFFF) > half_formats::kInfinity32) return 0x7FFF'FFFF;
  return half_formats::rounded(bits, small_formats::kTf32Dropped) << small_formats::kTf32Dropped;
}

}  // namespace tileloom
