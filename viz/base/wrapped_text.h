// SPDX-License-Identifier: GPL-3.0-or-later
// Text of several lines in a rectangle that may be too small for it.
#pragma once

#include <QFontMetricsF>
#include <QPainter>
#include <QString>

namespace tileloom {

// As much of the text as stands in these lines, wrapped between words: all of it, or as many words
// as have room and "…".
QString fittedLines(const QString& text, const QFontMetricsF& metrics, const QSizeF& room);

// Draws the text wrapped, in the painter's font and pen. `flags` are Qt::Alignment; `used` gets the
// rectangle that the text takes. Where QPainter::drawText would leave out the lines that have no
// room, what is left ends in "…".
void drawWrapped(QPainter& painter, const QRectF& room, int flags, const QString& text,
                 QRectF* used = nullptr);

}  // namespace tileloom
