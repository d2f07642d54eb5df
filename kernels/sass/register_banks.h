// SPDX-License-Identifier: GPL-3.0-or-later
// Cycles that multiply-adds lose to the register file, predicted by a rule: no measurement. The
// file has two banks, even and odd numbers, and each gives an instruction one register a cycle. An
// operand that the FFMA just before had in the same place and marked `.reuse` comes from the
// operand cache instead. docs/performance.md tells how well that predicted measured speeds.
#pragma once

#include "kernels/sass/mix.h"

namespace tileloom::sass {

// Of each instruction of the range, in order: cycles that it waits for registers of one bank.
// Anything but an FFMA loses none, and empties the operand cache.
std::vector<int> lostCycles(const Listing& listing, const Range& range);

// What the loop costs a warp if nothing else is in its way.
struct LoopCost {
  int instructions = 0;
  int lost = 0;  // to register banks
  int ffmas = 0;
  int cycles() const { return instructions + lost; }
  // The share of the time in which the multiply-add pipes are fed, 0 to 1.
  double share() const { return cycles() == 0 ? 0 : static_cast<double>(ffmas) / cycles(); }
  bool operator==(const LoopCost&) const = default;
};
LoopCost loopCost(const Listing& listing, const Range& range);

}  // namespace tileloom::sass
