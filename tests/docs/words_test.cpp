// SPDX-License-Identifier: GPL-3.0-or-later
// Documents have none of the words of tests/words/avoid.txt (docs/style.md).
#include <QRegularExpression>
#include <QTest>

#include "tests/docs/documents.h"
#include "tests/support/test_class.h"
#include "tests/words/avoided_words.h"

namespace tileloom {

class WordsTest : public QObject {
  Q_OBJECT

 private slots:
  void documentsAvoidTheWords_data() {
    QTest::addColumn<QString>("path");
    const QStringList unread = test::wordLines(QStringLiteral("unread.txt"));
    for (const QString& path : test::documents()) {
      if (!unread.contains(path) && !path.startsWith(QStringLiteral("docs/log/")))
        QTest::newRow(qPrintable(path)) << path;
    }
  }

  void documentsAvoidTheWords() {
    QFETCH(QString, path);
    QStringList complaints;
    int number = 0;
    bool inCode = false;
    for (const QString& line : test::textOf(path).split('\n')) {
      ++number;
      if (line.startsWith(QStringLiteral("```"))) inCode = !inCode;
      // The tables of the style are about these words.
      if (inCode || (path == QStringLiteral("docs/style.md") && line.startsWith('|'))) continue;
      // The glossary's third column has the synonyms of a word, ours included.
      const bool synonyms = path == QStringLiteral("docs/glossary.md") && line.startsWith('|');
      for (const QString& found : test::avoidedWordsIn(synonyms ? line.section('|', 0, 2) : line))
        complaints += QStringLiteral("%1:%2: %3").arg(path).arg(number).arg(found);
    }
    QVERIFY2(complaints.isEmpty(), qPrintable(complaints.join('\n')));
  }

  // A document without avoided words is not on the list.
  void onlyDocumentsThatNeedItAreLeftOut() {
    for (const QString& path : test::wordLines(QStringLiteral("unread.txt"))) {
      const QString text = test::textOf(path);
      QVERIFY2(!text.isEmpty(), qPrintable(path + " of tests/words/unread.txt does not exist"));
      QVERIFY2(!test::avoidedWordsIn(text).isEmpty(),
               qPrintable(path + " has no avoided word: take it off tests/words/unread.txt"));
    }
  }

  void patternsFindWhatTheyAreFor() {
    QCOMPARE(test::avoidedWordsIn(QStringLiteral("nobody waits")).size(), 1);
    QCOMPARE(test::avoidedWordsIn(QStringLiteral("it is no tile, and is no longer one")).size(), 1);
    QVERIFY(test::avoidedWordsIn(QStringLiteral("write `anew` as \"again\"")).isEmpty());
  }

  void theReadmeIsShort() { QVERIFY(test::textOf(QStringLiteral("README.md")).count('\n') <= 130); }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::WordsTest, Nothing)
#include "words_test.moc"
