// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/memory/pattern_view.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "viz/memory/pattern_painter.h"
#include "viz/memory/pattern_words.h"

namespace tileloom {
namespace {

constexpr double kEdge = 8;  // pixels around the picture
constexpr int kMostNamedLanes = 8;

}  // namespace

PatternView::PatternView(QWidget* parent) : CellView(parent) {
  setMouseTracking(true);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  setAccessibleName(tr("Lanes of the access pattern by wavefront and bank, or by line and sector"));
}

void PatternView::setPattern(const own::AccessPattern& pattern) {
  m_pattern = pattern;
  m_picture.reset();
  m_lane.reset();
  m_cursor = 0;
  sayCell();
  updateGeometry();
  update();
}

void PatternView::clear() {
  m_pattern.reset();
  m_picture.reset();
  m_lane.reset();
  m_cursor = 0;
  update();
}

const PatternPicture& PatternView::picture() const {
  if (!m_picture) {
    m_picture = m_pattern
                    ? patternPicture(*m_pattern,
                                     QRectF(rect()).adjusted(kEdge, 0, -kEdge, -kEdge / 2), m_fonts)
                    : PatternPicture{};
  }
  return *m_picture;
}

QSize PatternView::minimumSizeHint() const {
  const double height = m_pattern ? patternHeight(*m_pattern, m_fonts) : 0;
  return {static_cast<int>(std::ceil(patternWidth(m_fonts) + 2 * kEdge)),
          static_cast<int>(std::ceil(height + kEdge))};
}

void PatternView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), m_theme.ground);
  if (m_pattern) paintPattern(painter, picture(), m_theme, m_fonts, m_lane);
  paintFocus(painter);
}

void PatternView::resizeEvent(QResizeEvent*) {
  m_picture.reset();
}

void PatternView::restyle() {
  m_picture.reset();
}

void PatternView::frame(std::optional<std::uint32_t> lane) {
  if (lane == m_lane) return;
  m_lane = lane;
  update();
}

void PatternView::mouseMoveEvent(QMouseEvent* event) {
  const auto cell = picture().at(event->position());
  frame(cell ? std::optional(picture().cells[*cell].firstLane()) : std::nullopt);
}

void PatternView::leaveEvent(QEvent*) {
  frame(std::nullopt);
}

bool PatternView::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return CellView::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  if (const auto cell = picture().at(QPointF(help->pos()))) {
    QToolTip::showText(help->globalPos(), textOf(picture().cells[*cell]), this);
  } else {
    QToolTip::hideText();
  }
  return true;
}

QString PatternView::textOf(const PatternCell& cell) const {
  QStringList lines;
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    if ((cell.lanes >> lane & 1u) == 0) continue;
    if (lines.size() == kMostNamedLanes) {
      lines << tr("and further lanes");
      break;
    }
    lines << patternLane(*m_pattern, lane);
  }
  return lines.join('\n');
}

void PatternView::beginCursor() {
  m_cursor = 0;
}

void PatternView::moveCursor(CursorMove move, int count) {
  const auto& cells = picture().cells;
  if (cells.empty()) return;
  const PatternCell& from = cells[m_cursor];
  const bool across = move == CursorMove::Up || move == CursorMove::Down;
  const bool back = move == CursorMove::Left || move == CursorMove::Up ||
                    move == CursorMove::Previous || move == CursorMove::RowStart;
  if (across) {
    // The nearest cell of the row that is `count` away, or of the last row.
    const auto last = static_cast<std::int64_t>(picture().rows.size()) - 1;
    const auto row =
        std::clamp<std::int64_t>(std::int64_t{from.row} + (back ? -count : count), 0, last);
    const auto away = [&](const PatternCell& cell) {
      return 100 * std::abs(std::int64_t{cell.row} - row) +
             std::abs(std::int64_t{cell.column} - std::int64_t{from.column});
    };
    m_cursor = static_cast<std::size_t>(std::ranges::min_element(cells, {}, away) - cells.begin());
    return;
  }
  const bool within = move == CursorMove::RowStart || move == CursorMove::RowEnd;
  for (int i = 0; within || i < count; ++i) {
    const std::size_t to = back ? m_cursor - 1 : m_cursor + 1;
    if (to >= cells.size() || (within && cells[to].row != from.row)) return;
    m_cursor = to;
  }
}

QString PatternView::cursorText() const {
  const auto& cells = picture().cells;
  return m_cursor < cells.size() ? textOf(cells[m_cursor]) : tr("no active lane");
}

QRectF PatternView::cursorCell() const {
  const auto& cells = picture().cells;
  return m_cursor < cells.size() ? cells[m_cursor].place : QRectF();
}

}  // namespace tileloom
