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

// `exact` is a double whose distance from the true value is below what rounding can see.
float rounded(Rounding how, double exact) {
  const auto nearest = static_cast<float>(exact);
  if (how == Rounding::Nearest || std::isnan(exact) || double{nearest} == exact) return nearest;
  const float infinity = std::numeric_limits<float>::infinity();
  const bool above = double{nearest} > exact;
  switch (how) {
    case Rounding::Down:
      return above ? std::nextafter(nearest, -infinity) : nearest;
    case Rounding::Up:
      return above ? nearest : std::nextafter(nearest, infinity);
    default:
      return std::abs(double{nearest}) > std::abs(exact) ? std::nextafter(nearest, 0.0f) : nearest;
  }
}

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
  Row madeA, madeB, madeC;
  const Row &a = in(warp, o.a, madeA), &b = in(warp, o.b, madeB), &c = in(warp, o.c, madeC);
  put(warp.registers.rows[o.result], warp.lanes(), [&](auto i) {
    return finished(o,
                    std::fma(flushed(o, a.lane[i]), flushed(o, b.lane[i]), flushed(o, c.lane[i])));
  });
}

void multiply(Warp& warp, const Operation& o) {
  Row madeA, madeB;
  const Row &a = in(warp, o.a, madeA), &b = in(warp, o.b, madeB);
  put(warp.registers.rows[o.result], warp.lanes(), [&](auto i) {
    const double product = double{flushed(o, a.lane[i])} * double{flushed(o, b.lane[i])};
    return finished(o, rounded(o.rounding, product));
  });
}

void add(Warp& warp, const Operation& o) {
  Row madeA, madeB;
  const Row &a = in(warp, o.a, madeA), &b = in(warp, o.b, madeB);
  put(warp.registers.rows[o.result], warp.lanes(), [&](auto i) {
    const float x = flushed(o, a.lane[i]), y = flushed(o, b.lane[i]);
    if (o.rounding == Rounding::Nearest) return finished(o, x + y);
    return finished(o, rounded(o.rounding, double{x} + double{y}));
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

void fromInteger(Warp& warp, const Operation& o) {
  const Row& b = plain(warp.registers, *warp.around().program, o.b);
  put(warp.registers.rows[o.result], o.uniform ? kAllLanes : warp.lanes(), [&](auto i) {
    const double value = o.isSigned ? static_cast<double>(static_cast<std::int32_t>(b.lane[i]))
                                    : static_cast<double>(b.lane[i]);
    return bitsOf(rounded(o.rounding, value));
  });
}

void toInteger(Warp& warp, const Operation& o) {
  Row made;
  const Row& b = in(warp, o.b, made);
  put(warp.registers.rows[o.result], warp.lanes(), [&](auto i) -> std::uint32_t {
    const double x = double{flushed(o, b.lane[i])};
    if (std::isnan(x)) return o.isSigned ? 0x80000000u : 0u;
    const double whole = o.rounding == Rounding::ToZero ? std::trunc(x)
                         : o.rounding == Rounding::Down ? std::floor(x)
                         : o.rounding == Rounding::Up   ? std::ceil(x)
                                                        : std::nearbyint(x);
    if (o.isSigned) {
      if (whole <= -2147483648.0) return 0x80000000u;
      if (whole >= 2147483647.0) return 0x7fffffffu;
      return static_cast<std::uint32_t>(static_cast<std::int32_t>(whole));
    }
    if (whole <= 0) return 0;
    if (whole >= 4294967295.0) return 0xffffffffu;
    return static_cast<std::uint32_t>(whole);
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
