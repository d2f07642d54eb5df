// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/model/why/cost_lines.h"

#include <algorithm>
#include <map>

#include "kernels/analysis/counts/line_costs.h"

namespace tileloom::model {
namespace {

using Counts = std::map<std::uint16_t, std::uint64_t>;

// The first line with the largest amount; 0 if there is none.
std::uint16_t mostOf(const Counts& counts) {
  const auto most =
      std::ranges::max_element(counts, {}, [](const auto& entry) { return entry.second; });
  return most == counts.end() || most->second == 0 ? std::uint16_t{0} : most->first;
}

// Warp instructions by line inside the loop over K.
Counts countKind(const emulator::Trace& trace, emulator::Kind kind) {
  Counts counts;
  for (std::uint32_t interval = 0; interval < trace.intervals(); ++interval) {
    for (std::uint32_t warp = 0; warp < trace.warps; ++warp) {
      for (const emulator::Instruction& i : trace.at(warp, interval).instructions) {
        if (i.kind == kind && i.kTile != emulator::kNoTile) ++counts[i.line];
      }
    }
  }
  return counts;
}

}  // namespace

CostLines costLines(const emulator::Trace& trace) {
  using emulator::Kind;
  Counts free, conflicts, loads, sectors, accesses;
  for (const analysis::LineCost& cost : analysis::lineCosts(trace)) {
    if (cost.kind == Kind::GlobalStore || cost.array == "C") continue;
    accesses[cost.line] += cost.executions;
    if (emulator::isShared(cost.kind)) {
      free[cost.line] += cost.wavefronts - std::min(cost.conflicts, cost.wavefronts);
      conflicts[cost.line] += cost.conflicts;
    }
    if (cost.kind == Kind::SharedLoad) loads[cost.line] += cost.wavefronts;
    if (cost.kind == Kind::GlobalLoad || cost.kind == Kind::AsyncCopy)
      sectors[cost.line] += cost.sectors;
  }
  const std::uint16_t fma = mostOf(countKind(trace, Kind::Fma));
  std::uint16_t barrier = mostOf(countKind(trace, Kind::Barrier));
  if (barrier == 0) barrier = mostOf(countKind(trace, Kind::CopyWait));
  const std::uint16_t fetch = mostOf(sectors);

  CostLines found;
  const auto set = [&](Cost cost, std::uint16_t line) {
    found.lines[static_cast<std::size_t>(cost)] = line;
  };
  for (const Cost cost : {Cost::MultiplyAdds, Cost::RegisterBanks, Cost::UnevenWarps,
                          Cost::InstructionFetch, Cost::Dependences})
    set(cost, fma);
  set(Cost::IssueSlots, mostOf(accesses));
  set(Cost::Wavefronts, mostOf(free));
  set(Cost::BankConflicts, mostOf(conflicts));
  for (const Cost cost : {Cost::Sectors, Cost::L2, Cost::Dram, Cost::GlobalLatency})
    set(cost, fetch);
  set(Cost::SharedLatency, mostOf(loads));
  set(Cost::Barriers, barrier);
  return found;
}

}  // namespace tileloom::model
