// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/base/text/clauses.h"

#include <QCoreApplication>
#include <algorithm>

namespace tileloom {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::Clauses)
};

constexpr QChar kEllipsis(0x2026);

// Whether enough is left to recognise a word.
bool saysSomething(const QString& stem) {
  constexpr auto kLeast = 4;  // letters
  return !stem.isEmpty() && !stem.back().isDigit() &&
         std::ranges::count_if(stem, [](QChar c) { return c.isLetterOrNumber(); }) >= kLeast;
}

// Removes a beginning without an end: "rows 0–" is "rows".
QString withoutLooseEnd(QString stem) {
  while (!stem.isEmpty() && !stem.back().isLetterOrNumber() && stem.back() != u')' &&
         stem.back() != u'%' && stem.back() != u'³')
    stem.chop(1);
  return stem;
}

}  // namespace

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

QString fitted(const QString& text, const QFontMetricsF& metrics, double width) {
  if (metrics.horizontalAdvance(text) <= width) return text;
  // The separator is before the ellipsis, so that a number at the end of a clause is visibly
  // complete.
  QString clauses = shortenedByClauses(
      text, metrics, width - metrics.horizontalAdvance(QStringLiteral(" · ") + kEllipsis));
  const QString left = text.mid(clauses.size());
  const QString separator = left.startsWith(u',') ? QStringLiteral(", ") : QStringLiteral(" · ");
  if (!left.isEmpty() && metrics.horizontalAdvance(clauses + separator + kEllipsis) <= width)
    return clauses + separator + kEllipsis;
  return fittedWords(clauses, metrics, width);
}

QString fittedWords(const QString& text, const QFontMetricsF& metrics, double width) {
  if (metrics.horizontalAdvance(text) <= width) return text;
  const auto fits = [&](const QString& stem) {
    return saysSomething(stem) && metrics.horizontalAdvance(stem + kEllipsis) <= width;
  };
  QString words = text;
  for (auto cut = words.lastIndexOf(u' '); cut > 0; cut = words.lastIndexOf(u' ')) {
    words.truncate(cut);
    if (const QString stem = withoutLooseEnd(words); fits(stem)) return stem + kEllipsis;
  }
  // Not even one word fits: keep its first letters.
  words = text;
  while (!words.isEmpty() && (!words.back().isLetter() || !fits(words))) words.chop(1);
  return words.isEmpty() ? QString() : words + kEllipsis;
}

QString oneClause(QString text) {
  return text.replace(QStringLiteral(", "), QString::fromUtf16(u",\u2060 "));
}

QString enumerated(const QStringList& words) {
  if (words.size() < 2) return words.join(QString());
  return oneClause(
      Words::tr("%1 and %2")
          .arg(words.mid(0, words.size() - 1).join(QStringLiteral(", ")), words.back()));
}

QString unbroken(QString text) {
  constexpr QChar kNoBreak(0x00A0), kJoiner(0x2060);
  text.replace(QStringLiteral("± "), QStringLiteral("±") + kNoBreak);
  text.replace(QStringLiteral(" %"), kNoBreak + QStringLiteral("%"));
  text.replace(u'/', kJoiner + QStringLiteral("/") + kJoiner);
  return text;
}

}  // namespace tileloom
