// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/executor/lanes.h"

#include <algorithm>
#include <bit>

#include "kernels/executor/sources.h"
#include "kernels/executor/warp.h"

namespace tileloom::executor {
namespace {

const Row& raw(const Warp& warp, const Source& source, bool upper = false) {
  return plain(warp.registers, *warp.around().program, source, upper);
}

std::uint32_t lowest(std::uint32_t lanes) {
  return static_cast<std::uint32_t>(std::countr_zero(lanes));
}

}  // namespace

void firstLane(Warp& warp, const Operation& o) {
  const Row& a = raw(warp, o.a);
  const auto lane = static_cast<std::uint32_t>(std::countr_zero(warp.lanes()));
  const std::uint32_t value = a.lane[lane];
  put(warp.registers.rows[o.result], kAllLanes, [&](auto) { return value; });
  const std::uint32_t differ = ask([&](auto i) { return a.lane[i] != value; }) & warp.lanes();
  // With OR, a predicate that is true stays so.
  const std::uint32_t before = o.combine == Combine::Or
                                   ? truth(warp.registers, {o.first.number, false, o.first.uniform})
                                   : 0;
  put(warp.registers, o.first, warp.lanes(), (differ != 0 ? kAllLanes : 0) | before);
}

void vote(Warp& warp, const Operation& o) {
  const std::uint32_t lanes = warp.lanes(), yes = truth(warp.registers, o.p) & lanes;
  const bool all = yes == lanes;
  const bool is = o.kind == kVoteAll ? all : o.kind == kVoteAny ? yes != 0 : all || yes == 0;
  const std::uint32_t written = o.uniform ? kAllLanes : lanes;
  put(warp.registers.rows[o.result], written, [&](auto) { return yes; });
  put(warp.registers, o.first, written, is ? kAllLanes : 0);
}

void matchAny(Warp& warp, const Operation& o) {
  const Row &a = raw(warp, o.a), &high = o.wide ? raw(warp, o.a, true) : a;
  Row same;
  for (std::uint32_t i = 0; i < kLanes; ++i)
    same.lane[i] =
        ask([&](auto j) { return a.lane[j] == a.lane[i] && high.lane[j] == high.lane[i]; }) &
        warp.lanes();
  put(warp.registers.rows[o.result], warp.lanes(), [&](auto i) { return same.lane[i]; });
}

void matchAll(Warp& warp, const Operation& o) {
  const Row &a = raw(warp, o.a), &high = o.wide ? raw(warp, o.a, true) : a;
  const std::uint32_t lanes = warp.lanes(), first = lowest(lanes);
  const std::uint32_t same =
      ask([&](auto i) { return a.lane[i] == a.lane[first] && high.lane[i] == high.lane[first]; }) &
      lanes;
  const bool all = same == lanes;
  put(warp.registers.rows[o.result], lanes, [&](auto) { return all ? lanes : 0u; });
  put(warp.registers, o.first, lanes, all ? kAllLanes : 0);
}

void reduceLanes(Warp& warp, const Operation& o) {
  const Row& a = raw(warp, o.a);
  std::uint32_t value = a.lane[lowest(warp.lanes())];
  for (std::uint32_t rest = warp.lanes() & (warp.lanes() - 1); rest != 0; rest &= rest - 1) {
    const std::uint32_t next = a.lane[lowest(rest)];
    const bool less = o.isSigned
                          ? static_cast<std::int32_t>(next) < static_cast<std::int32_t>(value)
                          : next < value;
    switch (o.kind) {
      case kReduceAnd:
        value &= next;
        break;
      case kReduceOr:
        value |= next;
        break;
      case kReduceXor:
        value ^= next;
        break;
      case kReduceSum:
        value += next;
        break;
      case kReduceLeast:
        value = less ? next : value;
        break;
      default:
        value = less ? value : next;
        break;
    }
  }
  put(warp.registers.rows[o.result], kAllLanes, [&](auto) { return value; });
}

// The PTX manual says only that the same threads elect the same one; here it is the lowest.
void elect(Warp& warp, const Operation& o) {
  const std::uint32_t lane = lowest(warp.lanes());
  put(warp.registers.rows[o.result], kAllLanes, [&](auto) { return lane; });
  put(warp.registers, o.first, warp.lanes(), 1u << lane);
}

// PTX's shfl.sync: the clamp and the width of a segment are in the third source.
Exchange exchangeOf(const Warp& warp, const Operation& o) {
  const Row &b = raw(warp, o.b), &c = raw(warp, o.c);
  Exchange exchange;
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    const std::uint32_t clamp = c.lane[i] & 31, segment = c.lane[i] >> 8 & 31, by = b.lane[i] & 31;
    const std::uint32_t most = (i & segment) | (clamp & ~segment);
    const std::uint32_t least = i & segment;
    std::int64_t from = 0;
    bool exists = false;
    switch (o.kind) {
      case 0:
        from = least | (by & ~segment);
        exists = from <= most;
        break;
      case 1:
        from = std::int64_t{i} - by;
        exists = from >= most;
        break;
      case 2:
        from = std::int64_t{i} + by;
        exists = from <= most;
        break;
      default:
        from = i ^ by;
        exists = from <= most;
        break;
    }
    exchange.from[i] = static_cast<std::uint8_t>(exists ? static_cast<std::uint32_t>(from) : i);
    exchange.exists |= std::uint32_t{exists} << i;
  }
  return exchange;
}

void shuffle(Warp& warp, const Operation& o) {
  const Exchange exchange = exchangeOf(warp, o);
  const Row a = raw(warp, o.a);
  // A lane that does not execute the instruction gives 0 (hardware.md, rule 93).
  put(warp.registers.rows[o.result], warp.lanes(), [&](auto i) {
    const std::uint32_t from = exchange.from[i];
    return (warp.lanes() >> from & 1) != 0 ? a.lane[from] : 0;
  });
  put(warp.registers, o.first, warp.lanes(), exchange.exists);
}

}  // namespace tileloom::executor
