// SPDX-License-Identifier: GPL-3.0-or-later
// Draws the loom, without a widget: the same code paints the window, PNG, SVG and PDF.
#pragma once

#include <QPainter>

#include "viz/base/scene.h"
#include "viz/base/theme.h"
#include "viz/loom/loom_contents.h"
#include "viz/loom/loom_geometry.h"

namespace tileloom {

// The areas of the loom's canvas.
struct LoomFrame {
  QRectF canvas;
  QRectF header;
  QRectF viewport;
  QRectF caption;
  QRectF side;    // for figures beside the matrices; empty on a narrow canvas
  QRectF legend;  // a line for the legend, without `side`
  // `aspect`: width over height of what the viewport should show, see loomAspect().
  static LoomFrame of(const QRectF& canvas, const Fonts& fonts, double aspect = 1.0);
};

// Width over height of the block tile with its slabs; 1 while there is no scene.
double loomAspect(const Scene& scene);

// Input for LoomGeometry from a scene; `slabs` as in LoomContents.
LoomInput loomInput(const Scene& scene, int slabs, const QRectF& viewport, const Fonts& fonts);

void paintLoom(QPainter& painter, const LoomFrame& frame, const LoomGeometry& geometry,
               const Scene& scene, const LoomContents& contents, const Theme& theme,
               const Fonts& fonts);

}  // namespace tileloom
