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

double Timeline::busy(Unit unit) const {
  if (steadyTo >= tileStarts.size()) return 0;
  if (unit == Unit::L2) return cyclesPerTile > 0 ? std::min(1.0, l2PerTile / cyclesPerTile) : 0;
  return curves[static_cast<std::size_t>(unit)].between(tileStarts[steadyFrom],
                                                        tileStarts[steadyTo]);
}

Unit Timeline::multiplier() const {
  const auto& tensor = curves[static_cast<std::size_t>(Unit::TensorCore)].share;
  return std::ranges::any_of(tensor, [](float share) { return share > 0; }) ? Unit::TensorCore
                                                                            : Unit::Fma;
}

double Timeline::waiting(On on) const {
  if (steadyTo >= tileStarts.size()) return 0;
  const double from = tileStarts[steadyFrom], to = tileStarts[steadyTo];
  double sum = 0, warps = 0;
  for (const Lane& lane : lanes) {
    if (lane.kind != LaneKind::Warp) continue;
    ++warps;
    for (const Span& span : lane.spans) {
      if (span.work == Work::Wait && span.on == on)
        sum += std::max(0.0, std::min(to, span.end) - std::max(from, span.begin));
    }
  }
  return warps > 0 && to > from ? sum / warps / (to - from) : 0;
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
