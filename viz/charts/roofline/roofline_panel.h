// SPDX-License-Identifier: GPL-3.0-or-later
// Lays out one pair of axes of the roofline: ticks, roofs and marks. The chart has one, and an
// inset has another. Private to viz/charts.
#pragma once

#include <optional>
#include <vector>

#include "viz/charts/label_places.h"
#include "viz/charts/roofline/roofline_parts.h"

namespace tileloom::charts {

// The memory levels whose marks are drawn, the one with labels first.
std::vector<model::MemoryLevel> levelsOf(RooflineLevel level);
// The points of `data`, as RooflineData::point() takes them.
std::vector<int> pointsOf(const RooflineData& data);
// GFLOP/s, measured or else predicted. std::nullopt: neither.
std::optional<double> speedOf(const RooflinePoint& point);
// Whether the roof is shown: a roof applies to marks of its own level only.
bool isShown(const RooflineData& data, model::Roof roof);
// The highest known arithmetic roof. std::nullopt: none is known.
std::optional<double> peakOf(const RooflineData& data);

// Fills in ticks, roofs and marks. `panel` has its plot and its axis ranges; marks outside of them
// are left out. `small` is the font of the ticks.
void layPanel(RooflinePanel& panel, const RooflineData& data, const QFont& small);
// Adds the marks and the lines of the present tile to `places`.
void takeMarks(LabelPlaces& places, const RooflinePanel& panel);
// Places each roof's name along its line, where nothing taken is in its way.
void nameRoofs(RooflinePanel& panel, const RooflineData& data, const QFont& font,
               LabelPlaces& places);

}  // namespace tileloom::charts
