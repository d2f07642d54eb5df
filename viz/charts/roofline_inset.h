// SPDX-License-Identifier: GPL-3.0-or-later
// The part of the roofline that is drawn once more and larger, because its points crowd. Private to
// viz/charts.
#pragma once

#include <vector>

#include "viz/charts/roofline_panel.h"

namespace tileloom::charts {

// The points that crowd most in a panel of `main` pixels and would stand apart in one of `inset`
// pixels: some that follow one another in speed. Empty: none crowd, or enlarging does not help.
// `laidOut` is the whole chart in any size.
std::vector<int> crowdedPoints(const RooflinePanel& laidOut, const RooflineData& data,
                               const QSizeF& main, const QSizeF& inset);

// The ranges of axes of which a panel of this size is filled by these points, with `labels` pixels
// free at their right.
struct InsetRanges {
  double left = 0, right = 0, bottom = 0, top = 0;  // FLOP per byte, and GFLOP/s
};
InsetRanges rangesAround(const RooflineData& data, const std::vector<int>& points,
                         const QSizeF& size, double labels);

}  // namespace tileloom::charts
