// SPDX-License-Identifier: GPL-3.0-or-later
// Chooses the crowded part of the roofline that an inset enlarges. Private to viz/charts.
#pragma once

#include <vector>

#include "viz/charts/roofline/roofline_panel.h"

namespace tileloom::charts {

// The most crowded points in a panel of `main` pixels that would be apart in one of `inset` pixels:
// points that are consecutive in speed. Empty: no crowd, or enlarging does not help. `laidOut` is
// the whole chart in any size.
std::vector<int> crowdedPoints(const RooflinePanel& laidOut, const RooflineData& data,
                               const QSizeF& main, const QSizeF& inset);

// Axis ranges with which these points fill a panel of this size, with `labels` pixels free at their
// right.
struct InsetRanges {
  double left = 0, right = 0, bottom = 0, top = 0;  // FLOP per byte, and GFLOP/s
};
InsetRanges rangesAround(const RooflineData& data, const std::vector<int>& points,
                         const QSizeF& size, double labels);

}  // namespace tileloom::charts
