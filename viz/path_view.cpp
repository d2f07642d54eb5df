// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/path_view.h"

#include <QMouseEvent>
#include <QPainter>

namespace tileloom {

PathView::PathView(QWidget* parent) : PaintedView(parent) {
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
  update();
}

void PathView::layOut() {
  m_picture = pathPicture(m_scene, QRectF(rect()), m_fonts);
}

void PathView::resizeEvent(QResizeEvent*) {
  layOut();
}

void PathView::showEvent(QShowEvent* event) {
  PaintedView::showEvent(event);
  layOut();
}

void PathView::restyle() {
  layOut();
}

void PathView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), m_theme.ground);
  if (m_picture) paintPath(painter, *m_picture, m_scene, m_theme, m_fonts);
}

Selection PathView::under(const QPointF& pixel) const {
  Selection s;
  if (!m_picture) return s;
  for (const PathGeometry::Column& column : m_picture->geometry.columns()) {
    if (!column.body.contains(pixel)) continue;
    for (const analysis::MemoryPath::Value& v : m_picture->path.values) {
      const QRectF cell = m_picture->geometry.of(column, v);
      const QRectF wide = column.station == PathGeometry::Station::Lanes
                              ? m_picture->geometry.row(column, v.lane)
                              : cell;
      if (!wide.contains(pixel)) continue;
      // A lane means all that it moves; anywhere else it is the one value.
      s.thread = m_scene.access->warp * emulator::kWarpSize + v.lane;
      if (column.station != PathGeometry::Station::Lanes) s.element = v.element;
      return s;
    }
  }
  return s;
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
