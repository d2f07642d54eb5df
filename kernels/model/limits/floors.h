// SPDX-License-Identifier: GPL-3.0-or-later
// Lower bounds on the SM time of a K tile of a tensor-core rung, or of a kernel that is not a rung:
// the counts of the trace, divided by what each unit can do in a cycle. Nothing is fitted. The
// largest of these lower bounds limits the speed; they do not say how far below that limit a kernel
// is.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/analysis/counts/loop_totals.h"
#include "kernels/model/limits/ceilings.h"
#include "kernels/runs/run_record.h"
#include "kernels/tile/architecture.h"

namespace tileloom::model {

enum class Unit : std::uint8_t { TensorCores, SharedMemory, IssueSlots, MmaSync, L2 };
std::string_view name(Unit unit);  // "tensor cores", "shared memory", …
std::string_view key(Unit unit);   // "tensor", "shared", "issue", "mma_sync", "l2"

struct Floor {
  Unit unit{};
  double amount = 0;      // of one K tile of one block
  std::string what;       // "wavefronts"
  std::string parts;      // "1,536 of ldmatrix, 128 of stores"; may be empty
  double perCycle = 0;    // maximum per cycle of one SM
  std::string from;       // source of the rate: "documented for sm_90"
  bool measured = false;  // the rate is what a kernel has reached, not a documented limit
  // Of shared memory: the part of loads from global memory to registers, which pass through the
  // same pipe.
  double ofGlobalLoads = 0;
  double cycles() const { return amount / perCycle; }
};

struct Floors {
  // One for each unit with a known rate, in the order of Unit: the documented rates come first.
  std::vector<Floor> all;

  // The largest one at documented rates, which no launch can beat. There is at least one.
  const Floor& binding() const;
  // The larger one at a measured rate, if there is one.
  const Floor* beyond() const;
  // The largest possible share of the time, 0 to 1, for which this lower bound lets the tensor
  // cores be busy. std::nullopt: their rate is unknown.
  std::optional<double> tensorShare(const Floor& floor) const;
};

// For a legal tile of the tensor ladder or a kernel that is not a rung, from what the trace counts
// in the loop over K. The rates of the tensor cores are the architecture's; that of L2 follows from
// the ceilings, if they are of a device of this architecture.
Floors floorsOf(const Stage& stage, const TileShape& tile, const analysis::Totals& loop,
                std::uint32_t kTilesTraced, const Architecture& arch, const Ceilings* ceilings);

// The minimum of cycles that the stores of one tile of C take on a unit of the SM, including their
// path through shared memory, from what the trace counts after the loop over K. 0 for a unit that
// they do not use or whose rate for them is unknown.
double storeCycles(Unit unit, const analysis::Totals& after);

// "1,664 wavefronts at 1 per cycle (32 banks of 4 bytes)"
std::string sumOf(const Floor& floor);
// "The lower bound of shared memory limits the tensor cores of an SM with work to 13.8 % of their
// documented rate.", and a second sentence if a measured rate limits them further.
std::string sentence(const Floors& floors);

// The cycles of a K tile of a block on an SM in a measured run, on average over the launch
// including its beginning, its end and places on SMs that stayed empty. std::nullopt: the run has
// no clock.
std::optional<double> measuredCycles(const Stage& stage, const runs::RunRecord& run, int sms);

}  // namespace tileloom::model
