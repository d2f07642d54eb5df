// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/model/prediction/terms.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

#include "kernels/machine/latencies.h"
#include "kernels/machine/scheduler.h"

namespace tileloom::model {
namespace {

constexpr double kSchedulers = machine::kSchedulers;
// How sharply the fullest pipe dominates the others; fits cannot distinguish 6 from 12.
constexpr double kSharpness = 8;

// The pipe that a term keeps busy. std::nullopt: it is waiting.
constexpr std::optional<Pipe> pipeOf(Term term) {
  if (term <= Term::InstructionFetch) return Pipe::Issue;
  if (term <= Term::Sectors) return Pipe::Shared;
  if (term == Term::L2) return Pipe::L2;
  if (term == Term::Dram) return Pipe::Dram;
  return std::nullopt;
}

// The norm of the values with this power: the sum for 1, the largest for a large one.
double joined(std::span<const double> values, double power) {
  const double most = std::ranges::max(values);
  if (most <= 0) return 0;
  double sum = 0;
  for (const double value : values) sum += std::pow(value / most, power);
  return most * std::pow(sum, 1 / power);
}

// The derivative of that norm by one of the values.
double slope(double value, double norm, double power) {
  if (norm <= 0 || value <= 0) return power > 1 ? 0 : 1;
  return std::pow(value / norm, power - 1);
}

double waitingOf(const Terms& terms) {
  double waiting = 0;
  for (std::size_t i = 0; i < kTerms; ++i) {
    if (!pipeOf(static_cast<Term>(i))) waiting += terms.values[i];
  }
  return waiting;
}

}  // namespace

Terms termsOf(const Workload& work, const Rates& rates, const Chip& chip, double blocks,
              double smsAtDram) {
  const FamilyRates& family = rates.families[static_cast<std::size_t>(work.family)];
  const double warps = work.warps * blocks / kSchedulers;  // of one scheduler, if they were even
  // Warps are assigned to the schedulers one by one; the one with the most ends last.
  const double fullest = std::ceil(warps);
  const double slots = work.loopSlots.value_or(work.ffmas + rates.slotsPerAccess * work.accesses);
  const double own = family.slot * slots;  // of one warp
  const double perSlot = std::min(1.0, family.slot);
  const double dramPerCycle = chip.dramBytesPerSecond / (chip.clockMHz * 1e6) /
                              (smsAtDram > 0 ? smsAtDram : chip.machine.sms);
  const double uncached =
      std::max(0.0, work.codeKiB - machine::kCachedKiB) * std::max(1.0, work.turns);
  const double free = work.wavefronts - work.conflicts;

  Terms t;
  t[Term::MultiplyAdds] = warps * perSlot * work.ffmas;
  t[Term::OtherInstructions] = warps * perSlot * (slots - work.ffmas);
  t[Term::RegisterBanks] = warps * (family.slot - perSlot) * slots;
  t[Term::UnevenWarps] = (fullest - warps) * own;
  t[Term::InstructionFetch] = fullest * family.code * uncached;
  t[Term::Wavefronts] = blocks * free;
  t[Term::Conflicts] = blocks * work.conflicts;
  t[Term::Sectors] = blocks * rates.sectorCycles * work.sectors;
  t[Term::L2] = blocks * work.l2Bytes / rates.l2Bytes;
  if (dramPerCycle > 0) t[Term::Dram] = blocks * work.dramBytes / dramPerCycle;
  t[Term::Dependences] = family.chain * own;
  t[Term::GlobalLatency] = family.fetch;
  t[Term::SharedLatency] = family.dot * work.stepK + family.turn * work.turns;
  t[Term::Barriers] = family.barrier * work.warps;
  t[Term::Filling] = family.store * work.fills;
  // While one block waits, the others on the SM have work.
  const double left = std::pow(blocks, -family.hidden);
  for (std::size_t i = 0; i < kTerms; ++i) {
    if (!pipeOf(static_cast<Term>(i))) t.values[i] *= left;
  }
  return t;
}

std::array<double, kPipes> busyOf(const Terms& terms) {
  std::array<double, kPipes> busy{};
  for (std::size_t i = 0; i < kTerms; ++i) {
    if (const auto pipe = pipeOf(static_cast<Term>(i)))
      busy[static_cast<std::size_t>(*pipe)] += terms.values[i];
  }
  return busy;
}

double fullestOf(const std::array<double, kPipes>& busy) {
  return joined(busy, kSharpness);
}

double cyclesOf(const Terms& terms, const Rates& rates) {
  return joined(std::array{fullestOf(busyOf(terms)), waitingOf(terms)}, rates.mixing);
}

Terms marginalOf(const Terms& terms, const Rates& rates) {
  const auto busy = busyOf(terms);
  const double pipes = fullestOf(busy);
  const double waiting = waitingOf(terms);
  const double all = joined(std::array{pipes, waiting}, rates.mixing);
  Terms marginal;
  for (std::size_t i = 0; i < kTerms; ++i) {
    const auto pipe = pipeOf(static_cast<Term>(i));
    marginal.values[i] = pipe ? slope(busy[static_cast<std::size_t>(*pipe)], pipes, kSharpness) *
                                    slope(pipes, all, rates.mixing)
                              : slope(waiting, all, rates.mixing);
  }
  return marginal;
}

}  // namespace tileloom::model
