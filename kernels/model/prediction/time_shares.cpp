// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/model/prediction/time_shares.h"

#include <algorithm>
#include <utility>

#include "kernels/runs/counters.h"

namespace tileloom::model {
namespace {

using runs::Counter;

constexpr std::pair<Counter, TimeGroup> kWaits[] = {
    {Counter::StalledDispatch, TimeGroup::RegisterBanks},
    {Counter::StalledMathPipe, TimeGroup::RegisterBanks},
    {Counter::StalledNoInstruction, TimeGroup::InstructionFetch},
    {Counter::StalledShortScoreboard, TimeGroup::SharedMemory},
    {Counter::StalledMioThrottle, TimeGroup::SharedMemory},
    {Counter::StalledLongScoreboard, TimeGroup::GlobalMemory},
    {Counter::StalledLgThrottle, TimeGroup::GlobalMemory},
    {Counter::StalledBarrier, TimeGroup::Barriers},
    {Counter::StalledWait, TimeGroup::Dependences},
    {Counter::StalledGmma, TimeGroup::Dependences},
};

TimeGroup groupOf(Term term) {
  switch (term) {
    case Term::MultiplyAdds:
    case Term::OtherInstructions:
    case Term::UnevenWarps:
      return TimeGroup::Issue;
    case Term::RegisterBanks:
      return TimeGroup::RegisterBanks;
    case Term::InstructionFetch:
      return TimeGroup::InstructionFetch;
    case Term::Wavefronts:
    case Term::Conflicts:
    case Term::SharedLatency:
      return TimeGroup::SharedMemory;
    case Term::Sectors:
    case Term::L2:
    case Term::Dram:
    case Term::GlobalLatency:
    case Term::Filling:
      return TimeGroup::GlobalMemory;
    case Term::Barriers:
      return TimeGroup::Barriers;
    case Term::Dependences:
      return TimeGroup::Dependences;
  }
  return TimeGroup::Issue;
}

}  // namespace

std::string_view name(TimeGroup group) {
  constexpr std::string_view kNames[kTimeGroups] = {
      "issue",         "register banks", "instruction fetch",   "shared memory",
      "global memory", "barriers",       "earlier instructions"};
  return kNames[static_cast<std::size_t>(group)];
}

std::optional<TimeShares> countedShares(const runs::Counters& counters) {
  const auto perCycle = counters[Counter::InstructionsPerCycle];
  if (!perCycle) return std::nullopt;
  TimeShares shares;
  double waiting = 0;
  for (const auto& [counter, group] : kWaits) {
    const auto warps = counters[counter];
    // Unknown for kernels without wgmma, and for earlier recordings.
    if (!warps && counter == Counter::StalledGmma) continue;
    if (!warps) return std::nullopt;
    shares[group] += *warps;
    waiting += *warps;
  }
  const double issuing = std::clamp(*perCycle / Architecture::kPartitions, 0.0, 1.0);
  for (double& share : shares.values) share *= waiting > 0 ? (1 - issuing) / waiting : 0;
  shares[TimeGroup::Issue] = issuing;
  return shares;
}

TimeShares predictedShares(const Terms& terms, const Rates& rates) {
  const double all = cyclesOf(terms, rates);
  TimeShares shares;
  if (all <= 0) return shares;
  const Terms marginal = marginalOf(terms, rates);
  double issuing = 0, others = 0;
  for (std::size_t i = 0; i < kTerms; ++i) {
    const TimeGroup group = groupOf(static_cast<Term>(i));
    if (group == TimeGroup::Issue) {
      issuing += terms.values[i] / all;
    } else {
      shares[group] += terms.values[i] * marginal.values[i];
      others += terms.values[i] * marginal.values[i];
    }
  }
  for (double& share : shares.values) share *= others > 0 ? (1 - issuing) / others : 0;
  shares[TimeGroup::Issue] = issuing;
  return shares;
}

}  // namespace tileloom::model
