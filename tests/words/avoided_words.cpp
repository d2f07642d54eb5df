// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/words/avoided_words.h"

#include <QFile>
#include <QRegularExpression>
#include <map>
#include <vector>

namespace tileloom::test {
namespace {

struct Avoided {
  QRegularExpression pattern;
  QString advice;
};

std::vector<Avoided> avoidedWords(const QString& list) {
  std::vector<Avoided> all;
  for (const QString& line : wordLines(list)) {
    const QStringList parts = line.split('\t');
    const QRegularExpression pattern(parts.front(), QRegularExpression::CaseInsensitiveOption);
    if (parts.size() != 2 || !pattern.isValid())
      qFatal("tests/words/%s: \"%s\" is not PATTERN, tab, ADVICE", qPrintable(list),
             qPrintable(line));
    all.push_back({pattern, parts.back()});
  }
  return all;
}

}  // namespace

QStringList wordLines(const QString& name) {
  QFile file(QStringLiteral(TILELOOM_SOURCE_DIR "/tests/words/") + name);
  if (!file.open(QIODevice::ReadOnly)) qFatal("%s cannot be read", qPrintable(file.fileName()));
  QStringList lines;
  for (const QString& line : QString::fromUtf8(file.readAll()).split('\n'))
    if (!line.isEmpty() && !line.startsWith('#')) lines += line;
  return lines;
}

QStringList avoidedWordsIn(const QString& text, const QString& list) {
  static std::map<QString, std::vector<Avoided>> lists;
  if (!lists.contains(list)) lists.emplace(list, avoidedWords(list));
  static const QRegularExpression kQuoted(QStringLiteral("`[^`]*`|\"[^\"]*\"|\\]\\([^)]*\\)"));
  QString own = text;
  own.replace(kQuoted, QStringLiteral("_"));
  QStringList found;
  for (const Avoided& avoided : lists.at(list)) {
    for (auto at = avoided.pattern.globalMatch(own); at.hasNext();)
      found += QStringLiteral("\"%1\": %2").arg(at.next().captured(), avoided.advice);
  }
  return found;
}

}  // namespace tileloom::test
