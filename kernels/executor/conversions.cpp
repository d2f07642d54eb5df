// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/executor/conversions.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "kernels/executor/rounding.h"
#include "kernels/executor/short_numbers.h"
#include "kernels/executor/sources.h"
#include "kernels/executor/warp.h"
#include "kernels/executor/wide_numbers.h"

namespace tileloom::executor {
namespace {

constexpr std::uint32_t kNoSingle = 0x7fffffff;

std::uint32_t single(float value) {
  return std::isnan(value) ? kNoSingle : std::bit_cast<std::uint32_t>(value);
}

// The number of a lane, of the operation's width. FP16 is one half of its register.
double numberOf(const Warp& warp, const Operation& o, std::uint32_t lane) {
  if (o.kind == kDouble) return wide(warp, o.b, lane);
  const std::uint32_t bits = plain(warp.registers, *warp.around().program, o.b).lane[lane];
  double value = o.kind == kHalf ? Half::value(static_cast<std::uint16_t>(bits >> (16 * o.b.half)))
                                 : double{std::bit_cast<float>(bits)};
  constexpr double kLeast = 0x1p-126;
  if (o.flushes && std::abs(value) < kLeast) value = std::copysign(0.0, value);
  if (o.b.absolute) value = std::abs(value);
  return o.b.negative ? -value : value;
}

// A NaN keeps its sign and its upper bits, and becomes a quiet one (measurements/machine_facts.cu).
std::uint32_t narrowNaN(double x) {
  constexpr std::uint32_t kQuiet = 0x7fc00000, kSign = 0x80000000, kFraction = 0x3fffff;
  constexpr int kLost = 29;
  const auto bits = std::bit_cast<std::uint64_t>(x);
  return kQuiet | (static_cast<std::uint32_t>(bits >> 32) & kSign) |
         (static_cast<std::uint32_t>(bits >> kLost) & kFraction);
}

}  // namespace

void fromInteger(Warp& warp, const Operation& o) {
  const Row& low = plain(warp.registers, *warp.around().program, o.b);
  const Row& high = plain(warp.registers, *warp.around().program, o.b, true);
  const int unused = 64 - 8 * o.bytes;
  const auto exact = [&](std::uint32_t i) -> long double {
    std::uint64_t bits = low.lane[i];
    if (o.bytes == 8) bits |= std::uint64_t{high.lane[i]} << 32;
    bits = bits >> (8 * o.bytes * o.b.half) << unused;
    return o.isSigned ? static_cast<long double>(static_cast<std::int64_t>(bits) >> unused)
                      : static_cast<long double>(bits >> unused);
  };
  if (o.kind == kDouble)
    return putWide(warp, o, [&](auto i) { return rounded<double>(o.rounding, exact(i)); });
  put(warp.registers.rows[o.result], warp.lanes(), [&](auto i) -> std::uint32_t {
    // Integers that FP16 can hold are exact in FP64.
    if (o.kind == kHalf) return Half::nearest(static_cast<double>(exact(i)));
    return std::bit_cast<std::uint32_t>(rounded<float>(o.rounding, exact(i)));
  });
}

// What is too large becomes the largest integer. NaN becomes 0, but of FP64, or as 64 bits, the
// highest bit alone (PTX ISA, cvt). Fewer than 32 bits are extended; what NaN of FP64 becomes there
// is not known.
void toInteger(Warp& warp, const Operation& o) {
  if (o.bytes == 8) {
    return putWide(warp, o, [&](auto i) -> std::uint64_t {
      const double x = whole(o.rounding, numberOf(warp, o, i));
      constexpr double kEnd = 18446744073709551616.0;  // 2 to the 64
      constexpr std::uint64_t kSign = std::uint64_t{1} << 63;
      if (std::isnan(x)) return kSign;
      if (!o.isSigned)
        return x <= 0 ? 0 : x >= kEnd ? ~std::uint64_t{0} : static_cast<std::uint64_t>(x);
      if (x >= kEnd / 2) return kSign - 1;
      return x < -kEnd / 2 ? kSign : static_cast<std::uint64_t>(static_cast<std::int64_t>(x));
    });
  }
  const double end = std::ldexp(1.0, 8 * o.bytes);
  const double least = o.isSigned ? -end / 2 : 0, most = (o.isSigned ? end / 2 : end) - 1;
  bool unknown = false;
  put(warp.registers.rows[o.result], warp.lanes(), [&](auto i) -> std::uint32_t {
    const double x = whole(o.rounding, numberOf(warp, o, i));
    if (std::isnan(x)) {
      unknown = unknown || (o.bytes < 4 && o.kind == kDouble);
      return o.kind == kDouble ? 0x80000000u : 0u;
    }
    return static_cast<std::uint32_t>(static_cast<std::int64_t>(std::clamp(x, least, most)));
  });
  if (unknown) warp.fail("what NaN becomes as an integer of 8 or 16 bits is not known");
}

void toWhole(Warp& warp, const Operation& o) {
  const auto value = [&](std::uint32_t i) { return whole(o.rounding, numberOf(warp, o, i)); };
  if (o.kind == kDouble) return putWide(warp, o, value);
  put(warp.registers.rows[o.result], warp.lanes(), [&](auto i) -> std::uint32_t {
    return o.kind == kHalf ? Half::nearest(value(i)) : single(static_cast<float>(value(i)));
  });
}

void narrow(Warp& warp, const Operation& o) {
  put(warp.registers.rows[o.result], warp.lanes(), [&](auto i) {
    const double x = wide(warp, o.b, i);
    return std::isnan(x) ? narrowNaN(x) : single(rounded<float>(o.rounding, x));
  });
}

void widen(Warp& warp, const Operation& o) {
  putWide(warp, o, [&](auto i) { return numberOf(warp, o, i); });
}

}  // namespace tileloom::executor
