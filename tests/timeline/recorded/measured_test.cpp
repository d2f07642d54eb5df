// SPDX-License-Identifier: GPL-3.0-or-later
// Files of timestamps: written and read back, and everything else that a file may contain.
#include "kernels/timeline/recorded/measured.h"

#include <QtTest>
#include <nlohmann/json.hpp>
#include <set>

#include "kernels/tile/identity/text_keys.h"
#include "kernels/tile/placement.h"
#include "kernels/timeline/recorded/stamp_words.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::timeline {

using test::q;
using Json = nlohmann::ordered_json;

class MeasuredTest : public QObject {
  Q_OBJECT

  static Measured some() {
    Measured m;
    m.subject() = {&test::stage("overlapped"), test::stage("overlapped").standardTile(),
                   Format::Fp16};
    m.problem = {4096, 2048, 1024};
    m.when = "2026-11-25T12:00:00Z";
    m.device = "NVIDIA H100 80GB HBM3";
    m.arch = "sm_90";
    m.cuda = "13.0";
    m.fingerprint = "0123456789abcdef";
    m.clockMHz = 1755;
    m.block = 198;
    m.blocks = 512;
    m.blocksPerSm = 1;
    m.stampedBlocksPerSm = 2;
    m.plainMs = 0.21;
    m.stampedMs = 0.22;
    m.full = true;
    m.warps = {{{5, 0, 33, emulator::kNoTile, 100, 110}, {2, 0, 54, 0, 110, 600}},
               {},
               {{4, 1, 64, 15, 0, 0}, {4, 0, 64, 15, 7, 4'000'000}}};
    m.summedMs = 0.215;
    m.times = {{70'000, {1'000, 2'000, 0, 40'000, 0}}, {70'000, {}}, {1, {0, 0, 0, 0, 1}}};
    return m;
  }

 private slots:
  void thereAndBack() {
    const auto read = measuredFrom(toJson(some()).dump() + "\n");
    QVERIFY2(read, read ? "" : read.error().c_str());
    QVERIFY(*read == some());
    QVERIFY(std::abs(read->cost() - 0.01 / 0.21) < 1e-9);
    QVERIFY(std::abs(read->summingCost() - 0.005 / 0.21) < 1e-9);
  }

  // In a file a line is its place in the code.
  void theFirstVersionNamedLines() {
    const Measured now = some();
    const auto key = std::ranges::find(textKeys(), "overlapped", &TextKey::stage);
    Json json = toJson(now);
    const CodePlaces& places = placesIn(*now.rung());
    QVERIFY(json["sites"][0][1] == places.placeOf(now.warps[0][0].line));
    json["schema"] = "tileloom.stamps/1";
    json.erase("fingerprint");
    json["source_hash"] = key->text;
    for (Json& site : json["sites"]) site[1] = key->places.lineOf(site[1].get<int>());
    const auto read = measuredFrom(json.dump());
    QVERIFY2(read, read ? "" : read.error().c_str());
    QCOMPARE(q(read->fingerprint), q(key->fingerprint));
    QVERIFY(read->warps == now.warps);
    // For an unknown text the lines are taken as today's. A line without code, such as a comment,
    // becomes the line of code before it: the file has places.
    json["source_hash"] = "0123456789abcdef";
    const int line = json["sites"][0][1].get<int>();
    const auto stale = measuredFrom(json.dump());
    QVERIFY2(stale, stale ? "" : stale.error().c_str());
    QCOMPARE(q(stale->fingerprint), QString("text:0123456789abcdef"));
    QCOMPARE(int(stale->warps[0][0].line), places.lineOf(places.placeOf(line)));
    const auto again = measuredFrom(toJson(*stale).dump());
    QVERIFY(again && *again == *stale);
  }

  void sumsMayBeMissing() {
    Measured without = some();
    without.summedMs = 0;
    without.times.clear();
    const auto read = measuredFrom(toJson(without).dump());
    QVERIFY2(read, read ? "" : read.error().c_str());
    QVERIFY(*read == without);
    QCOMPARE(read->summingCost(), 0.0);
  }

  void wordsHaveNumbersAndRows() {
    std::set<std::string_view> names;
    for (std::uint32_t i = 1; i <= stampWords().size(); ++i) {
      names.insert(stampWord(i)->name);
      QCOMPARE(stampWordNamed(stampWord(i)->name), std::optional(i));
      const auto options = stampWordOptions();
      QCOMPARE(q(options[2 * i - 2]),
               QStringLiteral("-DTILELOOM_WORD_%1=%2").arg(q(stampWord(i)->name)).arg(i));
      const On on = stampWord(i)->on;
      const QString sum = q(options[2 * i - 1]).section('=', 1);
      QCOMPARE(q(options[2 * i - 1]).section('=', 0, 0),
               QStringLiteral("-DTILELOOM_ON_%1").arg(q(stampWord(i)->name)));
      // Each wait has its own sum, and an operation that does not wait has none.
      QCOMPARE(sum == QStringLiteral("-1"), on == On::Nothing);
      if (on != On::Nothing) QVERIFY(kSummed.at(sum.toUInt()) == on);
    }
    QCOMPARE(names.size(), stampWords().size());
    QVERIFY(stampWord(0) == nullptr);
    QVERIFY(stampWord(std::uint32_t(stampWords().size()) + 1) == nullptr);
    QVERIFY(!stampWordNamed("waits"));
  }

  void whatElseStandsThereIsRefused_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("says");
    const auto with = [](const char* key, Json value) {
      Json json = toJson(some());
      json[key] = std::move(value);
      return q(json.dump());
    };
    const auto without = [](const std::string& key) {
      Json json = toJson(some());
      json.erase(key);
      return q(json.dump());
    };
    QTest::newRow("empty") << QString() << QStringLiteral("not a JSON object");
    QTest::newRow("cut off") << q(toJson(some()).dump()).chopped(3)
                             << QStringLiteral("not a JSON object");
    QTest::newRow("list") << QStringLiteral("[1]") << QStringLiteral("not a JSON object");
    const Json whole = toJson(some());
    for (const auto& item : whole.items()) {
      if (item.key() == "arithmetic") continue;  // usually the stage's
      QTest::addRow("without %s", item.key().c_str()) << without(item.key()) << q(item.key());
      QTest::addRow("%s is something else", item.key().c_str())
          << with(item.key().c_str(), Json::object({{"a", Json::array({-1})}})) << q(item.key());
    }
    QTest::newRow("schema") << with("schema", "tileloom.stamps/3") << QStringLiteral("schema");
    QTest::newRow("stage") << with("stage", "none") << QStringLiteral("stage");
    QTest::newRow("a block outside") << with("block", 512) << QStringLiteral("block");
    QTest::newRow("no time") << with("plain_ms", 0) << QStringLiteral("plain_ms");
    QTest::newRow("a text that never ends")
        << with("device", std::string(300, 'x')) << QStringLiteral("device");
    const auto site = [&](Json value) { return with("sites", Json::array({std::move(value)})); };
    QTest::newRow("unknown word") << site({"sleep", 1, 0}) << QStringLiteral("sites");
    QTest::newRow("short site") << site({"wait", 1}) << QStringLiteral("sites");
    QTest::newRow("line") << site({"wait", 70000, 0}) << QStringLiteral("sites");
    QTest::newRow("groups") << site({"wait", 1, 256}) << QStringLiteral("sites");
    QTest::newRow("half a line") << site({"wait", 1.5, 0}) << QStringLiteral("sites");
    const auto warp = [&](Json value) { return with("warps", Json::array({std::move(value)})); };
    QTest::newRow("unknown site") << warp({4, 0, 0, 0}) << QStringLiteral("warps");
    QTest::newRow("three numbers") << warp({0, 0, 0}) << QStringLiteral("warps");
    QTest::newRow("negative gap") << warp({0, 0, -1, 0}) << QStringLiteral("warps");
    QTest::newRow("text") << warp({0, 0, "1", 0}) << QStringLiteral("warps");
    QTest::newRow("too many cycles")
        << warp({0, 0, 2000000000, 2000000000}) << QStringLiteral("warps");
    QTest::newRow("no timestamp") << warp(Json::array()) << QStringLiteral("no timestamp");
    Json many = Json::array();
    for (int i = 0; i < 33; ++i) many.push_back({0, 0, 0, 0});
    QTest::newRow("too many warps") << with("warps", many) << QStringLiteral("warps");
  }
  void whatElseStandsThereIsRefused() {
    QFETCH(QString, text);
    QFETCH(QString, says);
    const auto read = measuredFrom(text.toStdString());
    QVERIFY(!read);
    QVERIFY2(q(read.error()).contains(says), read.error().c_str());
    QVERIFY(!read.error().ends_with('.') && read.error().find('\n') == std::string::npos);
  }

  // Bytes changed at random give a value or a sentence.
  void changedBytesAreReadOrRefused() {
    const std::string text = toJson(some()).dump();
    for (std::size_t i = 0; i < text.size(); ++i) {
      for (const char c : {'\0', '9', '"', ']', '-'}) {
        std::string changed = text;
        changed[i] = c;
        const auto read = measuredFrom(changed);
        if (read) QVERIFY(measuredFrom(toJson(*read).dump()) == read);
        if (!read) QVERIFY(!read.error().empty());
      }
    }
  }
};

}  // namespace tileloom::timeline

TILELOOM_TEST(tileloom::timeline::MeasuredTest, Nothing)
#include "measured_test.moc"
