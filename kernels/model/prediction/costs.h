// SPDX-License-Identifier: GPL-3.0-or-later
// The costs of a launch: the predicted cycles, divided by cause.
//
// Each term of the prediction (terms.h) has a share of the time, and these shares add up exactly.
// The last wave and the edges of the matrices are added to them. docs/design/06-why.md has the
// formula and the source of each cost.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "kernels/analysis/counts/totals.h"
#include "kernels/emulator/workspace.h"
#include "kernels/model/prediction/prediction.h"
#include "kernels/model/prediction/terms.h"
#include "kernels/runs/counter_values.h"
#include "kernels/runs/run_record.h"
#include "kernels/sass/register_banks.h"
#include "kernels/tile/subject.h"

namespace tileloom::model {

// The origin of a figure.
enum class Source : std::uint8_t {
  Predicted,    // from the trace and the model
  MachineCode,  // from the compiled kernel: registers, loop, listing
  Recorded,     // from the compiled kernel that a recorded run was made with
  Counted,      // by the hardware's counters during a run
  Guessed,      // registers of a kernel that has not been compiled
  Computed,     // by arithmetic, from the launch and a known number of blocks per SM
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

// Costs of one kind. A change of a tile moves costs within one kind, so a cause is first searched
// for among the kinds (move.h).
enum class CostKind : std::uint8_t { Issue, DataPipe, Memory, Waiting, Waves, Spills };
inline constexpr std::size_t kCostKinds = 6;
CostKind kindOf(Cost cost);
// The pipe that a cost keeps busy. std::nullopt: it is waiting, or concerns whole waves.
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
// From a run, without its counters. The run has registers and blocks per SM.
KernelFacts factsOf(const runs::RunRecord& run);
// With likelyRegisters(), for a tile that has not been compiled; blocksPerSm is at least 1.
KernelFacts guessedFacts(const Stage& stage, const TileShape& tile, const Architecture& arch);

// One of anything for each cost.
struct CostCycles {
  std::array<double, kCosts> values{};
  double& operator[](Cost cost) { return values[static_cast<std::size_t>(cost)]; }
  double operator[](Cost cost) const { return values[static_cast<std::size_t>(cost)]; }
  double sum() const;
};

// The parts of a workload that come from hardware counters.
struct CountedParts {
  bool wavefronts = false;
  bool conflicts = false;
  bool l2 = false;
  bool dram = false;
  bool any() const { return wavefronts || conflicts || l2 || dram; }
  bool has(Cost cost) const;  // whether the cycles of this cost come from counters
};

// A tile as the model sees it, with all that a comparison with another one needs.
struct TileCosts : Launched {
  KernelFacts facts;
  analysis::Totals loop;  // of the K tiles that were traced
  Workload work;
  Prediction prediction;
  CountedParts counted;
  double leastBytes = 0;   // of DRAM, without padding: leastBytesOf()
  double usefulShare = 1;  // of the multiply-adds, 0 to 1: the rest is padding

  // SM cycles of the launch if all waves were full, with and without padding: of each term, then
  // what the last wave and the padding add.
  Terms padded;
  Terms launch;
  double tailCycles = 0;
  double paddingCycles = 0;

  CostCycles cycles;              // they add up to the predicted cycles of the launch
  double share(Cost cost) const;  // of all cycles, 0 to 1
  // SM cycles during which the cost keeps its pipe busy, on average over the SMs, including
  // padding. Pipes are busy at the same time, so these add up to more or less than all cycles. 0
  // for costs without a pipe.
  CostCycles busy;
  double busyShare(Cost cost) const;  // of all cycles, 0 to 1
  double busyShare(Pipe pipe) const;  // all costs of the pipe together

  // For one K tile of all blocks that share an SM, which takes prediction.cycles: the cycles during
  // which a pipe is busy, and those in which even the busiest one is idle. At least 0.
  double busyOfTile(Pipe pipe) const;
  double idleOfTile() const;
  double kTilesOfSm = 0;  // that an SM computes one after another, if all waves were full
  double shareOfSms = 1;  // with work at the beginning, 0 to 1: these share DRAM
};

// `loop` has the counts of one K tile (loop_totals.h). The tile must be legal and its facts must
// have at least one block per SM. If `counters` of a run of this very launch are given, wavefronts,
// conflicts and bytes from L2 and DRAM come from them; those that they lack stay predicted.
TileCosts costsOf(const Subject& subject, const Problem& problem, const analysis::Totals& loop,
                  std::uint32_t kTilesTraced, const KernelFacts& facts, const Rates& rates,
                  const runs::Counters* counters = nullptr);

// Traces one K tile first.
TileCosts costsOf(emulator::Workspace& workspace, const Subject& subject, const Problem& problem,
                  const KernelFacts& facts, const Rates& rates);

// The cycles of terms as those of costs. The listing of `facts`, if there is one, says how many of
// the issue slots' cycles belong to register banks.
CostCycles byCost(const Terms& cycles, Family family, const KernelFacts& facts);

}  // namespace tileloom::model
