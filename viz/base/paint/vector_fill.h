// SPDX-License-Identifier: GPL-3.0-or-later
// Fills for vector devices (SVG, PDF), which keep areas and lines instead of pixels.
#pragma once

#include <QColor>
#include <QPainterPath>
#include <QRectF>
#include <span>

class QPainter;

namespace tileloom {

// Whether the painter's device has pixels: the screen, an image. An image in any other device would
// be coarse on paper.
bool paintsPixels(const QPainter& painter);

// Marks over a flat colour. `first` is the middle of a mark, `width` and `pitch` are measured along
// x (along y of Across), as pixels count them.
struct PatternLook {
  enum class Marks { None, Rising, Falling, Across, Upright, Dots };
  QColor plain, mark;
  Marks marks = Marks::None;
  double pitch = 6, width = 2, first = 0;
};

// Fills the rectangles, which do not overlap. Marks continue from one to the next: their positions
// are relative to `origin`.
void fillLook(QPainter& painter, std::span<const QRectF> rects, const PatternLook& look,
              const QPointF& origin = {});
// The same for any area; the marks are clipped at it.
void fillLook(QPainter& painter, const QPainterPath& area, const PatternLook& look,
              const QPointF& origin = {});

// Rectangles of one colour as one area. Each is a little larger to the right and below, so that
// smoothed edges leave no seams between neighbours; nothing is outside `within`.
void fillCells(QPainter& painter, std::span<const QRectF> rects, const QColor& colour,
               const QRectF& within);

// Rising lines over the rectangle that end where it does.
void drawRisingLines(QPainter& painter, const QRectF& rect, const QColor& colour, double pitch,
                     double width, const QPointF& origin = {});

}  // namespace tileloom
