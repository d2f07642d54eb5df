// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/model/move.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace tileloom::model {
namespace {

// The derivatives along the way change smoothly; more steps change the third digit.
constexpr int kSteps = 8;

// What each term adds to the cycles of the launch on the way between the terms.
Terms dealtOnTheWay(const Terms& from, const Terms& to, const Rates& rates) {
  Terms dealt;
  for (int step = 0; step < kSteps; ++step) {
    const double way = (step + 0.5) / kSteps;
    Terms here;
    for (std::size_t i = 0; i < kTerms; ++i)
      here.values[i] = from.values[i] + way * (to.values[i] - from.values[i]);
    const Terms marginal = marginalOf(here, rates);
    for (std::size_t i = 0; i < kTerms; ++i)
      dealt.values[i] += marginal.values[i] * (to.values[i] - from.values[i]) / kSteps;
  }
  return dealt;
}

// What padding and the last wave make of the useful cycles of full waves, as factors.
struct Factors {
  double useful = 0;  // SM cycles
  double padding = 1;
  double tail = 1;
};

Factors factorsOf(const TileCosts& tile, const Rates& rates) {
  Factors f;
  f.useful = cyclesOf(tile.launch, rates);
  const double padded = f.useful + tile.paddingCycles;
  if (f.useful > 0) f.padding = padded / f.useful;
  if (padded > 0) f.tail = (padded + tile.tailCycles) / padded;
  return f;
}

// The launch takes useful x padding x tail cycles. A difference of products is the difference of
// each factor times the mean of the others, so that a cost that grows is not mistaken for a last
// wave that grows with it.
CostCycles changesOf(const TileCosts& from, const TileCosts& to, const Rates& rates) {
  const Factors a = factorsOf(from, rates), b = factorsOf(to, rates);
  const auto mean = [](double one, double other) { return (one + other) / 2; };
  const double around = mean(a.padding * a.tail, b.padding * b.tail);
  const double useful = mean(a.useful, b.useful);
  CostCycles changes = byCost(dealtOnTheWay(from.launch, to.launch, rates), from.work.family, {});
  for (double& change : changes.values) change *= around;
  changes[Cost::TailWave] = useful * mean(a.padding, b.padding) * (b.tail - a.tail);
  changes[Cost::Padding] = useful * mean(a.tail, b.tail) * (b.padding - a.padding);
  // Where listings tell how many cycles register banks lose, those replace the model's; the rest of
  // the change belongs to the other instructions.
  if (from.facts.banks && to.facts.banks) {
    const double before = changes[Cost::RegisterBanks];
    const double after = to.cycles[Cost::RegisterBanks] - from.cycles[Cost::RegisterBanks];
    changes[Cost::RegisterBanks] = after;
    changes[Cost::IssueSlots] += before - after;
  }
  return changes;
}

Cost causeOf(const CostCycles& changes) {
  std::array<double, kCostKinds> kinds{};
  for (std::size_t i = 0; i < kCosts; ++i)
    kinds[static_cast<std::size_t>(kindOf(static_cast<Cost>(i)))] += changes.values[i];
  const auto most = std::ranges::max_element(kinds, {}, [](double v) { return std::abs(v); });
  const auto kind = static_cast<CostKind>(most - kinds.begin());
  Cost cause{};
  double largest = -1;
  for (std::size_t i = 0; i < kCosts; ++i) {
    const auto cost = static_cast<Cost>(i);
    const double along = *most < 0 ? -changes[cost] : changes[cost];
    if (kindOf(cost) != kind || along <= largest) continue;
    largest = along;
    cause = cost;
  }
  return cause;
}

}  // namespace

Move moveBetween(const TileCosts& from, const TileCosts& to, const Rates& rates) {
  const CostCycles changes = changesOf(from, to, rates);
  const double all = from.cycles.sum();
  const auto shareOf = [all](double cycles) { return all > 0 ? cycles / all : 0; };
  Move move;
  for (std::size_t i = 0; i < kCosts; ++i) {
    constexpr double kNothing = 1e-9;  // what rounding leaves, as a share
    if (std::abs(shareOf(changes.values[i])) < kNothing) continue;
    move.changes.push_back({static_cast<Cost>(i), changes.values[i], shareOf(changes.values[i])});
  }
  std::ranges::stable_sort(move.changes, std::greater{},
                           [](const CostChange& c) { return std::abs(c.cycles); });
  move.speedRatio = from.prediction.gflops > 0 ? to.prediction.gflops / from.prediction.gflops : 1;
  if (from.facts.spillBytes != to.facts.spillBytes) {
    move.cause = Cost::Spills;
    move.faster = to.facts.spillBytes < from.facts.spillBytes;
    return move;
  }
  move.cause = causeOf(changes);
  move.causeShare = shareOf(changes[move.cause]);
  move.faster = move.causeShare < 0;
  return move;
}

}  // namespace tileloom::model
