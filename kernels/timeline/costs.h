// SPDX-License-Identifier: GPL-3.0-or-later
// The costs that the clock uses: one table of constants, each with its source, and the figures that
// depend on the kernel.
#pragma once

#include <span>
#include <string_view>

#include "kernels/machine/scheduler.h"
#include "kernels/model/limits/ceilings.h"
#include "kernels/model/prediction/prediction.h"
#include "kernels/timeline/operation.h"

namespace tileloom::timeline {

struct Costs {
  // Of the kernel:
  double slot = 1;       // SM cycles that a scheduler needs for one slot of an operation
  double throughL2 = 1;  // of the bytes that loads request; the others hit L1
  bool fromL1 = false;   // most loads of A and B find their line in L1
  int blocks = 1;        // that share an SM
  // Of the device:
  machine::Order order = machine::Order::LongestReady;
  double l2Bytes = 0;       // per cycle and SM
  double sectorCycles = 0;  // of the data pipe of L1 and shared memory, per sector
  double mmaCycles = 0;     // of one scheduler's tensor core, per mma
  double memoryLatency = 0;
  double l1Latency = 0;
  double sharedLatency = 0;
  double fmaLatency = 0;
  double mmaLatency = 0;
  double barrierLatency = 0;  // from the last arrival until the others continue
  double meetLatency =
      0;  // the same for a barrier of some warps, and the addition for each of them
  double meetPerWarp = 0;
  double phaseLatency = 0;            // from the end of a phase until a waiting warp continues
  double boxAsk = 0;                  // of the thread that issues a TMA copy, per box
  double boxL2Bytes = 0;              // that TMA fetches per cycle
  double productCyclesPerColumn = 0;  // of the SM's tensor cores, per m64nNk16 and column
  double productReturn = 0;           // from the end of a wgmma until a waiting warp continues
  // What the user adds: this many cycles of memory latency, and up to this many more for a K tile
  // of A or of B, a different number for each (lateness.h).
  double delay = 0;
  double varies = 0;
};

// A constant as documents and tool tips show it.
struct Constant {
  std::string_view name;  // "latency of shared memory"
  double value = 0;
  std::string_view unit;    // "cycles"
  std::string_view source;  // where it comes from
};
// Those that are not in a file of the program's resources.
std::span<const Constant> constants();

// `work` says what a K tile of this kernel needs (kernels/model/prediction/workload.h). `rates` are
// the constants of predictions for the device; those of the kernel's family are used if its rung is
// predicted at all. `ceilings` have the rate of mma.sync and may be nullptr.
Costs costsOf(const Stage& stage, const model::Workload& work, const BlockProgram& program,
              const model::Rates& rates, const model::Ceilings* ceilings);

// Operations of one K tile in the steady state, counted in machine instructions of one warp.
double slotsPerTile(const BlockProgram& program);

}  // namespace tileloom::timeline
