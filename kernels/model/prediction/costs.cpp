// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/model/prediction/costs.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernels/analysis/counts/loop_totals.h"
#include "kernels/analysis/counts/occupancy.h"
#include "kernels/analysis/counts/totals.h"
#include "kernels/emulator/run.h"
#include "kernels/model/prediction/foretell.h"
#include "kernels/runs/counters.h"
#include "kernels/tile/derived.h"
#include "kernels/tile/subject.h"
#include "kernels/tile/whole_tiles.h"

namespace tileloom::model {
namespace {

struct CostRow {
  Cost cost;
  CostKind kind;
  std::string_view key;
  std::string_view name;
};

constexpr CostRow kRows[] = {
    {Cost::MultiplyAdds, CostKind::Issue, "multiply_adds", "issue slots of multiply-adds"},
    {Cost::IssueSlots, CostKind::Issue, "issue_slots", "issue slots of other instructions"},
    {Cost::RegisterBanks, CostKind::Issue, "register_banks", "register banks"},
    {Cost::UnevenWarps, CostKind::Issue, "uneven_warps", "warps spread unevenly over schedulers"},
    {Cost::InstructionFetch, CostKind::Issue, "instruction_fetch", "instruction fetch"},
    {Cost::Wavefronts, CostKind::DataPipe, "wavefronts", "shared-memory wavefronts"},
    {Cost::BankConflicts, CostKind::DataPipe, "bank_conflicts", "bank conflicts"},
    {Cost::Sectors, CostKind::DataPipe, "sectors", "sectors of global memory through L1"},
    {Cost::L2, CostKind::Memory, "l2", "L2"},
    {Cost::Dram, CostKind::Memory, "dram", "DRAM"},
    {Cost::Dependences, CostKind::Waiting, "dependences", "waiting for earlier instructions"},
    {Cost::GlobalLatency, CostKind::Waiting, "global_latency", "waiting for global memory"},
    {Cost::SharedLatency, CostKind::Waiting, "shared_latency", "waiting for shared memory"},
    {Cost::Barriers, CostKind::Waiting, "barriers", "waiting at barriers"},
    {Cost::TailWave, CostKind::Waves, "tail_wave", "the tail wave"},
    {Cost::Padding, CostKind::Waves, "padding", "padding at the edges"},
    {Cost::Spills, CostKind::Spills, "spills", "spilled registers"},
};
static_assert(std::size(kRows) == kCosts);

constexpr const CostRow& rowOf(Cost cost) {
  return kRows[static_cast<std::size_t>(cost)];
}

// For a rung without shared memory, wavefronts and waiting are those of global memory.
Cost untiledCostOf(Cost cost) {
  if (kindOf(cost) == CostKind::DataPipe) return Cost::Sectors;
  if (cost == Cost::SharedLatency || cost == Cost::Barriers) return Cost::GlobalLatency;
  return cost;
}

Cost tiledCostOf(Term term) {
  switch (term) {
    case Term::MultiplyAdds:
      return Cost::MultiplyAdds;
    case Term::OtherInstructions:
      return Cost::IssueSlots;
    case Term::RegisterBanks:
      return Cost::RegisterBanks;
    case Term::UnevenWarps:
      return Cost::UnevenWarps;
    case Term::InstructionFetch:
      return Cost::InstructionFetch;
    case Term::Wavefronts:
      return Cost::Wavefronts;
    case Term::Conflicts:
      return Cost::BankConflicts;
    case Term::Sectors:
      return Cost::Sectors;
    case Term::L2:
      return Cost::L2;
    case Term::Dram:
      return Cost::Dram;
    case Term::Dependences:
      return Cost::Dependences;
    case Term::GlobalLatency:
    case Term::Filling:
      return Cost::GlobalLatency;
    case Term::SharedLatency:
      return Cost::SharedLatency;
    case Term::Barriers:
      return Cost::Barriers;
  }
  return Cost::MultiplyAdds;
}

Cost costOf(Term term, Family family) {
  const Cost cost = tiledCostOf(term);
  return family == Family::Untiled ? untiledCostOf(cost) : cost;
}

// The counters are of the whole launch, the workload is of one K tile of one block.
CountedParts takeCounted(Workload& work, const runs::Counters& counters) {
  using runs::Counter;
  const double blockTiles = static_cast<double>(work.blocks) * work.kTiles;
  const auto sum = [&](std::initializer_list<Counter> which) -> std::optional<double> {
    double all = 0;
    for (const Counter counter : which) {
      const auto value = counters[counter];
      if (!value) return std::nullopt;
      all += *value;
    }
    return all / blockTiles;
  };
  CountedParts parts;
  // Asynchronous copies have their own counters, which not every run has. A quantity that is only
  // partly counted stays predicted as a whole.
  const bool copied = copies(work.family);
  const auto conflicts = copied
                             ? sum({Counter::SharedLoadConflicts, Counter::SharedStoreConflicts,
                                    Counter::AsyncConflicts})
                             : sum({Counter::SharedLoadConflicts, Counter::SharedStoreConflicts});
  const auto wavefronts =
      copied ? sum({Counter::SharedLoadWavefronts, Counter::SharedStoreWavefronts,
                    Counter::AsyncWavefronts})
             : sum({Counter::SharedLoadWavefronts, Counter::SharedStoreWavefronts});
  if (work.family != Family::Untiled) {
    const double free = work.wavefronts - work.conflicts;
    if (conflicts) work.conflicts = *conflicts;
    if (conflicts && wavefronts) {
      work.conflicts = std::min(work.conflicts, *wavefronts);
      work.wavefronts = *wavefronts;
    } else if (conflicts) {
      work.wavefronts = free + *conflicts;
    }
    parts.conflicts = conflicts.has_value();
    parts.wavefronts = conflicts && wavefronts;
  }
  const auto dram = sum({Counter::DramBytes});
  if (const auto l2 = sum({Counter::L2Bytes}); l2 && dram) {
    // The counter of L2 also includes about half of what DRAM moves (traffic.h).
    constexpr double kFromDram = 0.5;
    work.l2Bytes = std::max(0.0, *l2 - kFromDram * *dram);
    parts.l2 = true;
  }
  if (dram) {
    work.dramBytes = *dram;
    parts.dram = true;
  }
  return parts;
}

// What keeps pipes busy, from the terms of a launch. A listing gives the cycles that each issued
// instruction loses to register banks.
CostCycles busyOf(const Terms& launch, Family family, const KernelFacts& facts) {
  CostCycles busy = byCost(launch, family, {});
  for (std::size_t i = 0; i < kCosts; ++i) {
    if (!pipeOf(static_cast<Cost>(i))) busy.values[i] = 0;
  }
  if (facts.banks && facts.banks->instructions > 0) {
    busy[Cost::RegisterBanks] = (busy[Cost::MultiplyAdds] + busy[Cost::IssueSlots]) *
                                facts.banks->lostToBanks / facts.banks->instructions;
  }
  return busy;
}

// The work of each pipe. Without padding there are fewer multiply-adds, and less of everything that
// depends on them, but DRAM moves A, B and C all the same.
double usefulShareOf(Term term, const TileCosts& t) {
  if (term != Term::Dram) return t.usefulShare;
  const double all = t.work.dramBytes * static_cast<double>(t.work.blocks) * t.work.kTiles;
  return all > 0 ? std::clamp(t.leastBytes / all, t.usefulShare, 1.0) : 1;
}

}  // namespace

std::string_view name(Source source) {
  switch (source) {
    case Source::Predicted:
      return "predicted";
    case Source::MachineCode:
      return "machine code";
    case Source::Recorded:
      return "recorded";
    case Source::Counted:
      return "counted";
    case Source::Guessed:
      return "guessed";
    case Source::Computed:
      return "computed";
  }
  return "";
}

std::string_view name(Cost cost) {
  return rowOf(cost).name;
}

std::string_view key(Cost cost) {
  return rowOf(cost).key;
}

CostKind kindOf(Cost cost) {
  return rowOf(cost).kind;
}

std::optional<Pipe> pipeOf(Cost cost) {
  switch (kindOf(cost)) {
    case CostKind::Issue:
      return Pipe::Issue;
    case CostKind::DataPipe:
      return Pipe::Shared;
    case CostKind::Memory:
      return cost == Cost::L2 ? Pipe::L2 : Pipe::Dram;
    default:
      return std::nullopt;
  }
}

KernelFacts factsOf(const runs::RunRecord& run) {
  KernelFacts facts{run.registers, run.spillBytes, {run.blocksPerSm, std::nullopt}, {}, {}};
  if (run.loop.ffmas > 0) facts.shape.loop = run.loop;
  facts.source = Source::Recorded;
  return facts;
}

KernelFacts guessedFacts(const Stage& stage, const TileShape& tile, const Architecture& arch) {
  const Derived d = derive(stage, tile);
  const int registers = likelyRegisters(stage, tile);
  const int blocks =
      std::max(1, analysis::occupancy(arch, {d.threads, registers, d.sharedBytes}).blocks);
  return {registers, 0, {blocks, std::nullopt}, {}, Source::Guessed};
}

double CostCycles::sum() const {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

double TileCosts::share(Cost cost) const {
  const double all = cycles.sum();
  return all > 0 ? cycles[cost] / all : 0;
}

double TileCosts::busyShare(Cost cost) const {
  const double all = cycles.sum();
  return all > 0 ? busy[cost] / all : 0;
}

double TileCosts::busyShare(Pipe pipe) const {
  double share = 0;
  for (std::size_t i = 0; i < kCosts; ++i) {
    const auto cost = static_cast<Cost>(i);
    if (pipeOf(cost) == pipe) share += busyShare(cost);
  }
  return share;
}

double TileCosts::busyOfTile(Pipe pipe) const {
  double all = 0;
  for (std::size_t i = 0; i < kCosts; ++i) {
    if (pipeOf(static_cast<Cost>(i)) == pipe) all += busy.values[i];
  }
  if (pipe == Pipe::Dram) all *= shareOfSms;
  return kTilesOfSm > 0 ? all / kTilesOfSm : 0;
}

double TileCosts::idleOfTile() const {
  double busiest = 0;
  for (std::size_t i = 0; i < kPipes; ++i)
    busiest = std::max(busiest, busyOfTile(static_cast<Pipe>(i)));
  return std::max(0.0, prediction.cycles - busiest);
}

CostCycles byCost(const Terms& cycles, Family family, const KernelFacts& facts) {
  CostCycles costs;
  for (std::size_t i = 0; i < kTerms; ++i)
    costs[costOf(static_cast<Term>(i), family)] += cycles.values[i];
  if (facts.banks && facts.banks->cycles() > 0) {
    // The listing gives the lost cycles of the loop; the rest is divided as before.
    const double slots = costs[Cost::MultiplyAdds] + costs[Cost::IssueSlots];
    const double all = slots + costs[Cost::RegisterBanks];
    const double lost = all * facts.banks->lostToBanks / facts.banks->cycles();
    const double rest = slots > 0 ? (all - lost) / slots : 0;
    costs[Cost::MultiplyAdds] *= rest;
    costs[Cost::IssueSlots] *= rest;
    costs[Cost::RegisterBanks] = lost;
  }
  return costs;
}

bool CountedParts::has(Cost cost) const {
  switch (cost) {
    case Cost::Wavefronts:
      return wavefronts;
    case Cost::BankConflicts:
      return conflicts;
    case Cost::L2:
      return l2;
    case Cost::Dram:
      return dram;
    default:
      return false;
  }
}

TileCosts costsOf(const Subject& subject, const Problem& problem, const analysis::Totals& loop,
                  std::uint32_t kTilesTraced, const KernelFacts& facts, const Rates& rates,
                  const runs::Counters* counters) {
  const Stage& stage = *subject.rung();
  TileCosts t;
  t.subject() = subject;
  t.problem = problem;
  t.facts = facts;
  t.loop = loop;
  t.work =
      workloadOf(stage, subject.tile, problem, loop, kTilesTraced, facts.shape, rates.chip.machine);
  if (counters != nullptr) {
    t.counted = takeCounted(t.work, *counters);
  }
  t.prediction = predict(t.work, rates, rates.chip);
  t.usefulShare = paddingOf(stage, subject.tile, problem).usefulShare();
  t.leastBytes = leastBytesOf(stage, problem);

  // As if blocks came in full waves, each with the actual number of blocks per SM.
  const double resident = t.prediction.resident;
  const double waves = static_cast<double>(t.work.blocks) / (rates.chip.machine.sms * resident);
  t.kTilesOfSm = waves * t.work.kTiles;
  t.shareOfSms = smsWithWork(t.work, rates.chip) / rates.chip.machine.sms;
  t.padded = termsOf(t.work, rates, rates.chip, resident);
  for (double& term : t.padded.values) term *= t.kTilesOfSm;
  t.launch = t.padded;
  for (std::size_t i = 0; i < kTerms; ++i)
    t.launch.values[i] *= usefulShareOf(static_cast<Term>(i), t);
  const double all = cyclesOf(t.padded, rates);
  t.paddingCycles = all - cyclesOf(t.launch, rates);
  t.tailCycles = predictCycles(t.work, rates, rates.chip) - all;

  Terms dealt = marginalOf(t.launch, rates);
  for (std::size_t i = 0; i < kTerms; ++i) dealt.values[i] *= t.launch.values[i];
  t.cycles = byCost(dealt, t.work.family, facts);
  t.busy = busyOf(t.padded, t.work.family, facts);
  // Rates may say that a slot takes less than a cycle, but a multiply-add takes one.
  t.busy[Cost::MultiplyAdds] =
      t.kTilesOfSm * resident * t.work.warps * t.work.ffmas / Architecture::kPartitions;
  // If a listing says that register banks lose less than the fitted length of a slot, the rest is
  // not issue time: a warp waits for something of its own.
  for (const Cost cost : {Cost::MultiplyAdds, Cost::IssueSlots}) {
    const double excess = std::max(0.0, t.cycles[cost] - t.busy[cost]);
    t.cycles[cost] -= excess;
    t.cycles[Cost::Dependences] += excess;
  }
  t.cycles[Cost::TailWave] = t.tailCycles;
  t.cycles[Cost::Padding] = t.paddingCycles;
  return t;
}

TileCosts costsOf(emulator::Workspace& workspace, const Subject& subject, const Problem& problem,
                  const KernelFacts& facts, const Rates& rates) {
  const analysis::LoopTotals loop = analysis::traceLoop(workspace, subject, problem);
  return costsOf(subject, problem, loop.totals, loop.kTiles, facts, rates);
}

}  // namespace tileloom::model
