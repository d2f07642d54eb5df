// SPDX-License-Identifier: GPL-3.0-or-later
// Tokens: two texts that are equal for the compiler have the same tokens, and two that are not
// differ.
#include "kernels/tile/identity/tokens.h"

#include <QtTest>

#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom {

using test::q;

class TokensTest : public QObject {
  Q_OBJECT

  // Tokens between bars; # begins a directive, and ; ends it.
  static QString shown(std::string_view text) {
    QStringList all;
    for (const Token& token : tokensOf(text).all) {
      switch (token.kind) {
        case Token::Kind::Code:
          all += q(token.text);
          break;
        case Token::Kind::Directive:
          all += "#";
          break;
        case Token::Kind::DirectiveEnd:
          all += "end";
          break;
        case Token::Kind::Include:
          all += "include " + q(token.text);
          break;
      }
    }
    return all.join('|');
  }

 private slots:
  void tokens_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("wanted");
    const auto row = [](const char* name, const char* text, const char* wanted) {
      QTest::newRow(name) << QByteArray(text) << QString::fromUtf8(wanted);
    };
    row("nothing", "", "");
    row("white space", " \t\r\n\n", "");
    row("names", "a b\nab _c1 $d \xc3\xa9", "a|b|ab|_c1|$d|\xc3\xa9");
    row("a comment separates", "a/**/b a//b\nc", "a|b|a|c");
    row("a comment of several lines", "a /* x\n * \" // y\n */ b", "a|b");
    row("a comment without its end", "a /* b", "a");
    row("a comment in a text", "\"/* a */\" \"// b\" '\"' \"c\"",
        "\"/* a */\"|\"// b\"|'\"'|\"c\"");
    row("a quotation mark in a text", "\"a\\\"b\" \"\\\\\" c", "\"a\\\"b\"|\"\\\\\"|c");
    row("a quotation mark in a comment", "a // don't\nb /* \" */ c", "a|b|c");
    row("a text without its end", "\"a b\nc", "\"a b|c");
    row("prefixes", "u8\"a\" L'b' L \"c\" xL\"d\"", "u8\"a\"|L'b'|L|\"c\"|xL|\"d\"");
    row("suffixes", "\"a\"_s \"a\" _s 'b'_c", "\"a\"_s|\"a\"|_s|'b'_c");
    row("raw", "R\"(a \" // b)\" c", "R\"(a \" // b)\"|c");
    row("raw with a delimiter", "u8R\"x(a)\" )y\" )x\"_s c", "u8R\"x(a)\" )y\" )x\"_s|c");
    row("raw with a line feed", "R\"(a\\\nb)\" c\\\nd", "R\"(a\\\nb)\"|cd");
    row("no raw", "xR\"(a)\"", "xR|\"(a)\"");
    row("numbers", "1 1.5f .5 0x1Fu 1'000 1e+5 0x1p-3 1+2",
        "1|1.5f|.5|0x1Fu|1'000|1e+5|0x1p-3|1|+|2");
    row("signs", "a+++b a+ ++b a+ + +b", "a|++|+|b|a|+|++|b|a|+|+|+|b");
    row("the longest sign", "<<= << = <<< >>> ->* -> * ... ..",
        "<<=|<<|=|<<<|>>>|->*|->|*|...|.|.");
    row("two colons", "a<::b> a<:0:>", "a|<|::|b|>|a|<:|0|:>");
    row("continued", "a\\\nb c \\\r\n d // e \\\n f\ng", "ab|c|d|g");
    row("a mark of the byte order",
        "\xEF\xBB\xBF"
        "a",
        "a");

    row("define", "#define A 1\nA", "#|define|A|1|end|A");
    row("an end is a token", "#define A\n1", "#|define|A|end|1");
    row("a macro with parameters", "#define F(x) x", "#|define|F(|x|)|x|end");
    row("a macro without", "#define F (x) x", "#|define|F|(|x|)|x|end");
    row("continued define", "#define A \\\n  1 + \\\n 2\nb", "#|define|A|1|+|2|end|b");
    row("a comment in a directive", "#  /* a */ if A // b\nc", "#|if|A|end|c");
    row("a comment that goes over lines", "#if A /*\n*/ + B\nc", "#|if|A|+|B|end|c");
    row("amid a line", "a # b", "a|#|b");
    row("strings of names", "#define S(x) #x ## x", "#|define|S(|x|)|#|x|##|x|end");
    row("a directive alone", "#\na", "a");
    row("the last line", "#endif", "#|endif|end");
    row("unroll", "#pragma unroll 4\na", "#|pragma|unroll|4|end|a");
    row("once", "#pragma once // a\na", "a");
    row("lines", "#line 5 \"b\"\na\n# 7 \"c\" 1\nd", "a|d");
    row("a message", "#error don't do \"this\na", "#|error|end|a");
    row("include", "#include \"a/b.cuh\" // why\nc", "include \"a/b.cuh\"|c");
    row("include of the compiler's own", "# include <a.h>\nc", "include <a.h>|c");
    row("include by a macro", "#include A\nc", "#|include|A|end|c");
  }
  void tokens() {
    QFETCH(QByteArray, text);
    QFETCH(QString, wanted);
    QCOMPARE(shown(text.toStdString()), wanted);
  }

  void onceIsKept() {
    QVERIFY(tokensOf("// a\n#pragma once\n").once);
    QVERIFY(!tokensOf("// #pragma once\n#pragma unroll\n").once);
  }

  void aTokenKnowsItsLine() {
    std::vector<int> lines;
    for (const Token& token : tokensOf("a\n\n/*\n*/ b \\\n c\n#define D \\\n e\n\"f\\\n\" g").all)
      if (token.counts()) lines.push_back(token.line);
    QCOMPARE(lines, (std::vector<int>{1, 4, 5, 6, 6, 6, 7, 8, 9}));
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::TokensTest, Nothing)
#include "tokens_test.moc"
