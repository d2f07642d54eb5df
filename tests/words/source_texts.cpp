// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/words/source_texts.h"

#include <QRegularExpression>

namespace tileloom::test {
namespace {

using Kind = SourceText::Kind;

// A comment, a raw string, a string, a character or an #include, whichever comes first.
const QRegularExpression& pieces() {
  static const QRegularExpression kPieces(
      QStringLiteral("//(?<line>[^\n]*)"
                     "|/\\*(?<block>.*?)\\*/"
                     "|R\"(?<mark>\\w*)\\((?<raw>.*?)\\)\\k<mark>\""
                     "|\"(?<string>(?:\\\\.|[^\"\\\\\n])*)\""
                     "|'(?:\\\\.|[^'\\\\\n])+'"
                     "|#include[^\n]*"),
      QRegularExpression::DotMatchesEverythingOption);
  return kPieces;
}

bool joins(const SourceText& last, Kind kind, const QString& between) {
  if (last.kind != kind || !between.trimmed().isEmpty()) return false;
  return kind == Kind::String || between.count('\n') == 1;
}

}  // namespace

QList<SourceText> sourceTexts(const QString& source) {
  QList<SourceText> texts;
  qsizetype end = 0;
  int line = 1;
  qsizetype counted = 0;
  for (auto at = pieces().globalMatch(source); at.hasNext();) {
    const QRegularExpressionMatch piece = at.next();
    const bool comment = piece.hasCaptured("line") || piece.hasCaptured("block");
    const bool string = piece.hasCaptured("string") || piece.hasCaptured("raw");
    if (!comment && !string) continue;
    const Kind kind = comment ? Kind::Comment : Kind::String;
    QString text;
    for (const char* const part : {"line", "block", "raw", "string"}) text += piece.captured(part);
    line += static_cast<int>(
        QStringView(source).mid(counted, piece.capturedStart() - counted).count('\n'));
    counted = piece.capturedStart();
    const QString between = source.mid(end, piece.capturedStart() - end);
    end = piece.capturedEnd();
    if (!texts.isEmpty() && joins(texts.back(), kind, between))
      texts.back().text += text;
    else
      texts += {line, kind, text};
  }
  texts.removeIf(
      [](const SourceText& text) { return text.kind == Kind::String && !text.text.contains(' '); });
  return texts;
}

}  // namespace tileloom::test
