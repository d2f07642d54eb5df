// SPDX-License-Identifier: GPL-3.0-or-later
// `tileloom run` and `tileloom ladder` as a user calls them: measured on the fake GPU, as shipped,
// and without a GPU.
#include <QtTest>
#include <cmath>
#include <nlohmann/json.hpp>

#include "kernels/gpu/compile/build.h"
#include "kernels/runs/counters.h"
#include "kernels/runs/recordings.h"
#include "kernels/runs/run_store.h"
#include "kernels/tile/subject.h"
#include "tests/app/program.h"
#include "tests/app/surroundings.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"
#include "tests/support/unrecorded.h"

namespace tileloom::test {
namespace {

using runs::RunRecord;

nlohmann::json parsed(const QByteArray& text) {
  return nlohmann::json::parse(text.begin(), text.end(), nullptr, false);
}

QStringList words(const QString& line) {
  return line.split(' ', Qt::SkipEmptyParts);
}

}  // namespace

class RunLadderTest : public QObject {
  Q_OBJECT

  std::unique_ptr<Surroundings> m_around;

  std::vector<RunRecord> kept() const {
    const auto file = runs::readRuns(m_around->historyPath());
    return file && file->complaints.empty() ? file->runs : std::vector<RunRecord>{};
  }

 private slots:
  void init() { m_around = std::make_unique<Surroundings>(); }

  void withoutAGpu_data() {
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("missing");  // TILELOOM_…
    QTest::addColumn<QString>("names");
    for (const char* line :
         {"run warptiled", "run 1 --size 64 --json", "ladder", "ladder --json"}) {
      QTest::addRow("%s", line) << line << ""
                                << "--recorded";
      QTest::addRow("%s, no NVRTC", line) << line << "NVRTC"
                                          << "NVRTC";
    }
  }
  void withoutAGpu() {
    QFETCH(QString, line);
    QFETCH(QString, missing);
    QFETCH(QString, names);
    if (!missing.isEmpty()) {
      m_around->fakeGpu();
      qputenv(qPrintable("TILELOOM_" + missing), "none");
    }
    const Said said = runTileloom(words(line));
    QCOMPARE(said.status, 3);
    QVERIFY2(isOneSentence(said.err), said.err.constData());
    QVERIFY2(said.err.contains(names.toUtf8()), said.err.constData());
    QVERIFY2(said.out.isEmpty(), said.out.constData());
    QVERIFY(!QFile::exists(m_around->history()));
  }

  void aRecordedRun() {
    const Stage& s = stage("vectorized");
    const auto* run = runs::recordedRun(standardSubject(s), {4096, 4096, 4096});
    QVERIFY(run != nullptr);
    const Said said = runTileloom({"run", "vectorized", "--recorded"});
    QCOMPARE(said.status, 0);
    QVERIFY(said.err.isEmpty());
    QVERIFY2(said.out.startsWith("vectorized, rung 6 (Boehm's kernel 6)"), said.out.constData());
    QVERIFY(said.out.contains(q(run->device).toUtf8()));
    QVERIFY(said.out.contains(q(run->when).toUtf8() + ", recorded\n"));
    QVERIFY(said.out.contains(QByteArray::number(100 * run->ratio.median, 'f', 1) +
                              " % of cuBLAS in pedantic FP32"));
    const Said json = runTileloom({"run", "vectorized", "--recorded", "--json", "--on", "h100"});
    QCOMPARE(json.status, 0);
    const auto record = runs::fromJson(parsed(json.out));
    QVERIFY2(record.has_value(), record ? "" : record.error().c_str());
    QVERIFY(*record == *run);
    QVERIFY(record->origin == runs::Origin::Recorded);
    QVERIFY(!QFile::exists(m_around->history()));
  }

  // Exactly this tile at exactly this size, or nothing.
  void notRecorded_data() {
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("names");
    QTest::newRow("size") << "run warptiled --recorded --size 4096x4096x4095"
                          << "4096x4096x4095";
    QTest::newRow("tile") << "run naive --recorded --tile BLOCKSIZE=31"
                          << "BLOCKSIZE=31";
    QTest::newRow("device") << "run warptiled --recorded --on Voodoo"
                            << "\"Voodoo\"";
    QTest::newRow("ladder") << "ladder --recorded --size 999"
                            << "999x999x999";
    QTest::newRow("ladder's device") << "ladder --recorded --on Voodoo"
                                     << "NVIDIA H200";
  }
  void notRecorded() {
    QFETCH(QString, line);
    QFETCH(QString, names);
    for (const QString& more : {QString(), QString(" --json")}) {
      const Said said = runTileloom(words(line + more));
      QCOMPARE(said.status, 3);
      QVERIFY2(isOneSentence(said.err) && said.err.contains("not recorded"), said.err.constData());
      QVERIFY2(said.err.contains(names.toUtf8()), said.err.constData());
      QVERIFY(said.out.isEmpty());
    }
  }

  // As in the window: bytes of DRAM that a run has counted come before an estimate.
  void countedBytesComeFirst() {
    const Stage& s = test::stage("blocktile2d");
    const auto* run = runs::recordedRun(standardSubject(s), {4096, 4096, 4096});
    const auto bytes = run->counters[runs::Counter::DramBytes];
    QVERIFY(bytes.has_value());
    const QByteArray each = QByteArray::number(2.0 * 4096 * 4096 * 4096 / *bytes, 'f', 1);
    const Said ladder = runTileloom({"ladder", "--recorded"});
    QVERIFY2(ladder.out.contains("  " + each + " ") && ladder.out.contains("counted in that run"),
             (each + ladder.out).constData());
    const Said roofline = runTileloom({"roofline", "blocktile2d"});
    QVERIFY2(roofline.out.contains("  " + each + " ") && roofline.out.contains("after ~"),
             (each + roofline.out).constData());
  }

  void aRecordedLadder() {
    const Said said = runTileloom({"ladder", "--recorded", "--size", "8192"});
    QCOMPARE(said.status, 0);
    QCOMPARE(said.err.isEmpty(), firstWithoutRuns() == nullptr);
    QVERIFY(said.out.startsWith("8192x8192x8192 on NVIDIA H100"));
    QVERIFY(said.out.contains("A6000") && said.out.contains("15,972") &&
            said.out.contains("48.5 %"));
    const Said json = runTileloom({"ladder", "--recorded", "--size", "8192", "--json"});
    QCOMPARE(json.status, 0);
    const auto runs = parsed(json.out)["runs"];
    const auto recorded =
        static_cast<std::size_t>(std::ranges::count_if(stages(), runs::hasRecordedRuns));
    QCOMPARE(runs.size(), recorded);
    for (std::size_t i = 0; i < runs.size(); ++i) {
      const auto record = runs::fromJson(runs[i]);
      QVERIFY2(record.has_value(), record ? "" : record.error().c_str());
      QCOMPARE(q(record->stage), q(stages()[i].id));
      QVERIFY(record->tile == stages()[i].standardTile());
      // With its traffic, and the literature's measurements of it.
      QVERIFY(runs[i]["traffic"]["dram_intensity"] > 10);
      QVERIFY(runs[i]["traffic"]["l1_intensity"] > 0.01);
      QCOMPARE(runs[i]["traffic"]["shared_bytes"] == 0, i < 2);
      QVERIFY(runs[i]["conflict_share"] >= 0 && runs[i]["conflict_share"] < 1);
      QCOMPARE(runs[i]["literature"].is_null(), i >= 8);
      QVERIFY(said.out.contains(QByteArray::number(100 * record->ratio.median, 'f', 1)));
    }
  }

  void aMeasuredRun() {
    m_around->fakeGpu("jitter=0,rate=shared:1000,rate=cublas:4000,registers=40,watts=321");
    const Said said = runTileloom({"run", "shared", "--size", "128x96x64"});
    QCOMPARE(said.status, 0);
    QVERIFY2(said.err.isEmpty(), said.err.constData());
    QVERIFY2(said.out.contains("shared, rung 3"), said.out.constData());
    QVERIFY(said.out.contains("128x96x64 on Fake H100 (sm_90)"));
    QVERIFY(said.out.contains("\n  1,000 GFLOP/s  (+-0.0 %"));
    QVERIFY(said.out.contains(
        "25.0 % of cuBLAS in pedantic FP32  (+-0.0 %; cuBLAS 4,000 GFLOP/s in short rounds)"));
    QVERIFY(said.out.contains("40 registers per thread") && said.out.contains("321 W"));
    QVERIFY(said.out.contains("The result was checked first"));
    QVERIFY(!said.out.contains("recorded") && !said.out.contains("padding"));

    const auto runs = kept();
    QCOMPARE(runs.size(), std::size_t{1});
    QVERIFY(runs[0].origin == runs::Origin::Live);
    QVERIFY((runs[0].problem == Problem{128, 96, 64}));
    QVERIFY(std::abs(runs[0].gflops.median - 1000) < 0.1);
    QCOMPARE(q(runs[0].fingerprint), q(fingerprintOf(stage("shared"))));
  }

  // Cycles, short rounds and seconds of load: three ratios, each with its name.
  void threeRatios() {
    m_around->fakeGpu(
        "jitter=0,rate=mmaring:0.02,rate=cublas:0.025,throttle=4,clock=1350,watts=698");
    qputenv("TILELOOM_FAKE_CUPTI",
            "value=sm__cycles_elapsed.max:2000000,library=sm__cycles_elapsed.max:1500000,"
            "value=sm__cycles_elapsed.avg.per_second:1.7e9,"
            "library=sm__cycles_elapsed.avg.per_second:1.6e9");
    const QStringList line = {"run", "t3", "--size", "128", "--standard", "--ratios"};
    const Said said = runTileloom(line);
    QCOMPARE(said.status, 0);
    QVERIFY2(said.err.isEmpty(), said.err.constData());
    const QString text = QString::fromUtf8(said.out).simplified();
    for (const char* part : {"in cycles of a launch 75.0 % 75.0 to 75.0 2,000,000 cycles 1,500,000 "
                             "cycles 1,700 / 1,600",
                             "in short rounds 80.0 %", "for seconds, at the power limit 80.0 %"}) {
      QVERIFY2(text.contains(part), said.out.constData());
    }
    const auto runs = kept();
    QCOMPARE(runs.size(), std::size_t{1});
    QVERIFY(runs[0].ratios.cycles && runs[0].ratios.sustained);
    QCOMPARE(runs[0].ratios.sustained->cublasWatts, 698.0);
    QCOMPARE(runs[0].ratios.cycles->kernelClockMHz, 1700);
    const auto json = parsed(runTileloom(line + QStringList{"--json"}).out);
    QCOMPARE(json["ratios"]["cycles"]["kernel_cycles"].get<double>(), 2e6);
    QCOMPARE(json["ratios"]["sustained"]["throttled"][0].get<std::string>(), "power cap");
  }

  // A ratio that cannot be measured leaves out its line and adds one sentence.
  void ratiosThatCannotBeMeasured() {
    const QStringList line = {"run", "t3", "--size", "128", "--standard", "--ratios"};
    const char* rates = "jitter=0,rate=mmaring:0.02,rate=cublas:0.025";
    m_around->fakeGpu(rates);
    qputenv("TILELOOM_FAKE_CUPTI", "fail=cuptiRangeProfilerEnable:35");
    const Said refused = runTileloom(line);
    QCOMPARE(refused.status, 0);
    QVERIFY2(isOneSentence(refused.err) && refused.err.contains("no ratio in cycles: "),
             refused.err.constData());
    QVERIFY(!refused.out.contains("in cycles of a launch") && refused.out.contains("for seconds"));

    qunsetenv("TILELOOM_FAKE_CUPTI");
    m_around->fakeGpu(rates);
    qputenv("TILELOOM_NVML", "none");
    const Said blind = runTileloom(line);
    QCOMPARE(blind.status, 0);
    QVERIFY2(isOneSentence(blind.err) && blind.err.contains("TILELOOM_NVML"),
             blind.err.constData());
    QVERIFY2(blind.out.contains("for seconds, power unknown"), blind.out.constData());

    m_around->fakeGpu(rates);
    qputenv("TILELOOM_CUBLAS", "none");
    const Said alone = runTileloom(line);
    QCOMPARE(alone.status, 0);
    QVERIFY2(alone.err.contains("no ratios, because cuBLAS was not found"), alone.err.constData());
    QVERIFY(!alone.out.contains("for seconds"));
  }

  void aRunAsJson() {
    m_around->fakeGpu("jitter=0");
    QVERIFY(Surroundings::write(m_around->history(), "half a li"));  // cut off by a power failure
    const Said said = runTileloom({"run", "warptiled", "--size", "100", "--json"});
    QCOMPARE(said.status, 0);
    QVERIFY(said.err.isEmpty());
    const auto json = parsed(said.out);
    for (const char* key : {"schema",
                            "when",
                            "device",
                            "arch",
                            "driver",
                            "cuda",
                            "stage",
                            "tile",
                            "m",
                            "n",
                            "k",
                            "gflops",
                            "cublas",
                            "ratio",
                            "rounds",
                            "peak_percent",
                            "quantisation_loss",
                            "sm_clock_mhz",
                            "watts",
                            "throttled",
                            "registers",
                            "spill_bytes",
                            "static_shared",
                            "dynamic_shared",
                            "blocks_per_sm",
                            "occupancy",
                            "largest_error",
                            "fingerprint",
                            "origin"}) {
      QVERIFY2(json.contains(key), key);
    }
    QVERIFY(json["schema"] == "tileloom.run/1" && json["origin"] == "live");
    QVERIFY(json["quantisation_loss"] > 0.3);  // 100 is padded to 128
    const auto record = runs::fromJson(json);
    QVERIFY2(record.has_value(), record ? "" : record.error().c_str());
    const QByteArray history = Surroundings::read(m_around->history());
    QCOMPARE(history, "half a li\n" + QByteArray::fromStdString(toLine(*record)) + "\n");
    QVERIFY(runTileloom({"run", "warptiled", "--size", "100", "--no-save"}).status == 0);
    QCOMPARE(Surroundings::read(m_around->history()), history);
  }

  // Measured even if the history cannot be written.
  void noPlaceForTheHistory() {
    m_around->fakeGpu("jitter=0");
    QVERIFY(Surroundings::write(m_around->path("data"), "a file where a folder is wanted"));
    const Said said = runTileloom({"run", "naive", "--size", "64"});
    QCOMPARE(said.status, 0);
    QVERIFY(said.out.contains("GFLOP/s"));
    QVERIFY2(isOneSentence(said.err) && said.err.contains("data"), said.err.constData());
  }

  void withoutCublasOrNvml() {
    m_around->fakeGpu("jitter=0");
    qputenv("TILELOOM_CUBLAS", "none");
    qputenv("TILELOOM_NVML", "none");
    const Said said = runTileloom({"run", "shared", "--size", "64"});
    QCOMPARE(said.status, 0);
    QVERIFY2(said.out.contains("not compared with cuBLAS"), said.out.constData());
    QVERIFY(said.out.contains("GFLOP/s") && !said.out.contains(" W\n"));
    QVERIFY(said.err.contains("TILELOOM_CUBLAS=none") && said.err.contains("TILELOOM_NVML=none"));
    QCOMPARE(said.err.count('\n'), 2);
  }

  void trouble_data() {
    QTest::addColumn<QByteArray>("behaviour");
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("names");
    QTest::newRow("wrong result") << QByteArray("wrong=17") << 1 << "row 0, column 17";
    QTest::newRow("NaN") << QByteArray("nan=65") << 1 << "row 1, column 1";
    QTest::newRow("all zero") << QByteArray("zero") << 1 << "4096 of 4096";
    QTest::newRow("illegal address")
        << QByteArray("illegal-address") << 3 << "illegal memory access";
    QTest::newRow("hangs") << QByteArray("hang=launch") << 3 << "time limit";
    QTest::newRow("hangs while timed") << QByteArray("hang=launch@40") << 3 << "time limit";
    QTest::newRow("out of memory") << QByteArray("memory=20K") << 3 << "memory";
    QTest::newRow("does not fit") << QByteArray("registers=255") << 3 << "255 registers";
  }
  void trouble() {
    QFETCH(QByteArray, behaviour);
    QFETCH(int, status);
    QFETCH(QString, names);
    m_around->fakeGpu("jitter=0," + behaviour);
    for (const QString& more : {QString(), QString(" --json")}) {
      const Said said = runTileloom(words("run shared --size 64 --limit 1" + more));
      QCOMPARE(said.status, status);  // -1: it did not end
      QVERIFY2(isOneSentence(said.err) && said.err.contains(names.toUtf8()), said.err.constData());
      QVERIFY2(said.out.isEmpty(), said.out.constData());  // a wrong kernel has no speed
    }
    QVERIFY(!QFile::exists(m_around->history()));
  }

  void aMeasuredLadder() {
    m_around->fakeGpu("jitter=0,rate=warptiled:20000,rate=cublas:40000");
    const Said said = runTileloom({"ladder", "--size", "128"});
    QCOMPARE(said.status, 0);
    QVERIFY2(said.err.isEmpty(), said.err.constData());
    QVERIFY(said.out.startsWith("128x128x128 on Fake H100 (sm_90)"));
    for (const Stage& s : stages()) {
      QVERIFY2(said.out.contains(QByteArray::number(s.rung) + "  " + q(s.id).toUtf8()),
               said.out.constData());
    }
    QVERIFY(said.out.contains("20,000") && said.out.contains("50.0"));
    QCOMPARE(kept().size(), stages().size());

    const Said json = runTileloom({"ladder", "--size", "128", "--json", "--no-save"});
    QCOMPARE(json.status, 0);
    const auto all = parsed(json.out);
    QVERIFY(all["schema"] == "tileloom.runs/1");
    QCOMPARE(all["runs"].size(), stages().size());
    for (std::size_t i = 0; i < all["runs"].size(); ++i) {
      const auto record = runs::fromJson(all["runs"][i]);
      QVERIFY2(record.has_value(), record ? "" : record.error().c_str());
      QCOMPARE(q(record->stage), q(stages()[i].id));
      QVERIFY(record->gflops.known() && record->ratio.known());
    }
    QCOMPARE(kept().size(), stages().size());
  }

  // A rung with a wrong result loses its own row; after a lost GPU the later rows are missing.
  void aLadderWithABrokenRung_data() {
    QTest::addColumn<QByteArray>("behaviour");
    QTest::addColumn<int>("status");
    QTest::addColumn<std::size_t>("rungs");
    QTest::newRow("wrong") << QByteArray("wrong=3") << 1 << stages().size() - 1;
    QTest::newRow("lost") << QByteArray("illegal-address") << 3 << std::size_t{3};
    QTest::newRow("hangs") << QByteArray("hang=launch") << 3 << std::size_t{3};
  }
  void aLadderWithABrokenRung() {
    QFETCH(QByteArray, behaviour);
    QFETCH(int, status);
    QFETCH(std::size_t, rungs);
    m_around->fakeGpu("jitter=0,only=blocktile1d," + behaviour);
    const Said said = runTileloom({"ladder", "--size", "64", "--limit", "2", "--json"});
    QCOMPARE(said.status, status);
    QVERIFY2(isOneSentence(said.err) && said.err.startsWith("tileloom: blocktile1d: "),
             said.err.constData());
    const auto runs = parsed(said.out)["runs"];
    QCOMPARE(runs.size(), rungs);
    for (const auto& run : runs) QVERIFY(run["stage"] != "blocktile1d");
    QCOMPARE(kept().size(), rungs);
  }

  void wrong_data() {
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("names");
    const auto row = [](const char* line, const char* names) {
      QTest::newRow(line) << QString(line) << QString(names);
    };
    row("run", "stage");
    row("run warp", "\"warp\"");
    row("run warptiled --tile BM=96", "BM = 64 or 128");
    row("run warptiled --tile TM=16,TN=16,WNITER=1", "TM");
    row("run warptiled --tile XY=3", "\"XY\"");
    row("run naive --size 0", "1 to 32768");
    row("run naive --size 64x64", "\"64x64\"");
    row("run naive --size 99999", "32768");
    row("run naive --seconds 0", "--seconds");
    row("run naive --seconds soon", "\"soon\"");
    row("run naive --seconds 0.5", "\"0.5\"");
    row("run naive --seconds -1", "-1");
    row("run naive --seconds 1e3", "\"1e3\"");
    row("run naive --limit 0", "--limit");
    row("run naive --device -1", "-1");
    row("run naive --device first", "\"first\"");
    row("run naive --size 64 --device 7", "7");
    row("run naive --arch sm_90", "--arch");
    row("run --recorded", "stage");
    row("run naive --recorded --size 0", "1 to 32768");
    row("run naive --on", "--on");
    row("ladder naive", "\"naive\"");
    row("ladder --size 0", "1 to 32768");
    row("ladder --size big", "\"big\"");
    row("ladder --seconds soon", "\"soon\"");
    row("ladder --limit 4000", "3600");
    row("ladder --device 9", "9");
    row("ladder --recorded --size 1x2", "\"1x2\"");
    row("ladder --tile BK=8", "--tile");
  }
  void wrong() {
    QFETCH(QString, line);
    QFETCH(QString, names);
    m_around->fakeGpu();
    const Said said = runTileloom(words(line));
    QCOMPARE(said.status, 2);
    QVERIFY2(isOneSentence(said.err), said.err.constData());
    QVERIFY2(said.err.contains(names.toUtf8()), said.err.constData());
    QVERIFY2(said.out.isEmpty(), said.out.constData());
  }

  // The request is checked before the machine.
  void wrongWithoutAGpuToo() {
    QCOMPARE(runTileloom({"run", "warptiled", "--tile", "BM=96"}).status, 2);
    QCOMPARE(runTileloom({"run", "warptiled", "--size", "0"}).status, 2);
    QCOMPARE(runTileloom({"ladder", "--seconds", "soon"}).status, 2);
  }

  void help() {
    for (const char* command : {"run", "ladder"}) {
      const Said said = runTileloom({command, "--help"});
      QCOMPARE(said.status, 0);
      for (const char* option : {"--size", "--seconds", "--recorded", "--json", "--no-save",
                                 "--device", "--limit", "--no-cache"}) {
        QVERIFY2(said.out.contains(option), option);
      }
    }
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::RunLadderTest, EventLoop)
#include "run_ladder_test.moc"
