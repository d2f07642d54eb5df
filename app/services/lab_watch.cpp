// SPDX-License-Identifier: GPL-3.0-or-later
// What the lab knows of tiles other than the present one.
#include <algorithm>
#include <ranges>

#include "app/services/lab.h"
#include "kernels/runs/recordings.h"

namespace tileloom {

void Lab::watch(const Stage* stage, const TileShape& tile) {
  const Place place{stage, tile};
  if (place == m_watched) return;
  stopMeasuring(kBaseline);
  m_watched = place;
  askWatched();
  measureWatched();
  emit kernelChanged();
}

// Both figures of a comparison are then of this device and this session. The present tile goes
// first: it is what the person has just asked for.
void Lab::measureWatched() {
  if (m_watched.stage == nullptr || m_resting || m_lent || settling() || !canMeasure() ||
      m_watched == m_place || m_measuring.contains(kNow) || m_measuring.contains(kBaseline))
    return;
  const bool tried = std::ranges::any_of(
      m_tried, [this](const Tried& t) { return t.place == m_watched && t.problem == m_problem; });
  if (tried) return;
  m_measuring[kBaseline] = {
      m_client.measure(requestOf(m_watched), kBaseline), m_watched, m_problem, {}};
}

void Lab::remember(const Asked& what, bool failed) {
  std::erase_if(m_tried, [&what](const Tried& t) {
    return t.place == what.place && t.problem == what.problem;
  });
  m_tried.push_back({what.place, what.problem, failed});
}

void Lab::askWatched() {
  m_compiling.erase(kBaseline);
  if (m_watched.stage == nullptr || !m_client.info() || !m_client.info()->canCompile()) return;
  if (known(m_watched)) return;
  m_compiling[kBaseline] = {
      m_client.compile({m_watched.stage, m_watched.tile, arch()}, kBaseline, false),
      m_watched,
      {},
      {}};
}

void Lab::lend(bool lent) {
  if (m_lent == lent) return;
  m_lent = lent;
  if (lent) {
    stopMeasuring();
  } else if (!m_resting && m_place.stage != nullptr) {
    if (HistoryPoint* point = pointOf(Asked{0, m_place, m_problem, {}})) point->measuring = true;
    m_settle.start();
  }
  emit historyChanged();
  emit standingChanged();
}

void Lab::take(std::span<const runs::RunRecord> runs) {
  const std::size_t before = m_live.size();
  for (const runs::RunRecord& run : runs) {
    const auto known = [&run](const runs::RunRecord& r) {
      return r.when == run.when && r.stage == run.stage && r.tile == run.tile &&
             r.problem == run.problem && r.gflops == run.gflops;
    };
    if (std::ranges::none_of(std::span(m_live).first(before), known)) m_live.push_back(run);
  }
  if (m_live.size() == before) return;
  refreshLadder();
  emit historyChanged();
}

std::optional<KernelFacts> Lab::kernelOf(const Stage& stage, const TileShape& tile) const {
  const Place place{&stage, tile};
  auto k = known(place);
  // The ladder's other rungs are not compiled until somebody goes there.
  if (!k && !(place == m_place) && !(place == m_watched)) k = recorded(place);
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
  // A present measurement is newer than what is kept of it.
  if (const auto asked = m_measuring.find(kBaseline);
      asked != m_measuring.end() && asked->second.latest &&
      asked->second.place == Place{&stage, tile} && asked->second.problem == problem)
    return pointOf(*asked->second.latest);
  for (const HistoryPoint& p : m_history | std::views::reverse) {
    if (p.stage == &stage && p.tile == tile && p.problem == problem && p.gflops.known() &&
        p.standing == Standing::Live)
      return p;
  }
  for (const runs::RunRecord& run : m_live | std::views::reverse) {
    if (run.stage != stage.id || run.tile != tile || !(run.problem == problem)) continue;
    HistoryPoint p = pointOf(run);
    if (p.standing == Standing::Live) return p;
  }
  const auto* run = runs::recordedRun(stage, tile, problem);
  if (run == nullptr) return std::nullopt;
  return pointOf(*run);
}

}  // namespace tileloom
