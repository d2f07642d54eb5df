// SPDX-License-Identifier: GPL-3.0-or-later
// A grid of cells of plain colours: an image of one pixel a cell where there are pixels, else
// areas.
#pragma once

#include <QRectF>
#include <QRgb>
#include <functional>

class QPainter;

namespace tileloom {

void paintCells(QPainter& painter, const QRectF& place, int columns, int rows,
                const std::function<QRgb(int column, int row)>& colour);

}  // namespace tileloom
