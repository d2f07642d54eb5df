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
  m_scene = scene;
  if (isVisible()) update();
}

void PathView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), m_theme.ground);
  if (const auto picture = pathPicture(m_scene, QRectF(rect()), m_fonts))
    paintPath(painter, *picture, m_scene, m_theme, m_fonts);
}

Selection PathView::under(const QPointF& pixel) const {
  Selection s;
  const auto picture = pathPicture(m_scene, QRectF(rect()), m_fonts);
  if (!picture) return s;
  for (const PathGeometry::Column& column : picture->geometry.columns()) {
    if (!column.body.contains(pixel)) continue;
    for (const analysis::MemoryPath::Value& v : picture->path.values) {
      const QRectF cell = picture->geometry.of(column, v);
      const QRectF wide = column.station == PathGeometry::Station::Lanes
                              ? picture->geometry.row(column, v.lane)
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
