// SPDX-License-Identifier: GPL-3.0-or-later
// Places the labels of points so that no label covers another one, a mark or a line.
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
  // radius. From then on the place is taken. std::nullopt: there is no free place.
  std::optional<QRectF> place(const QPointF& anchor, const QSizeF& size, double radius);
};

// Adds small boxes along a line to `taken`, so that labels do not cover a slanted line either.
void takeLine(LabelPlaces& places, const QLineF& line, double half);

// From a point to the nearest one on the line, which has two ends.
double distanceTo(const QLineF& line, const QPointF& at);

// The point where a line from the label to its anchor begins: the nearest on the label's edge.
QPointF leaderEnd(const QRectF& label, const QPointF& anchor);

}  // namespace tileloom::charts
