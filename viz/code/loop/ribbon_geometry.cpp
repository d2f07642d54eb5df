// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/code/loop/ribbon_geometry.h"

#include <algorithm>
#include <cmath>

namespace tileloom {
namespace {

constexpr double kWidest = 12;   // pixels of a stripe
constexpr double kLegible = 3;   // wider stripes need no further row
constexpr double kLowest = 12;   // pixels of a row
constexpr double kHighest = 46;  //
constexpr double kMark = 3;      // pixels per lost cycle
constexpr int kMarks = 2;        // drawn lost cycles of an instruction, at most
constexpr double kAir = 4;       // between a row's marks and the next row

}  // namespace

RibbonGeometry RibbonGeometry::plan(const QRectF& canvas, int count) {
  RibbonGeometry g;
  g.canvas = canvas;
  if (count <= 0 || canvas.width() <= 0 || canvas.height() <= 0) return g;
  constexpr double kBelow = kMark * kMarks + kAir;
  const int most = std::max(1, static_cast<int>((canvas.height() + kAir) / (kLowest + kBelow)));
  const int wanted = std::max(1, static_cast<int>(std::ceil(count * kLegible / canvas.width())));
  g.rows = std::min(most, wanted);
  g.perRow = (count + g.rows - 1) / g.rows;
  g.stripe = std::min(kWidest, canvas.width() / g.perRow);
  g.rowHeight = std::clamp((canvas.height() + kAir) / g.rows - kBelow, 2.0, kHighest);
  g.pitch = g.rowHeight + kBelow;
  return g;
}

RibbonGeometry RibbonGeometry::of(const QRectF& canvas, const SassFacts& facts, int scale) {
  const int count = facts.loopEnd() - facts.loopBegin();
  RibbonGeometry g = plan(canvas, std::max(count, scale));
  if (g.rows == 0) return g;
  g.stripes.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    Stripe s;
    s.index = facts.loopBegin() + i;
    s.what = sass::classOf(facts.at(s.index));
    s.cell = QRectF(canvas.left() + i % g.perRow * g.stripe, canvas.top() + i / g.perRow * g.pitch,
                    g.stripe, g.rowHeight);
    const sass::Lost lost = facts.lostAt(s.index);
    const int loads = std::min(lost.loads, lost.banks > 0 ? kMarks - 1 : kMarks);
    const int banks = std::min(lost.banks, kMarks - loads);
    const double top = s.cell.bottom() + 1;
    if (banks > 0) s.lostToBanks = QRectF(s.cell.left(), top, g.stripe, kMark * banks);
    if (loads > 0)
      s.lostToLoads = QRectF(s.cell.left(), top + kMark * banks, g.stripe, kMark * loads);
    g.stripes.push_back(s);
  }
  g.rows = count == 0 ? 0 : (count - 1) / g.perRow + 1;
  return g;
}

std::optional<int> RibbonGeometry::at(const QPointF& place) const {
  if (stripe <= 0 || pitch <= 0 || place.x() < canvas.left() || place.y() < canvas.top())
    return std::nullopt;
  const int column = static_cast<int>((place.x() - canvas.left()) / stripe);
  const int row = static_cast<int>((place.y() - canvas.top()) / pitch);
  const std::size_t i = static_cast<std::size_t>(row) * static_cast<std::size_t>(perRow) +
                        static_cast<std::size_t>(column);
  if (column >= perRow || i >= stripes.size()) return std::nullopt;
  return stripes[i].index;
}

double RibbonGeometry::bottom() const {
  return rows == 0 ? canvas.top() : canvas.top() + rows * pitch - kAir;
}

}  // namespace tileloom
