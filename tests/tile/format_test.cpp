// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/tile/format.h"

#include <QtTest>
#include <set>

#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom {

using test::q;

class FormatTest : public QObject {
  Q_OBJECT

 private slots:
  void rowsAreDistinctAndComplete() {
    std::set<std::string_view> names, words;
    for (const FormatRow& row : formats()) {
      QCOMPARE(&rowOf(row.format), &row);
      QVERIFY(names.insert(row.name).second && words.insert(row.words).second);
      QVERIFY(!row.name.empty() && !row.words.empty());
      QVERIFY(row.bytes == 1 || row.bytes == 2 || row.bytes == 4);
      QCOMPARE(row.rounded(1.5f), 1.5f);
      QCOMPARE(row.rounded(row.rounded(1.0f / 3)), row.rounded(1.0f / 3));
    }
    for (const FormatRow* row : formatsOfRungs()) {
      const auto found = formatNamed(row->name);
      QVERIFY(found.has_value());
      QCOMPARE(*found, row->format);
    }
    QCOMPARE(rowOf(Format::Fp32).bytes, 4);
    QCOMPARE(rowOf(Format::Bf16).bytes, 2);
    QCOMPARE(rowOf(Format::Fp16).bytes, 2);
  }

  void anUnknownNameIsAnsweredWithTheChoices() {
    for (const char* name : {"", "tf32", "FP32", "bf16 "}) {
      const auto found = formatNamed(name);
      QVERIFY(!found);
      QCOMPARE(q(found.error()),
               QStringLiteral("there is no arithmetic \"%1\": choose one of fp32, bf16, fp16")
                   .arg(name));
    }
  }

  void halvesAreOfTheirOwnFormat() {
    QCOMPARE(halfBits(Format::Bf16, 1.0f), std::uint16_t{0x3F80});
    QCOMPARE(halfBits(Format::Fp16, 1.0f), std::uint16_t{0x3C00});
    QCOMPARE(halfValue(Format::Bf16, 0x4000), 2.0f);
    QCOMPARE(halfValue(Format::Fp16, 0x4000), 2.0f);
    QCOMPARE(halfValue(Format::Fp16, halfBits(Format::Fp16, 1.0f / 3)), 0x1.554p-2f);
    QCOMPARE(halfValue(Format::Bf16, halfBits(Format::Bf16, 1.0f / 3)), 0x1.56p-2f);
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::FormatTest, Nothing)
#include "format_test.moc"
