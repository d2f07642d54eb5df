// SPDX-License-Identifier: GPL-3.0-or-later
// Cycles that multiply-adds lose to the register file (register_file.h, write_ports.h), predicted
// by rules and not measured in the kernel at hand.
#pragma once

#include "kernels/sass/mix.h"
#include "kernels/sass/paired_loads.h"

namespace tileloom::sass {

// How many cycles late an instruction is issued, and what matters to those after it.
struct Lost {
  int banks = 0;              // because the banks still deliver operands
  int loads = 0;              // because values of paired shared loads are written to both banks
  int pairedBytes = 0;        // of a paired shared load: bytes per lane
  bool writesAtOnce = false;  // it writes a register a fixed time after its issue
  int cycles() const { return banks + loads; }
  bool operator==(const Lost&) const = default;
};

// For each instruction of the range, in order. The range starts with an empty operand cache and
// without loads in flight. A load that `paired` does not know counts as not paired.
std::vector<Lost> lostCycles(const Listing& listing, const Range& range, const PairedLoads& paired);

// The cost of one iteration of the loop for a warp that waits for nothing else.
struct LoopCost {
  int instructions = 0;
  int lostToBanks = 0;
  int ffmas = 0;
  int lostToLoads = 0;
  int unknownLoads = 0;  // wide shared loads of which it is unknown whether they are paired
  int lost() const { return lostToBanks + lostToLoads; }
  int cycles() const { return instructions + lost(); }
  // The share of the cycles in which an FFMA is issued, 0 to 1.
  double share() const { return cycles() == 0 ? 0 : static_cast<double>(ffmas) / cycles(); }
  bool operator==(const LoopCost&) const = default;
};
LoopCost loopCost(const Listing& listing, const Range& range, const PairedLoads& paired);

}  // namespace tileloom::sass
