// SPDX-License-Identifier: GPL-3.0-or-later
// The lane that has the payload of an instruction which one thread issues for its warp or block,
// such as a TMA load or an arrival.
#pragma once

#include <bit>
#include <cstdint>

namespace tileloom::analysis {

// The first lane of an execution mask, which must not be 0.
constexpr std::uint32_t firstLane(std::uint32_t mask) {
  return static_cast<std::uint32_t>(std::countr_zero(mask));
}

}  // namespace tileloom::analysis
