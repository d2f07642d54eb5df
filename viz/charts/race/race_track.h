// SPDX-License-Identifier: GPL-3.0-or-later
// Places what is above the matrices of the race: the clock, and a track that shows the order of the
// racers. Private to viz/charts.
#pragma once

#include <QRectF>
#include <vector>

#include "viz/base/theme.h"
#include "viz/charts/race/race_data.h"

namespace tileloom::charts {

// The height of both in a picture of this size; 0: the matrices leave no room for them.
double raceHeadHeight(const Race& race, const QSizeF& size, const Fonts& fonts);

struct RaceTrack {
  QRectF room;          // empty: there is no room
  double clock = 0;     // width of the clock, at the left; 0: the work is unknown
  double middle = 0;    // height of its line
  double farthest = 1;  // matrices at the right end
  // [racer]; empty ones without room. They are in two rows, above and below the line. A mark that
  // would cover another one of its row moves aside, and a line joins it to its true place.
  std::vector<QRectF> marks;

  double across(double matrices) const {
    return room.left() + room.width() * matrices / farthest;  // pixels
  }
};
RaceTrack raceTrack(const Race& race, const QSizeF& size, const Fonts& fonts);

}  // namespace tileloom::charts
