// SPDX-License-Identifier: GPL-3.0-or-later
// One pair of axes of the roofline: its ticks, roofs and marks. The chart has one, and another one
// where a part of it is enlarged. Private to viz/charts.
#pragma once

#include <optional>
#include <vector>

#include "viz/charts/label_places.h"
#include "viz/charts/roofline_geometry.h"

namespace tileloom::charts {

// The levels of the memory whose marks are drawn, that of the labels first.
std::vector<model::MemoryLevel> levelsOf(RooflineLevel level);
// The points of `data`, as RooflineData::point() takes them.
std::vector<int> pointsOf(const RooflineData& data);
// GFLOP/s, measured or else predicted. std::nullopt: neither.
std::optional<double> speedOf(const RooflinePoint& point);
// A roof says nothing about marks of another level than its own.
bool isShown(const RooflineData& data, model::Roof roof);
// The highest known roof of pipes that multiply. std::nullopt: none is known.
std::optional<double> peakOf(const RooflineData& data);

// Fills in ticks, roofs and marks. `panel` has its plot and the ranges of its axes; what lies
// outside of them is left out. The numbers of the ticks are written in `small`.
void layPanel(RooflinePanel& panel, const RooflineData& data, const QFont& small);
// Marks, and the lines of the present tile.
void takeMarks(LabelPlaces& places, const RooflinePanel& panel);
// Each roof's name along its line, where nothing that is taken is in its way.
void nameRoofs(RooflinePanel& panel, const RooflineData& data, const QFont& font,
               LabelPlaces& places);

}  // namespace tileloom::charts
