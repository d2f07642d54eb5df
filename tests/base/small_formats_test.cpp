// SPDX-License-Identifier: GPL-3.0-or-later
// The formats of 8 and 4 bits over all of their values, against arithmetic in double precision
// without bit operations, and the numbers between neighbours, where rounding is decided.
#include "kernels/base/small_formats.h"

#include <QtTest>
#include <cmath>
#include <iterator>
#include <limits>

#include "tests/support/random.h"
#include "tests/support/test_class.h"

namespace tileloom {

class SmallFormatsTest : public QObject {
  Q_OBJECT

  struct Format {
    const char* name;
    int exponentBits, fractionBits;
    int most;        // the bits of the largest finite number
    double largest;  // and its value
    int nan;         // the bits that NaN becomes
    float (*from)(std::uint8_t);
    std::uint8_t (*to)(float);

    // Of a finite number, by the definition of such formats.
    double meaning(int bits) const {
      const int bias = (1 << (exponentBits - 1)) - 1;
      const int exponent = bits >> fractionBits & ((1 << exponentBits) - 1);
      const int fraction = bits & ((1 << fractionBits) - 1);
      const int lead = exponent == 0 ? 0 : 1 << fractionBits;
      const double size = std::ldexp(lead + fraction, std::max(exponent, 1) - bias - fractionBits);
      return (bits & sign()) != 0 ? -size : size;
    }
    int sign() const { return 1 << (exponentBits + fractionBits); }
  };
  static constexpr Format kFormats[] = {{"e4m3", 4, 3, 0x7E, 448, 0x7F, fromE4m3, toE4m3},
                                        {"e5m2", 5, 2, 0x7B, 57344, 0x7F, fromE5m2, toE5m2},
                                        {"e2m1", 2, 1, 0x7, 6, 0x7, fromE2m1, toE2m1}};

  static const Format& formatOfRow() {
    QFETCH_GLOBAL(int, format);
    return kFormats[format];
  }

 private slots:
  void initTestCase_data() {
    QTest::addColumn<int>("format");
    for (int i = 0; i < static_cast<int>(std::size(kFormats)); ++i)
      QTest::newRow(kFormats[i].name) << i;
  }

  void everyValueThereAndBack() {
    const Format& f = formatOfRow();
    int numbers = 0;
    for (int b = 0; b < 2 * f.sign(); ++b) {
      const auto bits = static_cast<std::uint8_t>(b);
      if ((b & (f.sign() - 1)) > f.most) continue;
      ++numbers;
      QCOMPARE(double(f.from(bits)), f.meaning(b));
      QCOMPARE(f.to(f.from(bits)), bits);
    }
    QCOMPARE(numbers, 2 * (f.most + 1));
    QCOMPARE(double(f.from(static_cast<std::uint8_t>(f.most))), f.largest);
  }

  // Between two neighbours the middle goes to the even one, everything else to the nearer one.
  void roundsToTheNearest() {
    const Format& f = formatOfRow();
    for (int b = 0; b < f.most; ++b) {
      const auto low = static_cast<float>(f.meaning(b)),
                 high = static_cast<float>(f.meaning(b + 1));
      const float middle = (low + high) / 2;
      for (const float sign : {1.0f, -1.0f}) {
        const int bit = sign < 0 ? f.sign() : 0;
        QCOMPARE(int(f.to(sign * middle)), bit | (b % 2 == 0 ? b : b + 1));
        QCOMPARE(int(f.to(sign * std::nextafter(middle, low))), bit | b);
        QCOMPARE(int(f.to(sign * std::nextafter(middle, high))), bit | (b + 1));
      }
    }
  }

  void saturates() {
    const Format& f = formatOfRow();
    const auto most = static_cast<float>(f.meaning(f.most));
    for (const float large : {most * 1.5f, 1e30f, std::numeric_limits<float>::infinity()}) {
      QCOMPARE(int(f.to(large)), f.most);
      QCOMPARE(int(f.to(-large)), f.sign() | f.most);
    }
    QCOMPARE(int(f.to(std::numeric_limits<float>::quiet_NaN())), f.nan);
    if (f.nan > f.most) QVERIFY(std::isnan(f.from(0x7F)) && std::isnan(f.from(0xFF)));
    // The largest fp32 subnormal is far below half of the smallest number.
    QCOMPARE(int(f.to(1e-38f)), 0);
    QCOMPARE(int(f.to(-1e-38f)), f.sign());
  }

  void theNumbersOfE2m1() {
    const double numbers[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
    for (int b = 0; b < 8; ++b) {
      QCOMPARE(double(fromE2m1(static_cast<std::uint8_t>(b))), numbers[b]);
      QCOMPARE(double(fromE2m1(static_cast<std::uint8_t>(b | 8))), -numbers[b]);
    }
  }

  void powersOfTwo() {
    for (int b = 0; b < 255; ++b) {
      const auto bits = static_cast<std::uint8_t>(b);
      QCOMPARE(double(fromE8m0(bits)), std::ldexp(1.0, b - 127));
      QCOMPARE(toE8m0(fromE8m0(bits)), bits);
      if (b == 0 || b == 254) continue;
      // The middle between two powers goes to the one with even bits.
      const float middle = fromE8m0(bits) * 1.5f;
      QCOMPARE(int(toE8m0(middle)), b % 2 == 0 ? b : b + 1);
      QCOMPARE(int(toE8m0(std::nextafter(middle, 0.0f))), b);
      QCOMPARE(int(toE8m0(std::nextafter(middle, 1e38f * 3))), b + 1);
    }
    QVERIFY(std::isnan(fromE8m0(0xFF)));
    QCOMPARE(int(toE8m0(std::numeric_limits<float>::infinity())), 254);
    QCOMPARE(int(toE8m0(std::numeric_limits<float>::quiet_NaN())), 255);
    QCOMPARE(int(toE8m0(-1)), 255);
    QCOMPARE(int(toE8m0(0)), 0);
  }

  void tf32KeepsTenBitsOfFraction() {
    test::Random random(test::seed());
    for (int i = 0; i < 10000; ++i) {
      const auto value = static_cast<float>(random.integer(-1'000'000, 1'000'000)) / 1024;
      const auto kept = std::bit_cast<float>(toTf32(value));
      QCOMPARE(toTf32(kept), std::bit_cast<std::uint32_t>(kept));
      QCOMPARE(std::bit_cast<std::uint32_t>(kept) & 0x1FFF, 0u);
      QVERIFY(std::abs(kept - value) <= std::abs(value) * 0x1p-11f);
    }
    QCOMPARE(std::bit_cast<float>(toTf32(1.0f + 0x1p-11f)), 1.0f);            // the middle, to even
    QCOMPARE(std::bit_cast<float>(toTf32(1.0f + 0x3p-11f)), 1.0f + 0x1p-9f);  // the same
    QVERIFY(std::isnan(std::bit_cast<float>(toTf32(std::numeric_limits<float>::quiet_NaN()))));
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::SmallFormatsTest, Nothing)
#include "small_formats_test.moc"
