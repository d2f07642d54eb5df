// SPDX-License-Identifier: GPL-3.0-or-later
// `tileloom tune` as a user calls it, on the fake GPU: what it finds and prints, killed at random
// moments, stopped by a signal, in shards, and the tile that `run` uses afterwards.
#include <csignal>

#include <QtTest>
#include <nlohmann/json.hpp>

#include "kernels/runs/run_store.h"
#include "kernels/tuning/journal.h"
#include "tests/app/program.h"
#include "tests/app/surroundings.h"
#include "tests/support/random.h"
#include "tests/support/test_class.h"

namespace tileloom::test {
namespace {

using nlohmann::json;

const char kGpu[] = "jitter=0,polls=0,landscape=0.5,spill-above=32";

json parsed(const QByteArray& text) {
  return json::parse(text.begin(), text.end(), nullptr, false);
}

QStringList words(const QString& line) {
  return line.split(' ', Qt::SkipEmptyParts);
}

// A few hundred tiles of 32 to 64, fast at a size of 64.
const char kSpace[] =
    "--size 64 --parameter BM=32,64 --parameter BN=32,64 --parameter BK=8,16 --parameter "
    "WNITER=1,2 --parameter TN=4,8";

}  // namespace

class TuneTest : public QObject {
  Q_OBJECT

  std::unique_ptr<Surroundings> m_around;

  Said tune(const QString& more = {}) const {
    return runTileloom(words(QString("tune warptiled --no-prediction %1 %2").arg(kSpace, more)));
  }
  tuning::TuneLog log(const QString& file) const {
    auto read = tuning::readJournal(m_around->path(file).toStdString());
    if (!read) qWarning("%s", read.error().c_str());
    return read ? *read : tuning::TuneLog{};
  }
  std::size_t kept() const {
    const auto file = runs::readRuns(m_around->historyPath());
    return file && file->complaints.empty() ? file->runs.size() : 0;
  }

 private slots:
  void init() {
    m_around = std::make_unique<Surroundings>();
    m_around->fakeGpu(kGpu);
  }

  void dryRunNeedsNoGpu() {
    Surroundings::nothing();
    const Said said = runTileloom(words("tune warptiled --dry-run --no-prediction --json"));
    QCOMPARE(said.status, 0);
    const json plan = parsed(said.out);
    QCOMPARE(plan["schema"], "tileloom.tune-plan/1");
    QCOMPARE(plan["run"]["legal"], 15360);
    QVERIFY(plan["first"].size() >= 32);
    QVERIFY(plan["first"][0]["predicted_gflops"].is_null());
    // With a prediction, fastest first.
    const json ranked = parsed(runTileloom(words("tune warptiled --dry-run --json --parameter "
                                                 "BM=64 --parameter BN=128 --parameter BK=16 "
                                                 "--parameter WM=32,64 --parameter WN=32,64"))
                                   .out);
    QVERIFY(ranked["first"][0]["predicted_gflops"] > 35000);
    // The list rounds as the evidence below it does: 6996.86 is 6,997.
    const QByteArray list =
        runTileloom(words("tune shared --dry-run --threes --parameter BLOCKSIZE=32")).out;
    QVERIFY2(list.contains("BLOCKSIZE=32  about 6,997 GFLOP/s"), list.constData());
    QVERIFY(ranked["first"][0]["tile"]["BN"] == 128);
    // Measurements are shown beside the guesses, with the error of these.
    const json measured = ranked["measured"];
    QCOMPARE(measured["device"], "NVIDIA H100 80GB HBM3");
    const json fastest = measured["fastest"][0];
    QVERIFY(fastest["gflops"] > 43000 && fastest["gflops"] < 43300);
    QVERIFY(fastest["predicted_gflops"] > 30000);
    QCOMPARE(fastest["tile"]["WM"], 64);
    QCOMPARE(fastest["tile"]["WN"], 32);
    QVERIFY(fastest["place_of_prediction"] >= 1);
    QVERIFY(measured["tiles"] > 50 && measured["median_error"] > 0.001 &&
            measured["median_error"] < measured["ninth_decile_error"]);
    const Said text = tune("--dry-run --arch sm_86");
    QVERIFY2(text.out.contains("64x64x64 on sm_86") && text.out.contains("legal"),
             text.out.constData());
    const Said live = runTileloom(words("tune warptiled"));
    QCOMPARE(live.status, 3);
    QVERIFY(isOneSentence(live.err) && live.err.contains("--dry-run"));
  }

  // A search tries few values of the parameters that say how a tile is stored: it names them, until
  // others are listed.
  void fewValuesAreSaid() {
    const QByteArray few = runTileloom(words("tune wgmma --dry-run")).out;
    QVERIFY2(few.contains("Only some values are searched: SWIZZLE: 32, 128."), few.constData());
    const QByteArray listed =
        runTileloom(words("tune wgmma --dry-run --parameter SWIZZLE=32,64,128")).out;
    QVERIFY2(!listed.contains("Only some values"), listed.constData());
  }

  void findsTheBest() {
    const Said all = tune("--exhaustive --json --out " + m_around->path("all"));
    QVERIFY2(all.status == 0, all.err.constData());
    const json exhaustive = parsed(all.out);
    QCOMPARE(exhaustive["schema"], "tileloom.tuned/1");
    const json& funnel = exhaustive["funnel"];
    QVERIFY(funnel["generated"] > funnel["legal"] && funnel["spilling"] > 0);
    QCOMPARE(funnel["compiled"], funnel["legal"]);
    QCOMPARE(funnel["timed"].get<int>() + funnel["spilling"].get<int>(),
             funnel["legal"].get<int>());
    // A prediction for an H100, on another GPU, misleads for a short time only.
    const Said said = runTileloom(words(QString("tune warptiled %1 --json").arg(kSpace)));
    QVERIFY2(said.status == 0, said.err.constData());
    const json quick = parsed(said.out);
    QVERIFY(quick["measurements"] < exhaustive["measurements"]);
    const double best = exhaustive["standings"][0]["gflops"][0];
    QVERIFY(quick["standings"][0]["gflops"][0] >= 0.98 * best);
    QVERIFY(!quick["winner"].is_null() || quick["tied"].size() > 1);
    QVERIFY(said.err.contains("tileloom: screen: ") && said.err.contains("the run is in "));
    // The same request finds its run again; a finished run is shown.
    const Said again = runTileloom(words(QString("tune warptiled %1").arg(kSpace)));
    QVERIFY2(again.err.contains("was finished before"), again.err.constData());
    QVERIFY(again.out.contains("GFLOP/s") && again.out.contains("generated"));
  }

  // Several rungs are one search, whose result says which rung is the fastest and how far the
  // others came.
  void findsTheRung() {
    const QString request = QString(
        "tune padded,8 --size 64 --parameter BM=32,64 --parameter BN=32,64 --parameter BK=8,16 "
        "--parameter WNITER=1 "
        "--parameter TN=4,8 --parameter PAD=4 --no-prediction");
    const Said text = runTileloom(words(request));
    QVERIFY2(text.status == 0, text.err.constData());
    QVERIFY2(text.out.startsWith("warptiled, rung 8") && text.out.contains("\npadded, rung 9"),
             text.out.constData());
    QVERIFY2(text.out.contains("The best of each rung") && text.out.contains("rung 9: BM="),
             text.out.constData());
    const json sum = parsed(runTileloom(words(request + " --json")).out);
    QCOMPARE(sum["run"]["stages"], (json{"warptiled", "padded"}));
    QCOMPARE(sum["best_of_rungs"].size(), std::size_t{2});
    const auto first = [&](int which) {
      return sum["standings"][sum["best_of_rungs"][which].get<std::size_t>()]["stage"];
    };
    QCOMPARE(first(0), "warptiled");
    QCOMPARE(first(1), "padded");
    QCOMPARE(sum["tied"][0]["stage"], sum["standings"][0]["stage"]);

    const Said twoLadders = runTileloom(words("tune 8,t3 --dry-run"));
    QVERIFY2(twoLadders.status == 2 && isOneSentence(twoLadders.err) &&
                 twoLadders.err.contains("two ladders"),
             twoLadders.err.constData());
    const Said parameter = runTileloom(words("tune 8,9 --dry-run --parameter GROUP=8"));
    QVERIFY2(
        isOneSentence(parameter.err) && parameter.err.contains("is not a tile parameter of padded"),
        parameter.err.constData());
    const Said dry =
        runTileloom(words("tune 8,9 --dry-run --no-prediction --json --parameter PAD=8"));
    QCOMPARE(parsed(dry.out)["first"][0]["stage"], "warptiled");
  }

  // Nothing is lost, nothing is done twice, and the result is the same.
  void killedAtRandomMoments() {
    const QString whole = m_around->path("whole");
    QCOMPARE(tune("--out " + whole).status, 0);
    const tuning::TuneLog want = log("whole");
    QVERIFY(want.events.size() > 60);
    QVERIFY(QFile::remove(m_around->history()));
    m_around->fakeGpu(QByteArray(kGpu) +
                      ",slow-stage=warptiled:0.005");  // in real time, not in figures

    unsigned random = 3;
    int kills = 0;
    std::size_t before = 0;
    for (int attempt = 0; attempt < 200; ++attempt) {
      QProcess process;
      process.start(TILELOOM_PROGRAM, words(QString("tune warptiled --no-prediction %1 --out %2")
                                                .arg(kSpace, m_around->path("cut"))));
      random = random * 1103515245 + 12345;
      const int patience = kills < (briefly() ? 5 : 12) ? 60 + int((random >> 8) % 250) : 120000;
      if (process.waitForFinished(patience)) {
        QVERIFY2(process.exitCode() == 0, process.readAllStandardError().constData());
        break;
      }
      process.kill();
      process.waitForFinished();
      ++kills;
      if (QFileInfo(m_around->path("cut")).size() == 0) continue;
      const std::size_t now = log("cut").events.size();
      QVERIFY(now >= before);
      before = now;
    }
    QVERIFY2(kills >= 3, qPrintable(QString::number(kills)));
    const tuning::TuneLog got = log("cut");
    QCOMPARE(got.events.size(), want.events.size());
    for (std::size_t i = 0; i < want.events.size(); ++i) {
      QCOMPARE(got.events[i].index(), want.events[i].index());
      QVERIFY(got.tiles[i] == want.tiles[i]);
      const auto* one = std::get_if<tuning::TimedEvent>(&got.events[i]);
      if (one == nullptr) continue;
      const auto& two = std::get<tuning::TimedEvent>(want.events[i]);
      QCOMPARE(one->rounds, two.rounds);
      QVERIFY(one->phase == two.phase);
      QCOMPARE(one->failure, two.failure);
      if (one->record)
        QVERIFY(std::abs(one->record->gflops.median / two.record->gflops.median - 1) < 1e-4);
    }
    const json shown = parsed(runTileloom({"tune", "show", m_around->path("cut"), "--json"}).out);
    QCOMPARE(shown["funnel"]["timed"].get<std::size_t>(), kept());  // each once
    QVERIFY(shown["ended"] == true);
  }

  void stoppedBySignals_data() {
    QTest::addColumn<int>("signal");
    QTest::newRow("Ctrl+C") << SIGINT;
    QTest::newRow("a scheduler") << SIGTERM;
  }
  void stoppedBySignals() {
    QFETCH(int, signal);
    m_around->fakeGpu(QByteArray(kGpu) + ",slow-stage=warptiled:0.02");
    QProcess process;
    process.start(TILELOOM_PROGRAM,
                  words(QString("tune warptiled --no-prediction %1 --json --out %2")
                            .arg(kSpace, m_around->path("run"))));
    QTRY_VERIFY(QFileInfo(m_around->path("run")).size() > 4000);
    QCOMPARE(::kill(pid_t(process.processId()), signal), 0);
    const Said said = collect(process);
    QCOMPARE(said.status, 3);
    QVERIFY2(said.err.contains("stopped: the same command continues from here"),
             said.err.constData());
    QVERIFY(parsed(said.out)["ended"] == false);
    QVERIFY(parsed(said.out)["winner"].is_null());
    QCOMPARE(kept(), std::size_t{0});
    m_around->fakeGpu(kGpu);
    const Said more = tune("--resume " + m_around->path("run"));
    QVERIFY2(more.status == 0 && more.err.contains("continuing after "), more.err.constData());
    QVERIFY(kept() > 0);
  }

  void budgets() {
    const json few = parsed(tune("--budget 20 --json").out);
    QVERIFY(few["measurements"] <= 20 + few["funnel"]["spilling"].get<int>());
    QVERIFY(few["standings"].size() > 2);
    const Said said = tune("--budget 1s --json");
    QVERIFY2(said.status == 0, said.err.constData());
    QVERIFY(parsed(said.out)["seconds"] < 1.5);
  }

  void aTileThatFails() {
    m_around->fakeGpu(QByteArray(kGpu) + ",wrong=5");
    const Said said = tune("--budget 10 --json");
    QCOMPARE(said.status, 0);
    const json sum = parsed(said.out);
    QVERIFY(sum["standings"].empty() && sum["failures"].size() >= 1);
    QCOMPARE(kept(), std::size_t{0});
  }

  // The faulty tile is excluded, and the next process continues after it.
  void aTileThatHangs() {
    m_around->fakeGpu(QByteArray(kGpu) + ",hang=launch@40");
    const Said said = tune("--limit 1");
    QCOMPARE(said.status, 3);
    QVERIFY2(said.err.contains("only a new process can use the GPU"), said.err.constData());
    m_around->fakeGpu(kGpu);
    const Said more = tune("--limit 1 --json");
    QVERIFY2(more.status == 0 && more.err.contains("continuing after"), more.err.constData());
    const json sum = parsed(more.out);
    QCOMPARE(sum["funnel"]["failed"], 1);
  }

  void runTakesTheTunedTile() {
    QVERIFY(!runTileloom(words("run warptiled --size 64 --no-save")).err.contains("tuned"));
    const json sum = parsed(tune("--json").out);
    const json best = sum["standings"][0]["tile"];
    const auto tileOf = [](const char* line) {
      const Said said = runTileloom(words(line));
      return std::pair(parsed(said.out)["tile"], said.err);
    };
    const auto [tile, said] = tileOf("run warptiled --size 64 --no-save --json");
    QCOMPARE(tile, best);
    QVERIFY2(said.contains("tile tuned on this device, 20") && said.contains("--standard"),
             said.constData());
    for (const char* line : {"run warptiled --size 64 --no-save --json --standard",
                             "run warptiled --size 64 --no-save --json --tile standard"})
      QCOMPARE(tileOf(line).first["BM"], 128);
    QCOMPARE(tileOf("run warptiled --size 64 --no-save --json --tile TM=4").first["BM"], 128);
    QVERIFY(runTileloom(words("ladder --size 64 --no-save")).err.contains("warptiled: tile tuned"));
    QVERIFY(!runTileloom(words("ladder --size 64 --no-save --standard")).err.contains("tuned"));
    // Of another device.
    m_around->fakeGpu(QByteArray(kGpu) + ",name=Other GPU");
    QCOMPARE(tileOf("run warptiled --size 64 --no-save --json").first["BM"], 128);
  }

  // The example for a site's scheduler, as Slurm would start it.
  void aJobArray() {
    QProcessEnvironment around = QProcessEnvironment::systemEnvironment();
    around.insert("TILELOOM", TILELOOM_PROGRAM);
    around.insert("TUNE_FOLDER", m_around->path("fleet"));
    around.insert("SLURM_ARRAY_TASK_COUNT", "3");
    around.insert("SLURM_ARRAY_TASK_MIN", "1");
    const QString script = QStringLiteral(TILELOOM_SOURCE_DIR "/scripts/slurm/tune-array.sh");
    QStringList files;
    for (int task = 1; task <= 3; ++task) {
      around.insert("SLURM_ARRAY_TASK_ID", QString::number(task));
      QProcess process;
      process.setProcessEnvironment(around);
      process.start("bash", QStringList{script, "warptiled", "--no-prediction"} + words(kSpace));
      const Said said = collect(process);
      QVERIFY2(said.status == 0, said.err.constData());
      files.push_back(m_around->path(QString("fleet/%1.jsonl").arg(task - 1)));
      QVERIFY(QFile::exists(files.back()));
    }
    const Said merged = runTileloom(
        QStringList{"tune", "merge", "--json", "-o", m_around->path("merged.json")} + files);
    QVERIFY2(merged.status == 0 && merged.err.isEmpty(), merged.err.constData());
    const json sum = parsed(merged.out);
    QCOMPARE(sum["shards"], json::parse("[0, 1, 2]"));
    QCOMPARE(sum["funnel"]["candidates"], sum["funnel"]["legal"]);
    QVERIFY(parsed(Surroundings::read(m_around->path("merged.json"))) == sum);
    const Said some = runTileloom({"tune", "merge", files[0], files[2]});
    QVERIFY2(some.err.contains("1 of 3 shards are missing"), some.err.constData());
    // A shard of another GPU does not belong to the run.
    m_around->fakeGpu(QByteArray(kGpu) + ",name=Other GPU");
    QCOMPARE(tune("--budget 5 --shard 1/3 --out " + m_around->path("other")).status, 0);
    const Said mixed = runTileloom({"tune", "merge", files[0], m_around->path("other")});
    QCOMPARE(mixed.status, 2);
    QVERIFY2(isOneSentence(mixed.err) && mixed.err.contains("Other GPU") &&
                 mixed.err.contains("other\""),
             mixed.err.constData());
    QProcess outside;
    outside.start("bash", {script, "warptiled"});
    const Said said = collect(outside);
    QVERIFY(said.status == 2 && said.err.contains("--array"));
  }

  void wrong_data() {
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("names");
    const auto row = [](const char* line, const char* names) {
      QTest::newRow(line) << QString(line) << QString(names);
    };
    row("tune", "needs a stage");
    row("tune nothing", "\"nothing\"");
    row("tune warptiled --size 0", "1 to 32768");
    row("tune warptiled --parameter BM", "--parameter \"BM\"");
    row("tune warptiled --parameter GROUP=8", "GROUP=8");
    row("tune warptiled --parameter BM=64,huge", "\"huge\"");
    row("tune warptiled --parameter BM=4096", "4096");
    row("tune warptiled --parameter BM=64 --parameter BM=128", "BM is listed twice");
    row("tune warptiled --parameter BK=6", "float4-bk");
    row("tune warptiled --budget soon", "\"soon\"");
    row("tune warptiled --budget 0s", "\"0s\"");
    row("tune warptiled --shard 4/4", "\"4/4\"");
    row("tune warptiled --shard half", "\"half\"");
    row("tune warptiled --dry-run --arch sm_1", "sm_1");
    row("tune warptiled --device x", "\"x\"");
    row("tune warptiled --resume /proc/no/such/file", "/proc/no/such/file");
    row("tune warptiled --out /proc/x --size 64", "/proc/x");
    row("tune show /proc/no/such/file", "/proc/no/such/file");
    row("tune merge", "FILES");
  }
  void wrong() {
    QFETCH(QString, line);
    QFETCH(QString, names);
    const Said said = runTileloom(words(line));
    QCOMPARE(said.status, 2);
    QVERIFY2(isOneSentence(said.err), said.err.constData());
    QVERIFY2(said.err.contains(names.toUtf8()), said.err.constData());
    QVERIFY2(said.out.isEmpty(), said.out.constData());
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::TuneTest, EventLoop)
#include "tune_test.moc"
