// SPDX-License-Identifier: GPL-3.0-or-later
// Where the answer goes: files, full disks, closed pipes.
#include <QJsonDocument>
#include <QTemporaryDir>
#include <QtTest>

#include "tests/app/program.h"
#include "tests/support/test_class.h"

namespace tileloom::test {

class OutputTest : public QObject {
  Q_OBJECT

 private slots:
  void oldFormOfJson() {
    const QTemporaryDir folder;
    const QString path = folder.filePath("trace.json");
    const QStringList words = {"trace", "shared", "--size", "64", "--json"};
    const Said said = runTileloom(words + QStringList{path});
    QCOMPARE(said.status, 0);
    QVERIFY(said.out.startsWith("shared"));  // the tables still come
    QVERIFY2(isOneSentence(said.err) && said.err.contains("write --json --out FILE"),
             said.err.constData());
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray written = file.readAll();
    QVERIFY(QJsonDocument::fromJson(written).isObject());
    QCOMPARE(written, runTileloom(words).out);
    const Said dash = runTileloom(words + QStringList{"-"});
    QCOMPARE(dash.out, written);
    QVERIFY2(isOneSentence(dash.err) && dash.err.contains("old form"), dash.err.constData());
  }

  void answerIntoAFile() {
    const QTemporaryDir folder;
    const QString path = folder.filePath("answer");
    for (const QStringList& words : {QStringList{"trace", "shared", "--size", "64", "--json"},
                                     QStringList{"trace", "shared", "--size", "64"}}) {
      const Said said = runTileloom(words + QStringList{"--out", path});
      QCOMPARE(said.status, 0);
      QVERIFY(said.out.isEmpty() && said.err.isEmpty());
      QFile file(path);
      QVERIFY(file.open(QIODevice::ReadOnly));
      QCOMPARE(file.readAll(), runTileloom(words).out);
      QCOMPARE(runTileloom(words + QStringList{"--out", "-"}).out, runTileloom(words).out);
    }
  }

  void jsonFileIsReplaced() {
    const QTemporaryDir folder;
    const QString path = folder.filePath("trace.json");
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QByteArray(100000, 'x'));
    file.close();
    QCOMPARE(runTileloom({"trace", "naive", "--size", "8", "--json", "--out", path}).status, 0);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(QJsonDocument::fromJson(file.readAll()).isObject());
  }

  void fullDiskUnderTheJsonFile() {
    if (!QFile::exists("/dev/full")) QSKIP("this system has no /dev/full");
    const Said said = runTileloom({"trace", "naive", "--json", "--out", "/dev/full"});
    QCOMPARE(said.status, 2);
    QVERIFY2(isOneSentence(said.err), said.err.constData());
    QVERIFY(said.err.contains("/dev/full"));
    QVERIFY(said.out.isEmpty());
  }

  void fullDiskUnderStandardOutput_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::newRow("stages") << QStringList{"stages"};
    QTest::newRow("trace") << QStringList{"trace", "warptiled"};
    QTest::newRow("help") << QStringList{"--help"};
  }
  void fullDiskUnderStandardOutput() {
    if (!QFile::exists("/dev/full")) QSKIP("this system has no /dev/full");
    QFETCH(QStringList, arguments);
    QProcess process;
    process.setStandardOutputFile("/dev/full");
    process.start(TILELOOM_PROGRAM, arguments);
    const Said said = collect(process);
    QCOMPARE(said.status, 2);
    QVERIFY2(isOneSentence(said.err), said.err.constData());
    QVERIFY(said.err.contains("standard output"));
  }

  // The error cannot be reported, but the status is the same.
  void fullDiskUnderBothOutputs() {
    if (!QFile::exists("/dev/full")) QSKIP("this system has no /dev/full");
    for (const char* arguments : {"stages", "trace naive --nonsense", "why tuned --nonsense"}) {
      QProcess process;
      process.start("/bin/sh",
                    {"-c", QString("\"$0\" %1 >/dev/full 2>&1").arg(arguments), TILELOOM_PROGRAM});
      const Said said = collect(process);
      QCOMPARE(said.status, 2);
    }
  }

  void readerThatLeaves() {
    // `true` ends long before the trace prints.
    QProcess process;
    process.start("/bin/sh", {"-c", "(sleep 0.3; \"$0\" stages; echo \"status $?\" >&2) | true",
                              TILELOOM_PROGRAM});
    const Said said = collect(process);
    QVERIFY2(said.err.startsWith("tileloom: cannot write to standard output"),
             said.err.constData());
    QVERIFY2(said.err.endsWith("status 2\n"), said.err.constData());
  }

  void closedStandardOutput() {
    QProcess process;
    process.start("/bin/sh", {"-c", "\"$0\" stages >&-", TILELOOM_PROGRAM});
    const Said said = collect(process);
    QCOMPARE(said.status, 2);
    QVERIFY2(isOneSentence(said.err), said.err.constData());
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::OutputTest, EventLoop)
#include "output_test.moc"
