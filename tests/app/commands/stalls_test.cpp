// SPDX-License-Identifier: GPL-3.0-or-later
// `tileloom stalls` as a user calls it, without a GPU.
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

#include "kernels/runs/stall_samples.h"
#include "tests/app/program.h"
#include "tests/app/surroundings.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

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

  // The machine code that was sampled is read by this program.
  void withoutATool() {
    const Surroundings around;
    around.fakeGpu("cubin=" TILELOOM_SOURCE_DIR "/tests/rewrite/fixtures/small.cubin");
    qputenv("TILELOOM_FAKE_SAMPLING", "kernel=warptiled");
    qputenv("TILELOOM_NVDISASM", "none");
    const QStringList words = {"stalls", "warptiled", "--size", "256", "--live"};
    const Said plain = runTileloom(words);
    QVERIFY2(plain.status == 0, plain.err.constData());
    QVERIFY2(plain.err.isEmpty(), plain.err.constData());
    // The file has no source lines.
    QVERIFY2(plain.out.contains("are unknown: the listing has none.\n"), plain.out.constData());
    QVERIFY(!plain.out.contains("nvdisasm"));
    const QByteArray table = plain.out.mid(plain.out.indexOf("By machine instruction"));
    QVERIFY2(table.contains("  0x0040  ") && table.contains(" R"), table.constData());
    // From the real compiler, with source lines.
    qunsetenv("TILELOOM_NVRTC");
    const Said lined = runTileloom(words);
    qunsetenv("TILELOOM_FAKE_SAMPLING");
    qunsetenv("TILELOOM_NVDISASM");
    Surroundings::nothing();
    if (lined.err.contains("NVRTC")) QSKIP("NOT TESTED: needs NVRTC");
    QVERIFY2(lined.status == 0, lined.err.constData());
    QVERIFY2(lined.out.contains("By source line"), lined.out.constData());
  }

  // In the requested format, from a fake GPU.
  void onTensorCores() {
    const Surroundings around;
    around.fakeGpu();
    qputenv("TILELOOM_FAKE_SAMPLING", "kernel=mmaring");
    const QStringList words = {"stalls", "t3", "--size", "256", "--live", "--arithmetic"};
    for (const char* format : {"bf16", "fp16"}) {
      const Said said = runTileloom(words + QStringList{format, "--json"});
      QVERIFY2(said.status == 0, said.err.constData());
      const QJsonObject all = QJsonDocument::fromJson(said.out).object();
      QCOMPARE(all["stage"].toString(), QString("mmaring"));
      QCOMPARE(all["arithmetic"].toString(), QString(format));
    }
    const Said said = runTileloom(words + QStringList{"fp16"});
    QVERIFY2(said.out.contains("GROUP=8 in fp16, 256"), said.out.constData());
    qunsetenv("TILELOOM_FAKE_SAMPLING");
    Surroundings::nothing();
  }

  void samplesNotRecordedYet() {
    const Said said = runTileloom({"stalls", "t3", "--recorded"});
    if (runs::hasRecordedSamples(stage("mmaring"))) {
      QCOMPARE(said.status, 0);
      QVERIFY2(said.out.contains("HMMA"), said.out.constData());
      return;
    }
    QCOMPARE(said.status, 3);
    QVERIFY2(said.err.contains("the samples of rung T3 (mmaring) are not recorded yet") &&
                 said.err.contains("`tileloom stalls --record"),
             said.err.constData());
    QVERIFY2(isOneSentence(said.err), said.err.constData());
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
    row({"stalls", "--record", ""}, 2, "--record");
    row({"stalls", "--record", "x", "--arithmetic", "tf32"}, 2, "there is no arithmetic");
    row({"stalls", "warptiled", "--arithmetic", "bf16"}, 2, "does not support bf16");
    row({"stalls", "t3", "--arithmetic", "fp16", "--recorded"}, 3, "mmaring");
    row({"stalls", "--record", "/dev/null/x", "--arithmetic", "bf16"}, 2,
        "cannot write \"/dev/null/x\"");
    row({"stalls", "--record", "x", "--device", "-1"}, 2, "--device");
    row({"stalls", "--record", "x", "--limit", "0"}, 2, "--limit");
    row({"stalls", "--record", "/dev/null/x"}, 2, "cannot write \"/dev/null/x\"");
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
