// SPDX-License-Identifier: GPL-3.0-or-later
// Paints the roofline, for the screen and for files.
#pragma once

#include <QPainter>
#include <optional>

#include "viz/base/theme.h"
#include "viz/charts/roofline/roofline_geometry.h"

namespace tileloom::charts {

// `focus` is the point that is marked and whose figures are beside the chart; -1: the present tile.
// std::nullopt: the figures of the present tile are shown, and nothing is marked.
void paintRoofline(QPainter& painter, const RooflineData& data, const RooflineGeometry& geometry,
                   std::optional<int> focus, const Theme& theme, const Fonts& fonts);

}  // namespace tileloom::charts
