// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/tile/arithmetic.h"

#include <QtTest>
#include <set>

#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom {

using test::q;

class ArithmeticTest : public QObject {
  Q_OBJECT

 private slots:
  void rowsAreDistinctAndComplete() {
    std::set<std::string_view> names, words;
    for (const ArithmeticRow& row : arithmetics()) {
      QCOMPARE(&rowOf(row.arithmetic), &row);
      QVERIFY(names.insert(row.name).second && words.insert(row.words).second);
      QVERIFY(!row.name.empty() && !row.words.empty());
      QVERIFY(row.bytes == 2 || row.bytes == 4);
      const auto found = arithmeticNamed(row.name);
      QVERIFY(found.has_value());
      QCOMPARE(*found, row.arithmetic);
    }
    QCOMPARE(rowOf(Arithmetic::Fp32).bytes, 4);
    QCOMPARE(rowOf(Arithmetic::Bf16).bytes, 2);
    QCOMPARE(rowOf(Arithmetic::Fp16).bytes, 2);
  }

  void anUnknownNameIsAnsweredWithTheChoices() {
    for (const char* name : {"", "tf32", "FP32", "bf16 "}) {
      const auto found = arithmeticNamed(name);
      QVERIFY(!found);
      QCOMPARE(q(found.error()),
               QStringLiteral("there is no arithmetic \"%1\": choose one of fp32, bf16, fp16")
                   .arg(name));
    }
  }

  void halvesAreOfTheirOwnFormat() {
    QCOMPARE(halfBits(Arithmetic::Bf16, 1.0f), std::uint16_t{0x3F80});
    QCOMPARE(halfBits(Arithmetic::Fp16, 1.0f), std::uint16_t{0x3C00});
    QCOMPARE(halfValue(Arithmetic::Bf16, 0x4000), 2.0f);
    QCOMPARE(halfValue(Arithmetic::Fp16, 0x4000), 2.0f);
    QCOMPARE(halfValue(Arithmetic::Fp16, halfBits(Arithmetic::Fp16, 1.0f / 3)), 0x1.554p-2f);
    QCOMPARE(halfValue(Arithmetic::Bf16, halfBits(Arithmetic::Bf16, 1.0f / 3)), 0x1.56p-2f);
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::ArithmeticTest, Nothing)
#include "arithmetic_test.moc"
