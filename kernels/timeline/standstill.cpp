// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/timeline/standstill.h"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

namespace tileloom::timeline {
namespace {

using Stretch = std::pair<double, double>;

// Where no wgmma is computed, from `from` to `to`.
std::vector<Stretch> gapsOf(std::vector<Stretch> products, double from, double to) {
  std::ranges::sort(products);
  std::vector<Stretch> gaps;
  double at = from;
  for (const auto& [begin, end] : products) {
    if (begin >= to) break;
    if (begin > at) gaps.emplace_back(at, begin);
    at = std::max(at, end);
  }
  if (to > at) gaps.emplace_back(at, to);
  return gaps;
}

double overlap(const Span& span, const Stretch& gap) {
  return std::max(0.0, std::min(span.end, gap.second) - std::max(span.begin, gap.first));
}

}  // namespace

std::optional<Standstill> standstillOf(const Timeline& t) {
  if (!t.steady() || t.multiplier() != Unit::TensorCore) return std::nullopt;
  Standstill s;
  std::vector<Stretch> products;
  for (const Lane& lane : t.lanes) {
    if (lane.kind != LaneKind::TensorCore) continue;
    for (const Span& span : lane.spans) {
      if (span.work == Work::Product) products.emplace_back(span.begin, span.end);
    }
  }
  if (t.blocks != 1 || products.empty()) {
    s.cycles = t.cyclesPerTile * (1 - t.busy(Unit::TensorCore).value_or(0));
    return s;
  }
  const double tiles = t.steadyTo - t.steadyFrom;
  const auto gaps =
      gapsOf(std::move(products), t.tileStarts[t.steadyFrom], t.tileStarts[t.steadyTo]);
  const auto lanes = t.lanesOf(Who::Multiply);
  std::map<On, double> parts;
  for (const Stretch& gap : gaps) {
    s.cycles += (gap.second - gap.first) / tiles;
    double asleep = 0;
    for (const Lane* lane : lanes) {
      for (const Span& span : lane->spans) {
        if (span.work != Work::Wait) continue;
        const double its = overlap(span, gap) / static_cast<double>(lanes.size()) / tiles;
        parts[span.on] += its;
        asleep += its;
      }
    }
    parts[On::Nothing] += (gap.second - gap.first) / tiles - asleep;
  }
  constexpr double kShown = 0.5;
  for (const auto& [on, cycles] : parts) {
    if (cycles >= kShown) s.parts.push_back({on, cycles});
  }
  std::ranges::stable_sort(s.parts, std::greater{}, &Standstill::Part::cycles);
  return s;
}

}  // namespace tileloom::timeline
