// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/base/marks.h"

#include <QPaintEngine>
#include <QPainter>
#include <algorithm>

#include "viz/base/painted_view.h"

namespace tileloom::figures {

QColor inkOf(Freshness freshness, const Theme& theme) {
  return freshness == Freshness::Stale ? theme.faint : theme.accent;
}

QPen linePen(Freshness freshness, const Theme& theme) {
  QPen pen = hairline(inkOf(freshness, theme), 1.4);
  if (freshness == Freshness::Recorded) pen.setDashPattern({3.5, 3.0});
  if (freshness == Freshness::Stale) pen.setDashPattern({1.0, 3.0});
  return pen;
}

void drawMark(QPainter& painter, const QPointF& at, Freshness freshness, const Theme& theme,
              double radius) {
  const QColor ink = inkOf(freshness, theme);
  if (freshness == Freshness::Stale) {
    painter.setPen(hairline(ink, 1.5));
    const QPointF down(radius * 0.85, radius * 0.85);
    const QPointF up(radius * 0.85, -radius * 0.85);
    painter.drawLine(at - down, at + down);
    painter.drawLine(at - up, at + up);
    return;
  }
  painter.setPen(hairline(ink, 1.5));
  // The hollow of a ring covers the line that runs into it.
  painter.setBrush(freshness == Freshness::Live ? ink : theme.panel);
  painter.drawEllipse(at, radius, radius);
  painter.setBrush(Qt::NoBrush);
}

void drawHatch(QPainter& painter, const QRectF& rect, const QColor& color) {
  if (rect.isEmpty()) return;
  painter.save();
  painter.setClipRect(rect, Qt::IntersectClip);
  painter.setPen(hairline(color, 1.2));
  constexpr double kPitch = 4;
  // QSvgGenerator of Qt 6.4 knows no clipping either: there the lines end where the rectangle does.
  const bool clips = painter.paintEngine()->type() != QPaintEngine::SVG;
  for (double x = rect.left() - rect.height(); x < rect.right(); x += kPitch) {
    const double from = clips ? 0 : std::max(0.0, rect.left() - x);
    const double to = clips ? rect.height() : std::min(rect.height(), rect.right() - x);
    if (from < to)
      painter.drawLine(QPointF(x + from, rect.bottom() - from),
                       QPointF(x + to, rect.bottom() - to));
  }
  painter.restore();
}

void fillTrouble(QPainter& painter, const QRectF& rect, const Theme& theme) {
  if (painter.paintEngine()->type() == QPaintEngine::Raster) {
    painter.fillRect(rect, theme.troublePattern());
  } else {
    drawHatch(painter, rect, theme.trouble);
  }
}

}  // namespace tileloom::figures
