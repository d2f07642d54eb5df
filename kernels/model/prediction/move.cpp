// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/model/prediction/move.h"
#include "kernels/tile/placement.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace tileloom::model {
namespace {

// The derivatives change smoothly along the path; more steps change the third digit.
constexpr int kSteps = 8;

// What each term adds to the cycles of the launch along the path between the terms.
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

// A launch takes the cycles of its terms x padding x tail.
struct Launch {
  Terms terms;         // as if all waves were full
  double padding = 1;  // factors
  double tail = 1;
};

// If both tiles compute the same number of padded elements, padding does not differ between them,
// and the terms are those of everything that is computed.
Launch launchOf(const TileCosts& tile, bool alikePadded, const Rates& rates) {
  Launch l{alikePadded ? tile.padded : tile.launch, 1, 1};
  const double padded = cyclesOf(tile.padded, rates), useful = cyclesOf(tile.launch, rates);
  if (!alikePadded && useful > 0) l.padding = (useful + tile.paddingCycles) / useful;
  if (padded > 0) l.tail = (padded + tile.tailCycles) / padded;
  return l;
}

Launch lesser(const Launch& a, const Launch& b) {
  Launch l{{}, std::min(a.padding, b.padding), std::min(a.tail, b.tail)};
  for (std::size_t i = 0; i < kTerms; ++i)
    l.terms.values[i] = std::min(a.terms.values[i], b.terms.values[i]);
  return l;
}

// A difference of products is the difference of each factor times the mean of the others, so that a
// growing cost is not confused with a last wave that grows with it.
void addStretch(CostCycles& changes, const Launch& from, const Launch& to, Family family,
                const Rates& rates) {
  const auto mean = [](double one, double other) { return (one + other) / 2; };
  const double around = mean(from.padding * from.tail, to.padding * to.tail);
  const double useful = mean(cyclesOf(from.terms, rates), cyclesOf(to.terms, rates));
  const CostCycles dealt = byCost(dealtOnTheWay(from.terms, to.terms, rates), family, {});
  for (std::size_t i = 0; i < kCosts; ++i) changes.values[i] += dealt.values[i] * around;
  changes[Cost::TailWave] += useful * mean(from.padding, to.padding) * (to.tail - from.tail);
  changes[Cost::Padding] += useful * mean(from.tail, to.tail) * (to.padding - from.padding);
}

// First everything that falls, then everything that grows, so that no cost takes more off the time
// than there is.
CostCycles changesOf(const TileCosts& from, const TileCosts& to, const Rates& rates) {
  const bool alikePadded = from.usefulShare == to.usefulShare;
  const Launch a = launchOf(from, alikePadded, rates), b = launchOf(to, alikePadded, rates);
  const Launch least = lesser(a, b);
  CostCycles changes;
  addStretch(changes, a, least, from.work.family, rates);
  addStretch(changes, least, b, from.work.family, rates);
  // If listings give the cycles lost to register banks, those replace the model's; the rest of the
  // change belongs to the other instructions.
  if (from.facts.banks && to.facts.banks) {
    const double before = changes[Cost::RegisterBanks];
    const double after = to.cycles[Cost::RegisterBanks] - from.cycles[Cost::RegisterBanks];
    changes[Cost::RegisterBanks] = after;
    changes[Cost::IssueSlots] += before - after;
  }
  return changes;
}

// `all`: the cycles of the tile that was left.
Cost causeOf(const CostCycles& changes, double all) {
  std::array<double, kCostKinds> kinds{};
  for (std::size_t i = 0; i < kCosts; ++i)
    kinds[static_cast<std::size_t>(kindOf(static_cast<Cost>(i)))] += changes.values[i];
  // A cost that fell cannot explain a slower tile. If both are equally fast, any cost can be the
  // cause.
  const double sum = changes.sum();
  const bool alike = std::abs(sum) < Move::kWorthSaying * all;
  const auto most = std::ranges::max_element(kinds, {}, [&](double v) {
    return alike ? std::abs(v) : sum < 0 ? -v : v;
  });
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
  move.cause = causeOf(changes, all);
  move.causeShare = shareOf(changes[move.cause]);
  move.faster = move.causeShare < 0;
  return move;
}

}  // namespace tileloom::model
