// SPDX-License-Identifier: GPL-3.0-or-later
// The names of the roofline's points. Private to viz/charts.
#pragma once

#include "viz/charts/label_places.h"
#include "viz/charts/roofline_geometry.h"

namespace tileloom::charts {

// Adds a label for each main mark that has none elsewhere to `g.labels`, as far as there is room:
// its number, and with `titles` its title too where that finds a place. No label covers a mark, a
// line or another label. Points that crowd get theirs in a column to the left and one to the right
// of them, joined to their points by lines that do not cross one another where that can be had.
void labelPoints(RooflinePanel& g, const RooflineData& data, const RooflineFonts& fonts,
                 bool titles, LabelPlaces& places);

}  // namespace tileloom::charts
