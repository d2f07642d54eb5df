// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/base/renamed_keys.h"

#include <QtTest>
#include <nlohmann/json.hpp>

#include "kernels/base/json_reader.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::test {

class RenamedKeysTest : public QObject {
  Q_OBJECT
 private slots:
  void namesAreFoundBothWays() {
    QCOMPARE(q(formerKey("parameters")), "knobs");
    QCOMPARE(q(currentKey("knobs")), "parameters");
    QCOMPARE(q(currentKey("parameters")), "parameters");
    QCOMPARE(q(formerKey("stage")), "");
    QCOMPARE(q(currentKey("stage")), "stage");
    QCOMPARE(q(currentWord("stamps")), "subtiles");
  }

  void filesMayHaveTheFormerName() {
    const nlohmann::json old = {{"stamped_ms", 1.5}};
    JsonReader reader(old);
    QCOMPARE(reader.number("timestamped_ms", 0, 10), 1.5);
    QVERIFY(reader.good());
    const nlohmann::json both = {{"stamped_ms", 1.5}, {"timestamped_ms", 2.5}};
    QCOMPARE(JsonReader(both).number("timestamped_ms", 0, 10), 2.5);
  }

  void commonMembersMayHaveTheFormerName() {
    const nlohmann::json common = {{"stamped_ms", 1.5}};
    const nlohmann::json object = nlohmann::json::object();
    JsonReader reader(object, {}, &common);
    QCOMPARE(reader.number("timestamped_ms", 0, 10), 1.5);
  }

  void outputHasBothNamesAtEachDepth() {
    nlohmann::ordered_json json = {
        {"parameters", {{{"name", "BM"}}}}, {"list", {{{"parameter", "BN"}}}}, {"m", 1}};
    addFormerKeys(json);
    QCOMPARE(json["knobs"], json["parameters"]);
    QCOMPARE(q(json["list"][0]["knob"].get<std::string>()), "BN");
    QCOMPARE(json.size(), std::size_t{4});
  }

  void formerNamesAreReplacedAtTheirPlaces() {
    nlohmann::ordered_json json = {
        {"a", 1}, {"ring", {{"knob", "BM"}}}, {"knobs", 2}, {"parameter", 3}, {"knob", 4}};
    renameFormerKeys(json);
    QCOMPARE(q(json.dump()),
             R"({"a":1,"ring":{"parameter":"BM"},"parameters":2,"parameter":3,"knob":4})");
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::RenamedKeysTest, Nothing)
#include "renamed_keys_test.moc"
