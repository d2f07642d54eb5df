// SPDX-License-Identifier: GPL-3.0-or-later
// Floating-point numbers of 16 bits: FP16 and BF16, two in a register.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace tileloom::executor {

// A NaN that an instruction makes has these bits, in both formats.
inline constexpr std::uint16_t kShortNotANumber = 0x7fff;

// A format with this many bits of fraction.
template <int Fraction>
struct Short {
  static constexpr int kExponentBits = 15 - Fraction;
  static constexpr int kBias = (1 << (kExponentBits - 1)) - 1;
  static constexpr std::uint16_t kInfinity =
      static_cast<std::uint16_t>(((1 << kExponentBits) - 1) << Fraction);
  static constexpr std::uint16_t kOne = static_cast<std::uint16_t>(kBias << Fraction);

  static double value(std::uint16_t bits) {
    const std::uint32_t sign = (bits & 0x8000u) << 16;
    const auto magnitude = static_cast<std::uint32_t>(bits & 0x7fff);
    if (magnitude > kInfinity) return std::bit_cast<float>(0x7fffffffu);
    if (magnitude == kInfinity) return std::bit_cast<float>(sign | 0x7f800000u);
    const auto scaled = std::bit_cast<float>(magnitude << (23 - Fraction));
    const auto factor = std::bit_cast<float>(static_cast<std::uint32_t>(254 - kBias) << 23);
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(scaled * factor) | sign);
  }

  // To the nearest, of two to the even one. Denormal numbers are kept.
  static std::uint16_t nearest(double exact) {
    if (std::isnan(exact)) return kShortNotANumber;
    constexpr int kDropped = 52 - Fraction;
    const std::uint16_t sign = std::signbit(exact) ? 0x8000 : 0;
    const double magnitude = std::abs(exact);
    auto bits = std::bit_cast<std::uint64_t>(magnitude);
    constexpr std::uint64_t kNormal = std::uint64_t{1024 - kBias} << 52;  // the least normal one
    if (bits < kNormal) {
      // Units of the least denormal number, rounded by an addition.
      constexpr auto kUnits = std::bit_cast<double>(std::uint64_t{1022 + kBias + Fraction} << 52);
      constexpr double kWhole = 0x1p52;
      return static_cast<std::uint16_t>(
          sign | static_cast<std::uint16_t>((magnitude * kUnits + kWhole) - kWhole));
    }
    bits += (std::uint64_t{1} << (kDropped - 1)) - 1 + (bits >> kDropped & 1);
    const std::uint64_t rounded = (bits >> kDropped) - (std::uint64_t{1023 - kBias} << Fraction);
    return static_cast<std::uint16_t>(sign | (rounded > kInfinity ? kInfinity : rounded));
  }
};
using Half = Short<10>;
using Bfloat = Short<7>;

// X + Y, rounded to odd where it is not exact: rounded once more, to fewer bits, it is what the
// exact sum would be.
inline double sumToOdd(double x, double y) {
  const double sum = x + y;
  if (!std::isfinite(sum)) return sum;
  const double part = sum - x;
  const double error = (x - (sum - part)) + (y - part);
  auto bits = std::bit_cast<std::uint64_t>(sum);
  if (error == 0 || (bits & 1) != 0) return sum;
  bits += (error > 0) == (sum > 0) ? std::uint64_t{1} : ~std::uint64_t{0};
  return std::bit_cast<double>(bits);
}

}  // namespace tileloom::executor
