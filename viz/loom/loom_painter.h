// SPDX-License-Identifier: GPL-3.0-or-later
// Draws the loom, without a widget: the same code paints the window, PNG, SVG and PDF.
#pragma once

#include <QPainter>

#include "viz/base/scene.h"
#include "viz/base/theme.h"
#include "viz/loom/loom_contents.h"
#include "viz/loom/loom_frame.h"
#include "viz/loom/loom_geometry.h"

namespace tileloom {

void paintLoom(QPainter& painter, const LoomFrame& frame, const LoomGeometry& geometry,
               const Scene& scene, const LoomContents& contents, const Theme& theme,
               const Fonts& fonts);

}  // namespace tileloom
