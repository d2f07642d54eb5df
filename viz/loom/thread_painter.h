// SPDX-License-Identifier: GPL-3.0-or-later
// Draws the panel of one thread over the loom.
#pragma once

#include <QPainter>

#include "viz/base/theme.h"
#include "viz/loom/thread_panel.h"

namespace tileloom {

void paintThreadPanel(QPainter& painter, const ThreadPanel& panel, const Scene& scene,
                      const Theme& theme, const Fonts& fonts);

}  // namespace tileloom
