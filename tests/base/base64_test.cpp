// SPDX-License-Identifier: GPL-3.0-or-later
// Bytes as text and back, and texts that are not base64.
#include "kernels/base/base64.h"

#include <QtTest>
#include <string>

#include "tests/support/test_class.h"

namespace tileloom::test {

class Base64Test : public QObject {
  Q_OBJECT

  static std::vector<char> bytesOf(std::string_view text) { return {text.begin(), text.end()}; }
  static bool isRefused(std::string_view text) { return !fromBase64(text).has_value(); }

 private slots:
  // RFC 4648, section 10.
  void vectorsOfTheStandard_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("none") << QByteArray() << QByteArray();
    QTest::newRow("1") << QByteArray("f") << QByteArray("Zg==");
    QTest::newRow("2") << QByteArray("fo") << QByteArray("Zm8=");
    QTest::newRow("3") << QByteArray("foo") << QByteArray("Zm9v");
    QTest::newRow("4") << QByteArray("foob") << QByteArray("Zm9vYg==");
    QTest::newRow("5") << QByteArray("fooba") << QByteArray("Zm9vYmE=");
    QTest::newRow("6") << QByteArray("foobar") << QByteArray("Zm9vYmFy");
  }
  void vectorsOfTheStandard() {
    QFETCH(QByteArray, bytes);
    QFETCH(QByteArray, text);
    QCOMPARE(QByteArray::fromStdString(toBase64(bytesOf(bytes.toStdString()))), text);
    const auto back = fromBase64(text.toStdString());
    QVERIFY(back && *back == bytesOf(bytes.toStdString()));
  }

  // Another implementation agrees, for each length, with each byte at each of three places.
  void everyByteAtEveryPlace() {
    std::string bytes;
    for (int i = 0; i < 3 * 256; ++i) bytes += static_cast<char>(i % 256);
    for (std::size_t length = 0; length <= bytes.size(); ++length) {
      const std::string_view part = std::string_view(bytes).substr(bytes.size() - length);
      const std::string text = toBase64(bytesOf(part));
      const QByteArray its(part.data(), static_cast<qsizetype>(part.size()));
      QCOMPARE(QByteArray::fromStdString(text), its.toBase64());
      const auto back = fromBase64(text);
      QVERIFY(back && *back == bytesOf(part));
    }
  }

  void aWrongLengthIsRefused() {
    for (const char* text : {"Z", "Zg", "Zm8", "Zg=", "Zm9vY", "Zm9vYg", "Zm9vYmE", "=", "=="})
      QVERIFY2(isRefused(text), text);
  }
  void foreignCharactersAreRefused() {
    for (int c = 0; c < 256; ++c) {
      const auto letter = static_cast<char>(c);
      const bool digit = (letter >= 'A' && letter <= 'Z') || (letter >= 'a' && letter <= 'z') ||
                         (letter >= '0' && letter <= '9') || letter == '+' || letter == '/';
      for (std::size_t place = 0; place < 4; ++place) {
        std::string text = "AAAA";
        text[place] = letter;
        // One padding character is valid at the end if the bits left over are 0.
        QCOMPARE(isRefused(text), !digit && !(letter == '=' && place == 3));
      }
    }
    for (const char* text : {"Zm9v\nZm9", "Zm9-", "Zm9_", " Zm9", "Zm9 "})
      QVERIFY2(isRefused(text), text);
  }
  void paddingStandsAtTheEndAlone() {
    for (const char* text :
         {"Zg==Zm9v", "Zm8=Zm9v", "Z===", "====", "=m9v", "Z=9v", "Zm=v", "Zg=A", "Zm9v===="})
      QVERIFY2(isRefused(text), text);
  }
  // Otherwise two texts would have the same bytes.
  void whatIsLeftOverIsZero() {
    constexpr std::string_view kDigits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (std::size_t i = 0; i < kDigits.size(); ++i) {
      const std::string one = {'A', kDigits[i], '=', '='}, two = {'A', 'A', kDigits[i], '='};
      QCOMPARE(isRefused(one), i % 16 != 0);  // 12 bits: 8 of a byte, and 4
      QCOMPARE(isRefused(two), i % 4 != 0);   // 18 bits: 16 of two bytes, and 2
    }
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::Base64Test, Nothing)
#include "base64_test.moc"
