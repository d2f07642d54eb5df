// SPDX-License-Identifier: GPL-3.0-or-later
// Both 16-bit formats over all of their 65,536 values, against arithmetic in double precision
// without bit operations, and the numbers between neighbours, where rounding is decided.
#include "kernels/base/half_formats.h"

#include <QtTest>
#include <cmath>
#include <limits>

#include "tests/support/random.h"
#include "tests/support/test_class.h"

namespace tileloom {

class HalfFormatsTest : public QObject {
  Q_OBJECT

  struct Format {
    const char* name;
    int exponentBits;
    int fractionBits;
    float (*from)(std::uint16_t);
    std::uint16_t (*to)(float);

    int bias() const { return (1 << (exponentBits - 1)) - 1; }
    std::uint16_t infinity() const {
      return static_cast<std::uint16_t>(((1 << exponentBits) - 1) << fractionBits);
    }
    // The value of the bits, by the definition of such formats.
    double meaning(std::uint16_t bits) const {
      const int exponent = bits >> fractionBits & ((1 << exponentBits) - 1);
      const int fraction = bits & ((1 << fractionBits) - 1);
      const double sign = (bits & 0x8000) != 0 ? -1.0 : 1.0;
      if (exponent == (1 << exponentBits) - 1) {
        return fraction == 0 ? sign * std::numeric_limits<double>::infinity()
                             : std::numeric_limits<double>::quiet_NaN();
      }
      const int lead = exponent == 0 ? 0 : 1 << fractionBits;
      return sign * std::ldexp(lead + fraction, std::max(exponent, 1) - bias() - fractionBits);
    }
  };
  static constexpr Format kFormats[] = {{"bf16", 8, 7, fromBf16, toBf16},
                                        {"fp16", 5, 10, fromFp16, toFp16}};

  static const Format& formatOfRow() {
    QFETCH_GLOBAL(int, format);
    return kFormats[format];
  }

 private slots:
  void initTestCase_data() {
    QTest::addColumn<int>("format");
    QTest::newRow("bf16") << 0;
    QTest::newRow("fp16") << 1;
  }

  void everyValueThereAndBack() {
    const Format& f = formatOfRow();
    int numbers = 0, others = 0;
    for (int b = 0; b < 65536; ++b) {
      const auto bits = static_cast<std::uint16_t>(b);
      const float value = f.from(bits);
      const double meaning = f.meaning(bits);
      if (std::isnan(meaning)) {
        QVERIFY(std::isnan(value));
        QCOMPARE(f.to(value), std::uint16_t{0x7FFF});
        ++others;
        continue;
      }
      QCOMPARE(double{value}, meaning);
      QCOMPARE(std::signbit(value), (bits & 0x8000) != 0);  // also that of zero
      QCOMPARE(f.to(value), bits);
      ++numbers;
    }
    QCOMPARE(numbers + others, 65536);
    QCOMPARE(others, 2 * ((1 << f.fractionBits) - 1));
  }

  // Between two neighbours the middle goes to the even one, and the next fp32 number on either side
  // of the middle to the nearer one; subnormal neighbours, and the largest number with infinity,
  // are such pairs, too.
  void everyMiddleIsRoundedToEven() {
    const Format& f = formatOfRow();
    for (int b = 0; b < f.infinity(); ++b) {
      const auto low = static_cast<std::uint16_t>(b), high = static_cast<std::uint16_t>(b + 1);
      // Infinity is where the next number would be.
      const double next = high == f.infinity()
                              ? 2 * f.meaning(low) - f.meaning(static_cast<std::uint16_t>(b - 1))
                              : f.meaning(high);
      const auto middle = static_cast<float>((f.meaning(low) + next) / 2);
      QCOMPARE(double{middle}, (f.meaning(low) + next) / 2);  // fp32 has a bit for it
      const std::uint16_t even = (low & 1) == 0 ? low : high;
      const float below = std::nextafter(middle, 0.0f);
      const float above = std::nextafter(middle, std::numeric_limits<float>::infinity());
      QCOMPARE(f.to(middle), even);
      QCOMPARE(f.to(below), low);
      QCOMPARE(f.to(above), high);
      QCOMPARE(f.to(-middle), static_cast<std::uint16_t>(even | 0x8000));
      QCOMPARE(f.to(-below), static_cast<std::uint16_t>(low | 0x8000));
      QCOMPARE(f.to(-above), static_cast<std::uint16_t>(high | 0x8000));
    }
  }

  void whatIsTooLargeIsInfinite() {
    const Format& f = formatOfRow();
    const float largest = f.from(static_cast<std::uint16_t>(f.infinity() - 1));
    QVERIFY(std::isfinite(largest));
    QCOMPARE(f.to(std::numeric_limits<float>::infinity()), f.infinity());
    QCOMPARE(f.to(-std::numeric_limits<float>::infinity()),
             static_cast<std::uint16_t>(f.infinity() | 0x8000));
    QCOMPARE(f.to(std::numeric_limits<float>::max()), f.infinity());
    QCOMPARE(f.to(std::nextafter(largest, std::numeric_limits<float>::infinity())),
             static_cast<std::uint16_t>(f.infinity() - 1));
  }

  // The nearest of all values, searched for by distance in double precision.
  void randomNumbersGoToTheNearest() {
    const Format& f = formatOfRow();
    test::Random random(test::seed());
    for (int i = 0; i < 20000; ++i) {
      const auto bits = static_cast<std::uint32_t>(random.integer(0, 0xFFFF)) << 16 |
                        static_cast<std::uint32_t>(random.integer(0, 0xFFFF));
      const auto value = std::bit_cast<float>(bits);
      const std::uint16_t rounded = f.to(value);
      if (std::isnan(value)) {
        QCOMPARE(rounded, std::uint16_t{0x7FFF});
        continue;
      }
      const double meaning = f.meaning(rounded);
      if (std::isinf(meaning)) continue;  // everyMiddleIsRoundedToEven has that edge
      const double error = std::abs(double{value} - meaning);
      const auto magnitude = static_cast<std::uint16_t>(rounded & 0x7FFF);
      for (const int step : {-1, 1}) {
        const int other = magnitude + step;
        if (other < 0 || other >= f.infinity()) continue;
        const auto neighbour = static_cast<std::uint16_t>((rounded & 0x8000) | other);
        QVERIFY(error <= std::abs(double{value} - f.meaning(neighbour)));
      }
    }
  }

  // Well-known numbers.
  void examples() {
    QCOMPARE(toBf16(1.0f), std::uint16_t{0x3F80});
    QCOMPARE(toBf16(3.14159265f), std::uint16_t{0x4049});
    QCOMPARE(toBf16(-0.0f), std::uint16_t{0x8000});
    QCOMPARE(toFp16(1.0f), std::uint16_t{0x3C00});
    QCOMPARE(toFp16(65504.0f), std::uint16_t{0x7BFF});
    QCOMPARE(toFp16(65519.996f), std::uint16_t{0x7BFF});
    QCOMPARE(toFp16(65520.0f), std::uint16_t{0x7C00});
    QCOMPARE(toFp16(0x1p-24f), std::uint16_t{0x0001});
    QCOMPARE(toFp16(0x1p-25f), std::uint16_t{0x0000});
    QCOMPARE(toFp16(0x1.8p-25f), std::uint16_t{0x0001});
    QCOMPARE(toFp16(0x1p-149f), std::uint16_t{0x0000});
    QCOMPARE(toFp16(0x1.ffcp-15f), std::uint16_t{0x0400});  // the next one is 2^-14, even
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::HalfFormatsTest, Nothing)
#include "half_formats_test.moc"
