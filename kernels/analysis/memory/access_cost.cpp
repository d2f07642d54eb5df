// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/analysis/memory/access_cost.h"

namespace tileloom::analysis {

AccessCost accessCost(const emulator::Trace& trace, const emulator::WarpInterval& view,
                      const Access& access) {
  const emulator::Instruction& instruction = view.instructions[access.lowest];
  const auto addresses = laneAddresses(trace, view, access.lowest);
  if (emulator::isShared(instruction.kind)) {
    const bool copy = instruction.kind == emulator::Kind::AsyncCopy;
    return sharedCost(instruction.kind, addresses,
                      copy ? copiedElements(view, access.lowest) : decltype(addresses){},
                      instruction.mask, access.width);
  }
  AccessCost cost;
  cost.addresses = addresses;
  cost.global = coalescing(cost.addresses, instruction.mask, access.width);
  return cost;
}

AccessCost sharedCost(emulator::Kind kind, const std::array<std::uint32_t, 32>& addresses,
                      const std::array<std::uint32_t, 32>& elements, std::uint32_t mask,
                      std::uint32_t width) {
  AccessCost cost;
  cost.addresses = addresses;
  // The rows of a MatrixLoad are read matrix by matrix, like the writes of a store of 16 bytes per
  // lane.
  const bool inTurn = emulator::isStore(kind) || kind == emulator::Kind::MatrixLoad;
  cost.shared = wavefronts(addresses, mask, width, inTurn);
  if (kind == emulator::Kind::AsyncCopy) {
    cost.global = coalescing(elements, mask, width);
    cost.copied = elements;
    cost.copy = copyCost(elements, addresses, mask, width);
    if (cost.copy.sectors > 0) cost.global.sectors = cost.copy.sectors;
  }
  return cost;
}

}  // namespace tileloom::analysis
