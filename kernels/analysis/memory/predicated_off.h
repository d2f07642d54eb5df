// SPDX-License-Identifier: GPL-3.0-or-later
// Copies that are issued with all lanes predicated off (rule 85 of docs/hardware.md). A recording
// does not hold them, because it shows the work of lanes. They follow from its groups of copies.
#pragma once

#include <cstdint>
#include <map>

#include "kernels/emulator/trace.h"

namespace tileloom::analysis {

struct OffCopies {
  std::uint64_t loop = 0, outside = 0;  // inside the loop over K, before and after it

  std::uint64_t all() const { return loop + outside; }
};

// For one warp, by line of the stage's source. A group without copies means that a condition was
// false: the K tile is beyond the end of K. Where the assembler predicates the copies instead of
// jumping over them, they are issued. It does so in rung T3; rungs 12 and 13 jump.
std::map<std::uint16_t, OffCopies> copiesOff(const emulator::Trace& trace, std::uint32_t warp);

}  // namespace tileloom::analysis
