// SPDX-License-Identifier: GPL-3.0-or-later
// Draws wrapped text in a rectangle that may be too small for it.
#pragma once

#include <QFontMetricsF>
#include <QPainter>
#include <QString>

namespace tileloom {

// The part of the text that fits into `room`, wrapped between words: all of it, or as many words as
// fit and "…".
QString fittedLines(const QString& text, const QFontMetricsF& metrics, const QSizeF& room);

// Draws the text wrapped, in the painter's font and pen. `flags` are Qt::Alignment; `used` gets the
// rectangle of the text. QPainter::drawText would drop lines that do not fit; here a cut text ends
// in "…".
void drawWrapped(QPainter& painter, const QRectF& room, int flags, const QString& text,
                 QRectF* used = nullptr);

}  // namespace tileloom
