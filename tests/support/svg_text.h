// SPDX-License-Identifier: GPL-3.0-or-later
// The text of an SVG in drawing order, with one space between pieces.
#pragma once

#include <QFile>
#include <QRegularExpression>
#include <QStringList>

namespace tileloom::test {

inline QString svgText(const QString& file) {
  QFile f(file);
  if (!f.open(QIODevice::ReadOnly)) return {};
  const QString all = QString::fromUtf8(f.readAll());
  // Text, or outlines with their text in an attribute.
  static const QRegularExpression text("<text[^>]*>([^<]*)</text>|aria-label=\"([^\"]*)\"");
  QStringList pieces;
  for (auto it = text.globalMatch(all); it.hasNext();) {
    const QRegularExpressionMatch match = it.next();
    QString piece = (match.captured(1) + match.captured(2)).trimmed();
    piece.replace("&quot;", "\"").replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    pieces += piece;
  }
  return pieces.join(' ');
}

}  // namespace tileloom::test
