// SPDX-License-Identifier: GPL-3.0-or-later
// `tileloom sass` as a user calls it, without a compiler or a disassembler, and with a script in
// the place of one.
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QtTest>

#include "tests/app/program.h"
#include "tests/support/test_class.h"

namespace tileloom::test {

class SassTest : public QObject {
  Q_OBJECT

  QTemporaryDir m_folder;

  static QJsonObject object(const QByteArray& text) {
    return QJsonDocument::fromJson(text).object();
  }

 private slots:
  void init() {
    qputenv("TILELOOM_NVDISASM", "none");
    qputenv("TILELOOM_NVRTC", "none");
  }

  void theRecordedListing() {
    const Said said = runTileloom({"sass", "tuned"});
    QCOMPARE(said.status, 0);
    QVERIFY2(isOneSentence(said.err) && said.err.contains("recorded listing"),
             said.err.constData());
    for (const char* part :
         {"tuned, rung 14", "on sm_90 (recorded ", "registers per thread", "main loop 0c20 to ",
          "16.0 FFMA per LDS", "predicted by a rule", "asynchronous copies", "LDS.128"})
      QVERIFY2(said.out.contains(part), part);
    // With --recorded that is what was asked for.
    const Said asked = runTileloom({"sass", "tuned", "--recorded"});
    QVERIFY(asked.err.isEmpty());
    QCOMPARE(asked.out, said.out);
    const Said loop = runTileloom({"sass", "14", "--recorded", "--loop"});
    QVERIFY(loop.out.count('\n') < asked.out.count('\n') - 200);
    QVERIFY(!loop.out.contains("EXIT"));
    QVERIFY(
        runTileloom({"sass", "tuned", "--recorded", "--arch", "8.6"}).out.contains("on sm_86 ("));
  }

  void json() {
    const Said said = runTileloom({"sass", "tuned", "--recorded", "--json", "-"});
    QCOMPARE(said.status, 0);
    const QJsonObject all = object(said.out);
    QCOMPARE(all["schema"].toString(), QString("tileloom.sass/1"));
    QCOMPARE(all["origin"].toString(), QString("recorded"));
    QCOMPARE(all["stale"].toBool(true), false);
    QCOMPARE(all["loop_mix"]["FFMA"].toInt(), 1024);
    QCOMPARE(all["loop_mix"]["LDS"].toInt(), 64);
    QCOMPARE(all["ffma_per_lds"].toDouble(), 16.0);
    QCOMPARE(all["cycles_predicted"].toInt(),
             all["loop"]["instructions"].toInt() + all["lost_cycles_predicted"].toInt());
    int inLoop = 0, lost = 0;
    for (const auto& i : all["instructions"].toArray()) {
      inLoop += i.toObject()["in_loop"].toBool() ? 1 : 0;
      lost += i.toObject()["lost_cycles"].toInt();
    }
    QCOMPARE(inLoop, all["loop"]["instructions"].toInt());
    QCOMPARE(lost, all["lost_cycles_predicted"].toInt());
    const QJsonObject naive = object(runTileloom({"sass", "1", "--recorded", "--json", "-"}).out);
    QVERIFY(naive["ffma_per_lds"].isNull());
  }

  void intoFiles() {
    const QString text = m_folder.filePath("a.txt"), json = m_folder.filePath("a.json");
    const Said said = runTileloom({"sass", "naive", "--recorded", "--out", text, "--json", json});
    QCOMPARE(said.status, 0);
    QVERIFY(said.out.isEmpty());
    QFile a(text), b(json);
    QVERIFY(a.open(QIODevice::ReadOnly) && b.open(QIODevice::ReadOnly));
    QCOMPARE(a.readAll(), runTileloom({"sass", "naive", "--recorded"}).out);
    QCOMPARE(object(b.readAll())["stage"].toString(), QString("naive"));
  }

  void whatIsNotRecorded_data() {
    QTest::addColumn<QString>("words");
    QTest::addColumn<QString>("names");
    QTest::newRow("tile") << "sass warptiled --tile BK=8"
                          << "BK=8";
    QTest::newRow("tile, recorded") << "sass warptiled --tile BK=8 --recorded"
                                    << "sm_86 and sm_90";
    QTest::newRow("architecture") << "sass warptiled --arch sm_80"
                                  << "sm_80";
    QTest::newRow("recording") << "sass --record /tmp"
                               << "nvdisasm";
  }
  void whatIsNotRecorded() {
    QFETCH(QString, words);
    QFETCH(QString, names);
    const Said said = runTileloom(words.split(' '));
    QCOMPARE(said.status, 3);
    QVERIFY(said.out.isEmpty());
    QVERIFY2(isOneSentence(said.err) && said.err.contains(names.toUtf8()), said.err.constData());
  }

  // A disassembler without a compiler is of no use.
  void aDisassemblerAlone() {
    const QString script = m_folder.filePath("nvdisasm");
    QFile file(script);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("#!/bin/sh\nexit 1\n");
    file.close();
    file.setPermissions(QFile::ReadOwner | QFile::ExeOwner);
    qputenv("TILELOOM_NVDISASM", script.toUtf8());
    const Said said = runTileloom({"sass", "naive"});
    QCOMPARE(said.status, 0);
    QVERIFY2(said.err.contains("NVRTC"), said.err.constData());
    qputenv("TILELOOM_NVDISASM", "/proc/no/such/tool");
    const Said wrong = runTileloom({"sass", "naive", "--tile", "BLOCKSIZE=16"});
    QCOMPARE(wrong.status, 3);
    QVERIFY2(wrong.err.contains("/proc/no/such/tool"), wrong.err.constData());
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::SassTest, Nothing)
#include "sass_test.moc"
