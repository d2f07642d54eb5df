// SPDX-License-Identifier: GPL-3.0-or-later
// Strings and comments of the sources, lectures and the glossary are in the words of docs/style.md.
#include <QDirIterator>
#include <QTest>
#include <nlohmann/json.hpp>

#include "tests/docs/documents.h"
#include "tests/support/test_class.h"
#include "tests/words/avoided_words.h"
#include "tests/words/source_texts.h"

namespace tileloom {
namespace {

using test::SourceText;

const QString kRoot = QStringLiteral(TILELOOM_SOURCE_DIR "/");

QStringList filesIn(const QString& folder, const QStringList& names) {
  QStringList files;
  for (QDirIterator at(kRoot + folder, names, QDir::Files, QDirIterator::Subdirectories);
       at.hasNext();)
    files += at.next().mid(kRoot.size());
  files.sort();
  return files;
}

// The strings of a JSON value, without those of `also`: what a term was called before.
void addStrings(const nlohmann::json& json, QStringList& strings) {
  if (json.is_string()) strings += QString::fromStdString(json.get<std::string>());
  if (json.is_object()) {
    for (const auto& [key, value] : json.items())
      if (key != "also") addStrings(value, strings);
  } else if (json.is_array()) {
    for (const auto& value : json) addStrings(value, strings);
  }
}

// Texts of an earlier version by which kept keys are found: kEarlierText.
bool isFormer(const QString& text) {
  static const QStringList kFormer = test::wordLines(QStringLiteral("former_texts.txt"));
  return kFormer.contains(text);
}

QStringList avoidedIn(const QString& text) {
  if (isFormer(text)) return {};
  return test::avoidedWordsIn(text) +
         test::avoidedWordsIn(text, QStringLiteral("avoid_strings.txt"));
}

}  // namespace

class StringsTest : public QObject {
  Q_OBJECT

 private slots:
  void sourcesAvoidTheWords_data() {
    QTest::addColumn<QString>("folder");
    for (const QString folder : {"app", "kernels", "viz"})
      QTest::newRow(qPrintable(folder)) << folder;
  }

  void sourcesAvoidTheWords() {
    QFETCH(QString, folder);
    QStringList complaints;
    int read = 0;
    for (const QString& path : filesIn(folder, {"*.h", "*.cpp", "*.cuh"})) {
      for (const SourceText& each : test::sourceTexts(test::textOf(path))) {
        ++read;
        const bool string = each.kind == SourceText::Kind::String;
        for (const QString& found : string ? avoidedIn(each.text) : test::avoidedWordsIn(each.text))
          complaints += QStringLiteral("%1:%2: %3").arg(path).arg(each.line).arg(found);
      }
    }
    QVERIFY(read > 1000);
    QVERIFY2(complaints.isEmpty(), qPrintable(complaints.join('\n')));
  }

  void lecturesAndGlossaryAvoidTheWords() {
    QStringList complaints;
    for (const QString& path : filesIn(QStringLiteral("resources"), {"glossary.jsonl", "*.json"})) {
      if (!path.contains(QStringLiteral("lectures")) && !path.contains(QStringLiteral("glossary")))
        continue;
      QStringList strings;
      const QString text = test::textOf(path);
      for (const QString& part :
           path.endsWith('l') ? text.split('\n', Qt::SkipEmptyParts) : QStringList{text})
        addStrings(nlohmann::json::parse(part.toStdString()), strings);
      QVERIFY2(strings.size() > 10, qPrintable(path));
      for (const QString& each : strings)
        for (const QString& found : avoidedIn(each))
          complaints += QStringLiteral("%1: %2 in \"%3\"").arg(path, found, each.left(60));
    }
    QVERIFY2(complaints.isEmpty(), qPrintable(complaints.join('\n')));
  }

  void stringsAndCommentsAreFound() {
    const auto texts = test::sourceTexts(
        "#include \"a b.h\"\n"
        "// First\n// line.\nf(tr(\"one \"\n  \"two\"), \"key\", '\"', R\"(raw \"text)\");  // "
        "\"no\"\n");
    QCOMPARE(texts.size(), 4);
    QCOMPARE(texts[0].text, " First line.");
    QCOMPARE(texts[0].line, 2);
    QCOMPARE(texts[1].text, "one two");
    QCOMPARE(texts[1].line, 4);
    QCOMPARE(texts[2].text, "raw \"text");
    QVERIFY(texts[3].kind == SourceText::Kind::Comment);
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::StringsTest, Nothing)
#include "strings_test.moc"
