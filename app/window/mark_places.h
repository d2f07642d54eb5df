// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the possible targets of a mark under a pixel; the inverse of MainWindow::placeOf().
#pragma once

#include <QPointF>
#include <vector>

#include "viz/lecture/mark.h"

namespace tileloom {

class MainWindow;

// The most exact first, an area of the window last. `pixel` is of the window.
std::vector<MarkTarget> markTargetsAt(const MainWindow& window, const QPointF& pixel);

}  // namespace tileloom
