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

// Width over height of the block tile with its slabs; 1 while there is no scene.
double loomAspect(const Scene& scene);

// Input for LoomGeometry from a scene; `slabs` as in LoomContents.
LoomInput loomInput(const Scene& scene, int slabs, const QRectF& viewport, const Fonts& fonts);

void paintLoom(QPainter& painter, const LoomFrame& frame, const LoomGeometry& geometry,
               const Scene& scene, const LoomContents& contents, const Theme& theme,
               const Fonts& fonts);

}  // namespace tileloom
