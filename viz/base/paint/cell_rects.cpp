// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/base/paint/cell_rects.h"

#include <QRect>
#include <algorithm>
#include <cmath>

namespace tileloom {

std::map<std::uint32_t, CellRects> cellRects(
    int columns, int rows, const std::function<std::uint32_t(int column, int row)>& value) {
  struct Run {
    int from = 0, to = 0;  // `to` is not included
    std::uint32_t value = 0;
    int since = 0;  // the row in which it begins
  };
  std::map<std::uint32_t, CellRects> made;
  std::vector<Run> open, next;
  const auto close = [&made](const Run& run, int row) {
    made[run.value].push_back({run.from, run.since, run.to - run.from, row - run.since});
  };
  for (int row = 0; row < rows; ++row) {
    next.clear();
    for (int column = 0; column < columns; ++column) {
      const std::uint32_t now = value(column, row);
      if (!next.empty() && next.back().value == now) {
        next.back().to = column + 1;
      } else {
        next.push_back({column, column + 1, now, row});
      }
    }
    // Both lists are sorted by where their runs begin.
    auto above = open.begin();
    for (Run& run : next) {
      for (; above != open.end() && above->from < run.from; ++above) close(*above, row);
      if (above == open.end() || above->from != run.from) continue;
      if (above->to == run.to && above->value == run.value) {
        run.since = above->since;
      } else {
        close(*above, row);
      }
      ++above;
    }
    for (; above != open.end(); ++above) close(*above, row);
    open.swap(next);
  }
  for (const Run& run : open) close(run, rows);
  return made;
}

namespace {

// How many steps a length has.
std::int64_t stepsOf(double length, std::int64_t cells, double least) {
  const auto most = static_cast<std::int64_t>(std::ceil(length / least));
  return std::clamp<std::int64_t>(cells, 1, std::max<std::int64_t>(1, most));
}

}  // namespace

CellGrid::CellGrid(const QRectF& whole, const QRectF& visible, std::int64_t columns,
                   std::int64_t rows, double least)
    : m_whole(whole), m_visible(whole & visible), m_allColumns(columns), m_allRows(rows) {
  if (m_visible.isEmpty() || columns <= 0 || rows <= 0) return;
  m_stepsX = stepsOf(whole.width(), columns, least);
  m_stepsY = stepsOf(whole.height(), rows, least);
  const double edgeX = whole.width() / static_cast<double>(m_stepsX);
  const double edgeY = whole.height() / static_cast<double>(m_stepsY);
  const auto first = [](double from, double edge) {
    return static_cast<int>(std::max(0.0, std::floor(from / edge + 1e-9)));
  };
  const auto end = [](double to, double edge, std::int64_t steps) {
    return static_cast<int>(std::min(static_cast<double>(steps), std::ceil(to / edge - 1e-9)));
  };
  m_firstX = first(m_visible.left() - whole.left(), edgeX);
  m_firstY = first(m_visible.top() - whole.top(), edgeY);
  m_columns = std::max(0, end(m_visible.right() - whole.left(), edgeX, m_stepsX) - m_firstX);
  m_rows = std::max(0, end(m_visible.bottom() - whole.top(), edgeY, m_stepsY) - m_firstY);
}

std::int64_t CellGrid::column(int shown) const {
  return (2 * (std::int64_t{m_firstX} + shown) + 1) * m_allColumns / (2 * m_stepsX);
}

std::int64_t CellGrid::row(int shown) const {
  return (2 * (std::int64_t{m_firstY} + shown) + 1) * m_allRows / (2 * m_stepsY);
}

QRectF CellGrid::rect(const QRect& cells) const {
  const double edgeX = m_whole.width() / static_cast<double>(m_stepsX);
  const double edgeY = m_whole.height() / static_cast<double>(m_stepsY);
  return QRectF(m_whole.left() + (m_firstX + cells.x()) * edgeX,
                m_whole.top() + (m_firstY + cells.y()) * edgeY, cells.width() * edgeX,
                cells.height() * edgeY) &
         m_visible;
}

std::vector<QRectF> CellGrid::rects(const CellRects& cells) const {
  std::vector<QRectF> made;
  made.reserve(cells.size());
  for (const QRect& each : cells) made.push_back(rect(each));
  return made;
}

}  // namespace tileloom
