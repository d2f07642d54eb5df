// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/model/why/costliest_access.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "kernels/analysis/memory/access_cost.h"
#include "kernels/tile/placement.h"

namespace tileloom::model {
namespace {

using emulator::Kind;

// The quantities that the cycles of accesses come from.
struct Counts {
  double wavefronts = 0;  // without those of conflicts
  double conflicts = 0;
  double loads = 0;  // wavefronts of loads from shared memory
  double sectors = 0;

  Counts& operator+=(const Counts& other) {
    wavefronts += other.wavefronts;
    conflicts += other.conflicts;
    loads += other.loads;
    sectors += other.sectors;
    return *this;
  }
  double of(Cost cost) const {
    switch (cost) {
      case Cost::Wavefronts:
        return wavefronts;
      case Cost::BankConflicts:
        return conflicts;
      case Cost::SharedLatency:
        return loads;
      default:
        return sectors;
    }
  }
};

constexpr Cost kOfAccesses[] = {
    Cost::Wavefronts, Cost::BankConflicts, Cost::SharedLatency, Cost::Sectors,
    Cost::L2,         Cost::Dram,          Cost::GlobalLatency};

Counts countsOf(Kind kind, const analysis::AccessCost& cost) {
  Counts c;
  c.conflicts = cost.conflicts();
  c.wavefronts = cost.wavefronts() - std::min(cost.conflicts(), cost.wavefronts());
  if (kind == Kind::SharedLoad) c.loads = cost.wavefronts();
  c.sectors = cost.global.sectors;
  return c;
}

using Place = std::tuple<std::uint16_t, Kind, std::uint8_t>;  // line, kind, array

Place placeOf(const emulator::Instruction& i) {
  return {i.line, i.kind, i.array};
}

}  // namespace

std::optional<CostlyAccess> costliestAccess(const analysis::Recording& recording,
                                            std::uint32_t warp, const TileCosts& costs) {
  const emulator::Trace& trace = recording.trace;
  std::map<Place, Counts> counts;
  Counts all;
  analysis::forEachAccess(trace, recording.accesses(),
                          [&](const emulator::Instruction& i, const analysis::Access&,
                              const analysis::AccessCost& cost) {
                            if (i.kTile == emulator::kNoTile) return;
                            const Counts c = countsOf(i.kind, cost);
                            counts[placeOf(i)] += c;
                            all += c;
                          });
  // The latest K tile comes first, and within it the first execution.
  std::map<Place, std::pair<std::uint32_t, std::uint32_t>> executions;  // K tile and index
  for (std::uint32_t index = 0; index < trace.length(warp); ++index) {
    const emulator::Position at = trace.position(warp, index);
    const auto& i = trace.at(warp, at.interval).instructions[at.instruction];
    if (i.kTile == emulator::kNoTile || !counts.contains(placeOf(i))) continue;
    const auto [found, isNew] = executions.try_emplace(placeOf(i), i.kTile, index);
    if (!isNew && i.kTile > found->second.first) found->second = {i.kTile, index};
  }
  const double time = costs.cycles.sum();
  std::optional<CostlyAccess> best;
  for (const auto& [place, execution] : executions) {
    CostlyAccess here{execution.second, 0, Cost::Wavefronts};
    double largest = 0;
    for (const Cost cost : kOfAccesses) {
      if (all.of(cost) <= 0 || time <= 0) continue;
      const double share = costs.cycles[cost] / time * counts[place].of(cost) / all.of(cost);
      here.share += share;
      if (share <= largest) continue;
      largest = share;
      here.cost = cost;
    }
    if (here.share > 0 && (!best || here.share > best->share)) best = here;
  }
  return best;
}

}  // namespace tileloom::model
