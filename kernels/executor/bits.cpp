// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/executor/bits.h"

#include <algorithm>
#include <bit>

#include "kernels/executor/sources.h"
#include "kernels/executor/warp.h"

namespace tileloom::executor {
namespace {

// The lanes that an operation writes: all of a uniform one.
std::uint32_t writtenLanes(const Warp& warp, const Operation& o) {
  return o.uniform ? kAllLanes : warp.lanes();
}

const Row& raw(const Warp& warp, const Source& source) {
  return plain(warp.registers, *warp.around().program, source);
}

}  // namespace

void logic(Warp& warp, const Operation& o) {
  const Row &a = raw(warp, o.a), &b = raw(warp, o.b), &c = raw(warp, o.c);
  Row result;
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    const std::uint32_t x = a.lane[i], y = b.lane[i], z = c.lane[i];
    std::uint32_t value = 0;
    for (unsigned k = 0; k < 8; ++k) {
      if ((o.table >> k & 1) == 0) continue;
      value |= ((k & 4) != 0 ? x : ~x) & ((k & 2) != 0 ? y : ~y) & ((k & 1) != 0 ? z : ~z);
    }
    result.lane[i] = value;
  }
  const std::uint32_t lanes = writtenLanes(warp, o);
  const std::uint32_t some = ask([&](auto i) { return result.lane[i] != 0; });
  put(warp.registers.rows[o.result], lanes, [&](auto i) { return result.lane[i]; });
  put(warp.registers, o.first, lanes, some | truth(warp.registers, o.p));
}

// 64 bits, C above A, shifted by B; one half of them.
void funnelShift(Warp& warp, const Operation& o) {
  const Row &a = raw(warp, o.a), &b = raw(warp, o.b), &c = raw(warp, o.c);
  put(warp.registers.rows[o.result], writtenLanes(warp, o), [&](auto i) {
    const std::uint64_t value = std::uint64_t{c.lane[i]} << 32 | a.lane[i];
    const std::uint32_t most = o.wide ? 64 : 32;
    const std::uint32_t by = o.wraps ? b.lane[i] & (most - 1) : std::min(b.lane[i], most);
    std::uint64_t shifted;
    if (!o.right)
      shifted = by >= 64 ? 0 : value << by;
    else if (o.isSigned)
      shifted = static_cast<std::uint64_t>(static_cast<std::int64_t>(value) >> std::min(by, 63u));
    else
      shifted = by >= 64 ? 0 : value >> by;
    return static_cast<std::uint32_t>(o.upperHalf ? shifted >> 32 : shifted);
  });
}

// In the modes of PTX's prmt the lowest two bits of B choose four bytes: a row of these, from the
// lowest byte on.
constexpr std::uint16_t kPermutations[][4] = {
    {},                                // B has the four numbers itself
    {0x3210, 0x4321, 0x5432, 0x6543},  // F4E
    {0x5670, 0x6701, 0x7012, 0x0123},  // B4E
    {0x0000, 0x1111, 0x2222, 0x3333},  // RC8
    {0x3210, 0x3211, 0x3222, 0x3333},  // ECL
    {0x0000, 0x1110, 0x2210, 0x3210},  // ECR
    {0x1010, 0x3232, 0x1010, 0x3232},  // RC16
};

void permute(Warp& warp, const Operation& o) {
  const Row &a = raw(warp, o.a), &b = raw(warp, o.b), &c = raw(warp, o.c);
  put(warp.registers.rows[o.result], writtenLanes(warp, o), [&](auto i) {
    const std::uint64_t bytes = std::uint64_t{c.lane[i]} << 32 | a.lane[i];
    const std::uint32_t all = o.kind == 0 ? b.lane[i] : kPermutations[o.kind][b.lane[i] & 3];
    std::uint32_t value = 0;
    for (unsigned k = 0; k < 4; ++k) {
      const std::uint32_t chosen = all >> (4 * k);
      auto byte = static_cast<std::uint32_t>(bytes >> (8 * (chosen & 7)) & 0xff);
      if ((chosen & 8) != 0) byte = (byte & 0x80) != 0 ? 0xff : 0;  // its sign
      value |= byte << (8 * k);
    }
    return value;
  });
}

void countBits(Warp& warp, const Operation& o) {
  Row made;
  const Row& b = integers(warp.registers, *warp.around().program, o.b, made);
  put(warp.registers.rows[o.result], writtenLanes(warp, o), [&](auto i) {
    std::uint32_t value = b.lane[i];
    switch (o.kind) {
      case kPopulation:
        return static_cast<std::uint32_t>(std::popcount(value));
      case kLeading: {
        if (o.isSigned && static_cast<std::int32_t>(value) < 0) value = ~value;
        if (value == 0) return 0xffffffffu;
        const auto zeros = static_cast<std::uint32_t>(std::countl_zero(value));
        return o.wraps ? zeros : 31 - zeros;
      }
      default: {
        std::uint32_t reversed = 0;
        for (unsigned k = 0; k < 32; ++k) reversed |= (value >> k & 1) << (31 - k);
        return reversed;
      }
    }
  });
}

void combinePredicates(Warp& warp, const Operation& o) {
  const std::uint32_t p = truth(warp.registers, o.p), q = truth(warp.registers, o.q),
                      r = truth(warp.registers, o.r);
  const auto value = [&](std::uint32_t table) {
    std::uint32_t is = 0;
    for (unsigned k = 0; k < 8; ++k) {
      if ((table >> k & 1) != 0)
        is |= ((k & 4) != 0 ? p : ~p) & ((k & 2) != 0 ? q : ~q) & ((k & 1) != 0 ? r : ~r);
    }
    return is;
  };
  const std::uint32_t first = value(o.table), second = value(o.secondTable);
  put(warp.registers, o.first, writtenLanes(warp, o), first);
  put(warp.registers, o.second, writtenLanes(warp, o), second);
}

void packPredicates(Warp& warp, const Operation& o) {
  const Row& a = raw(warp, o.a);
  put(warp.registers.rows[o.result], writtenLanes(warp, o), [&](auto i) {
    std::uint32_t packed = 0;
    for (unsigned k = 0; k < 7; ++k) packed |= (warp.registers.predicates[k] >> i & 1) << k;
    return (a.lane[i] & ~o.table) | (packed & o.table);
  });
}

// A number of B bits, extended to 32.
void extend(Warp& warp, const Operation& o) {
  const Row &a = raw(warp, o.a), &b = raw(warp, o.b);
  put(warp.registers.rows[o.result], warp.lanes(), [&](auto i) -> std::uint32_t {
    const std::uint32_t bits = o.wraps ? b.lane[i] & 31 : std::min(b.lane[i], 32u);
    if (bits == 0) return 0;
    const std::uint32_t unused = 32 - bits, high = a.lane[i] << unused;
    return o.isSigned ? static_cast<std::uint32_t>(static_cast<std::int32_t>(high) >> unused)
                      : high >> unused;
  });
}

// B ones from bit A on.
void mask(Warp& warp, const Operation& o) {
  const Row &a = raw(warp, o.a), &b = raw(warp, o.b);
  put(warp.registers.rows[o.result], warp.lanes(), [&](auto i) {
    const std::uint32_t from = o.wraps ? a.lane[i] & 31 : std::min(a.lane[i], 32u);
    const std::uint32_t count = o.wraps ? b.lane[i] & 31 : std::min(b.lane[i], 32u);
    return static_cast<std::uint32_t>(((std::uint64_t{1} << count) - 1) << from);
  });
}

}  // namespace tileloom::executor
