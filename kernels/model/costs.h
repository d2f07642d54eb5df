// SPDX-License-Identifier: GPL-3.0-or-later
// What costs time in a launch: the predicted cycles, dealt out to their reasons.
//
// Each term of the prediction (terms.h) has a share of the time, and these shares add up exactly.
// What the last wave and the edges of the matrices add is on top. docs/design/06-why.md has the
// formula and the source of each cost.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "kernels/analysis/totals.h"
#include "kernels/emulator/block.h"
#include "kernels/model/terms.h"
#include "kernels/runs/counter_values.h"
#include "kernels/runs/run_record.h"
#include "kernels/sass/register_banks.h"

namespace tileloom::model {

// Where a figure comes from.
enum class Source : std::uint8_t {
  Predicted,    // from the trace and the model
  MachineCode,  // from the compiled kernel: registers, loop, listing
  Recorded,     // from the compiled kernel that a recorded run was made with
  Counted,      // by the hardware's counters during a run
  Guessed,      // registers that nobody has compiled
  Computed,     // by arithmetic, from the launch and from blocks per SM that are known
};
std::string_view name(Source source);  // "predicted", "machine code", …

enum class Cost : std::uint8_t {
  MultiplyAdds,
  IssueSlots,
  RegisterBanks,
  UnevenWarps,
  InstructionFetch,
  Wavefronts,
  BankConflicts,
  Sectors,
  L2,
  Dram,
  Dependences,
  GlobalLatency,
  SharedLatency,
  Barriers,
  TailWave,
  Padding,
  Spills,  // the prediction has no cycles for them
};
inline constexpr std::size_t kCosts = 17;
std::string_view name(Cost cost);  // "waiting at barriers"
std::string_view key(Cost cost);   // "barriers", for JSON

// Costs of one kind. A change of a tile moves costs of one kind to and fro, so that a cause is
// looked for among the kinds first (move.h).
enum class CostKind : std::uint8_t { Issue, DataPipe, Memory, Waiting, Waves, Spills };
inline constexpr std::size_t kCostKinds = 6;
CostKind kindOf(Cost cost);
// The pipe that a cost keeps busy. std::nullopt: it is waiting, or a matter of whole waves.
std::optional<Pipe> pipeOf(Cost cost);

// What is known about a compiled kernel.
struct KernelFacts {
  int registers = -1;  // per thread
  int spillBytes = 0;  // per thread, stores and loads together
  KernelShape shape;   // blocks that an SM holds, at least 1, and the main loop
  // Of the main loop, where there is a listing.
  std::optional<sass::LoopCost> banks;
  Source source = Source::Guessed;
};
// From a run, whose counters are no part of it. The run knows registers and blocks per SM.
KernelFacts factsOf(const runs::RunRecord& run);
// With likelyRegisters(), for a tile that nobody has compiled; blocksPerSm is at least 1.
KernelFacts guessedFacts(const Stage& stage, const TileShape& tile, const Architecture& arch);

// One of anything for each cost.
struct CostCycles {
  std::array<double, kCosts> values{};
  double& operator[](Cost cost) { return values[static_cast<std::size_t>(cost)]; }
  double operator[](Cost cost) const { return values[static_cast<std::size_t>(cost)]; }
  double sum() const;
};

// Which parts of a workload are those of the hardware's counters.
struct CountedParts {
  bool wavefronts = false;
  bool conflicts = false;
  bool l2 = false;
  bool dram = false;
  bool any() const { return wavefronts || conflicts || l2 || dram; }
  bool has(Cost cost) const;  // whether the cycles of this cost come from counters
};

// A tile as the model sees it; enough to compare it with another one.
struct TileCosts {
  const Stage* stage = nullptr;
  TileShape tile;
  Problem problem;
  KernelFacts facts;
  analysis::Totals loop;  // of the K tiles that were traced
  Workload work;
  Prediction prediction;
  CountedParts counted;
  double leastBytes = 0;   // of DRAM, without padding: leastBytesOf()
  double usefulShare = 1;  // of the multiply-adds, 0 to 1: the others are of padding

  // SM cycles of the launch if all waves were full, with and without padding: of each term, then
  // what the last wave and the padding add.
  Terms padded;
  Terms launch;
  double tailCycles = 0;
  double paddingCycles = 0;

  CostCycles cycles;              // they add up to the predicted cycles of the launch
  double share(Cost cost) const;  // of all cycles, 0 to 1
  // SM cycles that the cost's pipe is busy with it, on average over the SMs, also with what padding
  // makes it do. Pipes are busy at the same time, so that these add up to more or less than all
  // cycles. 0 for costs without a pipe.
  CostCycles busy;
  double busyShare(Cost cost) const;  // of all cycles, 0 to 1
  double busyShare(Pipe pipe) const;  // all costs of the pipe together

  // Of one K tile of all blocks that share an SM, which takes prediction.cycles: the cycles that a
  // pipe is busy, and those in which even the busiest one is not. At least 0.
  double busyOfTile(Pipe pipe) const;
  double idleOfTile() const;
  double kTilesOfSm = 0;  // that an SM walks over one after another, if all waves were full
  double shareOfSms = 1;  // with work at the beginning, 0 to 1: these share DRAM
};

// `loop` is what one K tile counts (loop_totals.h); the tile must be legal and its facts must have
// at least one block per SM. Where `counters` of a run of this very launch are given, wavefronts,
// conflicts and bytes from L2 and DRAM are theirs; those that they lack stay predicted.
TileCosts costsOf(const Stage& stage, const TileShape& tile, const Problem& problem,
                  const analysis::Totals& loop, std::uint32_t kTilesTraced,
                  const KernelFacts& facts, const Rates& rates,
                  const runs::Counters* counters = nullptr);

// Traces one K tile first.
TileCosts costsOf(emulator::Workspace& workspace, const Stage& stage, const TileShape& tile,
                  const Problem& problem, const KernelFacts& facts, const Rates& rates);

// The cycles of terms as those of costs. The listing of `facts`, if there is one, says how many of
// the issue slots' cycles belong to register banks.
CostCycles byCost(const Terms& cycles, Family family, const KernelFacts& facts);

}  // namespace tileloom::model
