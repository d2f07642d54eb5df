// SPDX-License-Identifier: GPL-3.0-or-later
// Paints the energy chart. Private to viz/charts.
#pragma once

#include "viz/charts/energy/energy_geometry.h"

class QPainter;

namespace tileloom::charts {

// `focus`: the row under the mouse or the cursor.
void paintEnergy(QPainter& painter, const EnergyGeometry& geometry,
                 const std::optional<EnergySpot>& focus, const Theme& theme, const Fonts& fonts);

}  // namespace tileloom::charts
