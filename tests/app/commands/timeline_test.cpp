// SPDX-License-Identifier: GPL-3.0-or-later
// `tileloom timeline` as a user calls it, on a machine without a compiler.
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QtTest>
#include <cmath>
#include <map>

#include "tests/app/program.h"
#include "tests/app/surroundings.h"
#include "tests/support/random.h"
#include "tests/support/recorded.h"
#include "tests/support/test_class.h"

namespace tileloom::test {

class AppTimelineTest : public QObject {
  Q_OBJECT

  std::unique_ptr<Surroundings> m_around;

 private slots:
  void init() { m_around = std::make_unique<Surroundings>(); }

  void figures() {
    const Said said = runTileloom({"timeline", "doublebuffered"});
    QVERIFY2(said.status == 0 && said.err.isEmpty(), said.err.constData());
    for (const char* part :
         {"doublebuffered, rung 11", "predicted by a virtual clock for NVIDIA H100 80GB HBM3",
          "2,505 cycles from one K tile to the next", "2 blocks on the SM", "FMA pipes",
          "other warps, at a barrier", "14 % below the prediction's 2,912"})
      QVERIFY2(said.out.contains(part), said.out.constData());
    const Said tensor = runTileloom({"timeline", "t3", "--delay", "300"});
    QCOMPARE(tensor.status, 0);
    for (const char* part : {"tensor cores", "with memory 300 cycles slower"})
      QVERIFY2(tensor.out.contains(part), tensor.out.constData());
    QVERIFY(!tensor.out.contains("prediction's"));
    if (test::briefly()) return;
    const Said varied =
        runTileloom({"timeline", "t7", "--tile", "STAGES=3", "--delay", "500", "--varies", "1500"});
    QVERIFY2(varied.status == 0 && varied.err.isEmpty(), varied.err.constData());
    for (const char* part :
         {"with memory 500 to 2,000 cycles slower", "on average over 60 K tiles"})
      QVERIFY2(varied.out.contains(part), varied.out.constData());
  }

  // Without a compiler the registers of an unrecorded tile are unknown. A prediction needs them, so
  // the clock is compared with none.
  void noPredictionWithoutRegisters() {
    qputenv("TILELOOM_NVRTC", "none");
    const Said said = runTileloom({"timeline", "doublebuffered", "--tile", "BM=64,BN=64"});
    QCOMPARE(said.status, 0);
    QVERIFY2(said.out.contains("estimated") && !said.out.contains("prediction's"),
             said.out.constData());
  }

  // By hand: eight m64n256k16 a K tile, of 16 + 256 / 4 wavefronts of operands each, are 640 in the
  // 1,024 cycles that T7 takes for them, and in the 1,164 of T6. T8: eight m64n128k16 of 48.
  void operandsPassTheDataPipe() {
    const auto share = [](const char* stage) {
      const Said said = runTileloom({"timeline", stage});
      const auto found = QRegularExpression("shared-memory data pipe +([0-9.]+) %").match(said.out);
      return found.captured(1).toDouble();
    };
    QCOMPARE(share("t7"), 62.5);
    if (test::briefly()) return;
    QVERIFY(std::abs(share("t6") - 100 * 640 / 1164.0) < 0.3);
    for (const char* stage : {"t5", "t9", "t10", "t13"}) QVERIFY2(share(stage) > 30, stage);
  }

  // Each share says what it is of: the tensor cores at which rate, the data pipe with what, beside
  // the counts of `why`. By hand: two blocks of 768 wavefronts in 2,617 cycles are 58.7 %.
  void sharesSayWhatTheyAreOf() {
    const auto rows = [](const QStringList& arguments) {
      std::map<QString, QString> found;
      const Said said = runTileloom(QStringList{"timeline"} + arguments);
      for (const QString& line : QString::fromUtf8(said.out).split('\n')) {
        const auto row =
            QRegularExpression("^  ( *[^ ].*[^ ])  +((?:[<>] )?[0-9.]+ %|-)$").match(line);
        if (row.hasMatch()) found.try_emplace(row.captured(1).trimmed(), row.captured(2));
      }
      return found;
    };
    auto t3 = rows({"t3"});
    QCOMPARE(t3["tensor cores, at the rate of mma.sync"], "63.5 %");
    QCOMPARE(t3["L1 and shared-memory data pipe"], "> 99.9 %");
    QCOMPARE(t3["with wavefronts"], "58.7 %");
    QCOMPARE(t3["with sectors from global memory"], "41.3 %");
    if (test::briefly()) return;
    QCOMPARE(rows({"t13"})["tensor cores, at the rate of wgmma"], "100.0 %");
    // Two blocks of 8,192 bytes at 64 per cycle in 4,102 cycles; C is not a part of a K tile.
    QCOMPARE(rows({"vectorized"})["L2"], "6.2 %");
    // 17 rows of 128 bytes and 16,384 bytes of B at 85 per cycle, in 1,024 and 2,089 cycles.
    QCOMPARE(rows({"t13", "--size", "17x4096x4096"})["L2"], "21.3 %");
    QCOMPARE(rows({"t4", "--size", "17x4096x4096"})["L2"], "10.5 %");
  }

  // One K tile is not a steady state, and the time of its block is not that of the launch.
  void oneKTile() {
    for (const QStringList& arguments :
         {QStringList{"tuned", "--size", "8"}, QStringList{"naive", "--size", "8"},
          QStringList{"t9", "--size", "8"}, QStringList{"t3", "--size", "128x128x64"}}) {
      const Said said = runTileloom(QStringList{"timeline"} + arguments);
      QVERIFY2(said.status == 0 && said.err.isEmpty(), said.err.constData());
      // No shares are printed either.
      QVERIFY2(!said.out.contains("stalled, predicted") && !said.out.contains("busy in"),
               said.out.constData());
      for (const char* part :
           {"cycles for the block, which has one K tile", "There is no steady state",
            "The cycles of the block are from its first instruction to its last"})
        QVERIFY2(said.out.contains(part), said.out.constData());
      QCOMPARE(said.out.contains("The prediction assumes the steady state for a K tile"),
               !arguments[0].startsWith("t") || arguments[0] == "tuned");
    }
  }

  // If no K tiles repeat, the report says which K tiles the cycles are from.
  void fewKTiles() {
    const Said few = runTileloom({"timeline", "t8", "--size", "1000x520x264"});
    QVERIFY2(few.out.contains(" cycles from K tile 4 of 5 to the next\n") &&
                 few.out.contains("There is no steady state"),
             few.out.constData());
  }

  void withoutKTiles() {
    const Said said = runTileloom({"timeline", "coalesced", "--size", "512"});
    QVERIFY2(said.out.contains("\nA K tile of this rung is 32 elements of K"),
             said.out.constData());
    QVERIFY(!runTileloom({"timeline", "t8", "--size", "512"}).out.contains("of this rung is"));
  }

  void files() {
    const QTemporaryDir folder;
    const QString json = folder.filePath("trace.json"), csv = folder.filePath("spans.csv");
    QCOMPARE(runTileloom({"timeline", "async", "--out", json}).status, 0);
    QFile file(json);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QJsonObject all = QJsonDocument::fromJson(file.readAll()).object();
    const QJsonArray events = all["traceEvents"].toArray();
    QVERIFY(events.size() > 1000);
    // Timestamps ship for this tile and size.
    QCOMPARE(all["otherData"].toObject()["origin"].toString(), QString("predicted and measured"));
    QVERIFY(events[0].toObject()["args"].toObject()["name"].toString().contains("predicted"));
    QCOMPARE(runTileloom({"timeline", "async", "--out", csv}).status, 0);
    QFile table(csv);
    QVERIFY(table.open(QIODevice::ReadOnly));
    QVERIFY(table.readAll().startsWith("lane,begin,end,what,"));
  }

  // Shipped timestamps are shown without an option, and only for the same kernel and size.
  void shipped() {
    const Said said = runTileloom({"timeline", "t7", "--at", "30"});
    QVERIFY2(said.status == 0 && said.err.isEmpty(), said.err.constData());
    for (const char* part : {"stamped on NVIDIA H100", "timestamps cost ", "waits for wgmma"})
      QVERIFY2(said.out.contains(part), said.out.constData());
    if (test::briefly()) return;
    for (const QStringList& other :
         {QStringList{"--size", "2048"}, QStringList{"--tile", "STAGES=3"},
          QStringList{"--arithmetic", "fp16"}})
      QVERIFY(!runTileloom(QStringList{"timeline", "t7"} + other).out.contains("stamped on"));
  }

  // Measured on the fake GPU, written, and read again without one.
  void measured() {
    const QString stamps = m_around->path("stamps.json"), trace = m_around->path("trace.json");
    const QStringList of = {"timeline", "t7", "--size", "256x256x2048"};
    // 2: wait, at every 64 elements of K.
    const int line = test::lineOf(test::stage("overlapped"), "wait(full + slot, parity)");
    Surroundings::fakeGpu(QByteArrayLiteral("stamps=2:") + QByteArray::number(line) + ":64");
    const Said there = runTileloom(of + QStringList{"--measure", stamps, "--out", trace});
    QVERIFY2(there.status == 0, there.err.constData());
    Surroundings::nothing();
    const Said again = runTileloom(of + QStringList{"--measured", stamps, "--at", "20"});
    QVERIFY2(again.status == 0 && again.err.isEmpty(), again.err.constData());
    QVERIFY(again.out == there.out);
    for (const char* part : {"stamped on Fake H100, ", "timestamps cost ", "block 1 of 2",
                             "K tiles 4 to 26", "waits for a stage to be filled"})
      QVERIFY2(again.out.contains(part), again.out.constData());
    const QStringList lines = QString::fromUtf8(again.out).split('\n').filter("one K tile");
    QVERIFY2(lines.last().simplified().endsWith("1,024 1,000"), qPrintable(lines.last()));
    QVERIFY(Surroundings::read(trace).contains("predicted and measured"));
    // Timestamps of another kernel than the predicted one.
    const std::pair<QStringList, const char*> others[] = {
        {{"timeline", "t6", "--size", "256x256x2048"}, "overlapped"},
        {{"timeline", "t7"}, "--size"},
        {of + QStringList{"--tile", "STAGES=3"}, "--tile"},
        {of + QStringList{"--arithmetic", "fp16"}, "--arithmetic"},
        {of + QStringList{"--at", "99"}, "--at"},
    };
    for (const auto& [arguments, says] : others) {
      const Said said = runTileloom(arguments + QStringList{"--measured", stamps});
      QCOMPARE(said.status, 2);
      QVERIFY2(isOneSentence(said.err) && said.err.contains(says), said.err.constData());
    }
    QVERIFY(Surroundings::write(stamps, "{\"schema\": 1}"));
    const Said broken = runTileloom(of + QStringList{"--measured", stamps});
    QCOMPARE(broken.status, 2);
    QVERIFY2(isOneSentence(broken.err) && broken.err.contains("schema"), broken.err.constData());
    // Without a GPU nothing is measured, and no file is made.
    const Said none = runTileloom(of + QStringList{"--measure", m_around->path("none.json")});
    QVERIFY(none.status != 0 && isOneSentence(none.err));
    QVERIFY(!QFile::exists(m_around->path("none.json")));
  }

  // Persistent blocks, between two of their tiles.
  void betweenTiles() {
    const Said said = runTileloom({"timeline", "t10", "--between-tiles"});
    QVERIFY2(said.status == 0 && said.err.isEmpty(), said.err.constData());
    for (const char* part :
         {"persistent, rung T10", "cycles between two tiles of C",
          "a tile with K = 4,096: 64 K tiles of 1,024 cycles", "while the tensor cores multiply",
          "stamped on NVIDIA H100", "no wgmma in flight for 2,312 cycles"})
      QVERIFY2(said.out.contains(part), said.out.constData());
    if (test::briefly()) return;
    const Said other = runTileloom({"timeline", "t10", "--between-tiles", "--size", "8192"});
    QVERIFY(other.out.contains("128 K tiles") && !other.out.contains("stamped on"));
  }

  void wrongInput_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("says");
    QTest::newRow("ending") << QStringList{"timeline", "8", "--out", "x.png"}
                            << QByteArray("neither a .json");
    QTest::newRow("delay") << QStringList{"timeline", "8", "--delay", "-1"}
                           << QByteArray("--delay");
    QTest::newRow("varies") << QStringList{"timeline", "8", "--varies", "much"}
                            << QByteArray("--varies");
    QTest::newRow("tile") << QStringList{"timeline", "8", "--tile", "BM=96"} << QByteArray("BM");
    QTest::newRow("architecture") << QStringList{"timeline", "8", "--arch", "sm_80"}
                                  << QByteArray("sm_80");
    QTest::newRow("folder") << QStringList{"timeline", "8", "--out", "/no/such/folder/t.json"}
                            << QByteArray("/no/such/folder");
    QTest::newRow("no file") << QStringList{"timeline", "8", "--measured", "/no/such/file"}
                             << QByteArray("/no/such/file");
    QTest::newRow("both") << QStringList{"timeline", "8", "--measured", "a", "--measure", "b"}
                          << QByteArray("--measure");
    QTest::newRow("at nothing") << QStringList{"timeline", "8", "--at", "3"}
                                << QByteArray("--measured");
    QTest::newRow("not persistent")
        << QStringList{"timeline", "t9", "--between-tiles"} << QByteArray("persistent, cluster");
    QTest::newRow("one tile") << QStringList{"timeline", "t13", "--between-tiles", "--size", "512"}
                              << QByteArray("larger M or N");
    QTest::newRow("at between") << QStringList{"timeline", "t13", "--between-tiles", "--at", "3"}
                                << QByteArray("--at");
    QTest::newRow("render between")
        << QStringList{"render",          "timeline", "--stage",       "t9",
                       "--between-tiles", "--out",    "/tmp/never.png"}
        << QByteArray("persistent, cluster");
    QTest::newRow("render one tile")
        << QStringList{"render", "timeline",        "--stage", "t12",           "--size",
                       "512",    "--between-tiles", "--out",   "/tmp/never.png"}
        << QByteArray("larger M or N");
    QTest::newRow("render no file") << QStringList{"render",        "timeline", "--measured",
                                                   "/no/such/file", "--out",    "/tmp/never.png"}
                                    << QByteArray("/no/such/file");
    QTest::newRow("render") << QStringList{"render", "timeline", "--cycles",
                                           "9:2",    "--out",    "/tmp/never.png"}
                            << QByteArray("0:12000");
  }
  void wrongInput() {
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, says);
    const Said said = runTileloom(arguments);
    QCOMPARE(said.status, 2);
    QVERIFY2(isOneSentence(said.err) && said.err.contains(says), said.err.constData());
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::AppTimelineTest, EventLoop)
#include "timeline_test.moc"
