// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/executor/numbers.h"

#include <bit>
#include <cmath>

#include "kernels/executor/rounding.h"
#include "kernels/executor/short_numbers.h"
#include "kernels/executor/sources.h"
#include "kernels/executor/warp.h"
#include "kernels/executor/wide_numbers.h"

namespace tileloom::executor {
namespace {

const Row& in(const Warp& warp, const Source& source, Row& made) {
  return floats(warp.registers, *warp.around().program, source, made);
}

float asFloat(std::uint32_t bits) {
  return std::bit_cast<float>(bits);
}
std::uint32_t bitsOf(float value) {
  return std::bit_cast<std::uint32_t>(value);
}

// A NaN that an instruction makes has these bits.
constexpr std::uint32_t kNotANumber = 0x7fffffff;

std::uint32_t finished(const Operation& o, float value) {
  if (std::isnan(value)) return o.saturates ? 0 : kNotANumber;
  if (o.saturates) value = value < 0 ? 0 : value > 1 ? 1 : value;
  if (o.flushes && std::fpclassify(value) == FP_SUBNORMAL) value = std::copysign(0.0f, value);
  return bitsOf(value);
}

float flushed(const Operation& o, std::uint32_t bits) {
  const float value = asFloat(bits);
  return o.flushes && std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(0.0f, value) : value;
}

// A x B + C, each rounded once. Without the instruction for it a lane costs a call.
using FuseRows = void (*)(const Row&, const Row&, const Row&, Row&);

inline void fuseEach(const Row& a, const Row& b, const Row& c, Row& sum) {
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    const float value = std::fma(asFloat(a.lane[i]), asFloat(b.lane[i]), asFloat(c.lane[i]));
    sum.lane[i] = value == value ? bitsOf(value) : kNotANumber;
  }
}
#if defined(__x86_64__)
__attribute__((target("avx2,fma"))) void fuseQuickly(const Row& a, const Row& b, const Row& c,
                                                     Row& sum) {
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    const float value = __builtin_fmaf(asFloat(a.lane[i]), asFloat(b.lane[i]), asFloat(c.lane[i]));
    sum.lane[i] = value == value ? bitsOf(value) : kNotANumber;
  }
}
FuseRows fuseRows() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? fuseQuickly : fuseEach;
}
#else
FuseRows fuseRows() {
  return fuseEach;
}
#endif

template <class First, class Second>
void comparison(Warp& warp, const Operation& o, First&& first, Second&& second) {
  const std::uint32_t holds = ask([&](auto i) {
    const auto x = first(i), y = second(i);
    const std::uint8_t is = x < y ? kLess : x == y ? kEqual : x > y ? kGreater : kUnordered;
    return (o.relation & is) != 0;
  });
  const std::uint32_t other = truth(warp.registers, o.p);
  const auto combined = [&](std::uint32_t is) {
    return o.combine == Combine::And  ? is & other
           : o.combine == Combine::Or ? is | other
                                      : is ^ other;
  };
  put(warp.registers, o.first, warp.lanes(), combined(holds));
  put(warp.registers, o.second, warp.lanes(), combined(~holds));
}

}  // namespace

void fusedMultiplyAdd(Warp& warp, const Operation& o) {
  Row madeA, madeB, madeC, sum;
  const Row* a = &in(warp, o.a, madeA);
  const Row* b = &in(warp, o.b, madeB);
  const Row* c = &in(warp, o.c, madeC);
  Row flushedRows[3];
  if (o.flushes) {
    const auto flush = [&](const Row*& row, Row& made) {
      for (std::uint32_t i = 0; i < kLanes; ++i) made.lane[i] = bitsOf(flushed(o, row->lane[i]));
      row = &made;
    };
    flush(a, flushedRows[0]);
    flush(b, flushedRows[1]);
    flush(c, flushedRows[2]);
  }
  static const FuseRows fuse = fuseRows();
  Row& result = warp.registers.rows[o.result];
  if (o.rounding != Rounding::Nearest) {
    // The product is exact, and the sum keeps on which side of it the exact one is.
    return put(result, warp.lanes(), [&](auto i) {
      const double product = double{asFloat(a->lane[i])} * double{asFloat(b->lane[i])};
      const double added = asFloat(c->lane[i]);
      const bool bothPositive = !std::signbit(product) && !std::signbit(added);
      const double exact = zeroOf(o.rounding, sumToOdd(product, added), bothPositive);
      return finished(o, rounded<float>(o.rounding, exact));
    });
  }
  if (warp.lanes() == kAllLanes && !o.flushes && !o.saturates) return fuse(*a, *b, *c, result);
  fuse(*a, *b, *c, sum);
  if (o.flushes || o.saturates)
    for (std::uint32_t& lane : sum.lane) lane = finished(o, asFloat(lane));
  put(result, warp.lanes(), [&](auto i) { return sum.lane[i]; });
}

void multiply(Warp& warp, const Operation& o) {
  Row madeA, madeB;
  const Row &a = in(warp, o.a, madeA), &b = in(warp, o.b, madeB);
  put(warp.registers.rows[o.result], warp.lanes(), [&](auto i) {
    const double product = double{flushed(o, a.lane[i])} * double{flushed(o, b.lane[i])};
    return finished(o, rounded<float>(o.rounding, product));
  });
}

void add(Warp& warp, const Operation& o) {
  Row madeA, madeB;
  const Row &a = in(warp, o.a, madeA), &b = in(warp, o.b, madeB);
  put(warp.registers.rows[o.result], warp.lanes(), [&](auto i) {
    const float x = flushed(o, a.lane[i]), y = flushed(o, b.lane[i]);
    if (o.rounding == Rounding::Nearest) return finished(o, x + y);
    const double exact =
        zeroOf(o.rounding, sumToOdd(double{x}, double{y}), !std::signbit(x) && !std::signbit(y));
    return finished(o, rounded<float>(o.rounding, exact));
  });
}

void compareFloats(Warp& warp, const Operation& o) {
  Row madeA, madeB;
  const Row &a = in(warp, o.a, madeA), &b = in(warp, o.b, madeB);
  comparison(
      warp, o, [&](auto i) { return flushed(o, a.lane[i]); },
      [&](auto i) { return flushed(o, b.lane[i]); });
}

void minMaxFloats(Warp& warp, const Operation& o) {
  Row madeA, madeB;
  const Row &a = in(warp, o.a, madeA), &b = in(warp, o.b, madeB);
  const std::uint32_t p = truth(warp.registers, o.p);
  put(warp.registers.rows[o.result], warp.lanes(), [&](auto i) {
    const float x = flushed(o, a.lane[i]), y = flushed(o, b.lane[i]);
    if (std::isnan(x)) return std::isnan(y) ? kNotANumber : bitsOf(y);
    if (std::isnan(y)) return bitsOf(x);
    // -0 is less than 0 here.
    const bool less = x < y || (x == y && std::signbit(x) && !std::signbit(y));
    return bitsOf(less == ((p >> i & 1) != 0) ? x : y);
  });
}

// Whether A / B has a case that the quick way gets wrong: by the exponents.
void needsSlowDivision(Warp& warp, const Operation& o) {
  Row madeA, madeB;
  const Row &a = in(warp, o.a, madeA), &b = in(warp, o.b, madeB);
  const std::uint32_t slow = ask([&](auto i) {
    const int x = static_cast<int>(a.lane[i] >> 23 & 0xff);
    const int y = static_cast<int>(b.lane[i] >> 23 & 0xff);
    constexpr int kFar = 126, kMost = 252;
    return y < 1 || y > kMost || x > kMost + 2 || x < 24 || x - y > kFar || y - x > kFar;
  });
  put(warp.registers, o.first, warp.lanes(), slow);
}

// The values of these functions are not exact to the bit on a GPU, and not the same here.
void function(Warp& warp, const Operation& o) {
  Row made;
  const Row& b = in(warp, o.b, made);
  put(warp.registers.rows[o.result], warp.lanes(), [&](auto i) {
    const float x = asFloat(b.lane[i]);
    switch (o.kind) {
      case 0:
        return bitsOf(std::cos(x * 6.283185307f));
      case 1:
        return bitsOf(std::sin(x * 6.283185307f));
      case 2:
        return bitsOf(std::exp2(x));
      case 3:
        return bitsOf(std::log2(x));
      case 4:
        return bitsOf(1.0f / x);
      case 5:
        return bitsOf(1.0f / std::sqrt(x));
      case 6:
      case 7: {
        const double value = std::bit_cast<double>(std::uint64_t{b.lane[i]} << 32);
        const double result = o.kind == 6 ? 1.0 / value : 1.0 / std::sqrt(value);
        return static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(result) >> 32);
      }
      case 8:
        return bitsOf(std::sqrt(x));
      default:
        return bitsOf(std::tanh(x));
    }
  });
}

void doubleMultiplyAdd(Warp& warp, const Operation& o) {
  putWide(warp, o, [&](auto i) {
    return std::fma(wide(warp, o.a, i), wide(warp, o.b, i), wide(warp, o.c, i));
  });
}

void doubleMultiply(Warp& warp, const Operation& o) {
  putWide(warp, o, [&](auto i) { return wide(warp, o.a, i) * wide(warp, o.b, i); });
}

void doubleAdd(Warp& warp, const Operation& o) {
  putWide(warp, o, [&](auto i) { return wide(warp, o.a, i) + wide(warp, o.b, i); });
}

void compareDoubles(Warp& warp, const Operation& o) {
  comparison(
      warp, o, [&](auto i) { return wide(warp, o.a, i); },
      [&](auto i) { return wide(warp, o.b, i); });
}

}  // namespace tileloom::executor
