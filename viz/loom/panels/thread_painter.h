// SPDX-License-Identifier: GPL-3.0-or-later
// Draws the panel of one thread over the loom.
#pragma once

#include <QPainter>

#include "kernels/analysis/order/progress.h"
#include "viz/base/theme.h"
#include "viz/loom/panels/thread_panel.h"

namespace tileloom {

// `progress`: of the scene's instant.
void paintThreadPanel(QPainter& painter, const ThreadPanel& panel, const Scene& scene,
                      const analysis::Progress& progress, const Theme& theme, const Fonts& fonts);

}  // namespace tileloom
