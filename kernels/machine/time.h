// SPDX-License-Identifier: GPL-3.0-or-later
// The time of an SM: integers, so that a picture is the same on every machine.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

namespace tileloom::machine {

using Ticks = std::int64_t;
inline constexpr Ticks kCycle = 256;
inline constexpr Ticks kNever = std::numeric_limits<Ticks>::max() / 4;

inline Ticks ticks(double cycles) {
  return std::llround(cycles * kCycle);
}
inline double cyclesOf(Ticks time) {
  return static_cast<double>(time) / kCycle;
}

}  // namespace tileloom::machine
