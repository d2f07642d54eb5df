// SPDX-License-Identifier: GPL-3.0-or-later
// A run as a line and back, and every way in which a line can be wrong.
#include <QtTest>
#include <limits>
#include <nlohmann/json.hpp>

#include "kernels/runs/run_index.h"
#include "tests/support/random.h"
#include "tests/support/runs.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::test {
namespace {

using runs::fromLine;
using runs::RunRecord;
using runs::toLine;

// What is wrong with the line, or nothing.
QString complaint(const std::string& line) {
  const auto run = fromLine(line);
  return run ? QString() : QString::fromStdString(run.error());
}

// The made-up run with one key replaced by what the text says; "" removes it.
std::string lineWith(const char* key, const char* json) {
  nlohmann::ordered_json run = toJson(madeUpRun());
  if (*json == 0) {
    run.erase(key);
  } else {
    run[key] = nlohmann::ordered_json::parse(json);
  }
  return run.dump();
}

}  // namespace

class RunRecordTest : public QObject {
  Q_OBJECT

 private slots:
  // Ratios besides the usual one are optional, and their unknown values are left out.
  void ratiosSurviveALine() {
    RunRecord r = madeUpRun();
    runs::SideBySide cycles;
    cycles.ratio = {0.975, 0.97, 0.98};
    cycles.pairs = 5;
    cycles.kernel = 2345678;
    cycles.cublas = 2301234;
    cycles.kernelClockMHz = 1620;
    r.ratios.cycles = cycles;
    r.ratios.sustained = cycles;
    r.ratios.sustained->kernel = 612345;
    r.ratios.sustained->cublasWatts = 698.5;
    r.ratios.sustained->throttled = {"power cap"};
    const std::string line = toLine(r);
    const auto again = fromLine(line);
    QVERIFY2(again, again ? "" : again.error().c_str());
    // Six digits of each figure.
    QCOMPARE(again->ratios.cycles->kernel, 2345680.0);
    QCOMPARE(again->ratios.sustained->throttled, std::vector<std::string>{"power cap"});
    QCOMPARE(again->ratios.sustained->cublasWatts, 698.5);
    QCOMPARE(again->ratios.cycles->cublasClockMHz, 0);
    QCOMPARE(toLine(*again), line);
    QVERIFY(line.find("cublas_clock_mhz") == std::string::npos);
    r.ratios = {};
    QVERIFY(toLine(r).find("ratios") == std::string::npos);
    QVERIFY(fromLine(toLine(r))->ratios == runs::Ratios());

    nlohmann::json json = nlohmann::json::parse(line);
    json["ratios"]["cycles"]["ratio"] = "fast";
    const auto wrong = fromLine(json.dump());
    QVERIFY(!wrong);
    QVERIFY2(wrong.error().find("\"cycles\" of \"ratios\"") != std::string::npos,
             wrong.error().c_str());
    json["ratios"] = 3;
    QVERIFY(!fromLine(json.dump()));
  }

  void comesBackEqual() {
    for (const bool bare : {false, true}) {
      RunRecord run = madeUpRun();
      if (bare) {
        run.achievedOccupancy.reset();
        run.throttled.clear();
        run.driver.clear();
        run.cublas = run.ratio = {};
        run.registers = -1;
        run.loop = {};
        run.fingerprint.clear();
        run.origin = runs::Origin::Recorded;
      }
      const std::string line = toLine(run);
      const auto again = fromLine(line);
      QVERIFY2(again.has_value(), again ? "" : again.error().c_str());
      QVERIFY(*again == run);
      QCOMPARE(toLine(*again), line);
      QVERIFY(line.find('\n') == std::string::npos);
      QVERIFY2(line.size() < 800, line.c_str());
    }
  }

  // FP32 is written as it was before there was another arithmetic, and read where none is named.
  void formatsComeBack() {
    RunRecord run = madeUpRun();
    QVERIFY(toLine(run).find("arithmetic") == std::string::npos);
    for (const Format format : {Format::Bf16, Format::Fp16}) {
      run.format = format;
      const auto again = fromLine(toLine(run));
      QVERIFY2(again.has_value(), again ? "" : again.error().c_str());
      QVERIFY(again->format == format && *again == run);
    }
    std::string line = toLine(run);
    line.replace(line.find("\"fp16\""), 6, "\"tf32\"");
    QCOMPARE(QString::fromStdString(fromLine(line).error()),
             QString("\"arithmetic\": there is no arithmetic \"tf32\": choose one of fp32, bf16, "
                     "fp16"));
  }

  // A run in another format is another run.
  void formatsAreApart() {
    std::vector<RunRecord> all(2, madeUpRun());
    all[0].stage = all[1].stage = "mma";
    all[0].format = Format::Bf16;
    all[1].format = Format::Fp16;
    const runs::RunIndex index(all);
    const auto of = [&](Format format) {
      return index.latest("mma", all[0].tile, all[0].problem, {}, format);
    };
    QVERIFY(of(Format::Bf16) == &all[0] && of(Format::Fp16) == &all[1]);
    QVERIFY(of(Format::Fp32) == nullptr);
  }

  void figuresAreRoundedOnce() {
    RunRecord run = madeUpRun();
    run.gflops = {18234.56789, 18200.000001, 18300.9999};
    run.ratio = {1.0 / 3, 0.333, 0.334};
    run.largestError = 1.23456789e-5;
    run.watts = 5e-324;  // below all digits
    const std::string line = toLine(run);
    QVERIFY(line.find("\"gflops\":[18234.6,18200,18301]") != std::string::npos);
    QVERIFY(line.find("\"watts\":0,") != std::string::npos);
    const auto again = fromLine(line);
    QVERIFY(again.has_value());
    QCOMPARE(again->ratio.median, 0.333333);
    QCOMPARE(toLine(*again), line);
  }

  void numbersThatAreNoneAreNotWritten() {
    RunRecord run = madeUpRun();
    run.watts = std::numeric_limits<double>::quiet_NaN();
    QCOMPARE(fromLine(toLine(run))->watts, 0.0);  // unknown
    run.gflops.median = std::numeric_limits<double>::infinity();
    QVERIFY(complaint(toLine(run)).contains("gflops"));
  }

  void foreignBytesAreReplaced() {
    RunRecord run = madeUpRun();
    run.driver = "5\xFF";
    const auto again = fromLine(toLine(run));
    QVERIFY(again.has_value());
    QCOMPARE(again->driver, std::string("5\xEF\xBF\xBD"));
  }

  void absentKeysAreUnknown() {
    const auto run = fromLine(
        R"({"schema":"tileloom.run/1","when":"2026-11-21T03:25:00Z","device":"D","arch":"sm_90",)"
        R"("stage":"of tomorrow","tile":{},"m":1,"n":2.0,"k":1048576,"gflops":[0,0,0],)"
        R"("watts":null,"achieved_occupancy":null,"nobody knows":[{"this":null}]})");
    QVERIFY2(run.has_value(), run ? "" : run.error().c_str());
    QCOMPARE(run->registers, -1);
    QVERIFY(!run->gflops.known());
    QVERIFY(!run->achievedOccupancy);
    QCOMPARE(run->stage, std::string("of tomorrow"));
    QCOMPARE(toString(run->problem), std::string("1x2x1048576"));
  }

  void broken_data() {
    QTest::addColumn<QByteArray>("key");
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* key, const char* json, const char* says) {
      QTest::newRow(qPrintable(QString("%1: %2").arg(key, QString(json).left(40))))
          << QByteArray(key) << QByteArray(json) << QString(says);
    };
    for (const char* key :
         {"schema", "when", "device", "arch", "stage", "tile", "m", "n", "k", "gflops"}) {
      row(key, "", "is missing");
      row(key, "null", "is missing");
      row(key, "true", "is ");
    }
    row("schema", "\"tileloom.run/9\"",
        "this run is of schema tileloom.run/9, which this version does not know: update Tileloom");
    row("schema", "\"bank.account/1\"", "not a run");
    row("when", "\"yesterday\"", "not a time");
    row("when", "\"2026-11-21T03:25:00+01\"", "not a time");
    row("device", "\"\"", "is empty");
    row("device", "\"a\\nb\"", "control characters");
    row("device", "\"\\u001b[31m\"", "control characters");
    row("device", "\"\\u009b31m\"", "control characters");
    row("m", "0", "from 1 to 1048576");
    row("m", "-4096", "from 1 to 1048576");
    row("n", "1048577", "from 1 to 1048576");
    row("k", "4096.5", "whole number");
    row("k", "\"4096\"", "whole number");
    row("tile", "[128]", "not an object");
    row("tile", "{\"BM\":65537}", "BM of \"tile\"");
    row("tile", "{\"BM\":-1}", "BM of \"tile\"");
    row("tile", "{\"BM\":null}", "BM of \"tile\"");
    row("tile", "{\"WAVES\":3}", "\"WAVES\", that this version does not know");
    row("gflops", "[1,2,3]", "outside its interval");
    row("gflops", "[3,1,2]", "outside its interval");
    row("gflops", "[2,1]", "median, low and high");
    row("gflops", "[-2,-3,3]", "from 0 to 1e+09");
    row("gflops", "[2e300,1,3e300]", "from 0 to 1e+09");
    row("cublas", "[1,1,\"2\"]", "median, low and high");
    row("ratio", "7", "median, low and high");
    row("watts", "-1", "from 0");
    row("watts", "1e300", "from 0");
    row("occupancy", "18.75", "from 0 to 1");
    row("achieved_occupancy", "18.75", "from 0 to 1.1");
    row("achieved_occupancy", "\"\"", "from 0 to 1.1");
    row("loop", "[]", "instructions and the FFMAs among them");
    row("loop", "[10,0]", "instructions and the FFMAs among them");
    row("loop", "[10,11]", "instructions and the FFMAs among them");
    row("loop", "[2.5,1]", "instructions and the FFMAs among them");
    row("loop", "[1e300,1e300]", "instructions and the FFMAs among them");
    row("counters", "[]", "not an object");
    row("counters", R"({"dram_bytes":-1})", "dram_bytes");
    row("counters", R"({"sm_busy":"all"})", "sm_busy");
    row("quantisation_loss", "1.5", "from 0 to 1");
    row("registers", "-2", "from -1");
    row("registers", "1e40", "from -1");
    row("spill_bytes", "18446744073709551615", "spill_bytes");
    row("throttled", "\"power cap\"", "list");
    row("throttled", "[1]", "not a string");
    row("fingerprint", "\"../../etc\"", "hex digits");
    row("origin", "\"predicted\"", "origin");
    QTest::newRow("long text") << QByteArray("stage") << "\"" + QByteArray(201, 's') + "\""
                               << "longer than 200";
    QTest::newRow("many reasons") << QByteArray("throttled")
                                  << "[" + QByteArray("\"r\",").repeated(32) + "\"r\"]"
                                  << "list";
  }
  void broken() {
    QFETCH(QByteArray, key);
    QFETCH(QByteArray, json);
    QFETCH(QString, says);
    const QString sentence = complaint(lineWith(key.constData(), json.constData()));
    QVERIFY2(sentence.contains(says), qPrintable(sentence));
    QVERIFY2(sentence.contains(key) || key == "schema", qPrintable(sentence));
    QVERIFY2(!sentence.endsWith('.') && sentence.size() < 200, qPrintable(sentence));
  }

  // Of versions before there were fingerprints.
  void theKeyOfEarlierVersions() {
    nlohmann::json json = nlohmann::json::parse(toLine(test::madeUpRun()));
    json.erase("fingerprint");
    QVERIFY(fromLine(json.dump())->fingerprint.empty());
    json["source_hash"] = "0123456789abcdef";
    QCOMPARE(q(fromLine(json.dump())->fingerprint), QString("text:0123456789abcdef"));
    for (const nlohmann::json& broken : {nlohmann::json("../../etc"), nlohmann::json(7)}) {
      json["source_hash"] = broken;
      const auto read = fromLine(json.dump());
      QVERIFY(!read);
      QVERIFY2(q(read.error()).contains("\"source_hash\""), read.error().c_str());
    }
  }

  void noJson_data() {
    QTest::addColumn<QByteArray>("line");
    const QByteArray whole = QByteArray::fromStdString(toLine(madeUpRun()));
    QTest::newRow("nothing") << QByteArray();
    QTest::newRow("a list") << QByteArray("[]");
    QTest::newRow("cut off") << whole.left(whole.size() / 2);
    QTest::newRow("two") << whole + whole;
    QTest::newRow("no UTF-8") << QByteArray("{\"schema\":\"\xFF\"}");
    QTest::newRow("NaN") << QByteArray("{\"watts\":NaN}");
    QTest::newRow("overflow") << QByteArray("{\"watts\":1e999}");
    QTest::newRow("zero bytes") << QByteArray(100, '\0');
    QTest::newRow("a bomb of lists") << QByteArray(60000, '[');
    QTest::newRow("a closed bomb") << QByteArray(30000, '[') + QByteArray(30000, ']');
    QTest::newRow("a bomb of objects") << QByteArray("{\"a\":").repeated(10000);
  }
  void noJson() {
    QFETCH(QByteArray, line);
    QCOMPARE(complaint(line.toStdString()), QString("this is not a JSON object"));
  }

  void anUnknownKeyIsIgnoredUnlessItIsABomb() {
    const auto with = [](std::size_t depth) {
      std::string line = toLine(madeUpRun());
      return line.insert(1, "\"later\":" + std::string(depth, '[') + std::string(depth, ']') + ",");
    };
    QVERIFY(*fromLine(with(15)) == madeUpRun());
    for (const std::size_t depth : {16ul, 20000ul}) {
      QCOMPARE(complaint(with(depth)), QStringLiteral("this JSON is nested deeper than 16 levels"));
    }
  }

  void endlessLine() {
    std::string line = toLine(madeUpRun());
    QVERIFY(fromLine(line + std::string(runs::kLongestLine - line.size(), ' ')).has_value());
    QVERIFY(complaint(line + std::string(runs::kLongestLine, ' ')).contains("64 KiB"));
  }

  // Bytes changed, cut out and doubled: never a crash, and what is accepted stays as it is.
  void mutations() {
    Random random(seed());
    const std::string whole = toLine(madeUpRun());
    constexpr std::string_view kTelling = "0123456789-+.eE\"{}[],:ntf\\u\xFF";
    int accepted = 0;
    for (int round = 0; round < 2000; ++round) {
      std::string line = whole;
      for (int change = random.integer(1, 3); change > 0; --change) {
        const auto at = std::size_t(random.integer(0, int(line.size()) - 1));
        switch (random.integer(0, 3)) {
          case 0:
            line[at] = static_cast<char>(random.integer(0, 255));
            break;
          case 1:
            line[at] = kTelling[std::size_t(random.integer(0, int(kTelling.size()) - 1))];
            break;
          case 2:
            line.erase(at, std::size_t(random.integer(1, 4)));
            break;
          default:
            line.insert(at, line.substr(at, std::size_t(random.integer(1, 8))));
        }
      }
      const auto run = fromLine(line);
      if (!run) {
        QVERIFY2(!run.error().empty() && run.error().find('\n') == std::string::npos, line.c_str());
        continue;
      }
      ++accepted;
      const std::string written = toLine(*run);
      const auto again = fromLine(written);
      QVERIFY2(again.has_value(), line.c_str());
      QCOMPARE(toLine(*again), written);
    }
    QVERIFY2(accepted > 100 && accepted < 1900, qPrintable(QString::number(accepted)));
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::RunRecordTest, EventLoop)
#include "run_record_test.moc"
