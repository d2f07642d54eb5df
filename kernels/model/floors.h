// SPDX-License-Identifier: GPL-3.0-or-later
// What a K tile of a rung on tensor cores needs of an SM at the least: what the trace counts, over
// what each unit can do in a cycle. Nothing is fitted: the largest of these floors bounds the speed
// from above, and how far below it a kernel stays they do not say.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/analysis/loop_totals.h"
#include "kernels/model/ceilings.h"
#include "kernels/runs/run_record.h"
#include "kernels/tile/architecture.h"

namespace tileloom::model {

enum class Unit : std::uint8_t { TensorCores, SharedMemory, IssueSlots, MmaSync, L2 };
std::string_view name(Unit unit);  // "tensor cores", "shared memory", …
std::string_view key(Unit unit);   // "tensor", "shared", "issue", "mma_sync", "l2"

struct Floor {
  Unit unit{};
  double amount = 0;    // of one K tile of one block
  std::string what;     // "wavefronts"
  std::string parts;    // "1,536 of ldmatrix, 128 of stores"; may be empty
  double perCycle = 0;  // that one SM can do at the most
  std::string from;     // where that is from: "documented for sm_90"
  bool measured =
      false;  // the rate is what some kernel has reached, which no document calls a limit
  // Of shared memory: what comes to registers from global memory, which passes the same pipe.
  double ofGlobalLoads = 0;
  double cycles() const { return amount / perCycle; }
};

struct Floors {
  // One for each unit whose rate is known, in the order of Unit: the documented rates come first.
  std::vector<Floor> all;

  // The largest of those at documented rates, which no launch can beat. There is at least one.
  const Floor& binding() const;
  // The larger one at a measured rate, if there is one.
  const Floor* beyond() const;
  // The share of the time for which the tensor cores can be busy at the most, 0 to 1, by this
  // floor. std::nullopt: their rate is not known.
  std::optional<double> tensorShare(const Floor& floor) const;
};

// Of a legal tile of the tensor ladder, from what the trace counts of the loop over K. The rates of
// the tensor cores are the architecture's; that of L2 follows from the ceilings, if they are of a
// device of this architecture.
Floors floorsOf(const Stage& stage, const TileShape& tile, const analysis::Totals& loop,
                std::uint32_t kTilesTraced, const Architecture& arch, const Ceilings* ceilings);

// Cycles of an SM's unit that the stores of one tile of C take at the least, their way through
// shared memory included, from what the trace counts after the loop over K; 0 for a unit that they
// do not pass or whose rate for them is not known.
double storeCycles(Unit unit, const analysis::Totals& after);

// "1,664 wavefronts at 1 per cycle (32 banks of 4 bytes)"
std::string sumOf(const Floor& floor);
// "The floor of shared memory leaves the tensor cores of an SM with work 13.8 % of their documented
// rate at the most.", and a second sentence where a measured rate leaves less.
std::string sentence(const Floors& floors);

// Cycles that a K tile of a block took on an SM in a measured run, on average over the launch with
// its beginning, its end and places on SMs that stayed empty. std::nullopt: the run has no clock.
std::optional<double> measuredCycles(const Stage& stage, const runs::RunRecord& run, int sms);

}  // namespace tileloom::model
