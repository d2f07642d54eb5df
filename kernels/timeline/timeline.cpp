// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/timeline/timeline.h"

#include <algorithm>
#include <cmath>

namespace tileloom::timeline {

double Curve::between(double from, double to) const {
  if (to <= from) return 0;
  double sum = 0;
  const auto first = static_cast<std::size_t>(std::max(0.0, from) / step);
  for (std::size_t i = first; i < share.size() && static_cast<double>(i) * step < to; ++i) {
    const double begin = static_cast<double>(i) * step;
    sum += share[i] * (std::min(to, begin + step) - std::max(from, begin));
  }
  return sum / (to - from);
}

std::optional<double> Timeline::busy(Unit unit) const {
  if (!steady()) return std::nullopt;
  return std::min(1.0, perTile[static_cast<std::size_t>(unit)] / cyclesPerTile);
}

std::optional<double> Timeline::busyWithSectors() const {
  const auto pipe = busy(Unit::Shared);
  if (!pipe) return std::nullopt;
  return std::min(*pipe, sectorsPerTile / cyclesPerTile);
}

bool Timeline::hasProducts() const {
  return std::ranges::any_of(lanes,
                             [](const Lane& lane) { return lane.kind == LaneKind::TensorCore; });
}

Unit Timeline::multiplier() const {
  const auto& tensor = curves[static_cast<std::size_t>(Unit::TensorCore)].share;
  return std::ranges::any_of(tensor, [](float share) { return share > 0; }) ? Unit::TensorCore
                                                                            : Unit::Fma;
}

namespace {

// Producers are ahead of consumers, so the K tiles, not the time, determine the steady state: those
// from the first one on for which the producer had to wait.
double waitingAhead(const std::vector<const Lane*>& lanes, On on, std::uint32_t from,
                    std::uint32_t to) {
  double sum = 0;
  for (const Lane* lane : lanes) {
    double slept = 0, begin = -1, end = 0;
    for (const Span& span : lane->spans) {
      if (span.kTile < from || span.kTile >= to) continue;
      if (begin < 0 && span.work != Work::Wait) continue;
      if (begin < 0) begin = span.begin;
      end = std::max(end, span.end);
      if (span.work == Work::Wait && span.on == on) slept += span.end - span.begin;
    }
    if (begin >= 0 && end > begin) sum += slept / (end - begin);
  }
  return sum / static_cast<double>(lanes.size());
}

}  // namespace

std::vector<const Lane*> Timeline::lanesOf(Who who) const {
  if (!steady()) return {};
  const double from = tileStarts[steadyFrom], to = tileStarts[steadyTo];
  std::vector<const Lane*> multiply, bring;
  for (const Lane& lane : lanes) {
    if (lane.kind != LaneKind::Warp) continue;
    bool acts = false, multiplies = false;
    for (const Span& span : lane.spans) {
      acts |= span.work != Work::Wait && span.end > from && span.begin < to;
      multiplies |= span.work == Work::Multiply || span.work == Work::Mma ||
                    span.work == Work::Product || span.work == Work::CommitProducts;
    }
    if (acts) (multiplies ? multiply : bring).push_back(&lane);
  }
  if (multiply.empty()) std::swap(multiply, bring);
  return who == Who::Multiply ? multiply : bring;
}

bool Timeline::has(Who who) const {
  return !lanesOf(who).empty();
}

double Timeline::waiting(On on, Who who) const {
  const auto those = lanesOf(who);
  if (those.empty()) return 0;
  if (who == Who::Bring) return waitingAhead(those, on, steadyFrom, steadyTo);
  const double from = tileStarts[steadyFrom], to = tileStarts[steadyTo];
  double sum = 0;
  for (const Lane* lane : those) {
    for (const Span& span : lane->spans) {
      if (span.work == Work::Wait && span.on == on)
        sum += std::max(0.0, std::min(to, span.end) - std::max(from, span.begin));
    }
  }
  return to > from ? sum / static_cast<double>(those.size()) / (to - from) : 0;
}

std::optional<std::uint32_t> Timeline::laneOfWarp(std::uint32_t warp) const {
  for (std::uint32_t i = 0; i < lanes.size(); ++i) {
    if (lanes[i].kind == LaneKind::Warp && lanes[i].number == warp) return i;
  }
  return std::nullopt;
}

const Span* Timeline::spanOf(std::uint32_t warp, std::uint32_t index) const {
  const auto lane = laneOfWarp(warp);
  if (!lane) return nullptr;
  const Span* latest = nullptr;
  for (const Span& span : lanes[*lane].spans) {
    if (span.first == kNone) continue;
    if (index >= span.first && index < span.first + span.count) return &span;
    if (span.first <= index && (latest == nullptr || span.first >= latest->first)) latest = &span;
  }
  return latest;
}

}  // namespace tileloom::timeline
