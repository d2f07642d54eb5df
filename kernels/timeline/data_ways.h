// SPDX-License-Identifier: GPL-3.0-or-later
// The ways of data between the warps of an SM, its shared memory and L2, with the rates of one
// kernel's Costs.
#pragma once

#include "kernels/machine/sm.h"
#include "kernels/timeline/busy.h"
#include "kernels/timeline/costs.h"
#include "kernels/timeline/operation.h"

namespace tileloom::timeline {

class DataWays {
 public:
  DataWays(const Costs& costs, machine::Sm& sm, Busy& busy) : costs_(costs), sm_(sm), busy_(busy) {}

  // The data pipe of L1 and shared memory; returns when the access has passed through it.
  machine::Ticks throughPipe(machine::Ticks at, double cycles);
  // A load of global memory, or a copy: when its data has passed through the data pipe, if nothing
  // else is in its way. `block`: of those that share the SM.
  machine::Ticks fetch(const Operation& op, std::uint32_t block, machine::Ticks at);
  // The same for a load that finds most of its lines in L1.
  machine::Ticks fetchThroughL1(const Operation& op, std::uint32_t block, machine::Ticks at);
  // A TMA load: when its box is in shared memory.
  machine::Ticks fetchBox(const Operation& op, std::uint32_t block, machine::Ticks at);
  // C goes to L2; returns from when and until when it leaves the SM.
  machine::Passage leave(const Operation& op, machine::Ticks at);
  // Lets pass what has arrived by then.
  void takeArrivals(machine::Ticks until);

  // Cycles of the data pipe that the operation takes.
  double passes(const Operation& op) const { return op.wavefronts + sectorCycles(op); }

 private:
  double sectorCycles(const Operation& op) const { return op.sectors * costs_.sectorCycles; }
  machine::Ticks throughL2(const Operation& op, machine::Ticks at, double bytes, double rate);
  machine::Ticks memory(const Operation& op, std::uint32_t block, machine::Ticks sent) const;

  const Costs& costs_;
  machine::Sm& sm_;
  Busy& busy_;
  double missed_ = 0;  // of L1: loads that have not gone to L2 yet
};

}  // namespace tileloom::timeline
