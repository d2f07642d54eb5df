// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/executor/accumulation_parts.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "kernels/executor/short_numbers.h"

namespace tileloom::executor {
namespace {

// T x 2^unit, truncated.
std::uint32_t truncated(double sum, std::int32_t unit, int kept) {
  if (sum == 0) return 0;
  const std::uint32_t sign = sum < 0 ? 0x80000000u : 0u;
  const double exact = std::ldexp(std::abs(sum), unit);
  if (exact >= 0x1p128) return sign | kInfiniteSum;
  const int exponent = std::max(std::ilogb(exact), kLeastExponent);
  const double whole = std::trunc(std::ldexp(exact, kept - exponent));
  return sign |
         std::bit_cast<std::uint32_t>(static_cast<float>(std::ldexp(whole, exponent - kept)));
}

}  // namespace

std::uint32_t dotAdd(const Products& p, std::uint32_t row, std::uint32_t column,
                     const ElementFormat& formatA, const ElementFormat& formatB, bool half,
                     const Accumulation& how) {
  constexpr ElementFormat kSingle{23, 8, 0, false}, kHalfSum{10, 5, 0, false};
  const ElementFormat& sumFormat = half ? kHalfSum : kSingle;
  std::uint32_t c = p.c[row][column];
  const auto terms = static_cast<std::uint32_t>(how.terms);
  for (std::uint32_t first = 0; first < p.depth; first += terms) {
    const std::uint32_t count = std::min(terms, p.depth - first);
    // Infinities and NaN: as in a sum of doubles.
    const auto valueOf = [](const ElementFormat& f, std::uint32_t bits) {
      Parts<1> one;
      takeApart<1>(&bits, 1, f, one);
      if (one.special) {
        const std::uint32_t low = bits >> f.shift & ((1u << f.fraction) - 1);
        if (f.finite || low != 0) return std::numeric_limits<double>::quiet_NaN();
        return one.sign[0] != 0 ? -HUGE_VAL : HUGE_VAL;
      }
      if (one.significand[0] == 0) return one.sign[0] != 0 ? -0.0 : 0.0;
      const double value = std::ldexp(one.significand[0], one.exponent[0] - f.fraction);
      return one.sign[0] != 0 ? -value : value;
    };
    double all = valueOf(sumFormat, c);
    Parts<1> old;
    takeApart<1>(&c, 1, sumFormat, old);
    std::int32_t most = std::max(old.exponent[0], kLeastExponent);
    for (std::uint32_t k = first; k < first + count; ++k) {
      Parts<1> x, y;
      takeApart<1>(&p.a[row][k], 1, formatA, x);
      takeApart<1>(&p.b[k][column], 1, formatB, y);
      if (x.special || y.special || !std::isfinite(all))
        all += valueOf(formatA, p.a[row][k]) * valueOf(formatB, p.b[k][column]);
      most = std::max(most, x.exponent[0] + y.exponent[0]);
    }
    if (!std::isfinite(all)) {
      if (std::isnan(all)) return half ? kShortNotANumber : kNoSum;
      c = half ? (all < 0 ? 0xfc00u : 0x7c00u) : kInfiniteSum | (all < 0 ? 0x80000000u : 0u);
      continue;
    }
    // Every term is a whole number of units of 2^(most - fraction).
    const auto term = [&](double value) {
      return std::trunc(std::ldexp(value, how.fraction - most));
    };
    double sum = term(valueOf(sumFormat, c));
    for (std::uint32_t k = first; k < first + count; ++k)
      sum += term(valueOf(formatA, p.a[row][k]) * valueOf(formatB, p.b[k][column]));
    c = half ? Half::nearest(std::ldexp(sum, most - how.fraction))
             : truncated(sum, most - how.fraction, how.kept);
    // A negative sum that is rounded to zero is a positive zero (hardware.md, rule 90).
    if (half && c == 0x8000u) c = 0;
  }
  return c;
}

}  // namespace tileloom::executor
