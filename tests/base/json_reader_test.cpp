// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/base/json_reader.h"

#include <QtTest>
#include <limits>
#include <nlohmann/json.hpp>

#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::test {
namespace {

using nlohmann::json;
using Need = JsonReader::Need;

constexpr JsonBounds kSmall{.bytes = 100, .depth = 3, .values = 6};

std::string refusal(std::string_view text, const JsonBounds& bounds = kSmall) {
  const auto value = parseJsonObject(text, bounds);
  return value ? std::string() : value.error();
}

}  // namespace

class JsonReaderTest : public QObject {
  Q_OBJECT
 private slots:
  void whatIsNoObject_data() {
    QTest::addColumn<QByteArray>("text");
    for (const char* text :
         {"", " ", "null", "7", "[]", "{", "}", "{} {}", "{\"a\":}", "{\"a\":1e999}", "{'a':1}",
          "{\"a\":\"\xff\"}", "[{}]", "{\"a\":\"b}", "{\"a\":[}", "{\"a\":1,}"})
      QTest::addRow("%s", text) << QByteArray(text);
    QTest::newRow("opened only") << QByteArray(90, '[');
    QTest::newRow("objects opened only") << QByteArray("{\"a\":").repeated(15);
    QTest::newRow("zero bytes") << QByteArray(50, '\0');
    QTest::newRow("anything behind a zero byte") << QByteArray("{}\0x", 4);
  }
  void whatIsNoObject() {
    QFETCH(QByteArray, text);
    QCOMPARE(q(refusal(text.toStdString())), q(kNoJsonObject));
  }

  void boundsAreKept() {
    const std::string longest = "{\"a\":\"" + std::string(92, 'x') + "\"}";
    QCOMPARE(longest.size(), kSmall.bytes);
    QCOMPARE(q(refusal(longest)), QString());
    QCOMPARE(q(refusal(longest + " ", {.bytes = 1024})), QString());
    QCOMPARE(q(refusal(std::string(1025, ' '), {.bytes = 1024})),
             QStringLiteral("this line is longer than 1 KiB"));

    QCOMPARE(q(refusal(R"({"a":[[1]]})")), QString());
    QCOMPARE(q(refusal(R"({"a":[[[1]]]})")),
             QStringLiteral("this JSON is nested deeper than 3 levels"));

    // The object itself is one of them.
    QCOMPARE(q(refusal(R"({"a":1,"b":2,"c":3,"d":4,"e":5})")), QString());
    QCOMPARE(q(refusal(R"({"a":1,"b":2,"c":3,"d":4,"e":5,"f":6})")),
             QStringLiteral("this JSON has more than 6 values"));
  }

  // Brackets, commas and escaped quotes inside a string do not count.
  void textsAreNotCounted() {
    for (const char* text : {"{\"a\":\"[[[[[[[[\"}", "{\"a\":\",,,,,,,,,,\"}",
                             "{\"a\":\"\\\"[[[[[[,,,,,,,,\\\\\"}", "{\"[{[{[{\":\"}]}]\"}"}) {
      QVERIFY2(json::accept(text), text);
      QCOMPARE(q(refusal(text)), QString());
    }
  }

  // A megabyte of opened and closed brackets takes no stack.
  void theDeepestMessageIsRefused() {
    const std::size_t half = kMessageBounds.bytes / 2 - 4;
    const std::string deep = std::string(half, '[') + std::string(half, ']');
    QVERIFY(!parseJson(deep, kMessageBounds).has_value());
    QVERIFY(!parseJsonObject("{\"a\":" + deep + "}", kMessageBounds).has_value());
    QVERIFY(!parseJson(deep + std::string(9, ' '), kMessageBounds).has_value());
    const auto flat = parseJson("[[1]]", kMessageBounds);
    QVERIFY(flat.has_value() && *flat == json::array({json::array({1})}));
  }

  void aByteOrderMarkIsSkipped() {
    const auto value = parseJsonObject("\xEF\xBB\xBF{\"a\":1}", kSmall);
    QVERIFY(value.has_value() && (*value)["a"] == 1);
  }

  void goodMembers() {
    const json object = {{"whole", -5}, {"real", 0.25}, {"text", "abc"},       {"flag", true},
                         {"null", {}},  {"list", {1}},  {"object", {{"a", 1}}}};
    JsonReader r(object);
    QCOMPARE(r.integer("whole", -5, 5), -5);
    QCOMPARE(r.whole("whole", -5, 5), std::int64_t{-5});
    QCOMPARE(r.number("real", 0, 1), 0.25);
    QCOMPARE(r.number("whole", -10, 1), -5.0);
    QCOMPARE(r.clamped("real", 0.5, 1, 0.75), 0.5);
    QCOMPARE(q(r.text("text", 3)), QStringLiteral("abc"));
    QVERIFY(r.flag("flag"));
    constexpr std::string_view kWords[] = {"xyz", "abc"};
    QCOMPARE(q(r.word("text", kWords)), QStringLiteral("abc"));
    QCOMPARE(r.list("list", 1, "numbers").size(), std::size_t{1});
    QVERIFY(r.object("object") == &object["object"]);
    // A missing member, or null, is the usual value.
    for (const char* key : {"nowhere", "null"}) {
      QCOMPARE(r.integer(key, 0, 5, 7), 7);
      QCOMPARE(r.number(key, 0, 5, 7.5), 7.5);
      QCOMPARE(r.clamped(key, 0, 5, 7.5), 7.5);
      QCOMPARE(q(r.text(key, 3, "usual")), QStringLiteral("usual"));
      QVERIFY(r.flag(key, true));
      QCOMPARE(q(r.word(key, kWords, "other")), QStringLiteral("other"));
      QVERIFY(r.object(key, Need::Optional) == nullptr);
      QVERIFY(r.list(key, 1, "numbers", Need::Optional).empty());
      QVERIFY(r.find(key) == nullptr);
    }
    QVERIFY2(r.good(), r.complaint().c_str());
  }

  // Strings are shown, and compared with others.
  void controlCharactersAreRefused() {
    for (const char* text : {"a\nb", "\x1b[2J", "\x7f", "\xc2\x85", "\xe2\x80\xae"}) {
      const json object = {{"x", text}};
      JsonReader reader(object);
      QCOMPARE(q(reader.text("x", 10)), QString());
      QCOMPARE(q(reader.complaint()), QStringLiteral("\"x\" contains control characters"));
    }
  }

  void complaints_data() {
    QTest::addColumn<QByteArray>("value");  // empty: the member is not there
    QTest::addColumn<QString>("read");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* read, const char* value, const char* says) {
      QTest::addRow("%s of %s", read, value) << QByteArray(value) << read << says;
    };
    for (const char* read : {"integer", "number", "text", "flag", "word", "object", "list"}) {
      row(read, "", "\"x\" is missing");
      row(read, "null", "\"x\" is missing");
    }
    for (const char* value : {"0", "9", "1.5", "2.0", "\"2\"", "true", "[2]", "1e99", "4294967298",
                              "18446744073709551615", "-9223372036854775808"})
      row("integer", value, "\"x\" is not a whole number from 1 to 8");
    for (const char* value : {"-0.5", "1.5", "\"1\"", "true", "1e300", "[1]"})
      row("number", value, "\"x\" is not a number from 0 to 1");
    row("clamped", "\"1\"", "\"x\" is not a number");
    row("text", "7", "\"x\" is not a string");
    row("text", "\"abcd\"", "\"x\" is longer than 3 bytes");
    row("flag", "1", "\"x\" is not true or false");
    row("word", "\"c\"", "\"x\" is not one of a, b");
    row("word", "1", "\"x\" is not one of a, b");
    row("object", "[]", "\"x\" is not an object");
    row("list", "{}", "\"x\" is not a list of at most 2 numbers");
    row("list", "[1,2,3]", "\"x\" is not a list of at most 2 numbers");
  }
  void complaints() {
    QFETCH(QByteArray, value);
    QFETCH(QString, read);
    QFETCH(QString, says);
    json object = json::object();
    if (!value.isEmpty()) object["x"] = json::parse(value.toStdString());
    constexpr std::string_view kWords[] = {"a", "b"};
    JsonReader r(object);
    if (read == "integer") QCOMPARE(r.integer("x", 1, 8), 1);
    if (read == "number") QCOMPARE(r.number("x", 0, 1), 0.0);
    if (read == "clamped") QCOMPARE(r.clamped("x", 0, 1, 0.5), 0.5);
    if (read == "text") QCOMPARE(q(r.text("x", 3)), QString());
    if (read == "flag") QVERIFY(!r.flag("x"));
    if (read == "word") QCOMPARE(q(r.word("x", kWords)), QString());
    if (read == "object") QVERIFY(r.object("x") == nullptr);
    if (read == "list") QVERIFY(r.list("x", 2, "numbers").empty());
    QVERIFY(!r.good());
    QCOMPARE(q(r.complaint()), says);
  }

  void theFirstComplaintStays() {
    const json object = {{"a", -1}, {"b", -2}};
    JsonReader r(object);
    r.integer("b", 0, 9);
    r.integer("a", 0, 9);
    r.take("a sentence of its own");
    QCOMPARE(q(r.complaint()), QStringLiteral("\"b\" is not a whole number from 0 to 9"));
  }

  void wordingIsTheOwners() {
    const json object = {{"a", nullptr}, {"b", 2.0}, {"c", 2.5}};
    JsonReader session(object, {.before = "the session's \"held.", .verb = "must be"});
    session.integer("c", 0, 9);
    QCOMPARE(q(session.complaint()),
             QStringLiteral("the session's \"held.c\" must be a whole number from 0 to 9"));
    JsonReader message(object, {.after = "\" of a device",
                                .absent = "is not there",
                                .nullIsAbsent = false,
                                .floatsMayBeWhole = true});
    QCOMPARE(message.integer("b", 0, 9), 2);
    QVERIFY(message.good() && message.find("a") != nullptr);
    message.flag("d");
    QCOMPARE(q(message.complaint()), QStringLiteral("\"d\" of a device is not there"));
    const json list = json::array();
    JsonReader none(list, {.whole = "a device"});
    QCOMPARE(q(none.complaint()), QStringLiteral("a device is not an object"));
  }

  void whatIsLackingIsTakenFromTheCommonObject() {
    const json own = {{"a", 1}}, common = {{"a", 2}, {"b", 3}};
    JsonReader r(own, {}, &common);
    QCOMPARE(r.integer("a", 0, 9), 1);
    QCOMPARE(r.integer("b", 0, 9), 3);
    r.integer("c", 0, 9);
    QCOMPARE(q(r.complaint()), QStringLiteral("\"c\" is missing"));
  }

  void numbersThatAreNoJson() {
    json object = {{"nan", std::numeric_limits<double>::quiet_NaN()},
                   {"inf", std::numeric_limits<double>::infinity()}};
    QVERIFY(!jsonNumber(object["nan"], -1e300, 1e300));
    QVERIFY(!jsonNumber(object["inf"], -1e300, 1e300));
    JsonReader r(object, {.floatsMayBeWhole = true});
    r.integer("nan", 0, 9);
    QVERIFY(!r.good());
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::JsonReaderTest, Nothing)
#include "json_reader_test.moc"
