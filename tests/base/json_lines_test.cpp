// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/base/json_lines.h"

#include <QtTest>

#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom {

class JsonLinesTest : public QObject {
  Q_OBJECT

  static constexpr const char* kText =
      "{\n"                                       // 1
      "  \"title\": \"a \\\"quoted\\\" } [\",\n"  // 2
      "  \"steps\": [\n"                          // 3
      "    {\"headline\": \"one\"},\n"            // 4
      "    {\n"                                   // 5
      "      \"session\": {\"tile\": {\n"         // 6
      "        \"BM\": 1,\n"                      // 7
      "        \"BN\": [1, 2,\n"                  // 8
      "          3]}},\n"                         // 9
      "      \"a/b\": true\n"                     // 10
      "    }\n"                                   // 11
      "  ]\n"                                     // 12
      "}\n";

 private slots:
  void valuesHaveLines_data() {
    QTest::addColumn<QString>("pointer");
    QTest::addColumn<int>("line");
    const auto row = [](const char* pointer, int line) {
      QTest::newRow(pointer) << QString(pointer) << line;
    };
    row("", 1);
    row("/title", 2);
    row("/steps", 3);
    row("/steps/0", 4);
    row("/steps/0/headline", 4);
    row("/steps/1", 5);
    row("/steps/1/session", 6);
    row("/steps/1/session/tile/BM", 7);
    row("/steps/1/session/tile/BN", 8);
    row("/steps/1/session/tile/BN/2", 9);
    row("/steps/1/a~1b", 10);
    // The innermost value that there is.
    row("/steps/1/text", 5);
    row("/steps/7", 3);
    row("/steps/x", 3);
    row("/title/0", 2);
    row("/nothing/at/all", 1);
  }
  void valuesHaveLines() {
    QFETCH(QString, pointer);
    QFETCH(int, line);
    QCOMPARE(lineOf(kText, pointer.toStdString()), line);
  }

  void anyNameHasALine() {
    const std::string text = "{\n\"a/b\": {\n\"~1\": 1,\n\"\": 2}}";
    QCOMPARE(lineOf(text, memberOf("", "a/b")), 2);
    QCOMPARE(lineOf(text, memberOf(memberOf("", "a/b"), "~1")), 3);
    QCOMPARE(lineOf(text, memberOf(memberOf("", "a/b"), "")), 4);
    // As some editors write it.
    QCOMPARE(lineOf("\xEF\xBB\xBF" + text, memberOf(memberOf("", "a/b"), "~1")), 3);
  }

  void textThatIsNoJsonSaysWhere() {
    QVERIFY(!syntaxError(kText));
    const auto missing = syntaxError("{\n  \"a\": 1\n  \"b\": 2\n}\n");
    QVERIFY(missing);
    QCOMPARE(missing->line, 3);
    QVERIFY2(!missing->words.empty() && missing->words.find("[json") == std::string::npos,
             missing->words.c_str());
    const auto empty = syntaxError("");
    QVERIFY(empty);
    QCOMPARE(empty->line, 1);
    const auto cut = syntaxError("[1,\n2,\n");
    QVERIFY(cut && cut->line >= 2);
    const auto large = syntaxError("{\"a\": 1,\n\"b\": -1e999}");
    QVERIFY(large);
    QCOMPARE(large->line, 2);
    // The last token may be long, and is left out.
    const std::string page =
        "{\"" + std::string(400, '-') + "\"s; expected " + std::string(90, '.');
    const auto wordy = syntaxError(page);
    QVERIFY(wordy);
    QVERIFY2(wordy->words.size() < 120 && !wordy->words.ends_with('.') &&
                 wordy->words.find("---") == std::string::npos,
             wordy->words.c_str());
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::JsonLinesTest, Nothing)
#include "json_lines_test.moc"
