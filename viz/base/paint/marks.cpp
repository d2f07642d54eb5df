// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/base/paint/marks.h"

#include <QPainter>
#include <algorithm>
#include <span>

#include "viz/base/paint/vector_fill.h"
#include "viz/base/widgets/painted_view.h"

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
  constexpr double kPitch = 4;
  painter.save();
  painter.setPen(hairline(color, 1.2));
  const bool pixels = paintsPixels(painter);
  // Vector devices need no clipping: there the lines end at the rectangle.
  if (pixels) painter.setClipRect(rect, Qt::IntersectClip);
  for (double x = rect.left() - rect.height(); x < rect.right(); x += kPitch) {
    const double from = pixels ? 0 : std::max(0.0, rect.left() - x);
    const double to = pixels ? rect.height() : std::min(rect.height(), rect.right() - x);
    if (from < to)
      painter.drawLine(QPointF(x + from, rect.bottom() - from),
                       QPointF(x + to, rect.bottom() - to));
  }
  painter.restore();
}

void fillHatched(QPainter& painter, const QRectF& rect, const QColor& color) {
  if (paintsPixels(painter)) return painter.fillRect(rect, QBrush(color, Qt::BDiagPattern));
  // As Qt's pattern: a diagonal pixel in each column of a square of 8.
  constexpr double kPitch = 8, kWidth = 1;
  drawRisingLines(painter, rect, color, kPitch, kWidth);
}

void fillTrouble(QPainter& painter, const QRectF& rect, const Theme& theme) {
  fillHatched(painter, rect, theme.trouble);
}

void fillHalf(QPainter& painter, const QRectF& rect, const QColor& color) {
  if (paintsPixels(painter)) return painter.fillRect(rect, QBrush(color, Qt::Dense4Pattern));
  const PatternLook look{Theme::faded(color, 0.25), color, PatternLook::Marks::Upright, 2, 0.6, 1};
  fillLook(painter, std::span(&rect, 1), look);
}

}  // namespace tileloom::figures
