// SPDX-License-Identifier: GPL-3.0-or-later
// The source lines of a stage at which each cost arises.
#pragma once

#include <array>
#include <cstdint>

#include "kernels/emulator/trace.h"
#include "kernels/model/prediction/costs.h"

namespace tileloom::model {

// The line, from 1, with the largest part of what a cost comes from: multiply-adds, wavefronts,
// conflicts, sectors of A and B, or barriers inside the loop over K. 0: no line has any, or the
// cost belongs to no line (waves, padding, spills).
struct CostLines {
  std::array<std::uint16_t, kCosts> lines{};
  std::uint16_t operator[](Cost cost) const { return lines[static_cast<std::size_t>(cost)]; }
};
CostLines costLines(const emulator::Trace& trace);

}  // namespace tileloom::model
