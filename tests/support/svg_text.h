// SPDX-License-Identifier: GPL-3.0-or-later
// The words of an SVG in the order in which they were drawn, one blank between pieces.
#pragma once

#include <QFile>
#include <QRegularExpression>
#include <QStringList>

namespace tileloom::test {

inline QString svgText(const QString& file) {
  QFile f(file);
  if (!f.open(QIODevice::ReadOnly)) return {};
  const QString all = QString::fromUtf8(f.readAll());
  static const QRegularExpression text("<text[^>]*>([^<]*)</text>");
  QStringList pieces;
  for (auto it = text.globalMatch(all); it.hasNext();) {
    QString piece = it.next().captured(1).trimmed();
    piece.replace("&quot;", "\"").replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    pieces += piece;
  }
  return pieces.join(' ');
}

}  // namespace tileloom::test
