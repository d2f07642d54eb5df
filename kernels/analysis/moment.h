// SPDX-License-Identifier: GPL-3.0-or-later
// One warp instruction of a recording, explained.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kernels/analysis/element.h"
#include "kernels/analysis/memory/access_cost.h"
#include "kernels/emulator/trace.h"

namespace tileloom::analysis {

// One word of one lane's access, or one factor of its multiply-add, and its element of a matrix.
struct Touch {
  std::uint32_t lane = 0;
  std::uint32_t word = 0;  // of a wide access
  Element element;
};

struct Moment {
  std::uint32_t warp = 0;
  std::uint32_t index = 0;  // in the warp's stream
  emulator::Instruction instruction;
  std::string array;        // name; empty for arithmetic and barriers
  std::uint32_t width = 0;  // words per lane, as merged
  std::uint32_t merged = 1;
  bool follower = false;  // executed already, merged into an earlier load
  AccessCost cost;        // of an access to memory
  std::vector<Touch> touches;
  std::optional<emulator::BoxRecord> box;  // of a BoxLoad
};

}  // namespace tileloom::analysis
