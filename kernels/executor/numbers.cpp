// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/executor/numbers.h"

#include <bit>
#include <cmath>
#include <limits>

#include "kernels/executor/sources.h"
#include "kernels/executor/warp.h"

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

// `exact` is the true value, or so near to it that rounding cannot tell them apart.
template <class Number, class Exact>
Number rounded(Rounding how, Exact exact) {
  const auto nearest = static_cast<Number>(exact);
  if (how == Rounding::Nearest || std::isnan(exact) || static_cast<Exact>(nearest) == exact)
    return nearest;
  constexpr Number kInfinity = std::numeric_limits<Number>::infinity();
  const bool above = static_cast<Exact>(nearest) > exact;
  switch (how) {
    case Rounding::Down:
      return above ? std::nextafter(nearest, -kInfinity) : nearest;
    case Rounding::Up:
      return above ? nearest : std::nextafter(nearest, kInfinity);
    default:
      return std::abs(static_cast<Exact>(nearest)) > std::abs(exact)
                 ? std::nextafter(nearest, Number{0})
                 : nearest;
  }
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

double wide(const Warp& warp, const Source& source, std::uint32_t lane) {
  const Registers& registers = warp.registers;
  const Program& program = *warp.around().program;
  const Row& low = plain(registers, program, source);
  const Row& high = plain(registers, program, source, true);
  double value = std::bit_cast<double>(low.lane[lane] | std::uint64_t{high.lane[lane]} << 32);
  if (source.absolute) value = std::abs(value);
  return source.negative ? -value : value;
}

template <class Value>
void putWide(Warp& warp, const Operation& o, Value&& value) {
  Row low, high;
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    const auto bits = std::bit_cast<std::uint64_t>(value(i));
    low.lane[i] = static_cast<std::uint32_t>(bits);
    high.lane[i] = static_cast<std::uint32_t>(bits >> 32);
  }
  put(warp.registers.rows[o.result], warp.lanes(), [&](auto i) { return low.lane[i]; });
  put(warp.registers.rows[o.resultUpper], warp.lanes(), [&](auto i) { return high.lane[i]; });
}

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
    return finished(o, rounded<float>(o.rounding, double{x} + double{y}));
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

// Operation::kind says the width of the result, `wide` that of the source.
void fromInteger(Warp& warp, const Operation& o) {
  const Row& low = plain(warp.registers, *warp.around().program, o.b);
  const Row& high = plain(warp.registers, *warp.around().program, o.b, true);
  const auto exact = [&](std::uint32_t i) -> long double {
    if (!o.wide)
      return o.isSigned ? static_cast<long double>(static_cast<std::int32_t>(low.lane[i]))
                        : static_cast<long double>(low.lane[i]);
    const std::uint64_t bits = low.lane[i] | std::uint64_t{high.lane[i]} << 32;
    return o.isSigned ? static_cast<long double>(static_cast<std::int64_t>(bits))
                      : static_cast<long double>(bits);
  };
  if (o.kind == kDouble)
    return putWide(warp, o, [&](auto i) { return rounded<double>(o.rounding, exact(i)); });
  put(warp.registers.rows[o.result], warp.lanes(),
      [&](auto i) { return bitsOf(rounded<float>(o.rounding, exact(i))); });
}

// Operation::kind says the width of the source, `wide` that of the result. What is too large
// becomes the largest integer, NaN the smallest one.
void toInteger(Warp& warp, const Operation& o) {
  Row made;
  const Row& b = in(warp, o.b, made);
  const auto whole = [&](std::uint32_t i) {
    const double x = o.kind == kDouble ? wide(warp, o.b, i) : double{flushed(o, b.lane[i])};
    return o.rounding == Rounding::ToZero ? std::trunc(x)
           : o.rounding == Rounding::Down ? std::floor(x)
           : o.rounding == Rounding::Up   ? std::ceil(x)
                                          : std::nearbyint(x);
  };
  if (o.wide) {
    return putWide(warp, o, [&](auto i) -> std::uint64_t {
      const double x = whole(i);
      constexpr double kEnd = 18446744073709551616.0;  // 2 to the 64
      constexpr std::uint64_t kSign = std::uint64_t{1} << 63;
      if (std::isnan(x)) return kSign;
      if (!o.isSigned)
        return x <= 0 ? 0 : x >= kEnd ? ~std::uint64_t{0} : static_cast<std::uint64_t>(x);
      if (x >= kEnd / 2) return kSign - 1;
      return x < -kEnd / 2 ? kSign : static_cast<std::uint64_t>(static_cast<std::int64_t>(x));
    });
  }
  put(warp.registers.rows[o.result], warp.lanes(), [&](auto i) -> std::uint32_t {
    const double x = whole(i);
    if (std::isnan(x)) return o.isSigned ? 0x80000000u : 0u;
    if (o.isSigned) {
      if (x <= -2147483648.0) return 0x80000000u;
      if (x >= 2147483647.0) return 0x7fffffffu;
      return static_cast<std::uint32_t>(static_cast<std::int32_t>(x));
    }
    if (x <= 0) return 0;
    return x >= 4294967295.0 ? 0xffffffffu : static_cast<std::uint32_t>(x);
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
