// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/memory/pattern_sheet.h"

#include <QFontMetricsF>
#include <algorithm>

#include "viz/base/text/text.h"
#include "viz/base/text/wrapped_text.h"
#include "viz/memory/pattern_painter.h"
#include "viz/memory/pattern_words.h"

namespace tileloom {

PatternSheet patternSheet(const PatternShown& shown, const QSizeF& size, const Fonts& fonts) {
  PatternSheet sheet;
  sheet.title = toQString(shown.pattern.request.text).simplified();
  sheet.what = patternWhat(shown.pattern);
  sheet.verdict = patternVerdict(shown.pattern);
  sheet.hint = patternHint(shown.pattern, shown.hint);
  const double line = QFontMetricsF(fonts.body).height(), margin = 0.7 * line;
  const double width = size.width() - 2 * margin;
  const auto highOf = [&](const QString& text, const QFont& font) {
    if (text.isEmpty()) return 0.0;
    return QFontMetricsF(font)
        .boundingRect(QRectF(0, 0, width, 1e6), Qt::TextWordWrap, text)
        .height();
  };
  double y = margin;
  const auto room = [&](QRectF& into, double height, double after) {
    into = {margin, y, width, height};
    y += height > 0 ? height + after : 0;
  };
  room(sheet.titleRoom, highOf(sheet.title, fonts.title), 0.2 * line);
  room(sheet.whatRoom, highOf(sheet.what, fonts.body), 0.5 * line);
  const double verdict = highOf(sheet.verdict, fonts.body), hint = highOf(sheet.hint, fonts.body);
  const double below = 0.5 * line + verdict + (hint > 0 ? 0.2 * line + hint : 0) + margin;
  const double least = patternHeight(shown.pattern, fonts);
  sheet.height = y + least + below;
  const double grid = std::max(0.3 * least, size.height() > 0 ? size.height() - y - below : least);
  const PatternPicture picture = patternPicture(shown.pattern, {margin, y, width, grid}, fonts);
  sheet.grid = {margin, y, width, grid};
  y = picture.bottom + 0.5 * line;
  room(sheet.verdictRoom, verdict, 0.2 * line);
  room(sheet.hintRoom, hint, 0);
  return sheet;
}

void paintPatternSheet(QPainter& painter, const PatternShown& shown, const QSizeF& size,
                       const Theme& theme, const Fonts& fonts) {
  const PatternSheet sheet = patternSheet(shown, size, fonts);
  painter.fillRect(QRectF(QPointF(0, 0), size), theme.ground);
  const auto words = [&](const QRectF& room, const QString& text, const QFont& font,
                         const QColor& ink) {
    painter.setFont(font);
    painter.setPen(ink);
    drawWrapped(painter, room, Qt::AlignLeft | Qt::AlignTop, text);
  };
  words(sheet.titleRoom, sheet.title, fonts.title, theme.text);
  words(sheet.whatRoom, sheet.what, fonts.body, theme.soft);
  paintPattern(painter, patternPicture(shown.pattern, sheet.grid, fonts), theme, fonts);
  words(sheet.verdictRoom, sheet.verdict, fonts.body,
        shown.hint.searched ? theme.trouble : theme.text);
  words(sheet.hintRoom, sheet.hint, fonts.body, theme.soft);
}

}  // namespace tileloom
