// SPDX-License-Identifier: GPL-3.0-or-later
// What the lab knows of tiles other than the present one.
#include <ranges>

#include "app/lab.h"
#include "kernels/tuning/recordings.h"

namespace tileloom {

void Lab::watch(const Stage* stage, const TileShape& tile) {
  const Place place{stage, tile};
  if (place == m_watched) return;
  m_watched = place;
  askWatched();
  emit kernelChanged();
}

void Lab::askWatched() {
  static const QString tag = QStringLiteral("baseline");
  m_compiling.erase(tag);
  if (m_watched.stage == nullptr || !m_client.info() || !m_client.info()->canCompile()) return;
  if (known(m_watched)) return;
  m_compiling[tag] = {
      m_client.compile({m_watched.stage, m_watched.tile, arch()}, tag, false), m_watched, {}, {}};
}

std::optional<KernelFacts> Lab::kernelOf(const Stage& stage, const TileShape& tile) const {
  const Place place{&stage, tile};
  const auto k = known(place);
  if (!k) return std::nullopt;
  return factsOf(place, *k);
}

Residency Lab::residencyOf(const KernelFacts& kernel) const {
  if (canMeasure()) {
    const auto& device = m_client.info()->devices.front();
    return {device.sms, kernel.blocks, device.name};
  }
  return {kReferenceSms, kernel.blocks, std::string(kReferenceDevice)};
}

std::optional<HistoryPoint> Lab::speedOf(const Stage& stage, const TileShape& tile,
                                         const Problem& problem) const {
  // The present measurement is newer than what is kept of it.
  for (const HistoryPoint& p : m_history | std::views::reverse) {
    if (p.stage == &stage && p.tile == tile && p.problem == problem && p.gflops.known() &&
        p.standing == Standing::Live)
      return p;
  }
  for (const tuning::RunRecord& run : m_live | std::views::reverse) {
    if (run.stage != stage.id || run.tile != tile || !(run.problem == problem)) continue;
    HistoryPoint p = pointOf(run);
    if (p.standing == Standing::Live) return p;
  }
  const auto* run = tuning::recordedRun(stage, tile, problem);
  if (run == nullptr) return std::nullopt;
  return pointOf(*run);
}

}  // namespace tileloom
