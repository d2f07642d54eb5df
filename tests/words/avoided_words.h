// SPDX-License-Identifier: GPL-3.0-or-later
// The patterns of tests/words/avoid.txt and avoid_strings.txt, for tests of documents and strings.
//
//   for (const auto& found : test::avoidedWordsIn(text)) ...  // "nobody": threads, warps … are not
//   people
#pragma once

#include <QString>
#include <QStringList>

namespace tileloom::test {

// One sentence for each avoided word in the text, with the better word. Code in backticks,
// quotations in straight quotes and the targets of links are ignored.
QStringList avoidedWordsIn(const QString& text, const QString& list = QStringLiteral("avoid.txt"));

// The lines of a file of tests/words that are neither empty nor a comment.
QStringList wordLines(const QString& name);

}  // namespace tileloom::test
