// SPDX-License-Identifier: GPL-3.0-or-later
// Paints the size chart. Private to viz/charts.
#pragma once

#include "viz/charts/sizes/size_geometry.h"

class QPainter;

namespace tileloom::charts {

// `focus`: the size under the mouse or the cursor.
void paintSizes(QPainter& painter, const SizeData& data, const SizeGeometry& geometry,
                std::optional<int> focus, const Theme& theme, const Fonts& fonts);

}  // namespace tileloom::charts
