// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/analysis/access_cost.h"

namespace tileloom::analysis {

AccessCost accessCost(const emulator::Trace& trace, const emulator::WarpInterval& view,
                      const Access& access) {
  const emulator::Instruction& instruction = view.instructions[access.lowest];
  const std::uint32_t mask = instruction.mask;
  AccessCost cost;
  cost.addresses = laneAddresses(trace, view, access.lowest);
  if (emulator::isShared(instruction.kind)) {
    cost.shared =
        wavefronts(cost.addresses, mask, access.width, emulator::isStore(instruction.kind));
  } else {
    cost.global = coalescing(cost.addresses, mask, access.width);
  }
  if (instruction.kind == emulator::Kind::AsyncCopy) {
    const auto elements = copiedElements(view, access.lowest);
    cost.global = coalescing(elements, mask, access.width);
    cost.copy = copyCost(elements, cost.addresses, mask, access.width);
  }
  return cost;
}

}  // namespace tileloom::analysis
