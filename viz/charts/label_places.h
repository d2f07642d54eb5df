// SPDX-License-Identifier: GPL-3.0-or-later
// Where labels of points stand so that none covers another, a mark or a line.
#pragma once

#include <QLineF>
#include <QRectF>
#include <optional>
#include <vector>

namespace tileloom::charts {

struct LabelPlaces {
  QRectF bounds;                 // no label leaves this
  std::vector<QRectF> taken;     // marks, lines and texts that labels keep clear of
  std::vector<QRectF> labels{};  // placed so far

  // The free place for a label of this size nearest to `anchor`, whose mark has this radius; it is
  // taken from then on. Nothing where there is none.
  std::optional<QRectF> place(const QPointF& anchor, const QSizeF& size, double radius);
};

// Small boxes along a line, so that a slanted line can be kept clear of, too.
void takeLine(LabelPlaces& places, const QLineF& line, double half);

// Where a line from the label to its anchor begins: the nearest point of the label's edge.
QPointF leaderEnd(const QRectF& label, const QPointF& anchor);

}  // namespace tileloom::charts
