// SPDX-License-Identifier: GPL-3.0-or-later
// Labels the points of the roofline. Private to viz/charts.
#pragma once

#include "viz/charts/label_places.h"
#include "viz/charts/roofline/roofline_parts.h"

namespace tileloom::charts {

// Adds a label to `g.labels` for each main mark that has none elsewhere and has room: its number,
// and with `titles` its title if that fits. No label covers a mark, a line or another label.
// Crowded points have theirs in columns to their left and right, joined to the points by lines that
// do not cross if possible.
void labelPoints(RooflinePanel& g, const RooflineData& data, const RooflineFonts& fonts,
                 bool titles, LabelPlaces& places);

}  // namespace tileloom::charts
