// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/memory/path_view.h"

#include <QMouseEvent>
#include <QPainter>

#include "viz/memory/describe_word.h"

namespace tileloom {

PathView::PathView(QWidget* parent) : CellView(parent) {
  setMouseTracking(true);
  setAccessibleName(
      tr("Memory path: sectors, shared-memory words, wavefronts and registers of one access"));
}

void PathView::setScene(const Scene& scene) {
  // Hovering and playing on through arithmetic change no access.
  const bool same = m_picture && scene.recording == m_scene.recording && scene.access &&
                    m_scene.access && scene.access->warp == m_scene.access->warp &&
                    scene.access->index == m_scene.access->index;
  m_scene = scene;
  if (!isVisible()) {
    m_picture.reset();
    return;
  }
  if (!same) layOut();
  sayCell();
  update();
}

void PathView::layOut() {
  m_picture = pathPicture(m_scene, QRectF(rect()), m_fonts);
  // Another access may have fewer values, and another room fewer columns.
  const bool stands = m_picture && m_cursor &&
                      m_cursor->column < m_picture->geometry.columns().size() &&
                      m_cursor->value < m_picture->path.values.size() && !cursorCell().isEmpty();
  if (stands) return;
  m_cursor.reset();
  if (cursorMode()) beginCursor();
}

void PathView::resizeEvent(QResizeEvent*) {
  layOut();
}

void PathView::showEvent(QShowEvent* event) {
  CellView::showEvent(event);
  layOut();
}

void PathView::restyle() {
  layOut();
}

void PathView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), m_theme.ground);
  if (m_picture) paintPath(painter, *m_picture, m_scene, m_theme, m_fonts);
  paintFocus(painter);
}

Selection PathView::selectionOf(const PathCell& cell) const {
  Selection s;
  const analysis::MemoryPath::Value& v = m_picture->path.values[cell.value];
  // A lane means all that it moves; anywhere else it is the one value.
  s.thread = m_scene.access->warp * emulator::kWarpSize + v.lane;
  if (m_picture->geometry.columns()[cell.column].station != PathGeometry::Station::Lanes)
    s.element = v.element;
  return s;
}

Selection PathView::under(const QPointF& pixel) const {
  if (!m_picture) return {};
  const auto& columns = m_picture->geometry.columns();
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const PathGeometry::Column& column = columns[c];
    if (!column.body.contains(pixel)) continue;
    for (std::size_t i = 0; i < m_picture->path.values.size(); ++i) {
      const analysis::MemoryPath::Value& v = m_picture->path.values[i];
      const QRectF cell = m_picture->geometry.of(column, v);
      const QRectF wide = column.station == PathGeometry::Station::Lanes
                              ? m_picture->geometry.row(column, v.lane)
                              : cell;
      if (wide.contains(pixel)) return selectionOf({c, i});
    }
  }
  return {};
}

void PathView::beginCursor() {
  if (!m_cursor) moveCursor(CursorMove::Next, 1);
}

void PathView::moveCursor(CursorMove move, int count) {
  if (m_picture) m_cursor = moveInPath(m_picture->geometry, m_picture->path, m_cursor, move, count);
}

Selection PathView::cursorSelection() const {
  return m_picture && m_cursor ? selectionOf(*m_cursor) : Selection();
}

QString PathView::cursorText() const {
  if (!m_picture || !m_cursor) return tr("no access to walk through");
  return describePathCell(m_scene, m_picture->path,
                          m_picture->geometry.columns()[m_cursor->column].station,
                          m_picture->path.values[m_cursor->value]);
}

QRectF PathView::cursorCell() const {
  if (!m_picture || !m_cursor) return {};
  return m_picture->geometry.of(m_picture->geometry.columns()[m_cursor->column],
                                m_picture->path.values[m_cursor->value]);
}

void PathView::mouseMoveEvent(QMouseEvent* event) {
  emit hovered(under(event->position()));
}
void PathView::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) emit clicked(under(event->position()));
}
void PathView::leaveEvent(QEvent*) {
  emit hovered({});
}

}  // namespace tileloom
