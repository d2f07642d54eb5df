// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers of 64 bits, in two rows.
#pragma once

#include <bit>
#include <cmath>

#include "kernels/executor/sources.h"
#include "kernels/executor/warp.h"

namespace tileloom::executor {

inline double wide(const Warp& warp, const Source& source, std::uint32_t lane) {
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

}  // namespace tileloom::executor
