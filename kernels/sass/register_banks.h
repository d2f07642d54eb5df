// SPDX-License-Identifier: GPL-3.0-or-later
// Cycles that multiply-adds lose to the register file, predicted by a rule and not measured. The
// register file has two banks, even and odd register numbers, each of which delivers one register
// per cycle. An operand that the FFMA directly before had in the same place and marked `.reuse`
// comes from the operand cache instead. docs/performance.md says how well that predicted measured
// speeds, docs/hardware.md (rules 30 and 31) where the rule is wrong.
#pragma once

#include "kernels/sass/mix.h"

namespace tileloom::sass {

// For each instruction of the range, in order, the cycles that it waits because it needs several
// registers of one bank. An instruction that is not an FFMA loses none, and empties the operand
// cache.
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
