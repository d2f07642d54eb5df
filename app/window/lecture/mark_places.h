// SPDX-License-Identifier: GPL-3.0-or-later
// Where the targets of marks are in the window, and the targets under a pixel.
#pragma once

#include <QPointF>
#include <QRectF>
#include <optional>
#include <vector>

#include "kernels/tile/placement.h"
#include "viz/lecture/mark.h"

namespace tileloom {

class Window;

// In pixels of the window; std::nullopt: it is not visible now.
std::optional<QRectF> placeOf(const Window& window, const MarkTarget& target);
// Scrolls the panel beside the loom that has it; pages do so by themselves (Page::reveal()).
void reveal(const Window& window, const MarkTarget& target);

// The possible targets under a pixel of the window: the most exact first, an area of the window
// last.
std::vector<MarkTarget> markTargetsAt(const Window& window, const QPointF& pixel);

}  // namespace tileloom
