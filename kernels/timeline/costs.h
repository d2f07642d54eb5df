// SPDX-License-Identifier: GPL-3.0-or-later
// What the clock charges for what: one table of constants, each with where it is from, and the
// figures that depend on the kernel.
#pragma once

#include <span>
#include <string_view>

#include "kernels/model/ceilings.h"
#include "kernels/model/prediction.h"
#include "kernels/timeline/operation.h"

namespace tileloom::timeline {

struct Costs {
  // Of the kernel:
  double slot = 1;       // SM cycles that a scheduler needs for one slot of an operation
  double throughL2 = 1;  // of the bytes that loads ask for; the others are found in L1
  bool fromL1 = false;   // most loads of A and B find their line in L1
  int blocks = 1;        // that share an SM
  // Of the device:
  double l2Bytes = 0;       // per cycle and SM
  double sectorCycles = 0;  // of the data pipe of L1 and shared memory, per sector
  double mmaCycles = 0;     // of one scheduler's tensor core, per mma
  double memoryLatency = 0;
  double l1Latency = 0;
  double sharedLatency = 0;
  double fmaLatency = 0;
  double mmaLatency = 0;
  double barrierLatency = 0;  // from the last arrival until the others go on
  double meetLatency = 0;     // the same where some warps meet, and more for each of them
  double meetPerWarp = 0;
  double phaseLatency = 0;            // from the end of a phase until a warp that waits goes on
  double boxAsk = 0;                  // of the thread that asks the copy engine, per box
  double boxL2Bytes = 0;              // that the copy engine fetches per cycle
  double productCyclesPerColumn = 0;  // of the SM's tensor cores, per m64nNk16 and column
  double productReturn = 0;           // from a product's end until who waits for it goes on
  // What the person adds: memory takes so many cycles longer, and up to so many more for a K tile
  // of A or of B, for each of them another number (lateness.h).
  double delay = 0;
  double varies = 0;
};

// A constant as documents and tool tips show it.
struct Constant {
  std::string_view name;  // "latency of shared memory"
  double value = 0;
  std::string_view unit;    // "cycles"
  std::string_view source;  // where it is from
};
// Those that no file of the program's resources holds.
std::span<const Constant> constants();

// `work` says what a K tile of this kernel needs (kernels/model/workload.h); `rates` are the
// constants of predictions for the device, of which those of the kernel's family are used where its
// rung is predicted at all; `ceilings` have the rate of mma.sync and may be nullptr.
Costs costsOf(const Stage& stage, const model::Workload& work, const BlockProgram& program,
              const model::Rates& rates, const model::Ceilings* ceilings);

// Operations of one K tile in the steady state, counted in machine instructions of one warp.
double slotsPerTile(const BlockProgram& program);

}  // namespace tileloom::timeline
