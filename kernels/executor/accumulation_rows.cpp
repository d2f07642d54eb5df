// SPDX-License-Identifier: GPL-3.0-or-later
// Adds a row of eight elements at once, in whole numbers, where all of them are finite.
#include <algorithm>
#include <bit>
#include <cstring>

#include "kernels/executor/accumulation.h"
#include "kernels/executor/accumulation_parts.h"

namespace tileloom::executor {
namespace {

constexpr std::size_t kColumns = Products::kColumns;

// Eight columns at once: the compiler makes vector instructions of these.
using Whole = std::int32_t __attribute__((vector_size(32)));
using Long = std::int64_t __attribute__((vector_size(64)));
using Real = double __attribute__((vector_size(64)));
static_assert(sizeof(Whole) == kColumns * sizeof(std::int32_t));

// Accumulators, taken apart: a significand with 23 bits of fraction.
struct Old {
  Whole significand, exponent, sign;
};
template <bool Half16>
[[gnu::always_inline]] inline void takeOld(const Whole& bits, Old& old) {
  constexpr int kFraction = Half16 ? 10 : 23, kBias = Half16 ? 15 : 127;
  constexpr std::int32_t kHidden = 1 << kFraction;
  const Whole field = bits >> kFraction & (Half16 ? 31 : 255);
  const Whole normal = field != 0;
  const Whole significand = (bits & (kHidden - 1)) | (normal & kHidden);
  // A denormal number has the exponent of the field 1.
  const Whole exponent = field + (normal + 1) - kBias;
  const Whole some = significand != 0;
  old.significand = significand << (23 - kFraction);
  old.exponent = (exponent & some) | (~some & kLeastExponent);
  old.sign = -(bits >> (Half16 ? 15 : 31) & 1);
}

// The same for a row of finite elements: whole numbers of 32 bits. Returns the columns whose
// results need dotAdd(), as bits.
template <bool Half16>
[[gnu::always_inline]] inline std::uint32_t addRow(const FactorsA& a, const FactorsB& b,
                                                   std::uint32_t row, std::uint32_t depth,
                                                   std::array<std::uint32_t, kColumns>& c,
                                                   int factorFraction, const Accumulation& how) {
  // The sum of 16 products of the largest significands, in units of 2^-25, is below 2^31.
  const std::int32_t fraction = how.fraction, up = fraction - 2 * factorFraction;
  const std::int32_t more = std::max(fraction - 23, 0), less = std::max(23 - fraction, 0);
  const auto terms = static_cast<std::uint32_t>(how.terms);
  std::uint32_t other = 0;
  Whole bits;
  std::memcpy(&bits, c.data(), sizeof bits);
  const auto take = [](const auto& all, std::uint32_t k, Whole& part) {
    std::memcpy(&part, all.data() + k * kColumns, sizeof part);
  };
  for (std::uint32_t first = 0; first < depth; first += terms) {
    const std::uint32_t last = std::min(depth, first + terms);
    Old old;
    takeOld<Half16>(bits, old);
    Whole most = old.exponent, part, sum{};
    const std::size_t at = std::size_t{row} * Products::kMostDepth;
    for (std::uint32_t k = first; k < last; ++k) {
      take(b.exponent, k, part);
      part += a.exponent[at + k];
      most = part > most ? part : most;
    }
    for (std::uint32_t k = first; k < last; ++k) {
      Whole by, minus, term;
      take(b.exponent, k, by);
      by = most - a.exponent[at + k] - by;
      by = by > 31 ? by - by + 31 : by;
      take(b.sign, k, minus);
      minus ^= a.sign[at + k];
      take(b.significand, k, term);
      term = (term * (a.significand[at + k] << up)) >> by;
      sum += (term ^ minus) - minus;
    }
    Whole by = most - old.exponent + less;
    by = by > 31 ? by - by + 31 : by;
    const Whole before = (((old.significand << more) >> by) ^ old.sign) - old.sign;
    const Real total = __builtin_convertvector(sum, Real) + __builtin_convertvector(before, Real);
    Long parts;
    Whole wrong;  // not normal numbers
    std::memcpy(&parts, &total, sizeof parts);
    if constexpr (Half16) {
      // To the nearest, of two to the even one, as Half::nearest().
      const Long even = (parts >> 42 & 1) + ((std::int64_t{1} << 41) - 1);
      const Long rounded = (parts & 0x7fffffffffffffff) + even;
      const Whole field =
          __builtin_convertvector(rounded >> 52, Whole) - 1023 + 15 + most - fraction;
      const Whole low = __builtin_convertvector(rounded >> 42 & 0x3ff, Whole);
      const Whole sign = __builtin_convertvector(parts >> 63, Whole) & 0x8000;
      const Whole some = __builtin_convertvector(total != 0, Whole);
      bits = (sign | field << 10 | low) & some;
      wrong = ((field < 1) | (field > 30)) & some;
    } else {
      const Whole field =
          __builtin_convertvector(parts >> 52 & 0x7ff, Whole) - 1023 + 127 + most - fraction;
      const Whole low = __builtin_convertvector(parts >> 29 & 0x7fffff, Whole);
      const Whole sign = __builtin_convertvector(parts >> 63, Whole) << 31;
      const Whole some = __builtin_convertvector(total != 0, Whole);
      const std::int32_t kept = -(1 << (23 - how.kept));
      bits = (sign | field << 23 | (low & kept)) & some;
      wrong = ((field < 1) | (field > 254)) & some;
    }
    std::int64_t any[4];
    std::memcpy(any, &wrong, sizeof any);
    if ((any[0] | any[1] | any[2] | any[3]) != 0)
      for (std::size_t j = 0; j < kColumns; ++j) other |= std::uint32_t{wrong[j] != 0} << j;
  }
  std::memcpy(c.data(), &bits, sizeof bits);
  return other;
}

template <bool Half16>
[[gnu::always_inline]] inline void addAll(Products& p, Factor factor, const Accumulation& how) {
  const ElementFormat format = formatOf(factor);
  FactorsA a;
  FactorsB b;
  for (std::uint32_t row = 0; row < Products::kRows; ++row)
    takeApart(p.a[row].data(), p.depth, format, a, std::size_t{row} * Products::kMostDepth);
  takeApart(p.b.front().data(), std::size_t{p.depth} * kColumns, format, b);
  const std::uint32_t most = Half16 ? 0x7c00u : kInfiniteSum;
  for (std::uint32_t row = 0; row < Products::kRows; ++row) {
    auto& c = p.c[row];
    std::uint32_t other = 0xff;
    const bool finite = !a.special && !b.special &&
                        std::ranges::none_of(c, [&](auto bits) { return (bits & most) == most; });
    const auto before = c;
    if (finite) other = addRow<Half16>(a, b, row, p.depth, c, format.fraction, how);
    if (other == 0) continue;
    const auto quick = c;
    c = before;
    auto result = quick;
    for (std::uint32_t j = 0; j < kColumns; ++j)
      if ((other >> j & 1) != 0) result[j] = dotAdd(p, row, j, factor, Half16, how);
    c = result;
  }
}

void addPlainly(Products& p, Factor factor, bool half, const Accumulation& how) {
  half ? addAll<true>(p, factor, how) : addAll<false>(p, factor, how);
}
#if defined(__x86_64__)
__attribute__((target("avx2"))) void addQuickly(Products& p, Factor factor, bool half,
                                                const Accumulation& how) {
  half ? addAll<true>(p, factor, how) : addAll<false>(p, factor, how);
}
#endif

}  // namespace

void multiplyAdd(Products& products, Factor factor, bool half, const Accumulation& how) {
#if defined(__x86_64__)
  static const bool quick = __builtin_cpu_supports("avx2");
  if (quick) return addQuickly(products, factor, half, how);
#endif
  addPlainly(products, factor, half, how);
}

}  // namespace tileloom::executor
