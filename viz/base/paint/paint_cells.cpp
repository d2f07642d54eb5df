// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/base/paint/paint_cells.h"

#include <QColor>
#include <QImage>
#include <QPainter>

#include "viz/base/paint/cell_rects.h"
#include "viz/base/paint/vector_fill.h"

namespace tileloom {

void paintCells(QPainter& p, const QRectF& place, int columns, int rows,
                const std::function<QRgb(int column, int row)>& colour) {
  if (columns <= 0 || rows <= 0) return;
  if (!paintsPixels(p)) {
    const CellGrid grid(place, place, columns, rows);
    const auto at = [&](int column, int row) {
      return std::uint32_t{
          colour(static_cast<int>(grid.column(column)), static_cast<int>(grid.row(row)))};
    };
    for (const auto& [rgb, cells] : cellRects(grid.columns(), grid.rows(), at))
      fillCells(p, grid.rects(cells), QColor::fromRgb(rgb), place);
    return;
  }
  QImage image(columns, rows, QImage::Format_RGB32);
  for (int row = 0; row < rows; ++row) {
    auto* line = reinterpret_cast<QRgb*>(image.scanLine(row));
    for (int column = 0; column < columns; ++column) line[column] = colour(column, row);
  }
  p.setRenderHint(QPainter::SmoothPixmapTransform, false);
  p.drawImage(place, image);
}

}  // namespace tileloom
