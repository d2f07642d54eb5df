// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/executor/integers.h"

#include <algorithm>
#include <bit>

#include "kernels/executor/sources.h"
#include "kernels/executor/warp.h"

namespace tileloom::executor {
namespace {

// The lanes that an operation writes: all of a uniform one.
std::uint32_t written(const Warp& warp, const Operation& o) {
  return o.uniform ? kAllLanes : warp.lanes();
}

const Row& in(const Warp& warp, const Source& source, Row& made) {
  return integers(warp.registers, *warp.around().program, source, made);
}
const Row& raw(const Warp& warp, const Source& source, bool upper = false) {
  return plain(warp.registers, *warp.around().program, source, upper);
}

std::int32_t asSigned(std::uint32_t value) {
  return static_cast<std::int32_t>(value);
}

std::uint32_t combined(Combine how, std::uint32_t first, std::uint32_t second) {
  switch (how) {
    case Combine::And:
      return first & second;
    case Combine::Or:
      return first | second;
    case Combine::Xor:
      return first ^ second;
  }
  return first;
}

std::uint64_t pair(const Row& low, const Row& high, std::uint32_t lane) {
  return low.lane[lane] | std::uint64_t{high.lane[lane]} << 32;
}

}  // namespace

void nothing(Warp&, const Operation&) {}

void move(Warp& warp, const Operation& o) {
  Row made;
  const Row& a = in(warp, o.a, made);
  put(warp.registers.rows[o.result], written(warp, o), [&](auto i) { return a.lane[i]; });
}

// A negative source is its complement plus 1, so that the carry of x - 0 is 1.
void add3(Warp& warp, const Operation& o) {
  const Row &a = raw(warp, o.a), &b = raw(warp, o.b), &c = raw(warp, o.c);
  const auto inverted = [](const Source& s) {
    return s.negative || s.complement ? 0xffffffffu : 0u;
  };
  const std::uint32_t xa = inverted(o.a), xb = inverted(o.b), xc = inverted(o.c);
  const std::uint32_t more = o.a.negative + o.b.negative + o.c.negative;
  const std::uint32_t p = o.extended ? truth(warp.registers, o.p) : 0;
  const std::uint32_t q = o.extended ? truth(warp.registers, o.q) : 0;
  std::uint32_t carry = 0, carries = 0;
  Row sum;
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    const std::uint64_t all = std::uint64_t{a.lane[i] ^ xa} + (b.lane[i] ^ xb) + (c.lane[i] ^ xc) +
                              more + (p >> i & 1) + (q >> i & 1);
    sum.lane[i] = static_cast<std::uint32_t>(all);
    carry |= std::uint32_t{all >> 32 != 0} << i;
    carries |= std::uint32_t{all >> 32 > 1} << i;
  }
  const std::uint32_t lanes = written(warp, o);
  put(warp.registers.rows[o.result], lanes, [&](auto i) { return sum.lane[i]; });
  put(warp.registers, o.first, lanes, carry);
  put(warp.registers, o.second, lanes, carries);
}

void multiplyAdd(Warp& warp, const Operation& o) {
  Row madeA, madeC;
  const Row &a = in(warp, o.a, madeA), &b = raw(warp, o.b), &c = in(warp, o.c, madeC);
  const std::uint32_t p = o.extended ? truth(warp.registers, o.p) : 0;
  put(warp.registers.rows[o.result], written(warp, o),
      [&](auto i) { return a.lane[i] * b.lane[i] + c.lane[i] + (p >> i & 1); });
}

void multiplyWide(Warp& warp, const Operation& o) {
  const Row &a = raw(warp, o.a), &b = raw(warp, o.b);
  const Row &low = raw(warp, o.c), &high = raw(warp, o.c, true);
  Row resultLow, resultHigh;
  std::uint32_t carry = 0;
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    const std::uint64_t product =
        o.isSigned ? static_cast<std::uint64_t>(std::int64_t{asSigned(a.lane[i])} *
                                                std::int64_t{asSigned(b.lane[i])})
                   : std::uint64_t{a.lane[i]} * b.lane[i];
    const std::uint64_t addend = pair(low, high, i);
    const std::uint64_t sum = o.c.negative ? product - addend : product + addend;
    carry |= std::uint32_t{sum < product} << i;
    resultLow.lane[i] = static_cast<std::uint32_t>(sum);
    resultHigh.lane[i] = static_cast<std::uint32_t>(sum >> 32);
  }
  const std::uint32_t lanes = written(warp, o);
  put(warp.registers.rows[o.result], lanes, [&](auto i) { return resultLow.lane[i]; });
  put(warp.registers.rows[o.resultUpper], lanes, [&](auto i) { return resultHigh.lane[i]; });
  put(warp.registers, o.first, lanes, carry);
}

void multiplyHigh(Warp& warp, const Operation& o) {
  const Row &a = raw(warp, o.a), &b = raw(warp, o.b);
  const Row &low = raw(warp, o.c), &high = raw(warp, o.c, true);
  Row result;
  std::uint32_t carry = 0;
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    const std::uint64_t product =
        o.isSigned ? static_cast<std::uint64_t>(std::int64_t{asSigned(a.lane[i])} *
                                                std::int64_t{asSigned(b.lane[i])})
                   : std::uint64_t{a.lane[i]} * b.lane[i];
    const std::uint64_t sum = product + pair(low, high, i);
    carry |= std::uint32_t{sum < product} << i;
    result.lane[i] = static_cast<std::uint32_t>(sum >> 32);
  }
  const std::uint32_t lanes = written(warp, o);
  put(warp.registers.rows[o.result], lanes, [&](auto i) { return result.lane[i]; });
  put(warp.registers, o.first, lanes, carry);
}

void shiftAdd(Warp& warp, const Operation& o) {
  Row madeA;
  const Row &a = in(warp, o.a, madeA), &b = raw(warp, o.b);
  Row result;
  std::uint32_t carry = 0;
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    const std::uint32_t shifted = a.lane[i] << o.shift;
    const std::uint64_t sum =
        o.b.negative ? std::uint64_t{shifted} + ~b.lane[i] + 1 : std::uint64_t{shifted} + b.lane[i];
    result.lane[i] = static_cast<std::uint32_t>(sum);
    carry |= std::uint32_t{sum >> 32 != 0} << i;
  }
  const std::uint32_t lanes = written(warp, o);
  put(warp.registers.rows[o.result], lanes, [&](auto i) { return result.lane[i]; });
  put(warp.registers, o.first, lanes, carry);
}

void shiftAddHigh(Warp& warp, const Operation& o) {
  Row madeB;
  const Row &a = raw(warp, o.a), &b = in(warp, o.b, madeB), &c = raw(warp, o.c);
  const std::uint32_t p = o.extended ? truth(warp.registers, o.p) : 0;
  Row result;
  std::uint32_t carry = 0;
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    const std::uint32_t upper = o.wide ? (asSigned(a.lane[i]) < 0 ? ~0u : 0u) : c.lane[i];
    const std::uint64_t value = (std::uint64_t{upper} << 32 | a.lane[i]) << o.shift;
    const std::uint64_t sum = (value >> 32) + std::uint64_t{b.lane[i]} + (p >> i & 1);
    result.lane[i] = static_cast<std::uint32_t>(sum);
    carry |= std::uint32_t{sum >> 32 != 0} << i;
  }
  const std::uint32_t lanes = written(warp, o);
  put(warp.registers.rows[o.result], lanes, [&](auto i) { return result.lane[i]; });
  put(warp.registers, o.first, lanes, carry);
}

void compare(Warp& warp, const Operation& o) {
  const Row &a = raw(warp, o.a), &b = raw(warp, o.b);
  const std::uint32_t below = o.extended ? truth(warp.registers, o.q) : 0;
  const std::uint32_t holds = ask([&](auto i) {
    const bool less =
        o.isSigned ? asSigned(a.lane[i]) < asSigned(b.lane[i]) : a.lane[i] < b.lane[i];
    const bool equal = a.lane[i] == b.lane[i];
    // Of the upper halves of 64 bits: where they are equal, the lower halves decide.
    if (o.extended && equal) return (below >> i & 1) != 0;
    const std::uint8_t is = less ? kLess : equal ? kEqual : kGreater;
    return (o.relation & is) != 0;
  });
  const std::uint32_t other = truth(warp.registers, o.p), lanes = written(warp, o);
  put(warp.registers, o.first, lanes, combined(o.combine, holds, other));
  put(warp.registers, o.second, lanes, combined(o.combine, ~holds, other));
}

void select(Warp& warp, const Operation& o) {
  Row madeA, madeB;
  const auto read = [&](const Source& source, Row& made) -> const Row& {
    return floats(warp.registers, *warp.around().program, source, made);
  };
  const Row &a = read(o.a, madeA), &b = read(o.b, madeB);
  const std::uint32_t p = truth(warp.registers, o.p);
  put(warp.registers.rows[o.result], written(warp, o),
      [&](auto i) { return (p >> i & 1) != 0 ? a.lane[i] : b.lane[i]; });
}

void minMax(Warp& warp, const Operation& o) {
  const Row &a = raw(warp, o.a), &b = raw(warp, o.b);
  const std::uint32_t p = truth(warp.registers, o.p);
  put(warp.registers.rows[o.result], written(warp, o), [&](auto i) {
    const bool less =
        o.isSigned ? asSigned(a.lane[i]) < asSigned(b.lane[i]) : a.lane[i] < b.lane[i];
    return less == ((p >> i & 1) != 0) ? a.lane[i] : b.lane[i];
  });
}

// The lesser or the greater one of A + B and C.
void sumMinMax(Warp& warp, const Operation& o) {
  Row madeB;
  const Row &a = raw(warp, o.a), &b = in(warp, o.b, madeB), &c = raw(warp, o.c);
  const std::uint32_t p = truth(warp.registers, o.p);
  put(warp.registers.rows[o.result], written(warp, o), [&](auto i) {
    const std::uint32_t sum = a.lane[i] + b.lane[i];
    const bool less = o.isSigned ? asSigned(sum) < asSigned(c.lane[i]) : sum < c.lane[i];
    return less == ((p >> i & 1) != 0) ? sum : c.lane[i];
  });
}

// |A - B| + C.
void distance(Warp& warp, const Operation& o) {
  const Row &a = raw(warp, o.a), &b = raw(warp, o.b), &c = raw(warp, o.c);
  put(warp.registers.rows[o.result], warp.lanes(), [&](auto i) {
    const bool less =
        o.isSigned ? asSigned(a.lane[i]) < asSigned(b.lane[i]) : a.lane[i] < b.lane[i];
    const std::uint32_t by = less ? b.lane[i] - a.lane[i] : a.lane[i] - b.lane[i];
    return by + c.lane[i];
  });
}

// The products of four bytes each, and C.
void dotBytes(Warp& warp, const Operation& o) {
  const Row &a = raw(warp, o.a), &b = raw(warp, o.b), &c = raw(warp, o.c);
  put(warp.registers.rows[o.result], warp.lanes(), [&](auto i) {
    std::uint32_t sum = c.lane[i];
    for (unsigned k = 0; k < 4; ++k) {
      const auto byte = [k](std::uint32_t word, bool isSigned) {
        const auto bits = static_cast<std::uint8_t>(word >> (8 * k));
        return isSigned ? static_cast<std::uint32_t>(static_cast<std::int8_t>(bits)) : bits;
      };
      sum += byte(a.lane[i], o.isSigned) * byte(b.lane[i], o.secondSigned);
    }
    return sum;
  });
}

void add64(Warp& warp, const Operation& o) {
  Row low, high;
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    std::uint64_t sum = 0;
    for (const Source& each : {o.a, o.b, o.c})
      sum += pair(raw(warp, each), raw(warp, each, true), i);
    low.lane[i] = static_cast<std::uint32_t>(sum);
    high.lane[i] = static_cast<std::uint32_t>(sum >> 32);
  }
  put(warp.registers.rows[o.result], written(warp, o), [&](auto i) { return low.lane[i]; });
  put(warp.registers.rows[o.resultUpper], written(warp, o), [&](auto i) { return high.lane[i]; });
}

void magnitude(Warp& warp, const Operation& o) {
  const Row& b = raw(warp, o.b);
  put(warp.registers.rows[o.result], written(warp, o),
      [&](auto i) { return asSigned(b.lane[i]) < 0 ? 0u - b.lane[i] : b.lane[i]; });
}

void special(Warp& warp, const Operation& o) {
  const Surroundings& around = warp.around();
  const auto coordinate = [&](std::uint32_t lane, unsigned axis) {
    const std::uint32_t thread = warp.thread(lane);
    const std::uint32_t x = thread % around.block[0];
    const std::uint32_t y = thread / around.block[0] % around.block[1];
    return axis == 0 ? x : axis == 1 ? y : thread / around.block[0] / around.block[1];
  };
  const auto value = [&](auto i) -> std::uint32_t {
    switch (o.table) {
      case 0x00:
        return i;
      case 0x21:
      case 0x22:
      case 0x23:
        return coordinate(i, o.table - 0x21);
      case 0x25:
      case 0x26:
      case 0x27:
        return around.position[o.table - 0x25];
      case 0x2f:
        return kSharedWindow;
      case 0x38:
        return 1u << i;
      case 0x88:
        return around.memory->rank();
      case 0x39:
        return (1u << i) - 1;
      case 0x3a:
        return (2u << i) - 1;
      case 0x3b:
        return ~((2u << i) - 1);
      case 0x3c:
        return ~((1u << i) - 1);
      default:
        return 0;  // SRZ, clocks
    }
  };
  put(warp.registers.rows[o.result], written(warp, o), value);
  if (o.resultUpper != kWasteRow)
    put(warp.registers.rows[o.resultUpper], written(warp, o), [](auto) { return 0u; });
}

}  // namespace tileloom::executor
