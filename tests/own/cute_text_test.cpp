// SPDX-License-Identifier: GPL-3.0-or-later
// Layouts and swizzles in CuTe's notation: what they map an index to, and what is wrong with
// others.
#include "kernels/own/cute_text.h"

#include <QtTest>

#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::own {

using test::q;

class CuteTextTest : public QObject {
  Q_OBJECT

 private slots:
  void layouts_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("size");
    QTest::addColumn<int>("index");
    QTest::addColumn<int>("value");
    const auto row = [](const char* text, int size, int index, int value) {
      QTest::addRow("%s at %d", text, index) << text << size << index << value;
    };
    row("32:4", 32, 5, 20);
    row("(8,4):(33,1)", 32, 0, 0);
    row("(8,4):(33,1)", 32, 7, 231);
    row("(8,4):(33,1)", 32, 9, 34);
    row("(_8,_4):(_33,_1)", 32, 9, 34);
    row("((2,4),4):((1,8),32)", 32, 1, 1);
    row("((2,4),4):((1,8),32)", 32, 2, 8);
    row("((2,4),4):((1,8),32)", 32, 31, 96 + 24 + 1);
    row(" ( 4 , 2 ) : ( 1 , 0 ) ", 8, 7, 3);
  }
  void layouts() {
    QFETCH(QString, text);
    QFETCH(int, size);
    QFETCH(int, index);
    QFETCH(int, value);
    QVERIFY(looksLikeCute(text.toStdString()));
    const auto made = parseCute(text.toStdString());
    QVERIFY2(made.has_value(), made ? "" : made.error().c_str());
    QCOMPARE(int(made->layout.size()), size);
    QCOMPARE(int(made->layout(index)), value);
    QVERIFY(!made->swizzle);
  }

  void compositions() {
    for (const char* text : {"Swizzle<3,3,3> o 5 o (8,8):(8,1)", "Sw<3,3,3>o _5 o(8,8):(8,1)"}) {
      const auto made = parseCute(text);
      QVERIFY2(made.has_value(), made ? "" : made.error().c_str());
      QCOMPARE(made->swizzle, (analysis::Swizzle{3, 3, 3}));
      QCOMPARE(made->offset, 5);
      QCOMPARE(made->layout(9), 9);
    }
  }
  void swizzles() {
    QCOMPARE(parseSwizzle("Swizzle<3, 4, 3>"), (analysis::Swizzle{3, 4, 3}));
    QCOMPARE(parseSwizzle("2,0,5"), (analysis::Swizzle{2, 0, 5}));
    QCOMPARE(q(swizzleText({3, 4, 3})), "Swizzle<3,4,3>");
  }

  void errors_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("part");
    const auto row = [](const char* text, const char* part) {
      QTest::newRow(text) << text << part;
    };
    row("(8,4):(33)", "at character 11: shape and stride have different modes");
    row("(8,4):33", "shape and stride have different modes");
    row("(8,4:(33,1)", "at character 5: a closing parenthesis is missing");
    row("(8,):(1)", "at character 4: a number is missing");
    row("(0,4):(1,1)", "at character 2: the number must be from 1 to");
    row("Swizzle<3,3,3>", "an o between the swizzle and the offset is missing");
    row("Swizzle<3,3,3> o (8,8):(8,1)", "at character 18: a number is missing");
    row("Swizzle<3,3> o 0 o 8:1", "at character 12: a swizzle has three numbers");
    row("Swizzle<3,3,2> o 0 o 8:1", "the last number of a swizzle is at least its first one");
    row("Swizzle<3,3,-3> o 0 o 8:1", "the number must be from 0 to 16");
    row("Swizzle<6,3,6> o 0 o 8:1", "the number must be from 0 to 5");
    row("8:1 x", "at character 5: nothing more is expected here");
    row("((((((((((8))))))))):1", "too many parentheses");
    row("(1000000,1000000,1000000):(1,1,1)", "the layout is too large");
  }
  void errors() {
    QFETCH(QString, text);
    QFETCH(QString, part);
    const auto made = parseCute(text.toStdString());
    QVERIFY2(!made.has_value(), "it is a layout");
    QVERIFY2(q(made.error()).contains(part), made.error().c_str());
  }
};

}  // namespace tileloom::own

TILELOOM_TEST(tileloom::own::CuteTextTest, Nothing)
#include "cute_text_test.moc"
