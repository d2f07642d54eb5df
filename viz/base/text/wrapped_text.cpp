// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/base/text/wrapped_text.h"

#include <QPaintDevice>
#include <algorithm>

namespace tileloom {

QString fittedLines(const QString& text, const QFontMetricsF& metrics, const QSizeF& room) {
  constexpr double kHigh = 1 << 24;
  const auto fits = [&](const QString& part) {
    const QRectF used = metrics.boundingRect(QRectF(0, 0, room.width(), kHigh),
                                             Qt::AlignLeft | Qt::TextWordWrap, part);
    // Heights are rounded for the screen, and the picture may be a page.
    return used.height() <= 1.02 * room.height() + 1;
  };
  if (fits(text)) return text;
  // Fitting depends on length alone, so that bisection finds the longest part.
  qsizetype least = 0, most = text.size();
  while (most - least > 1) {
    const qsizetype middle = (least + most) / 2;
    (fits(text.left(middle) + u'…') ? least : most) = middle;
  }
  QString part = text.left(least);
  if (const auto word = part.lastIndexOf(u' '); word > 0) part.truncate(word);
  while (!part.isEmpty() && !part.back().isLetterOrNumber() && part.back() != u')' &&
         part.back() != u'%')
    part.chop(1);
  return part.isEmpty() ? QString() : part + QStringLiteral(" …");
}

void drawWrapped(QPainter& painter, const QRectF& room, int flags, const QString& text,
                 QRectF* used) {
  const QFontMetricsF metrics(painter.font(), painter.device());
  painter.drawText(room, flags | Qt::TextWordWrap | Qt::TextDontClip,
                   fittedLines(text, metrics, room.size()), used);
}

}  // namespace tileloom
