// SPDX-License-Identifier: GPL-3.0-or-later
// Sentences that have to be shorter are cut between clauses or words, so that what is left is
// whole.
#pragma once

#include <QFontMetricsF>
#include <QString>
#include <QStringList>

namespace tileloom {

// Without as many of its last clauses, parted by ", " or " · ", as have no room; what stands before
// a colon, and the clause behind it, always stays. May still be too wide.
QString shortenedByClauses(QString sentence, const QFontMetricsF& metrics, double width);

// What of a text is painted where it has this width: all of it, or as many clauses as have room and
// ", …", or as many words and "…". A number is whole or is left out, and so is all of the text
// where less than a short word would be left: "0…" says nothing, or something wrong.
QString fitted(const QString& text, const QFontMetricsF& metrics, double width);

// The same of a text whose commas part no clauses, such as a line of source: what is cut ends
// in "…".
QString fittedWords(const QString& text, const QFontMetricsF& metrics, double width);

// The text with commas at which fitted() does not cut it: a part of it would say something wrong.
// They have a word joiner behind them, which has no width; a line may break at the space.
QString oneClause(QString text);

// "a", "a and b", "a, b and c": oneClause().
QString enumerated(const QStringList& words);

// A text whose lines do not break between a number, its unit and its sign.
QString unbroken(QString text);

}  // namespace tileloom
