// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/model/prediction/rates.h"

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

  // A written line can be read, however often some rungs were fitted again.
  void manyFits() {
    Rates rates = *ratesFor("sm_90", {});
    for (int i = 0; i < 20; ++i) rates.fitted += "; of tuned 12 runs, the latest of 2026-11-27";
    const auto again = ratesFromLine(toLine(rates));
    QVERIFY2(again, again ? "" : again.error().c_str());
    QVERIFY(q(rates.fitted).startsWith(q(again->fitted)) && again->fitted.size() > 100);
  }

  void brokenLines_data() {
    QTest::addColumn<QByteArray>("from");
    QTest::addColumn<QByteArray>("to");
    QTest::addColumn<QString>("says");
    QTest::newRow("schema") << QByteArray("rates/4") << QByteArray("rates/9") << "\"schema\"";
    QTest::newRow("no object") << QByteArray("{\"schema\"") << QByteArray("[\"schema\"")
                               << "not a JSON object";
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

  // Constants of earlier versions belong to another sum: the shipped ones replace them.
  void anEarlierFile() {
    QTemporaryDir folder;
    const std::filesystem::path file = folder.filePath("rates.jsonl").toStdString();
    Rates mine = *ratesFor("sm_90", {});
    mine.device = "another card";
    const QByteArray line = QByteArray::fromStdString(toLine(mine));
    for (const char* earlier : {"rates/1", "rates/2", "rates/3"}) {
      const std::string old = QByteArray(line).replace("rates/4", earlier).toStdString();
      QVERIFY(!ratesFromLine(old));
      std::ofstream(file) << old << "\n";
      const auto rates = ratesFor("sm_90", file);
      QVERIFY2(rates, rates ? "" : rates.error().c_str());
      QCOMPARE(q(rates->device), q(kReferenceDevice));
    }
    std::ofstream(file, std::ios::app) << line.toStdString() << "\n";
    QCOMPARE(q(ratesFor("sm_90", file)->device), QString("another card"));
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
