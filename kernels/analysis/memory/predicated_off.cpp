// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/analysis/memory/predicated_off.h"

#include <algorithm>

namespace tileloom::analysis {

using emulator::Instruction;
using emulator::Kind;

std::map<std::uint16_t, OffCopies> copiesOff(const emulator::Trace& trace, std::uint32_t warp) {
  std::map<std::uint16_t, OffCopies> off;
  if (!trace.features().asyncCopies || !trace.features().warpMma) return off;
  std::map<std::uint16_t, std::uint64_t> group, full;  // copies by line
  OffCopies empty;                                     // groups
  for (std::uint32_t interval = 0; interval < trace.intervals(); ++interval) {
    for (const Instruction& instruction : trace.at(warp, interval).instructions) {
      if (instruction.kind == Kind::AsyncCopy) ++group[instruction.line];
      if (instruction.kind != Kind::CopyCommit) continue;
      if (group.empty()) ++(instruction.kTile != emulator::kNoTile ? empty.loop : empty.outside);
      for (const auto& [line, copies] : group) full[line] = std::max(full[line], copies);
      group.clear();
    }
  }
  if (empty.all() == 0) return off;
  for (const auto& [line, copies] : full) off[line] = {copies * empty.loop, copies * empty.outside};
  return off;
}

}  // namespace tileloom::analysis
