// SPDX-License-Identifier: GPL-3.0-or-later
// Draws the loom. Knows no widget: the same code paints the window, PNG, SVG and PDF.
#pragma once

#include <QImage>
#include <QPainter>

#include "viz/loom_geometry.h"
#include "viz/scene.h"
#include "viz/theme.h"

namespace tileloom {

// The areas of the loom's canvas.
struct LoomFrame {
  QRectF canvas;
  QRectF header;
  QRectF viewport;
  QRectF caption;
  static LoomFrame of(const QRectF& canvas, const Fonts& fonts);
};

// Input for LoomGeometry from a scene.
LoomInput loomInput(const Scene& scene, const QRectF& viewport, const Fonts& fonts);

// One pixel an element of the block's tile of C: warp as hue, lane as shade, other warps held back.
QImage ownershipImage(const Scene& scene, const Theme& theme);

void paintLoom(QPainter& painter, const LoomFrame& frame, const LoomGeometry& geometry,
               const Scene& scene, const QImage& ownership, const Theme& theme, const Fonts& fonts);

}  // namespace tileloom
