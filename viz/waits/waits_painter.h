// SPDX-License-Identifier: GPL-3.0-or-later
// Draws the waits between warps.
#pragma once

#include "viz/base/theme.h"
#include "viz/waits/waits_geometry.h"

class QPainter;

namespace tileloom {

// What the mouse points at.
struct WaitsHover {
  std::optional<std::pair<bool, std::size_t>> box;   // point or node, and which one
  std::optional<std::pair<std::size_t, bool>> line;  // its point, and whether it is a waiter's line
  std::size_t edge = 0;                              // edge of that line
  bool operator==(const WaitsHover&) const = default;
};

void paintWaits(QPainter& painter, const WaitsData& data, const WaitsGeometry& geometry,
                const WaitsHover& hover, const Theme& theme, const Fonts& fonts);

}  // namespace tileloom
