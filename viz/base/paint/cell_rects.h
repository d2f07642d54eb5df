// SPDX-License-Identifier: GPL-3.0-or-later
// Cells of a grid as few rectangles: neighbours with the same value become one.
#pragma once

#include <QRectF>
#include <cstdint>
#include <functional>
#include <map>
#include <vector>

namespace tileloom {

// The cells of one value, as rectangles that do not overlap, in cells.
using CellRects = std::vector<QRect>;

// Runs of equal cells in a row become a rectangle, which grows down while the row below has the
// same run. `value` is called once per cell.
std::map<std::uint32_t, CellRects> cellRects(
    int columns, int rows, const std::function<std::uint32_t(int column, int row)>& value);

// A grid of `columns` by `rows` equal cells over `whole`, of which only `visible` is shown.
class CellGrid {
 public:
  // Cells smaller than `least` are merged: the eye cannot separate them.
  CellGrid(const QRectF& whole, const QRectF& visible, std::int64_t columns, std::int64_t rows,
           double least = 0.5);

  int columns() const { return m_columns; }  // that are shown
  int rows() const { return m_rows; }
  // The cell of the grid that the shown one represents.
  std::int64_t column(int shown) const;
  std::int64_t row(int shown) const;
  // On the canvas, cut at `visible`.
  QRectF rect(const QRect& cells) const;
  std::vector<QRectF> rects(const CellRects& cells) const;

 private:
  QRectF m_whole, m_visible;
  std::int64_t m_allColumns = 0, m_allRows = 0;
  std::int64_t m_stepsX = 0, m_stepsY = 0;  // that make up the whole: cells, or several merged
  int m_firstX = 0, m_firstY = 0, m_columns = 0, m_rows = 0;
};

}  // namespace tileloom
