// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/tuning/verdict.h"

#include <algorithm>
#include <tuple>

#include "kernels/runs/statistics.h"

namespace tileloom::tuning {

std::string_view name(SearchPhase phase) {
  switch (phase) {
    case SearchPhase::Screen:
      return "screen";
    case SearchPhase::Halving:
      return "halving";
    case SearchPhase::Finals:
      return "finals";
    case SearchPhase::Ended:
      break;
  }
  return "ended";
}

bool Measured::settled() const {
  return turns.size() >= kTurnsToSettle;
}

double Measured::value() const {
  return turns.empty() ? latest.median : runs::median(turns);
}

double noiseOf(std::span<const double> repeats) {
  constexpr double kUsual = 0.01, kLeast = 0.001;
  if (repeats.size() < 4) return kUsual;
  // The median is robust against a few outliers; of the absolute difference of two measurements it
  // is 0.954 standard deviations of one.
  return std::max(kLeast, runs::median(repeats) / 0.954);
}

Standing standingOf(const Measured& m, double noise) {
  Standing s{m.candidate, m.latest, m.rounds, m.reached};
  if (!m.turns.empty()) {
    s.gflops = runs::medianInterval(m.turns);
    s.rounds = m.turnRounds;
  }
  if (m.settled()) return s;
  const double slack = 2 * noise * s.gflops.median;
  s.gflops.low = std::min(s.gflops.low, s.gflops.median - slack);
  s.gflops.high = std::max(s.gflops.high, s.gflops.median + slack);
  return s;
}

Verdict verdictOf(std::span<const Measured> all, double noise) {
  std::vector<const Measured*> order;
  for (const Measured& m : all) {
    if (m.latest.known()) order.push_back(&m);
  }
  std::ranges::stable_sort(order, std::greater{}, [](const Measured* m) {
    return std::tuple(static_cast<int>(m->reached), m->value());
  });
  Verdict v;
  for (const Measured* m : order) v.standings.push_back(standingOf(*m, noise));
  if (order.empty()) return v;
  const Standing leader = v.standings.front();
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Standing& s = v.standings[i];
    if (s.reached != leader.reached) continue;
    const bool elsewhere = order[i]->place != order.front()->place;
    if (s.gflops.high >= leader.gflops.low ||
        (elsewhere && s.gflops.median >= leader.gflops.median * (1 - runs::kNoisySpread)))
      v.tied.push_back(s);
  }
  v.noisy = leader.gflops.spread() > runs::kNoisySpread;
  if (order.front()->settled() && !v.noisy && v.tied.size() == 1) v.winner = leader.candidate;
  return v;
}

}  // namespace tileloom::tuning
