// SPDX-License-Identifier: GPL-3.0-or-later
// Places the labels of points so that none covers another label, a mark or a line.
#pragma once

#include <QLineF>
#include <QRectF>
#include <optional>
#include <vector>

namespace tileloom::charts {

struct LabelPlaces {
  QRectF bounds;                 // all labels are inside of this
  std::vector<QRectF> taken;     // marks, lines and texts that labels must not cover
  std::vector<QRectF> labels{};  // placed so far

  // The free place for a label of this size that is nearest to `anchor`, whose mark has this
  // radius. The place is then taken. std::nullopt: there is no free place.
  std::optional<QRectF> place(const QPointF& anchor, const QSizeF& size, double radius);
};

// Adds small boxes along a line to `taken`, so that labels do not cover slanted lines.
void takeLine(LabelPlaces& places, const QLineF& line, double half);

// The distance of a point to a line segment.
double distanceTo(const QLineF& line, const QPointF& at);

// The point where a line from the label to its anchor begins: the nearest on the label's edge.
QPointF leaderEnd(const QRectF& label, const QPointF& anchor);

}  // namespace tileloom::charts
