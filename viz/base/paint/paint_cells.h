// SPDX-License-Identifier: GPL-3.0-or-later
// Paints a grid of plainly coloured cells: as an image with one pixel per cell on pixel devices,
// else as areas.
#pragma once

#include <QRectF>
#include <QRgb>
#include <functional>

class QPainter;

namespace tileloom {

void paintCells(QPainter& painter, const QRectF& place, int columns, int rows,
                const std::function<QRgb(int column, int row)>& colour);

}  // namespace tileloom
