// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes become text that is valid, short and has no control characters.
#include "kernels/base/plain_text.h"

#include <QtTest>

#include "tests/support/random.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom {

using test::q;

class PlainTextTest : public QObject {
  Q_OBJECT

  static bool isValidUtf8(const std::string& text) {
    return QString::fromStdString(text).toStdString() == text;
  }

 private slots:
  void whatIsFineStays() {
    for (const char* text : {"", "BM=64", "1 × 2 → ± µs", "ü☃𝄞", "a & <b>"}) {
      QCOMPARE(quotable(text), std::string(text));
      QCOMPARE(terminalText(text), std::string(text));
      QVERIFY(!hasControlCharacters(text));
    }
    QCOMPARE(terminalText("a\n\tb\n"), std::string("a\n\tb\n"));
  }

  void whatWouldReachATerminalGoes_data() {
    QTest::addColumn<QByteArray>("given");
    QTest::addColumn<QByteArray>("shown");
    QTest::newRow("colour") << QByteArray("\x1b[31mX") << QByteArray("?[31mX");
    QTest::newRow("title") << QByteArray("\x1b]0;x\x07") << QByteArray("?]0;x?");
    QTest::newRow("return") << QByteArray("a\rb") << QByteArray("a?b");
    QTest::newRow("delete") << QByteArray("a\x7f") << QByteArray("a?");
    QTest::newRow("C1 control") << QByteArray(
                                       "a\xc2\x9b"
                                       "31m")
                                << QByteArray("a?31m");
    QTest::newRow("right to left") << QByteArray(
                                          "a\xe2\x80\xae"
                                          "b")
                                   << QByteArray("a?b");
    QTest::newRow("line separator") << QByteArray(
                                           "a\xe2\x80\xa8"
                                           "b")
                                    << QByteArray("a?b");
    QTest::newRow("no UTF-8") << QByteArray(
                                     "a\xff\xfe"
                                     "b")
                              << QByteArray("a??b");
    QTest::newRow("overlong") << QByteArray("\xc0\x80") << QByteArray("??");
    QTest::newRow("half a pair") << QByteArray("\xed\xa0\x80") << QByteArray("???");
    QTest::newRow("too large") << QByteArray("\xf4\x90\x80\x80") << QByteArray("????");
    QTest::newRow("cut off") << QByteArray("a\xe2\x80") << QByteArray("a??");
  }
  void whatWouldReachATerminalGoes() {
    QFETCH(QByteArray, given);
    QFETCH(QByteArray, shown);
    QCOMPARE(quotable(given.toStdString()), shown.toStdString());
    QCOMPARE(terminalText(given.toStdString()), shown.toStdString());
  }

  void newlinesAreForWholeTextsOnly() {
    QCOMPARE(quotable("a\nb\tc"), std::string("a?b?c"));
    QVERIFY(hasControlCharacters("a\nb"));
  }

  void longOnesAreCutBetweenCharacters() {
    const std::string long_ = QString(100, QChar(0xE9)).toStdString();
    QCOMPARE(q(quotable(long_)), QString(80, QChar(0xE9)) + "...");
    QCOMPARE(q(quotable("x" + long_)), "x" + QString(79, QChar(0xE9)) + "...");
    const QString most(80, 'w');
    QCOMPARE(q(quotable(most.toStdString())), most);
    QCOMPARE(q(quotable(std::string(50'000'000, 'w'))), most + "...");
    QCOMPARE(quotable("abcdef", 3), std::string("abc..."));
  }

  // The end of a file's name says more.
  void filesKeepTheirEnd() {
    QCOMPARE(quotableFile("/a/b.txt"), std::string("/a/b.txt"));
    QCOMPARE(quotableFile("/a/\x1b[31m\n.txt"), std::string("/a/?[31m?.txt"));
    const std::string shown = quotableFile("/" + std::string(5000, 'w') + "/runs.jsonl");
    QVERIFY(shown.starts_with("...w") && shown.ends_with("w/runs.jsonl"));
    QCOMPARE(shown.size(), kMostQuoted + 3);
  }

  void randomBytes() {
    test::Random random(test::seed());
    for (int i = 0; i < 2000; ++i) {
      std::string text(static_cast<std::size_t>(random.integer(0, 120)), ' ');
      for (char& c : text)
        c = static_cast<char>(random.oneIn(2) ? random.integer(0x78, 0xFF)
                                              : random.integer(0, 127));
      for (const std::string& shown :
           {quotable(text), terminalText(text), quotableFile(text.substr(0, text.find('\0')))}) {
        QVERIFY(isValidUtf8(shown));
        QCOMPARE(terminalText(shown), shown);
      }
      const std::string once = quotable(text);
      QVERIFY(!hasControlCharacters(once));
      QVERIFY(QString::fromStdString(once).toUcs4().size() <= 83);
    }
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::PlainTextTest, Nothing)
#include "plain_text_test.moc"
