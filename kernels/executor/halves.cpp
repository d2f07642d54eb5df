// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/executor/halves.h"

#include <algorithm>

#include "kernels/executor/short_numbers.h"
#include "kernels/executor/sources.h"
#include "kernels/executor/warp.h"

namespace tileloom::executor {
namespace {

// The two halves of a source in each lane, with its signs.
class Pairs {
 public:
  Pairs(const Warp& warp, const Source& source)
      : row_(plain(warp.registers, *warp.around().program, source)),
        kept_(source.absolute ? 0x7fff7fffu : 0xffffffffu),
        sign_(source.negative ? 0x80008000u : 0u),
        half_(source.half) {}

  std::uint16_t bits(std::uint32_t lane, bool upper) const {
    const std::uint32_t word = (row_.lane[lane] & kept_) ^ sign_;
    const bool high = half_ == 0 ? upper : half_ == 3;
    return static_cast<std::uint16_t>(high ? word >> 16 : word);
  }

 private:
  const Row& row_;
  std::uint32_t kept_, sign_;
  std::uint8_t half_;
};

template <class Format>
std::uint16_t finished(const Operation& o, double exact) {
  if (o.saturates) exact = exact > 0 ? std::min(exact, 1.0) : 0.0;  // NaN becomes 0
  if (o.clamps && exact <= 0) exact = 0;
  return Format::nearest(exact);
}

// Writes `value(lane, upper)` for both halves of each lane.
template <class Value>
void putPairs(Warp& warp, const Operation& o, Value&& value) {
  Row result;
  for (std::uint32_t i = 0; i < kLanes; ++i)
    result.lane[i] = std::uint32_t{value(i, true)} << 16 | value(i, false);
  put(warp.registers.rows[o.result], warp.lanes(), [&](auto i) { return result.lane[i]; });
}

template <class Format>
void fused(Warp& warp, const Operation& o) {
  const Pairs a(warp, o.a), b(warp, o.b), c(warp, o.c);
  putPairs(warp, o, [&](auto i, bool upper) {
    // The product is exact.
    const double product = Format::value(a.bits(i, upper)) * Format::value(b.bits(i, upper));
    return finished<Format>(o, sumToOdd(product, Format::value(c.bits(i, upper))));
  });
}

template <class Format>
void added(Warp& warp, const Operation& o) {
  const Pairs a(warp, o.a), b(warp, o.b);
  putPairs(warp, o, [&](auto i, bool upper) {
    return finished<Format>(
        o, sumToOdd(Format::value(a.bits(i, upper)), Format::value(b.bits(i, upper))));
  });
}

template <class Format>
void multiplied(Warp& warp, const Operation& o) {
  const Pairs a(warp, o.a), b(warp, o.b);
  putPairs(warp, o, [&](auto i, bool upper) {
    return finished<Format>(o, Format::value(a.bits(i, upper)) * Format::value(b.bits(i, upper)));
  });
}

template <class Format>
void leastOrMost(Warp& warp, const Operation& o) {
  const Pairs a(warp, o.a), b(warp, o.b);
  const std::uint32_t p = truth(warp.registers, o.p);
  putPairs(warp, o, [&](auto i, bool upper) {
    const std::uint16_t first = a.bits(i, upper), second = b.bits(i, upper);
    const double x = Format::value(first), y = Format::value(second);
    if (std::isnan(x)) return std::isnan(y) ? kShortNotANumber : second;
    if (std::isnan(y)) return first;
    // -0 is less than 0 here.
    const bool less = x < y || (x == y && std::signbit(x) && !std::signbit(y));
    return less == ((p >> i & 1) != 0) ? first : second;
  });
}

// For the lower and the upper halves: where the relation holds, combined with the predicate.
struct BothHalves {
  std::uint32_t lower = 0, upper = 0;
};

template <class Format>
BothHalves compared(const Warp& warp, const Operation& o) {
  const Pairs a(warp, o.a), b(warp, o.b);
  const std::uint32_t other = truth(warp.registers, o.p);
  const auto holds = [&](bool upper) {
    const std::uint32_t is = ask([&](auto i) {
      const double x = Format::value(a.bits(i, upper)), y = Format::value(b.bits(i, upper));
      const std::uint8_t how = x < y ? kLess : x == y ? kEqual : x > y ? kGreater : kUnordered;
      return (o.relation & how) != 0;
    });
    return o.combine == Combine::And  ? is & other
           : o.combine == Combine::Or ? is | other
                                      : is ^ other;
  };
  return {holds(false), holds(true)};
}

BothHalves comparedAs(const Warp& warp, const Operation& o) {
  return o.kind == kBf16 ? compared<Bfloat>(warp, o) : compared<Half>(warp, o);
}

template <class Format>
void packed(Warp& warp, const Operation& o) {
  Row madeA, madeB;
  const Row& a = floats(warp.registers, *warp.around().program, o.a, madeA);
  const Row& b = floats(warp.registers, *warp.around().program, o.b, madeB);
  putPairs(warp, o, [&](auto i, bool upper) {
    return Format::nearest(std::bit_cast<float>(upper ? a.lane[i] : b.lane[i]));
  });
}

}  // namespace

void fusedPairs(Warp& warp, const Operation& o) {
  o.kind == kBf16 ? fused<Bfloat>(warp, o) : fused<Half>(warp, o);
}

void addPairs(Warp& warp, const Operation& o) {
  o.kind == kBf16 ? added<Bfloat>(warp, o) : added<Half>(warp, o);
}

void multiplyPairs(Warp& warp, const Operation& o) {
  o.kind == kBf16 ? multiplied<Bfloat>(warp, o) : multiplied<Half>(warp, o);
}

void minMaxPairs(Warp& warp, const Operation& o) {
  o.kind == kBf16 ? leastOrMost<Bfloat>(warp, o) : leastOrMost<Half>(warp, o);
}

void packPairs(Warp& warp, const Operation& o) {
  o.kind == kBf16 ? packed<Bfloat>(warp, o) : packed<Half>(warp, o);
}

void addWide(Warp& warp, const Operation& o) {
  const Pairs a(warp, o.a), b(warp, o.b);
  put(warp.registers.rows[o.result], warp.lanes(), [&](auto i) {
    // Which half is part of each source. The sum is exact before it is rounded.
    double sum = Half::value(a.bits(i, false)) + Half::value(b.bits(i, false));
    if (o.saturates) sum = sum > 0 ? std::min(sum, 1.0) : 0.0;
    return std::isnan(sum) ? 0x7fffffffu : std::bit_cast<std::uint32_t>(static_cast<float>(sum));
  });
}

void comparePairs(Warp& warp, const Operation& o) {
  const BothHalves is = comparedAs(warp, o);
  put(warp.registers, o.first, warp.lanes(), is.lower);
  put(warp.registers, o.second, warp.lanes(), is.upper);
}

void maskPairs(Warp& warp, const Operation& o) {
  const BothHalves is = comparedAs(warp, o);
  putPairs(warp, o, [&](auto i, bool upper) {
    const bool holds = ((upper ? is.upper : is.lower) >> i & 1) != 0;
    return static_cast<std::uint16_t>(holds ? o.table : 0);
  });
}

}  // namespace tileloom::executor
