// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/analysis/order/next_instruction.h"

namespace tileloom::analysis {

std::optional<std::uint32_t> nextInstruction(
    const emulator::Trace& trace, std::uint32_t warp, std::uint32_t from,
    const std::function<bool(const emulator::Instruction&)>& wanted) {
  std::optional<std::uint32_t> first;
  std::uint32_t index = 0;
  for (std::uint32_t interval = 0; interval < trace.intervals(); ++interval) {
    for (const emulator::Instruction& i : trace.at(warp, interval).instructions) {
      const std::uint32_t at = index++;
      if ((first && at < from) || !wanted(i)) continue;
      if (at >= from) return at;
      first = at;
    }
  }
  return first;
}

}  // namespace tileloom::analysis
