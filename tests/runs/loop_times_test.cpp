// SPDX-License-Identifier: GPL-3.0-or-later
// Measured iterations as lines of text, written and read, and those that ship.
#include "kernels/runs/loop_times.h"

#include <QtTest>
#include <nlohmann/json.hpp>

#include "kernels/tile/identity/fingerprint.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/subject.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::test {

using namespace rewrite;
using namespace runs;

class LoopTimesTest : public QObject {
  Q_OBJECT

  static LoopTimes some() {
    LoopTimes all;
    all.when = "2026-11-26T12:00:00Z";
    all.device = "Invented";
    all.arch = "sm_90";
    all.driver = "1.2";
    all.cuda = "13.0";
    all.subject() = standardSubject(stage("rewritten"));
    all.tile[Parameter::GROUP] = 4;
    all.fingerprint = "0123456789abcdef";
    all.smClockMHz = 1755;
    all.times = {{std::nullopt, {2500.5, 2490, 2510.1}},
                 {Changes{}, {2200, 2199.9, 2200.1}},
                 {Changes{false, true, false}, {2300, 2300, 2300}},
                 {Changes{false, false, false}, {2400, 2400, 2400}},
                 {std::nullopt, {2600, 2600, 2600}, true},
                 {Changes{false, true, false}, {2350, 2340, 2360}, true}};
    return all;
  }
  static nlohmann::json json() { return nlohmann::json::parse(toLine(some())); }
  static QString complaint(const nlohmann::json& json) {
    const auto read = loopTimesFromLine(json.dump());
    return read ? QString() : q(read.error());
  }

 private slots:
  void thereAndBack() {
    const LoopTimes before = some();
    const std::string line = toLine(before);
    QVERIFY(line.find('\n') == std::string::npos);
    const auto after = loopTimesFromLine(line);
    QVERIFY2(after.has_value(), after ? "" : after.error().c_str());
    QCOMPARE(q(after->when), q(before.when));
    QCOMPARE(q(after->device), q(before.device));
    QCOMPARE(q(after->arch), q(before.arch));
    QCOMPARE(q(after->driver), q(before.driver));
    QCOMPARE(q(after->cuda), q(before.cuda));
    QVERIFY(after->rung() == before.rung() && after->tile == before.tile);
    QCOMPARE(q(after->fingerprint), q(before.fingerprint));
    QCOMPARE(after->smClockMHz, before.smClockMHz);
    QVERIFY(after->times == before.times);
    QVERIFY(!after->recorded);
    QCOMPARE(q(toLine(*after)), q(line));
  }
  void aVersionIsFound() {
    const LoopTimes all = some();
    QVERIFY(all.of(std::nullopt) == &all.times[0].cycles);
    QVERIFY(all.of(Changes{}) == &all.times[1].cycles);
    QVERIFY(all.of(Changes{false, true, false}) == &all.times[2].cycles);
    QVERIFY(all.of(Changes{true, true, false}) == nullptr);
    QVERIFY(all.of(std::nullopt, true) == &all.times[4].cycles);
    QVERIFY(all.of(Changes{false, true, false}, true) == &all.times[5].cycles);
    QVERIFY(all.of(Changes{}, true) == nullptr);
    QVERIFY(LoopTimes().of(std::nullopt) == nullptr);
  }
  void figuresHaveOnePlace() {
    LoopTimes all = some();
    all.times = {{Changes{}, {2200.123, 2199.96, 2200.5678}}};
    const auto after = loopTimesFromLine(toLine(all));
    QVERIFY(after && after->times[0].cycles == (Interval{2200.1, 2200, 2200.6}));
  }
  void whatIsNotKnownMayBeMissing() {
    auto line = json();
    line.erase("driver");
    line.erase("cuda");
    line.erase("paired_versions");
    line["comment"] = "what nobody reads";
    const auto read = loopTimesFromLine(line.dump());
    QVERIFY(read && read->driver.empty() && read->cuda.empty());
    QCOMPARE(read->times.size(), std::size_t{4});
    QVERIFY(std::ranges::none_of(read->times, &LoopTime::pairedLoads));
  }
  // Programs that know only one list do not confuse versions with other lanes with the kernel's
  // own.
  void otherLanesHaveAListOfTheirOwn() {
    const auto line = json();
    QCOMPARE(line["versions"].size(), std::size_t{4});
    QCOMPARE(line["paired_versions"].size(), std::size_t{2});
    LoopTimes own = some();
    own.times.resize(4);
    QVERIFY(!toJson(own).contains("paired_versions"));
  }

  void whatIsWrongIsNamed_data() {
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("value");
    for (const char* key : {"schema", "when", "device", "arch", "stage", "tile", "fingerprint",
                            "sm_clock_mhz", "versions"}) {
      QTest::addRow("%s missing", key) << key << "";
      QTest::addRow("%s of another kind", key) << key << "true";
    }
    for (const char* key : {"driver", "cuda"}) QTest::addRow("%s no text", key) << key << "[1]";
    QTest::newRow("other lanes by name") << "paired_versions"
                                         << R"({"untouched": [1, 1, 1]})";
    QTest::newRow("other lanes that are none") << "paired_versions"
                                               << "[7]";
    QTest::newRow("another schema") << "schema"
                                    << R"("tileloom.loop/2")";
    QTest::newRow("no stage") << "stage"
                              << R"("warp")";
    QTest::newRow("a long name") << "device" << '"' + QString(201, 'x') + '"';
    QTest::newRow("a name of two lines") << "device"
                                         << R"("a\nb")";
    QTest::newRow("a clock below 0") << "sm_clock_mhz"
                                     << "-1";
    QTest::newRow("a clock in Hz") << "sm_clock_mhz"
                                   << "1755000000";
    QTest::newRow("half a clock") << "sm_clock_mhz"
                                  << "1755.5";
    QTest::newRow("versions by name") << "versions"
                                      << R"({"untouched": [1, 1, 1]})";
    QTest::newRow("a version that is none") << "versions"
                                            << "[7]";
    QTest::newRow("too many versions") << "versions" << '[' + QString("{},").repeated(64) + "{}]";
  }
  void whatIsWrongIsNamed() {
    QFETCH(QString, key);
    QFETCH(QString, value);
    auto line = json();
    if (value.isEmpty()) {
      line.erase(key.toStdString());
    } else {
      line[key.toStdString()] = nlohmann::json::parse(value.toStdString());
    }
    const QString why = complaint(line);
    QVERIFY2(why.startsWith('"' + key + '"') && !why.endsWith('.'), qPrintable(why));
    QCOMPARE(why.count('\n'), 0);
  }
  void aParameterThatIsWrong() {
    for (const char* value : {"", "0", "\"128\"", "1000000", "null"}) {
      auto line = json();
      if (*value == '\0') {
        line["tile"].erase("BM");
      } else {
        line["tile"]["BM"] = nlohmann::json::parse(value);
      }
      const QString why = complaint(line);
      QVERIFY2(why.startsWith("\"BM\" of a loop's \"tile\" "), qPrintable(why));
    }
  }
  void aVersionThatIsWrong_data() {
    QTest::addColumn<QString>("version");
    QTest::addColumn<QString>("complaint");
    const QString numbers = "\"cycles\" of a version is not three numbers above 0";
    const QString names = "\"changes\" of a version is not a list of order, loads and barrier";
    QTest::newRow("nothing") << "{}"
                             << "\"changes\" of a version is missing";
    QTest::newRow("no cycles") << R"({"untouched": true})"
                               << "\"cycles\" of a version is missing";
    QTest::newRow("two numbers") << R"({"untouched": true, "cycles": [1, 2]})" << numbers;
    QTest::newRow("texts") << R"({"untouched": true, "cycles": [1, 2, "3"]})" << numbers;
    QTest::newRow("zero") << R"({"untouched": true, "cycles": [0, 1, 2]})" << numbers;
    QTest::newRow("negative") << R"({"untouched": true, "cycles": [1, -1, 2]})" << numbers;
    QTest::newRow("too large") << R"({"untouched": true, "cycles": [1, 1, 1e10]})" << numbers;
    QTest::newRow("a sentence") << R"({"untouched": "yes", "cycles": [1, 1, 1]})"
                                << "\"untouched\" of a version is not true or false";
    QTest::newRow("another change")
        << R"({"changes": ["order", "speed"], "cycles": [1, 1, 1]})" << names;
    QTest::newRow("a number") << R"({"changes": [1], "cycles": [1, 1, 1]})" << names;
    QTest::newRow("no list") << R"({"changes": "order", "cycles": [1, 1, 1]})"
                             << "\"changes\" of a version is not a list of at most 3 names";
  }
  void aVersionThatIsWrong() {
    QFETCH(QString, version);
    auto line = json();
    line["versions"].push_back(nlohmann::json::parse(version.toStdString()));
    const QString its = complaint(line);
    QFETCH(QString, complaint);
    QCOMPARE(its, complaint);
  }
  void whatIsNoLine() {
    for (const char* text : {"", "no json", "[]", "7", "{", "\"text\""})
      QVERIFY2(!loopTimesFromLine(text).has_value(), text);
  }

  // Each shipped line can be read and is of a kernel and tile that exist.
  void nothingThatShipsIsBroken() {
    QVERIFY(!loopTimeFiles().empty());
    for (const EmbeddedFile& file : loopTimeFiles()) {
      for (const QString& line : q(file.text).split('\n', Qt::SkipEmptyParts)) {
        const auto read = loopTimesFromLine(line.toStdString());
        QVERIFY2(read.has_value(), read ? "" : read.error().c_str());
        QVERIFY(read->smClockMHz > 0 && read->of(std::nullopt) != nullptr);
        QCOMPARE(read->of(Changes{}) != nullptr, read->rung()->rewriter != 0);
        for (const LoopTime& time : read->times) {
          QVERIFY(time.cycles.low <= time.cycles.median);
          QVERIFY(time.cycles.median <= time.cycles.high);
        }
        const bool present = read->fingerprint == fingerprintOf(*read->rung());
        const auto found = recordedLoopTimes(*read);
        QVERIFY(!present || (found && found->recorded && found->rung() == read->rung()));
      }
    }
    QVERIFY(!recordedLoopTimes(standardSubject(stage("naive"))));
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::LoopTimesTest, Nothing)
#include "loop_times_test.moc"
