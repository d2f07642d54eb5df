// SPDX-License-Identifier: GPL-3.0-or-later
// Expressions of a launch file: values, precedence, and what is wrong with others.
#include "kernels/own/expression.h"

#include <QtTest>

#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::own {

using test::q;

class ExpressionTest : public QObject {
  Q_OBJECT

  const Names names_ = {{"M", 1000}, {"N", 257}, {"BN", 64}, {"_x1", -3}};

 private slots:
  void values_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<qint64>("value");
    const auto row = [](const char* text, qint64 value) { QTest::newRow(text) << text << value; };
    row("7", 7);
    row("M", 1000);
    row("2 + 3 * 4", 14);
    row("(2 + 3) * 4", 20);
    row("20 - 3 - 2", 15);
    row("100 / 7 / 2", 7);
    row("100 % 7 * 2", 4);
    row("-M / 7", -142);
    row("--3", 3);
    row("cdiv(N, BN)", 5);
    row("cdiv(256, BN)", 4);
    row("cdiv(-7, 2)", -3);
    row("cdiv(-7, -2)", 4);
    row("min(M, N) + max(1, _x1)", 258);
    row(" cdiv( M , BN ) * 32 ", 512);
    row("-9223372036854775807 - 1", std::numeric_limits<qint64>::min());
    row("(-9223372036854775807 - 1) % -1", 0);
    row("0x20 + 0XfF", 287);
    row("1 << 4 | 3", 19);
    row("7 & 12 ^ 1", 5);
    row("1 + 2 << 3", 24);  // + before <<, as in C
    row("-8 >> 1", -4);
    row("6 & 3 == 3", 0);  // == before &, as in C
    row("~0 & 31", 31);
    row("!M + !0", 1);
    row("3 < 4 && 4 <= 4 && 5 > 4 && 5 >= 5 && 1 != 2", 1);
    row("0 || 2", 1);
    row("BN == 64 ? M : N", 1000);
    row("0 ? 1 : 0 ? 2 : 3", 3);
    row("BN - 64 ? M / (BN - 64) : 7", 7);  // what is not chosen may divide by 0
    row("BN == 64 || M / (BN - 64)", 1);
    row("BN != 64 && M / (BN - 64)", 0);
    row("min(1 ? 2 : 3, 5)", 2);
  }
  void values() {
    QFETCH(QString, text);
    QFETCH(qint64, value);
    const auto made = evaluate(text.toStdString(), names_);
    QVERIFY2(made.has_value(), made ? "" : made.error().c_str());
    QCOMPARE(static_cast<qint64>(*made), value);
  }

  void errors_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("part");
    const auto row = [](const char* text, const char* part) {
      QTest::newRow(text) << text << part;
    };
    row("", "at character 1: a number or a name is missing");
    row("M +", "at character 4: a number or a name is missing");
    row("M N", "at character 3: an operator is missing");
    row("BK", "at character 1: BK has no value: names are BN, M, N, _x1");
    row("(M", "at character 3: a closing parenthesis is missing");
    row("ceil(M, 2)", "at character 1: ceil is not a function: choose cdiv, min or max");
    row("cdiv(M)", "cdiv has two arguments with a comma between");
    row("M / (BN - 64)", "it divides by 0");
    row("cdiv(M, 0)", "it divides by 0");
    row("99999999999999999999", "the number is larger than 2^63");
    row("M * 9223372036854775807", "the number is larger than 2^63");
    row("(-9223372036854775807 - 1) / -1", "the number is larger than 2^63");
    row("M $ 2", "an operator is missing");
    row("1 ? 2", "at character 6: the : of a choice a ? b : c is missing");
    row("1 << 63", "a shift is by 0 to 62 bits");
    row("1 >> -1", "a shift is by 0 to 62 bits");
    row("2 << 62", "the number is larger than 2^63");
    row("0x", "at character 3: a digit is missing behind 0x");
    row("M = 2", "at character 3: an operator is missing");
    row("1 ? 2 : 3 / 0 +", "a number or a name is missing");
    row("\"", "this is neither a number nor a name");
  }
  void errors() {
    QFETCH(QString, text);
    QFETCH(QString, part);
    const auto made = evaluate(text.toStdString(), names_);
    QVERIFY2(!made.has_value(), "it has a value");
    QVERIFY2(q(made.error()).contains(part), made.error().c_str());
  }
  void longAndDeep() {
    QVERIFY(q(evaluate(std::string(401, '1'), names_).error()).contains("at most 400 characters"));
    const std::string deep = std::string(100, '(') + "1" + std::string(100, ')');
    QVERIFY(q(evaluate(deep, names_).error()).contains("too many parentheses"));
    QVERIFY(evaluate(std::string(200, '-') + "1", names_).error().size() > 10);
  }
  void namesAreRecognised() {
    QVERIFY(isName("BM") && isName("_a1") && !isName("1a") && !isName("") && !isName("a-b"));
  }
};

}  // namespace tileloom::own

TILELOOM_TEST(tileloom::own::ExpressionTest, Nothing)
#include "expression_test.moc"
