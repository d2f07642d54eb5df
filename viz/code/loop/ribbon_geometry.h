// SPDX-License-Identifier: GPL-3.0-or-later
// Places the stripes of a loop: one stripe per instruction, in rows that read like lines of text.
// It does not paint, so that it can be tested without a screen.
#pragma once

#include <QPointF>
#include <QRectF>
#include <optional>
#include <vector>

#include "viz/code/sass_facts.h"

namespace tileloom {

struct RibbonGeometry {
  struct Stripe {
    QRectF cell;  // the whole height of its row
    // Below it, as wide, and taller for more lost cycles; empty: none.
    QRectF lostToBanks;
    QRectF lostToLoads;  // below the former
    sass::Class what = sass::Class::Other;
    int index = 0;  // of the instruction in the listing
  };
  std::vector<Stripe> stripes;
  int rows = 0;
  int perRow = 0;        // stripes in a full row
  double stripe = 0;     // width of one
  double rowHeight = 0;  // of the cells, without the marks of lost cycles
  double pitch = 0;      // from row to row
  QRectF canvas;

  // Uses as few rows as possible with visible stripes, if the canvas has room for them. `scale`:
  // SassSide::scale.
  static RibbonGeometry of(const QRectF& canvas, const SassFacts& facts, int scale);
  // The same for a loop of `count` instructions, without stripes.
  static RibbonGeometry plan(const QRectF& canvas, int count);

  // The instruction at this place. std::nullopt: there is none.
  std::optional<int> at(const QPointF& place) const;
  double bottom() const;  // of the last row and its marks
};

}  // namespace tileloom
