// SPDX-License-Identifier: GPL-3.0-or-later
// `tileloom stalls` as a user calls it, without a GPU.
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

#include "tests/app/program.h"
#include "tests/support/test_class.h"

namespace tileloom::test {

class StallsCommandTest : public QObject {
  Q_OBJECT

 private slots:
  void init() { qputenv("TILELOOM_LIBCUDA", "none"); }
  void cleanup() { qunsetenv("TILELOOM_LIBCUDA"); }

  void recordedWhereThereIsNoGpu() {
    const Said said = runTileloom({"stalls", "warptiled"});
    QCOMPARE(said.status, 0);
    QVERIFY2(isOneSentence(said.err) && said.err.contains("recorded samples"),
             said.err.constData());
    for (const char* part : {"warptiled, rung 8", "NVIDIA H100", "recorded", "By source line",
                             "By machine instruction", "acc[", "FFMA", "waited most"})
      QVERIFY2(said.out.contains(part), part);
    const Said asked = runTileloom({"stalls", "8", "--recorded"});
    QVERIFY(asked.err.isEmpty());
    QCOMPARE(asked.out, said.out);
  }

  void json() {
    const Said said = runTileloom({"stalls", "naive", "--recorded", "--json"});
    QCOMPARE(said.status, 0);
    const QJsonObject all = QJsonDocument::fromJson(said.out).object();
    QCOMPARE(all["schema"].toString(), QString("tileloom.samples/1"));
    QCOMPARE(all["stage"].toString(), QString("naive"));
    QVERIFY(all["at"].toArray().size() > 10);
  }

  void mistakes_data() {
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("says");
    const auto row = [](const QStringList& words, int status, const char* says) {
      QTest::newRow(qPrintable(words.join(' '))) << words << status << QByteArray(says);
    };
    row({"stalls"}, 2, "needs a stage");
    row({"stalls", "warp"}, 2, "no stage");
    row({"stalls", "warptiled", "--live"}, 3, "driver");
    row({"stalls", "warptiled", "--tile", "BK=8"}, 3, "driver");
    row({"stalls", "warptiled", "--tile", "BK=8", "--recorded"}, 3, "default tiles");
    row({"stalls", "warptiled", "--live", "--recorded"}, 2, "exclude");
    row({"stalls", "warptiled", "--size", "0"}, 2, "size");
    row({"stalls", "warptiled", "--record", "x"}, 2, "leave stage");
    row({"stalls", "--record", ""}, 2, "name a file");
    row({"stalls", "--record", "/dev/null/x"}, 3, "naive was not sampled");
  }
  void mistakes() {
    QFETCH(QStringList, words);
    QFETCH(int, status);
    QFETCH(QByteArray, says);
    const Said said = runTileloom(words);
    QVERIFY2(said.err.contains(says), said.err.constData());
    QVERIFY2(isOneSentence(said.err), said.err.constData());
    QCOMPARE(said.status, status);
    QVERIFY(said.out.isEmpty());
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::StallsCommandTest, EventLoop)
#include "stalls_test.moc"
