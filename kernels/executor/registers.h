// SPDX-License-Identifier: GPL-3.0-or-later
// The registers of a warp: one row of 32 words for each, a word per lane. A uniform register has
// the same word in each lane, so that one function executes an instruction for both kinds.
#pragma once

#include <array>
#include <cstdint>

#include "kernels/sass/decode.h"

namespace tileloom::executor {

inline constexpr std::uint32_t kLanes = 32;
inline constexpr std::uint32_t kAllLanes = 0xffffffff;

// Without a value unless it is given one: most rows are written whole.
struct alignas(64) Row {
  std::array<std::uint32_t, kLanes> lane;
};

// Places in Registers::rows.
inline constexpr std::uint16_t kZeroRow = 255;   // RZ and URZ: zeros
inline constexpr std::uint16_t kWasteRow = 256;  // what is written to them
inline constexpr std::uint16_t kUniformRows = 257;
// With a few more that belong to no register: what follows the last one may be named.
inline constexpr std::uint16_t kRows = kUniformRows + 255 + 9;

struct Registers {
  std::array<Row, kRows> rows{};
  // A bit per lane. Number 7 is always true; what is written to it is lost.
  std::array<std::uint32_t, 8> predicates{};
  std::array<std::uint32_t, 8> uniformPredicates{};

  Registers() {
    predicates[sass::kTruePredicate] = kAllLanes;
    uniformPredicates[sass::kTruePredicate] = kAllLanes;
  }
};

}  // namespace tileloom::executor
