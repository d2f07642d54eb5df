// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/tile/format.h"

#include <QtTest>
#include <array>
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
      QCOMPARE(row.bytesOf(row.elementsPerWord()), 4LL);
      QCOMPARE(row.rounded(1.0f), 1.0f);
      QCOMPARE(row.rounded(row.rounded(1.0f / 3)), row.rounded(1.0f / 3));
    }
    for (const FormatRow* row : formatsOfRungs()) {
      const auto found = formatNamed(row->name);
      QVERIFY(found.has_value());
      QCOMPARE(*found, row->format);
    }
    QCOMPARE(rowOf(Format::Fp32).bits, 32);
    QCOMPARE(rowOf(Format::Bf16).bits, 16);
    QCOMPARE(rowOf(Format::Fp16).bits, 16);
    QCOMPARE(rowOf(Format::E4m3).bits, 8);
  }

  // Of each width that an element may have; 6-bit elements have the width of their place, 8.
  void bytesFollowFromACount() {
    FormatRow row = rowOf(Format::Fp32);
    for (const auto& [bits, perWord, perByte, bytesOf5] :
         {std::array{4, 8, 2, 3}, {8, 4, 1, 5}, {16, 2, 1, 10}, {32, 1, 1, 20}}) {
      row.bits = bits;
      QCOMPARE(static_cast<int>(row.elementsPerWord()), perWord);
      QCOMPARE(row.elementsPerByte(), perByte);
      QCOMPARE(row.bytesOf(0), 0LL);
      QCOMPARE(row.bytesOf(5), static_cast<long long>(bytesOf5));
      QCOMPARE(row.bytesOf(std::uint64_t{1} << 40), (1LL << 37) * bits);
      QCOMPARE(row.bytesOf(5.0), 5.0 * bits / 8);
      QCOMPARE(row.elementsIn(16), 128LL / bits);
      QCOMPARE(row.elementsIn(row.bytesOf(256)), 256LL);
    }
  }

  // A row with shared factors says what they are, and nothing multiplies it.
  void sharedFactorsAreRefused() {
    QCOMPARE(q(whyNotMultiplied(rowOf(Format::Mxfp4))),
             QString("mxfp4 has a factor of e8m0 for every 32 elements of K, and this program "
                     "multiplies without shared factors"));
    QCOMPARE(q(whyNotMultiplied(rowOf(Format::Nvfp4))),
             QString("nvfp4 has a factor of e4m3 for every 16 elements of K, and this program "
                     "multiplies without shared factors"));
    for (const FormatRow& row : formats()) {
      const bool shared = row.factors.elements > 0;
      QCOMPARE(whyNotMultiplied(row).empty(), !shared);
      if (!shared) continue;
      const FormatRow& factor = rowOf(row.factors.format);
      QVERIFY(factor.factors.elements == 0 && factor.bits == 8);
    }
    for (const FormatRow* row : formatsOfRungs()) QVERIFY(whyNotMultiplied(*row).empty());
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
