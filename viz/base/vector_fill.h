// SPDX-License-Identifier: GPL-3.0-or-later
// Fills for devices that keep what is drawn as areas and lines (SVG, PDF): what painters of pixels
// do pixel by pixel.
#pragma once

#include <QColor>
#include <QPainterPath>
#include <QRectF>
#include <span>

class QPainter;

namespace tileloom {

// Whether the painter's device is made of pixels: the screen, an image. Others keep areas and
// lines, and an image in them would be coarse on paper.
bool paintsPixels(const QPainter& painter);

// Marks over a flat colour. `first` is the middle of a mark, `width` and `pitch` are measured along
// x (along y of Across), as pixels count them.
struct PatternLook {
  enum class Marks { None, Rising, Falling, Across, Upright, Dots };
  QColor plain, mark;
  Marks marks = Marks::None;
  double pitch = 6, width = 2, first = 0;
};

// Fills the rectangles, which do not overlap. Marks go on from one to the next: they are placed on
// the canvas, from `origin`.
void fillLook(QPainter& painter, std::span<const QRectF> rects, const PatternLook& look,
              const QPointF& origin = {});
// The same of any area; the marks are clipped at it.
void fillLook(QPainter& painter, const QPainterPath& area, const PatternLook& look,
              const QPointF& origin = {});

// Rectangles of one colour as one area. Each is a little larger to the right and below, so that no
// seam is seen between neighbours where a reader smooths edges; `within` is not left.
void fillCells(QPainter& painter, std::span<const QRectF> rects, const QColor& colour,
               const QRectF& within);

// Rising lines over the rectangle that end where it does.
void drawRisingLines(QPainter& painter, const QRectF& rect, const QColor& colour, double pitch,
                     double width, const QPointF& origin = {});

}  // namespace tileloom
