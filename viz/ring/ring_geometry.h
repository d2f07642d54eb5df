// SPDX-License-Identifier: GPL-3.0-or-later
// The layout of the page Ring: a dial with a sector for each stage, and beside it a card for each
// with a small picture of its K tile.
#pragma once

#include <QPointF>
#include <QRectF>
#include <optional>
#include <vector>

#include "viz/base/theme.h"
#include "viz/ring/ring_data.h"

namespace tileloom {

struct RingCard {
  QRectF whole, title;
  QRectF a, b;    // the panels, as in the loom: A on the left, B above
  QRectF corner;  // between them, where C would be
  QRectF words;
};

class RingGeometry {
 public:
  RingGeometry() = default;
  RingGeometry(const RingData& data, const QRectF& canvas, const Fonts& fonts);

  // The least height, at this width, that leaves each card room for all of its words.
  static double leastHeight(const RingData& data, double width, const Fonts& fonts);

  QRectF sentence, legend, note;
  bool compact = false;  // little height: smaller words, and no note
  QPointF centre;
  double outer = 0, inner = 0, hub = 0;  // radii of the dial; 0: no room
  std::vector<RingCard> cards;           // by stage

  // The beginning of a stage's sector in degrees from the top, clockwise; for `size()` the end of
  // the last.
  double begin(std::size_t stage) const;
  double middle(std::size_t stage) const { return (begin(stage) + begin(stage + 1)) / 2; }
  QPointF onDial(double degrees, double radius) const;
  // The stage whose sector is in this direction from the centre.
  std::size_t stageAt(double degrees) const;

  std::optional<std::uint32_t> stageUnder(const QPointF& pixel) const;
  // The place in a panel of the stage under a pixel: row and column of the panel of A or B.
  struct Spot {
    std::uint32_t stage = 0;
    std::uint32_t panel = 0;
    std::size_t cell = 0;
  };
  std::optional<Spot> cellUnder(const RingData& data, const QPointF& pixel) const;
};

}  // namespace tileloom
