// SPDX-License-Identifier: GPL-3.0-or-later
// `tileloom why` and `tileloom model causes` as a user calls them, on a machine without a compiler.
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QtTest>
#include <cmath>

#include "app/command_line.h"
#include "tests/app/program.h"
#include "tests/app/surroundings.h"
#include "tests/support/random.h"
#include "tests/support/recorded.h"
#include "tests/support/test_class.h"

namespace tileloom::test {

class AppWhyTest : public QObject {
  Q_OBJECT

  std::unique_ptr<Surroundings> m_around;

  static QJsonObject object(const QByteArray& text) {
    return QJsonDocument::fromJson(text).object();
  }

 private slots:
  void init() { m_around = std::make_unique<Surroundings>(); }

  void theDefaultTile() {
    const Said said = runTileloom({"why", "warptiled"});
    QVERIFY2(said.status == 0 && said.err.isEmpty(), said.err.constData());
    const int line = test::lineOf(test::stage("warptiled"), "acc[(wm * TM + m)");
    QVERIFY2(said.out.contains(QByteArrayLiteral("line ") + QByteArray::number(line) + ": "),
             said.out.constData());
    for (const char* part :
         {"warptiled, rung 8", "at 4096x4096x4096", "GFLOP/s predicted for NVIDIA H100",
          "recorded on NVIDIA H100 80GB HBM3, with counters", "waiting at barriers",
          "register banks", "counted", "Issue slots of multiply-adds take ", "pipe busy",
          "Instruction issue is busy with them for 4.07 million cycles, ",
          "A GPU's counters show them as ", "One step of one tile parameter",
          "BM          128   64", "speed  predicted"})
      QVERIFY2(said.out.contains(part), part);
    // BM = 256 is recorded, too.
    QVERIFY(
        QRegularExpression("BM +128 +256 +x0\\.89 recorded +x0\\.9").match(said.out).hasMatch());
    QVERIFY(!said.out.contains("times the speed"));
    // If register banks are among the largest costs, their share comes from the machine code.
    const Said banks = runTileloom({"why", "fragments"});
    QVERIFY2(QRegularExpression("cycles lost to register banks: [0-9.]+ % \\(machine code\\)")
                 .match(banks.out)
                 .hasMatch(),
             banks.out.constData());
  }

  // Rates are those of the chosen device: 34.6 MB at 3,955 and at 2,829 GB/s.
  void onAnotherDevice() {
    const Said there = runTileloom({"why", "t9", "--size", "4096x4096x64", "--on", "H200"});
    QVERIFY2(there.out.contains("sm_90 on NVIDIA H200\n") &&
                 there.out.contains("DRAM, 100.0 % of the launch's lower bound of 8.75 µs"),
             there.out.constData());
    const Said here = runTileloom({"why", "t9", "--size", "4096x4096x64"});
    QVERIFY2(here.out.contains("sm_90 on NVIDIA H100 80GB HBM3\n") &&
                 here.out.contains("DRAM, 100.0 % of the launch's lower bound of 12.2 µs"),
             here.out.constData());
    // No rates are known for another architecture.
    QVERIFY(runTileloom({"why", "t1", "--arch", "sm_80"}).out.contains("in bf16, sm_80\n"));
  }

  // A computed figure is not a recorded one, and a wave of parts is a wave of blocks.
  void whatIsComputed() {
    const Said one = runTileloom({"why", "naive", "--size", "1"});
    for (const char* part : {"fill of the last wave: 0.4 % (computed)",
                             "waves of blocks: 0.00379 (computed)", "DRAM < 0.1 %"})
      QVERIFY2(one.out.contains(part), one.out.constData());
    const Said cut = runTileloom({"why", "rewritten", "--size", "300x700x520"});
    for (const char* part :
         {"fill of the last wave: 27.3 % (computed)", "waves of blocks: 0.273 (computed)"})
      QVERIFY2(cut.out.contains(part), cut.out.constData());
  }

  void json() {
    const Said said = runTileloom({"why", "warptiled", "--json"});
    QCOMPARE(said.status, 0);
    const QJsonObject all = object(said.out);
    QCOMPARE(all["schema"].toString(), QString("tileloom.why/1"));
    QCOMPARE(all["tile"]["BM"].toInt(), 128);
    QVERIFY(all["against"].isNull());
    QVERIFY(all["measured"]["counters"].toBool());
    for (const auto& each : all["neighbours"].toArray()) {
      const QJsonObject next = each.toObject();
      if (next["parameter"].toString() != "BM" || next["to"].toInt() != 256) continue;
      QVERIFY(std::abs(next["measured_speed_ratio"].toDouble() - 0.89) < 0.01);
      QVERIFY(next["speed_ratio"].toDouble() != next["measured_speed_ratio"].toDouble());
    }
    // No change of one parameter leads to the fastest tile.
    QCOMPARE(all["fastest"]["tile"]["BM"].toInt(), 64);
    QVERIFY(all["fastest"]["gflops"].toDouble() > 1.1 * all["measured"]["gflops"].toDouble());
    QVERIFY(all["fastest"]["tiles"].toInt() > 1000);
    const Said words = runTileloom({"why", "warptiled"});
    QVERIFY2(words.out.contains("(x1.13) recorded for the fastest of 1,231 tiles: BM=64,BN=128"),
             words.out.constData());
    double share = 0, last = 1;
    bool counted = false;
    const QJsonArray costs = all["costs"].toArray();
    for (const auto& cost : costs) {
      const double here = cost.toObject()["share"].toDouble();
      QVERIFY(here <= last);
      last = here;
      share += here;
      counted |= cost.toObject()["source"] == "counted";
      QVERIFY(cost.toObject()["sentence"].toString().endsWith("."));
      if (cost.toObject()["source"] == "counted")
        QVERIFY(cost.toObject()["predicted_share"].isDouble());
    }
    QVERIFY(counted && share > 0.98 && share < 1.001);
    for (const auto& each : costs) {
      const QJsonObject cost = each.toObject();
      const QString key = cost["cost"].toString();
      if (key == "multiply_adds") QVERIFY(cost["busy_cycles"].toDouble() > 4.06e6);
      if (key == "barriers") {
        QVERIFY(cost["busy_cycles"].isNull() && cost["busy_share"].isNull());
        QCOMPARE(cost["counted_as"].toArray().at(0).toString(), QString("at a barrier"));
      }
    }
    QCOMPARE(all["pipes"].toArray().size(), 4);
    QVERIFY(all["pipes"].toArray().at(0).toObject()["busy_share"].toDouble() > 0.5);
    QVERIFY(all["neighbours"].toArray().size() > 4);
  }

  // What counters of a run give is not called predicted, and a parameter that hardly changes a cost
  // is not named for it.
  void whereSharesComeFrom() {
    const Said words = runTileloom({"why", "warptiled"});
    for (const char* part :
         {"(predicted; from counted values: ", "The share of L2 is of 64 bytes per cycle"})
      QVERIFY2(words.out.contains(part), words.out.constData());
    const Said large = runTileloom({"why", "rewritten"});
    QVERIFY2(!large.out.contains("PAD=0: less of it"), large.out.constData());
    // With split-K nearly no place is empty: the cost is that of the partial sums.
    const Said cut = runTileloom({"why", "rewritten", "--size", "1000"});
    QVERIFY2(cut.out.contains("fill of the last wave: 97.0 %") &&
                 cut.out.contains("These partial sums take "),
             cut.out.constData());
  }

  void whatChangesNothingHasNoCause() {
    const QStringList move = {"why",    "tuned",   "--size",    "2048",
                              "--tile", "GROUP=4", "--against", "GROUP=8"};
    const Said text = runTileloom(move);
    QVERIFY2(
        text.out.contains("1.00 times the speed (predicted). No cost changed by half a percent "
                          "of the time."),
        text.out.constData());
    QVERIFY(object(runTileloom(move + QStringList{"--json"}).out)["against"]
                .toObject()["cause"]
                .isNull());
  }

  void againstAnotherTile() {
    const Said said = runTileloom({"why", "warptiled", "--against", "BK=8", "--json"});
    QVERIFY2(said.status == 0, said.err.constData());
    const QJsonObject moved = object(said.out)["against"].toObject();
    QCOMPARE(moved["from"]["BK"].toInt(), 8);
    QCOMPARE(moved["to"]["BK"].toInt(), 16);
    QVERIFY(moved["cause_makes_faster"].toBool());
    QVERIFY(moved["measured_speed_ratio"].toDouble() > 1.03);
    QCOMPARE(moved["measured_speed_origin"].toString(), "recorded");
    QVERIFY(moved["sentence"].toString().startsWith("The cause is "));
    const Said text = runTileloom({"why", "warptiled", "--against", "BK=8"});
    for (const char* part : {"times the speed (predicted)", "(recorded)", "The cause is ",
                             "K tiles fell from 512 to 256 (computed).", "of the time"})
      QVERIFY2(text.out.contains(part), part);
  }

  // The same speed as that of `tileloom predict`.
  void agreesWithPredict() {
    const QStringList tile = {"padded", "--size", "2048", "--json"};
    const auto why = object(runTileloom(QStringList{"why"} + tile).out);
    const auto predict = object(runTileloom(QStringList{"predict"} + tile).out);
    QVERIFY(predict["gflops"].toDouble() > 1000);
    QCOMPARE(why["predicted_gflops"].toDouble(), predict["gflops"].toDouble());
  }

  void everyRung_data() {
    QTest::addColumn<int>("rung");
    // Sanitizers are slow.
    const int step = briefly() ? 6 : 1;
    for (int rung = 1; rung <= 14; rung += step) QTest::addRow("%d", rung) << rung;
  }
  void everyRung() {
    QFETCH(int, rung);
    const Said said = runTileloom({"why", QString::number(rung), "--size", "2048"});
    QVERIFY2(said.status == 0, said.err.constData());
    QVERIFY(said.out.contains("what costs time"));
    QVERIFY(!said.out.contains("nan") && !said.out.contains("inf"));
  }

  // Counters of the user's own runs, on any device of the architecture.
  void countedStallsStandBeside() {
    const QByteArray counted =
        Surroundings::read(TILELOOM_SOURCE_DIR "/tests/fixtures/stalls/h100.jsonl");
    QVERIFY(Surroundings::write(m_around->history(), counted));
    const Said said = runTileloom({"why", "warptiled"});
    QCOMPARE(said.status, 0);
    for (const char* part :
         {"measured on NVIDIA H100 80GB HBM3, with counters", "what warps waited for (counted)",
          "for data from shared memory", "while another warp was chosen"})
      QVERIFY2(said.out.contains(part), part);
    const auto all = object(runTileloom({"why", "warptiled", "--json"}).out);
    double share = 0;
    for (const auto& stall : all["stalls"].toArray()) share += stall.toObject()["share"].toDouble();
    QVERIFY(std::abs(share - 1) < 1e-6);
  }

  void badInput_data() {
    QTest::addColumn<QString>("arguments");
    QTest::addColumn<QString>("names");
    QTest::newRow("no stage") << "why"
                              << "stage";
    QTest::newRow("illegal tile") << "why warptiled --tile BM=96"
                                  << "BM = 64 or 128";
    QTest::newRow("illegal other tile") << "why warptiled --against BM=96"
                                        << "--against: ";
    QTest::newRow("no tile") << "why warptiled --against wide"
                             << "--against: ";
    QTest::newRow("size") << "why warptiled --size 0"
                          << "1 to 32768";
    QTest::newRow("architecture") << "why warptiled --arch sm_1"
                                  << "\"sm_1\"";
    QTest::newRow("no constants") << "why warptiled --arch sm_86"
                                  << "tileloom model fit";
    QTest::newRow("no runs") << "model causes --runs /proc/no/such/file"
                             << "/proc/no/such/file";
    QTest::newRow("fit of a rung that is not predicted") << "model fit --only tuned,t7"
                                                         << "--only t7: there is no prediction";
    QTest::newRow("fit of no rung") << "model fit --only 99"
                                    << "99";
    QTest::newRow("fit of one rung by counters") << "model fit --only tuned --counted FILE"
                                                 << "exclude each other";
  }
  void badInput() {
    QFETCH(QString, arguments);
    QFETCH(QString, names);
    const Said said = runTileloom(arguments.split(' '));
    QCOMPARE(said.status, app::kUserError);
    QVERIFY(said.out.isEmpty());
    QVERIFY2(isOneSentence(said.err) && said.err.contains(names.toUtf8()), said.err.constData());
  }

  // It is not recorded and cannot be compiled here.
  void anUnknownTile() {
    const Said said = runTileloom({"why", "padded", "--tile", "BK=12"});
    QVERIFY(said.status != 0 && said.out.isEmpty());
    QVERIFY2(isOneSentence(said.err) && said.err.contains("registers"), said.err.constData());
  }

  void causesOfAFewRuns() {
    const QString file = m_around->path("few.jsonl");
    const QByteArray shipped = Surroundings::read(TILELOOM_RECORDINGS "/h200.jsonl");
    QVERIFY(shipped.size() > 40000);
    QVERIFY(Surroundings::write(file, shipped.left(shipped.lastIndexOf('\n', 40000) + 1)));
    const Said said = runTileloom({"model", "causes", "--runs", file, "--misses"});
    QVERIFY2(said.status == 0, said.err.constData());
    for (const char* part : {"all pairs", "warptiled on H200", "named cause"})
      QVERIFY2(said.out.contains(part), part);
    const QJsonObject all = object(runTileloom({"model", "causes", "--runs", file, "--json"}).out);
    const QJsonObject score = all["all"].toObject();
    QVERIFY(score["pairs"].toInt() > 10);
    QCOMPARE(score["held_out"], score["pairs"]);  // another device than that of the constants
    QVERIFY(score["cause_right"].toInt() <= score["pairs"].toInt());
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::AppWhyTest, EventLoop)
#include "why_test.moc"
