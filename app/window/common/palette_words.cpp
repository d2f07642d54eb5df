// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/common/palette_words.h"

#include "app/glossary/glossary.h"
#include "viz/base/text/text.h"

namespace tileloom {

QStringList namesOf(const Term& term) {
  QStringList names{toQString(term.term)};
  for (const std::string& word : term.also) names += toQString(word);
  return names;
}

QString joinedWords(const QStringList& words) {
  return words.join(QStringLiteral(", "));
}

QString wordsOfPage(std::string_view id) {
  QStringList words;
  for (const Term& term : glossary()) {
    if (term.page == id) words += namesOf(term);
  }
  return joinedWords(words);
}

}  // namespace tileloom
