// SPDX-License-Identifier: GPL-3.0-or-later
// The way back from MainWindow::placeOf(): what a lecture can point at under a pixel.
#pragma once

#include <QPointF>
#include <vector>

#include "viz/lecture/mark.h"

namespace tileloom {

class MainWindow;

// The most exact first, an area of the window last. `pixel` is of the window.
std::vector<MarkTarget> markTargetsAt(const MainWindow& window, const QPointF& pixel);

}  // namespace tileloom
