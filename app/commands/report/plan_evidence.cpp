// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/report/plan_evidence.h"

#include <algorithm>
#include <cmath>

#include "kernels/model/prediction/foretell.h"
#include "kernels/runs/recordings.h"
#include "kernels/runs/run_store.h"
#include "kernels/tile/placement.h"
#include "kernels/tile/subject.h"
#include "kernels/tuning/tile_map.h"

namespace tileloom::app {
namespace {

constexpr std::size_t kMostTiles = 100;  // of a rung whose guesses are compared with measurements

// Place of this guess among those of the candidates, if the tile is one of them.
std::optional<std::size_t> placeOf(const tuning::TunePlan& plan, const Subject& tile) {
  const auto same = [&](const tuning::SearchCandidate& c) { return c.subject() == tile; };
  const auto found = std::ranges::find_if(plan.candidates, same);
  if (found == plan.candidates.end()) return std::nullopt;
  const auto faster = std::ranges::count_if(plan.candidates, [&](const tuning::SearchCandidate& c) {
    return c.predicted > found->predicted;
  });
  return static_cast<std::size_t>(faster) + 1;
}

double quantile(std::vector<double>& values, double share) {
  const auto at = static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::ranges::nth_element(values, values.begin() + at);
  return values[static_cast<std::size_t>(at)];
}

}  // namespace

std::optional<PlanEvidence> evidenceFor(const tuning::TunePlan& plan, const Architecture& arch,
                                        const model::Rates& rates) {
  const auto own = runs::readRuns(runs::defaultRunFile());
  std::vector<const runs::RunRecord*> all;
  for (const runs::RunRecord& run : runs::recordings()) all.push_back(&run);
  if (own) {
    for (const runs::RunRecord& run : own->runs) all.push_back(&run);
  }
  PlanEvidence evidence;
  evidence.device = rates.device;
  std::vector<double> misses;
  for (const Stage* stage : plan.header.stages) {
    const auto figures =
        tuning::figuresOf(all, *stage, plan.header.problem, rates.device, plan.header.format);
    const auto best = tuning::fastestOf(figures);
    if (!best) continue;
    // The fastest, and others spread over the list: each needs a trace.
    const std::size_t step = std::max<std::size_t>(1, figures.size() / kMostTiles);
    std::vector<Subject> tiles = {{stage, best->figure.tile, plan.header.format}};
    std::vector<double> measured = {best->figure.gflops.median};
    for (std::size_t i = 0; i < figures.size(); i += step) {
      if (figures[i].tile == best->figure.tile) continue;
      tiles.push_back({stage, figures[i].tile, plan.header.format});
      measured.push_back(figures[i].gflops.median);
    }
    const auto guesses = model::foretell(tiles, plan.header.problem, arch, rates);
    for (std::size_t i = 0; i < tiles.size(); ++i) {
      if (guesses[i] > 0) misses.push_back(std::abs(guesses[i] / measured[i] - 1));
    }
    evidence.fastest.push_back(
        {tiles[0], measured[0], guesses[0], best->tiles, placeOf(plan, tiles[0])});
  }
  if (evidence.fastest.empty() || misses.empty()) return std::nullopt;
  evidence.tiles = misses.size();
  evidence.median = quantile(misses, 0.5);
  evidence.ninth = quantile(misses, 0.9);
  return evidence;
}

}  // namespace tileloom::app
