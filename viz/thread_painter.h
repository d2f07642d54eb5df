// SPDX-License-Identifier: GPL-3.0-or-later
// Draws the panel of one thread over the loom.
#pragma once

#include <QPainter>

#include "viz/theme.h"
#include "viz/thread_panel.h"

namespace tileloom {

void paintThreadPanel(QPainter& painter, const ThreadPanel& panel, const Scene& scene,
                      const Theme& theme, const Fonts& fonts);

}  // namespace tileloom
