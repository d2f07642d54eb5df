// SPDX-License-Identifier: GPL-3.0-or-later
// The three looks of a value's freshness, and the pattern that marks trouble.
#pragma once

#include <QPen>
#include <QPointF>
#include <QRectF>

#include "viz/base/freshness.h"
#include "viz/base/theme.h"

class QPainter;

namespace tileloom::figures {

// Live: filled disc. Recorded: hollow ring. Stale: faint cross. They differ without any colour.
void drawMark(QPainter& painter, const QPointF& at, Freshness freshness, const Theme& theme,
              double radius);
// Live: solid. Recorded: dashed. Stale: dotted.
QPen linePen(Freshness freshness, const Theme& theme);
QColor inkOf(Freshness freshness, const Theme& theme);

// The pattern that marks trouble, drawn as lines, because QSvgGenerator of Qt 6.4 drops pattern
// brushes.
void drawHatch(QPainter& painter, const QRectF& rect, const QColor& color);
// The pattern as a brush where pixels are painted, and as lines (drawHatch) elsewhere.
void fillTrouble(QPainter& painter, const QRectF& rect, const Theme& theme);

}  // namespace tileloom::figures
