// SPDX-License-Identifier: GPL-3.0-or-later
// Cycles that multiply-adds lose to the register file (register_file.h), predicted by a rule and
// not measured in the kernel at hand.
#pragma once

#include "kernels/sass/mix.h"

namespace tileloom::sass {

// For each instruction of the range, in order, the cycles that it is issued late because the banks
// are busy. The range starts with an empty cache. An instruction that is not an FFMA loses none and
// leaves the cache as it is: whether its own operands occupy the banks is not known.
std::vector<int> lostCycles(const Listing& listing, const Range& range);

// What one iteration of the loop costs a warp that waits for nothing else.
struct LoopCost {
  int instructions = 0;
  int lost = 0;  // to register banks
  int ffmas = 0;
  int cycles() const { return instructions + lost; }
  // The share of the cycles in which an FFMA is issued, 0 to 1.
  double share() const { return cycles() == 0 ? 0 : static_cast<double>(ffmas) / cycles(); }
  bool operator==(const LoopCost&) const = default;
};
LoopCost loopCost(const Listing& listing, const Range& range);

}  // namespace tileloom::sass
