// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/model/rates.h"

#include <QTemporaryDir>
#include <QtTest>
#include <fstream>

#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::test {

using model::Rates;
using model::ratesFor;
using model::ratesFromLine;

class RatesTest : public QObject {
  Q_OBJECT

 private slots:
  void shippedOnesAreWhole() {
    const auto rates = ratesFor("sm_90", {});
    QVERIFY2(rates, rates ? "" : rates.error().c_str());
    QCOMPARE(q(rates->device), q(kReferenceDevice));
    QVERIFY(rates->chip == model::referenceChip());
    QVERIFY(rates->withCode.low > 0.7 && rates->withCode.high < 1.3);
  }

  void comeBackEqual() {
    const auto rates = ratesFor("sm_90", {});
    const auto again = ratesFromLine(toLine(*rates));
    QVERIFY2(again, again ? "" : again.error().c_str());
    QVERIFY(*again == *rates);
  }

  void brokenLines_data() {
    QTest::addColumn<QByteArray>("from");
    QTest::addColumn<QByteArray>("to");
    QTest::addColumn<QString>("says");
    QTest::newRow("schema") << QByteArray("rates/2") << QByteArray("rates/9") << "\"schema\"";
    QTest::newRow("no object") << QByteArray("{\"schema\"") << QByteArray("[\"schema\"")
                               << "no JSON object";
    QTest::newRow("missing") << QByteArray("\"mixing\"") << QByteArray("\"mixed\"") << "\"mixing\"";
    QTest::newRow("below") << QByteArray("\"mixing\":") << QByteArray("\"mixing\":-")
                           << "\"mixing\"";
    QTest::newRow("family") << QByteArray("\"pipelined\"") << QByteArray("\"piped\"")
                            << "pipelined";
    QTest::newRow("sms") << QByteArray("\"sms\":132") << QByteArray("\"sms\":0") << "\"sms\"";
    QTest::newRow("band") << QByteArray("\"without_code\"") << QByteArray("\"without\"")
                          << "without_code";
  }
  void brokenLines() {
    QFETCH(QByteArray, from);
    QFETCH(QByteArray, to);
    QFETCH(QString, says);
    QByteArray line = QByteArray::fromStdString(toLine(*ratesFor("sm_90", {})));
    QVERIFY(line.contains(from));
    line.replace(from, to);
    const auto rates = ratesFromLine(line.toStdString());
    QVERIFY(!rates);
    QVERIFY2(q(rates.error()).contains(says), rates.error().c_str());
  }

  // A file of the version before: what it lacks is 0, and warp tiles have the constants of the
  // family that they belonged to.
  void anEarlierFile() {
    const char* line =
        R"({"schema":"tileloom.rates/1","arch":"sm_90","device":"d","fitted":"f","chip":{)"
        R"("clock_mhz":1980,"dram_bytes_per_second":3e12,"sms":132,"l2_cache_bytes":5e7},)"
        R"("mixing":1.1,"l2_bytes":64,"sector_cycles":0.5,"wavefront_wait":0.02,)"
        R"("slots_per_access":2,"families":{)"
        R"("untiled":{"slot":0.9,"chain":0.1,"fetch":128,"dot":9},)"
        R"("alternating":{"slot":1.2,"chain":0.7,"fetch":465,"dot":1},)"
        R"("fragments_ahead":{"slot":1.2,"chain":0.3,"fetch":329,"dot":30},)"
        R"("staged":{"slot":1,"chain":1,"fetch":0,"dot":16},)"
        R"("pipelined":{"slot":1,"chain":0.5,"fetch":0,"dot":14}},)"
        R"("with_code":{"low":0.9,"high":1.1},"without_code":{"low":0.9,"high":1.1}})";
    const auto rates = ratesFromLine(line);
    QVERIFY2(rates, rates ? "" : rates.error().c_str());
    const auto of = [&](model::Family family) {
      return rates->families[static_cast<std::size_t>(family)];
    };
    QVERIFY((of(model::Family::Alternating) == model::FamilyRates{1.2, 0.7, 465, 1}));
    QVERIFY(of(model::Family::WarpTiled) == of(model::Family::Alternating));
    // The present version wants all of them.
    QVERIFY(!ratesFromLine(QByteArray(line).replace("rates/1", "rates/2").toStdString()));
  }

  void onesOwnComeFirst() {
    QTemporaryDir folder;
    const std::filesystem::path file = folder.filePath("rates.jsonl").toStdString();
    Rates mine = *ratesFor("sm_90", file);  // a file that is not there
    mine.device = "another card";
    Rates other = mine;
    other.arch = "sm_86";
    std::ofstream(file) << toLine(mine) << "\n\n" << toLine(other) << "\n";
    QCOMPARE(q(ratesFor("sm_90", file)->device), QString("another card"));
    QVERIFY(ratesFor("sm_86", file).has_value());
    QVERIFY(!ratesFor("sm_86", {}));
    QVERIFY(q(ratesFor("sm_86", {}).error()).contains("model fit"));
    std::ofstream(file, std::ios::app) << "{\n";
    QVERIFY(q(ratesFor("sm_90", file).error()).contains("rates.jsonl, line 4: "));
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::RatesTest, EventLoop)
#include "rates_test.moc"
