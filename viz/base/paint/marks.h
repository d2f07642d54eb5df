// SPDX-License-Identifier: GPL-3.0-or-later
// Draws the three looks of a value's freshness, and the pattern that marks trouble.
#pragma once

#include <QPen>
#include <QPointF>
#include <QRectF>

#include "viz/base/text/freshness.h"
#include "viz/base/theme.h"

class QPainter;

namespace tileloom::figures {

// Live: filled disc. Recorded: hollow ring. Stale: faint cross. They differ without colour.
void drawMark(QPainter& painter, const QPointF& at, Freshness freshness, const Theme& theme,
              double radius);
// Live: solid. Recorded: dashed. Stale: dotted.
QPen linePen(Freshness freshness, const Theme& theme);
QColor inkOf(Freshness freshness, const Theme& theme);

// Rising lines, close enough for small areas.
void drawHatch(QPainter& painter, const QRectF& rect, const QColor& color);
// Qt's pattern of rising lines: a brush on pixels; elsewhere equal lines, because a PDF scales the
// pattern and QtSvg of Qt 6.4 drops it.
void fillHatched(QPainter& painter, const QRectF& rect, const QColor& color);
// The same in the colour of trouble.
void fillTrouble(QPainter& painter, const QRectF& rect, const Theme& theme);
// Half of the colour, as dots; without pixels as vertical lines.
void fillHalf(QPainter& painter, const QRectF& rect, const QColor& color);

}  // namespace tileloom::figures
