// SPDX-License-Identifier: GPL-3.0-or-later
// Shortens sentences between clauses or words, so that what is left is complete.
#pragma once

#include <QFontMetricsF>
#include <QString>
#include <QStringList>

namespace tileloom {

// Drops the last clauses, separated by ", " or " · ", that do not fit. The text before the first
// colon and the clause after it always stay. The result may still be too wide.
QString shortenedByClauses(QString sentence, const QFontMetricsF& metrics, double width);

// The part of a text that is painted in this width: all of it, or as many clauses as fit and ", …",
// or as many words and "…". A number is complete or left out. The result is empty if less than a
// short word would be left: "0…" says nothing, or something wrong.
QString fitted(const QString& text, const QFontMetricsF& metrics, double width);

// The same for a text whose commas do not separate clauses, such as a source line: a cut text ends
// in "…".
QString fittedWords(const QString& text, const QFontMetricsF& metrics, double width);

// The text with commas at which fitted() does not cut, for a text of which a part would be wrong. A
// word joiner, which has no width, follows each comma; a line may break at the space.
QString oneClause(QString text);

// "a", "a and b", "a, b and c": oneClause().
QString enumerated(const QStringList& words);

// A text whose lines do not break between a number, its unit and its sign.
QString unbroken(QString text);

}  // namespace tileloom
