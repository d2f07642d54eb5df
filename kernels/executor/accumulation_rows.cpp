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
using Four = std::int32_t __attribute__((vector_size(16)));
using Real = double __attribute__((vector_size(32)));  // of four of them
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

// Whether sums of products fit into 32 bits: each is below 4 units of 2^fraction.
bool fits(const Accumulation& how, int productFraction) {
  constexpr int kMostFraction = 28;
  return how.fraction >= productFraction && how.fraction <= kMostFraction &&
         std::int64_t{how.terms} << (how.fraction + 2) <= std::int64_t{1} << 31;
}

// The same for a row of finite elements: whole numbers of 32 bits. Returns the columns whose
// results need dotAdd(), as bits.
template <bool Half16>
[[gnu::always_inline]] inline std::uint32_t addRow(const FactorsA& a, const FactorsB& b,
                                                   std::uint32_t row, std::uint32_t depth,
                                                   std::array<std::uint32_t, kColumns>& c,
                                                   int productFraction, const Accumulation& how) {
  // The sum of 16 products of the largest significands, in units of 2^-25, is below 2^31.
  const std::int32_t fraction = how.fraction, up = fraction - productFraction;
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
    // The sum as FP64 numbers, which hold it exactly: the upper and the lower words of these.
    Four products[2], others[2];
    Whole words[2];
    std::memcpy(products, &sum, sizeof products);
    std::memcpy(others, &before, sizeof others);
    for (int i = 0; i < 2; ++i) {
      const Real total =
          __builtin_convertvector(products[i], Real) + __builtin_convertvector(others[i], Real);
      std::memcpy(&words[i], &total, sizeof total);
    }
    const Whole high = __builtin_shufflevector(words[0], words[1], 1, 3, 5, 7, 9, 11, 13, 15);
    const Whole low = __builtin_shufflevector(words[0], words[1], 0, 2, 4, 6, 8, 10, 12, 14);
    const Whole some = sum != -before;
    Whole wrong;  // not normal numbers
    if constexpr (Half16) {
      // To the nearest, of two to the even one, as Half::nearest(); a comparison is -1.
      const Whole magnitude = high & 0x7fffffff;
      const Whole sticky = (magnitude >> 10 | -(low != 0)) & 1;
      const Whole rounded = magnitude + 0x1ff + sticky;
      const Whole field = (rounded >> 20) - 1023 + 15 + most - fraction;
      bits = ((high >> 16 & 0x8000) | field << 10 | (rounded >> 10 & 0x3ff)) & some;
      wrong = ((field < 1) | (field > 30)) & some;
    } else {
      const Whole field = (high >> 20 & 0x7ff) - 1023 + 127 + most - fraction;
      const Whole its = (high & 0xfffff) << 3 | (low >> 29 & 7);
      const std::int32_t kept = -(1 << (23 - how.kept));
      bits = ((high & static_cast<std::int32_t>(0x80000000)) | field << 23 | (its & kept)) & some;
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

struct Formats {
  ElementFormat a, b;
};

// A has been taken apart; B has not.
template <bool Half16>
[[gnu::always_inline]] inline void addTo(Products& p, const FactorsA& a, const Formats& formats,
                                         const Accumulation& how) {
  FactorsB b;
  takeApart(p.b.front().data(), std::size_t{p.depth} * kColumns, formats.b, b);
  const std::uint32_t most = Half16 ? 0x7c00u : kInfiniteSum;
  const int fraction = formats.a.fraction + formats.b.fraction;
  const bool quick = !a.special && !b.special && fits(how, fraction);
  for (std::uint32_t row = 0; row < Products::kRows; ++row) {
    auto& c = p.c[row];
    std::uint32_t other = 0xff;
    const auto before = c;
    if (quick && std::ranges::none_of(c, [&](auto bits) { return (bits & most) == most; }))
      other = addRow<Half16>(a, b, row, p.depth, c, fraction, how);
    if (other == 0) continue;
    auto result = c;
    c = before;
    for (std::uint32_t j = 0; j < kColumns; ++j)
      if ((other >> j & 1) != 0) result[j] = dotAdd(p, row, j, formats.a, formats.b, Half16, how);
    c = result;
  }
}

template <class Rows>
[[gnu::always_inline]] inline void takeRows(const Rows& rows, std::uint32_t depth,
                                            const ElementFormat& format, FactorsA& a) {
  for (std::uint32_t row = 0; row < Products::kRows; ++row)
    takeApart(rows[row].data(), depth, format, a, std::size_t{row} * Products::kMostDepth);
}

template <bool Half16>
[[gnu::always_inline]] inline void addAll(Products& p, const Formats& formats,
                                          const Accumulation& how) {
  FactorsA a;
  takeRows(p.a, p.depth, formats.a, a);
  addTo<Half16>(p, a, formats, how);
}

// Eight columns after the other.
template <bool Half16>
[[gnu::always_inline]] inline void addAll(WideProducts& wide, const Formats& formats,
                                          const Accumulation& how) {
  FactorsA a;
  takeRows(wide.a, wide.depth, formats.a, a);
  Products p;
  p.depth = wide.depth;
  p.a = wide.a;
  constexpr std::size_t kBytes = kColumns * sizeof(std::uint32_t);
  for (std::uint32_t first = 0; first < wide.columns; first += kColumns) {
    for (std::uint32_t k = 0; k < wide.depth; ++k)
      std::memcpy(p.b[k].data(), wide.b[k].data() + first, kBytes);
    for (std::uint32_t row = 0; row < Products::kRows; ++row)
      std::memcpy(p.c[row].data(), wide.c[row].data() + first, kBytes);
    addTo<Half16>(p, a, formats, how);
    for (std::uint32_t row = 0; row < Products::kRows; ++row)
      std::memcpy(wide.c[row].data() + first, p.c[row].data(), kBytes);
  }
}

template <class Any>
void addPlainly(Any& p, const Formats& formats, bool half, const Accumulation& how) {
  half ? addAll<true>(p, formats, how) : addAll<false>(p, formats, how);
}
#if defined(__x86_64__)
template <class Any>
__attribute__((target("avx2"))) void addQuickly(Any& p, const Formats& formats, bool half,
                                                const Accumulation& how) {
  half ? addAll<true>(p, formats, how) : addAll<false>(p, formats, how);
}
#endif

template <class Any>
void add(Any& p, const Formats& formats, bool half, const Accumulation& how) {
#if defined(__x86_64__)
  static const bool quick = __builtin_cpu_supports("avx2");
  if (quick) return addQuickly(p, formats, half, how);
#endif
  addPlainly(p, formats, half, how);
}

}  // namespace

void multiplyAdd(Products& products, Factor factor, bool half, const Accumulation& how) {
  add(products, Formats{formatOf(factor), formatOf(factor)}, half, how);
}

void multiplyAdd(WideProducts& products, Factor a, Factor b, bool half, const Accumulation& how) {
  add(products, Formats{formatOf(a), formatOf(b)}, half, how);
}

}  // namespace tileloom::executor
