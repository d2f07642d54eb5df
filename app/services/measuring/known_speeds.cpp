// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/measuring/known_speeds.h"

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <utility>

#include "app/services/measuring/kernel_knowledge.h"
#include "kernels/base/backwards.h"
#include "kernels/runs/recordings.h"
#include "kernels/tile/identity/fingerprint.h"

namespace tileloom {
namespace {

constexpr std::size_t kMostShown = 300;  // points shown of earlier sessions

}  // namespace

std::vector<HistoryPoint> keptPoints(const KeptRuns& kept, const LabMachine& machine) {
  const std::vector<runs::RunRecord>& all = kept.all();
  std::vector<HistoryPoint> points;
  for (std::size_t i = all.size() > kMostShown ? all.size() - kMostShown : 0; i < all.size(); ++i) {
    HistoryPoint point = pointOf(all[i], machine);
    if (point.rung() != nullptr) points.push_back(std::move(point));
  }
  return points;
}

HistoryPoint unmeasuredPoint(const Subject& place, const Problem& problem,
                             const LabMachine& machine) {
  HistoryPoint point;
  const auto* run = runs::recordedRun(place, problem, {});
  if (run != nullptr && !machine.measures) point = pointOf(*run, machine);
  point.subject() = place;
  point.problem = problem;
  // Without a recorded run, only what is compiled or measured now becomes known.
  if (run == nullptr || machine.measures)
    point.freshness = machine.compiles ? Freshness::Live : Freshness::Recorded;
  return point;
}

std::optional<HistoryPoint> latestSpeed(const KeptRuns& kept, const Subject& place,
                                        const Problem& problem, const LabMachine& machine) {
  for (const runs::RunRecord& run : backwards(kept.all())) {
    if (run.stage != place.rung()->id || run.tile != place.tile || run.format != place.format ||
        !(run.problem == problem))
      continue;
    HistoryPoint p = pointOf(run, machine);
    if (p.freshness == Freshness::Live) return p;
  }
  const auto* run = runs::recordedRun(place, problem, {});
  if (run == nullptr) return std::nullopt;
  return pointOf(*run, machine);
}

std::vector<HistoryPoint> speedsByDevice(const KeptRuns& kept, const Subject& subject,
                                         const Problem& problem, const LabMachine& machine) {
  const Stage& stage = *subject.rung();
  std::map<std::string, const runs::RunRecord*> chosen;
  const auto look = [&](const runs::RunRecord& run) {
    if (run.stage != stage.id || run.format != subject.format || !(run.problem == problem) ||
        !run.gflops.known())
      return;
    if (!run.fingerprint.empty() && run.fingerprint != fingerprintOf(stage)) return;
    const runs::RunRecord*& best = chosen[run.device];
    const bool exact = run.tile == subject.tile;
    const bool better = best == nullptr || exact ||
                        (best->tile != subject.tile && run.gflops.median > best->gflops.median);
    if (better) best = &run;
  };
  for (const runs::RunRecord& run : runs::recordings()) look(run);
  for (const runs::RunRecord& run : kept.all()) look(run);
  std::vector<HistoryPoint> points;
  for (const auto& [device, run] : chosen) points.push_back(pointOf(*run, machine));
  std::ranges::sort(points, std::greater{}, [](const HistoryPoint& p) { return p.gflops.median; });
  return points;
}

}  // namespace tileloom
