// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/base/clauses.h"

#include <algorithm>

namespace tileloom {

QString shortenedByClauses(QString sentence, const QFontMetricsF& metrics, double width) {
  const auto colon = sentence.indexOf(QStringLiteral(": "));
  while (metrics.horizontalAdvance(sentence) > width) {
    const auto cut = std::max(sentence.lastIndexOf(QStringLiteral(", ")),
                              sentence.lastIndexOf(QStringLiteral(" · ")));
    if (cut <= colon) break;
    sentence.truncate(cut);
  }
  return sentence;
}

}  // namespace tileloom
