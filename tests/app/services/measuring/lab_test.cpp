// SPDX-License-Identifier: GPL-3.0-or-later
// The window's memory of speeds, over the real worker on the fake GPU: what is measured, what is
// kept, and what stays true without a GPU or when the worker dies.
#include "app/services/measuring/lab.h"

#include <signal.h>

#include <QRegularExpression>
#include <QSignalSpy>
#include <QtTest>
#include <algorithm>

#include "kernels/analysis/counts/occupancy.h"
#include "kernels/gpu/compile/build.h"
#include "kernels/runs/counters.h"
#include "kernels/runs/recordings.h"
#include "kernels/runs/run_store.h"
#include "kernels/tile/constraints.h"
#include "kernels/tile/derived.h"
#include "kernels/tile/subject.h"
#include "tests/app/surroundings.h"
#include "tests/support/random.h"
#include "tests/support/random_tiles.h"
#include "tests/support/runs.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"
#include "tests/support/unrecorded.h"

namespace tileloom {

using test::q;
using test::stage;
using test::Surroundings;

// Time passes slowly for this fake: rounds follow each other for seconds, and agree badly.
constexpr const char* kSlow = "jitter=0.3,rate=naive:4,slow-stage=naive:5";
constexpr Problem kSmall{128, 128, 128};
constexpr int kNoPassing = 500;  // ms; a stop that lasted this long is a point of the history

class LabTest : public QObject {
  Q_OBJECT

  std::unique_ptr<Surroundings> m_around;

  LabSetup setup() const { return {Surroundings::worker(), m_around->historyPath(), true}; }

  static void choose(Lab& lab, const char* id, Problem problem = kSmall) {
    lab.choose(standardSubject(stage(id)), problem);
  }
  static const HistoryPoint& now(const Lab& lab) {
    return lab.history().at(static_cast<std::size_t>(lab.current()));
  }
  static bool isDone(const Lab& lab) {
    return lab.current() >= 0 && now(lab).gflops.known() && !now(lab).measuring;
  }
  static bool isUnderWay(const Lab& lab) {
    return lab.current() >= 0 && now(lab).gflops.known() && now(lab).measuring;
  }
  static bool isOneSentence(const QString& text) {
    return text.size() > 20 && !text.contains('\n') && !text.contains("what()");
  }
  std::vector<runs::RunRecord> kept() const {
    const auto file = runs::readRuns(m_around->historyPath());
    return file && file->complaints.empty() ? file->runs : std::vector<runs::RunRecord>{};
  }
  static QByteArray line(const runs::RunRecord& run) {
    return QByteArray::fromStdString(toLine(run)) + '\n';
  }
  // A run of the fake GPU, from an earlier day.
  static runs::RunRecord earlier(const char* id) {
    runs::RunRecord run = test::madeUpRun();
    run.device = "Fake H100";
    run.stage = id;
    run.tile = stage(id).standardTile();
    run.problem = kSmall;
    run.fingerprint = fingerprintOf(stage(id));
    return run;
  }

 private slots:
  void init() { m_around = std::make_unique<Surroundings>(); }

  void aChosenTileIsMeasuredAndKept() {
    m_around->fakeGpu("jitter=0,rate=naive:300,registers=48");
    Lab lab(setup());
    choose(lab, "naive");
    QCOMPARE(lab.history().size(), std::size_t{1});
    QTRY_VERIFY(isDone(lab));
    const HistoryPoint first = now(lab);
    QVERIFY(first.freshness == Freshness::Live);
    QVERIFY(first.rung() == &stage("naive") && first.tile == stage("naive").standardTile());
    QVERIFY(first.problem == kSmall);
    QCOMPARE(first.device, QString("Fake H100"));
    QVERIFY(std::abs(first.gflops.median - 300) < 1);
    QVERIFY(std::abs(first.ratio.median - first.gflops.median / first.cublas.median) < 0.01);
    QCOMPARE(first.registers, 48);
    QVERIFY(first.note.isEmpty() && lab.trouble().isEmpty());
    QVERIFY(lab.kernel() && lab.kernel()->registers == 48);
    QVERIFY2(lab.workerStatus().startsWith("Live on Fake H100"), qPrintable(lab.workerStatus()));

    choose(lab, "naive");  // the same again is not a move
    QCOMPARE(lab.history().size(), std::size_t{1});
    choose(lab, "shared");
    QCOMPARE(lab.history().size(), std::size_t{2});
    QVERIFY(lab.history()[0] == first);
    QTRY_VERIFY(isDone(lab));
    choose(lab, "shared", {96, 80, 64});  // another size is a move
    QTRY_VERIFY(isDone(lab));
    QCOMPARE(lab.history().size(), std::size_t{3});
    QVERIFY(lab.history()[2].freshness == Freshness::Live);

    const auto runs = kept();
    QCOMPARE(runs.size(), std::size_t{3});
    QCOMPARE(q(runs[0].stage), QString("naive"));
    QVERIFY(runs[0].origin == runs::Origin::Live);
    QVERIFY(std::abs(runs[0].gflops.median - first.gflops.median) < 0.01);
    QCOMPARE(q(runs[0].fingerprint), q(fingerprintOf(stage("naive"))));
    QVERIFY((runs[2].problem == Problem{96, 80, 64}));
  }

  // While a slider is dragged, only the stops at which a user stays are points.
  void aMeasuredTileIsCounted() {
    m_around->fakeGpu("jitter=0");
    qputenv("TILELOOM_FAKE_CUPTI",
            "value=sm__warps_active.avg.pct_of_peak_sustained_active:17.5,"
            "value=sm__inst_executed.avg.per_cycle_active:2.87");
    Lab lab(setup());
    choose(lab, "shared");
    QTRY_VERIFY(isDone(lab));
    QCOMPARE(now(lab).counters[runs::Counter::InstructionsPerCycle], std::optional(2.87));
    QCOMPARE(kept().front().achievedOccupancy, std::optional(0.175));
    QVERIFY2(!lab.workerStatus().contains("counters"), qPrintable(lab.workerStatus()));
  }

  // One sentence in the window, and everything else as usual.
  void whereCountingIsForbidden() {
    m_around->fakeGpu("jitter=0");
    qputenv("TILELOOM_FAKE_CUPTI", "fail=cuptiRangeProfilerSetConfig:35");
    Lab lab(setup());
    choose(lab, "shared");
    QTRY_VERIFY(isDone(lab));
    QVERIFY(now(lab).counters.empty() && now(lab).note.isEmpty() && lab.trouble().isEmpty());
    QVERIFY2(lab.workerStatus().contains("an administrator can allow all users"),
             qPrintable(lab.workerStatus()));
    QCOMPARE(kept().size(), std::size_t{1});
  }

  // A recording of another GPU is not a speed of this machine, whenever its worker says hello.
  void pointsFromBeforeTheHelloAreRevised() {
    m_around->fakeGpu("jitter=0");
    Lab lab(setup());
    lab.setAskedFor(true);
    choose(lab, "warptiled", {4096, 4096, 4096});
    choose(lab, "naive");
    QVERIFY(!lab.canMeasure());
    QVERIFY(lab.history()[0].gflops.known() && lab.history()[0].freshness == Freshness::Recorded);
    QTRY_VERIFY(isDone(lab));
    QCOMPARE(lab.history().size(), std::size_t{2});
    QVERIFY(!lab.history()[0].gflops.known() && !lab.history()[0].measuring);
    QVERIFY(lab.history()[0].rung() == &stage("warptiled"));
  }

  void aStopInPassingIsNoPoint() {
    Lab lab({{}, {}, false});
    QElapsedTimer clock;
    do {  // a machine that is busy elsewhere between two lines makes a stop of its own
      choose(lab, "naive");
      QTest::qWait(500);
      const auto before = lab.history().size();
      clock.start();
      choose(lab, "shared");
      choose(lab, "coalesced");
      choose(lab, "warptiled");
      if (clock.elapsed() < 300) QCOMPARE(lab.history().size(), before + 1);
    } while (clock.elapsed() >= 300);
    QVERIFY(now(lab).rung() == &stage("warptiled"));
    const auto before = lab.history().size();
    QTest::qWait(500);
    choose(lab, "naive");
    QCOMPARE(lab.history().size(), before + 1);
  }

  void theHistorySurvivesARestart() {
    m_around->fakeGpu("jitter=0");
    HistoryPoint measured[2];
    {
      Lab lab(setup());
      choose(lab, "naive");
      QTRY_VERIFY(isDone(lab));
      measured[0] = now(lab);
      choose(lab, "shared");
      QTRY_VERIFY(isDone(lab));
      measured[1] = now(lab);
    }
    Lab lab(setup());
    QCOMPARE(lab.history().size(), std::size_t{2});
    QCOMPARE(lab.current(), -1);
    for (std::size_t i = 0; i < 2; ++i) {
      const HistoryPoint& point = lab.history()[i];
      QVERIFY(point.rung() == measured[i].rung() && point.tile == measured[i].tile);
      QVERIFY(std::abs(point.gflops.median - measured[i].gflops.median) < 0.01);
      QCOMPARE(point.when, measured[i].when);
      QVERIFY(point.freshness == Freshness::Recorded);  // no longer the present point
      QVERIFY(!point.measuring);
      QCOMPARE(point.blocks, measured[i].blocks);
    }
    choose(lab, "naive");
    QTRY_VERIFY(isDone(lab));
    QCOMPARE(lab.history().size(), std::size_t{3});
    QCOMPARE(lab.current(), 2);
    QVERIFY(lab.history()[0].freshness == Freshness::Recorded);
    QVERIFY(now(lab).freshness == Freshness::Live);
    QCOMPARE(kept().size(), std::size_t{3});
    // What was measured here before, with the same source, is still the ladder's.
    QVERIFY(lab.ladder().at(2).rung() == &stage("shared"));
    QVERIFY(lab.ladder()[2].freshness == Freshness::Live && lab.ladder()[2].ratio.known());
  }

  void whatIsInTheFile() {
    runs::RunRecord old = earlier("shared"), unknown = earlier("naive");
    old.fingerprint = "0123456789abcdef";
    unknown.stage = "rung of another day";
    const QByteArray text = line(earlier("naive")) + "{\"schema\": rubbish\n" + line(old) +
                            line(unknown) + line(earlier("warptiled"));
    QVERIFY(Surroundings::write(m_around->history(), text));
    m_around->fakeGpu("jitter=0");
    Lab lab(setup());
    QVERIFY2(isOneSentence(lab.trouble()) && lab.trouble().contains("runs.jsonl, line 2"),
             qPrintable(lab.trouble()));
    QCOMPARE(lab.history().size(), std::size_t{3});
    QVERIFY(lab.history()[0].freshness == Freshness::Recorded);
    QVERIFY(lab.history()[0].note.isEmpty());
    QVERIFY(lab.history()[1].freshness == Freshness::Stale);
    QVERIFY(lab.history()[1].rung() == &stage("shared"));
    QVERIFY(isOneSentence(lab.history()[1].note));
    QVERIFY(lab.history()[2].rung() == &stage("warptiled"));
    // Measuring goes on, into the same file, and nothing is lost.
    choose(lab, "naive");
    QTRY_VERIFY(isDone(lab));
    QVERIFY(Surroundings::read(m_around->history()).startsWith(text));
    // A stale run is not a bar of the ladder.
    QVERIFY(!lab.ladder().at(2).ratio.known() || lab.ladder()[2].freshness != Freshness::Live);
  }

  void aFileThatCannotBeReadOrWritten() {
    QVERIFY(QDir().mkpath(m_around->history()));  // a folder
    m_around->fakeGpu("jitter=0");
    Lab lab(setup());
    QVERIFY(isOneSentence(lab.trouble()));
    choose(lab, "naive");
    QTRY_VERIFY(isDone(lab));  // and is shown all the same
    QVERIFY2(lab.trouble().contains("runs.jsonl"), qPrintable(lab.trouble()));
  }

  void withoutAGpu_data() {
    QTest::addColumn<bool>("worker");
    QTest::newRow("a worker that finds nothing") << true;
    QTest::newRow("no worker") << false;
  }
  void withoutAGpu() {
    QFETCH(bool, worker);
    LabSetup how = setup();
    how.startWorker = worker;
    Lab lab(how);
    if (worker) QTRY_VERIFY(lab.client().info().has_value());
    QVERIFY(!lab.canMeasure());
    QVERIFY2(lab.workerStatus().contains("recorded"), qPrintable(lab.workerStatus()));
    QVERIFY(!lab.workerStatus().contains("Live"));

    const Stage& warp = stage("warptiled");
    const Problem size{2048, 2048, 2048};
    lab.choose(standardSubject(warp), size);
    const auto* run = runs::recordedRun(standardSubject(warp), size);
    QVERIFY2(run != nullptr, "the default tile is not recorded any more");
    QVERIFY(now(lab).freshness == Freshness::Recorded);
    QVERIFY(!now(lab).measuring);
    QVERIFY(now(lab).gflops == run->gflops && now(lab).ratio == run->ratio);
    QCOMPARE(now(lab).device, q(run->device));
    QCOMPARE(now(lab).registers, run->registers);
    QVERIFY(lab.kernel() && lab.kernel()->registers == run->registers);
    QCOMPARE(lab.kernel()->source, QString("recorded"));
    QCOMPARE(lab.ladder().size(), everyStage().size());
    for (const LadderBar& bar : lab.ladder()) {
      if (!runs::hasRecordedRuns(*bar.rung())) continue;
      QVERIFY(bar.freshness == Freshness::Recorded && bar.ratio.known());
    }
    QVERIFY(lab.ladderSource().startsWith("recorded on "));

    // A tile without a run at any size.
    test::Random random(test::seed());
    const auto tiles = test::legalTiles(warp, 200, random);
    const auto fresh = std::ranges::find_if(tiles, [&](const TileShape& tile) {
      return std::ranges::none_of(runs::recordings(), [&](const runs::RunRecord& r) {
        return r.stage == warp.id && r.tile == tile;
      });
    });
    QVERIFY(fresh != tiles.end());
    QTest::qWait(kNoPassing);
    lab.choose(usualSubject(warp, *fresh), size);
    QTest::qWait(500);
    QCOMPARE(lab.history().size(), std::size_t{2});
    QVERIFY(!now(lab).gflops.known() && !now(lab).ratio.known() && !now(lab).measuring);
    QCOMPARE(now(lab).registers, -1);
    QVERIFY(!lab.kernel());
    lab.measureAgain();
    lab.measureLadder();
    QVERIFY(!now(lab).measuring && !lab.client().busy());
    QVERIFY(!QFile::exists(m_around->history()));
  }

  // Registers do not depend on the size, a speed does.
  void aSizeThatIsNotRecorded() {
    Lab lab({{}, {}, false});
    choose(lab, "warptiled", {1111, 1111, 1111});
    QVERIFY(!now(lab).gflops.known());
    QVERIFY(lab.kernel() && lab.kernel()->registers > 0);
    for (const LadderBar& bar : lab.ladder()) QVERIFY(!bar.ratio.known());
  }

  // SIGKILL during a measurement: what was known stays, and so does what was measured before.
  void theWorkerIsKilled() {
    m_around->fakeGpu(kSlow);
    Lab lab(setup());
    choose(lab, "shared");
    QTRY_VERIFY(isDone(lab));
    const HistoryPoint before = now(lab);
    int rounds = 0;
    const auto killer =
        connect(&lab.measuring(), &Measuring::progress, this, [&](const Measuring::Asked& asked) {
          rounds = asked.latest->rounds;
          if (rounds >= 5) ::kill(static_cast<pid_t>(lab.client().processId()), SIGKILL);
        });
    const QSignalSpy died(&lab.client(), &WorkerClient::died);
    choose(lab, "naive");
    QTRY_COMPARE(died.count(), 1);
    disconnect(killer);
    QCOMPARE(lab.history().size(), std::size_t{2});
    QVERIFY(lab.history()[0] == before);
    QVERIFY(now(lab).gflops.known() && !now(lab).measuring);
    QVERIFY(isOneSentence(now(lab).note));
    QVERIFY2(lab.trouble().contains("killed"), qPrintable(lab.trouble()));
    QCOMPARE(kept().size(), std::size_t{2});
    QCOMPARE(kept()[1].rounds, rounds);

    // A new worker starts by itself; it does not repeat what may have been the cause.
    QTRY_VERIFY(lab.canMeasure());
    QTest::qWait(500);
    QVERIFY(!now(lab).measuring);
    lab.measureAgain();
    QVERIFY(now(lab).measuring && now(lab).note.isEmpty());
    QTRY_VERIFY(isDone(lab));
    QVERIFY(lab.trouble().isEmpty());
    choose(lab, "coalesced");
    QTRY_VERIFY(isDone(lab));
    QCOMPARE(lab.history().size(), std::size_t{3});
    QCOMPARE(kept().size(), std::size_t{4});
  }

  void aWorkerThatNeverSpeaks() {
    const QString flag = m_around->path("now it may");
    const QString script = QStringLiteral("[ -e '%1' ] && exec '%2' worker; exec sleep 600")
                               .arg(flag, QStringLiteral(TILELOOM_PROGRAM));
    m_around->fakeGpu("jitter=0");
    Lab lab({{"/bin/sh", "-c", script}, m_around->historyPath(), false});
    lab.client().setPatience(200, 1000, 1000);
    choose(lab, "naive");
    lab.client().start();
    QTRY_VERIFY(lab.gaveUp());
    QVERIFY2(isOneSentence(lab.trouble()) && lab.trouble().contains("did not answer"),
             qPrintable(lab.trouble()));
    QVERIFY(lab.trouble().contains("Start the worker again"));
    QVERIFY(!lab.canMeasure() && !lab.client().busy());
    choose(lab, "shared");
    QVERIFY2(!lab.trouble().isEmpty(), "what the user has to do is no longer shown");

    lab.restartWorker();
    QVERIFY(!lab.gaveUp());
    QTRY_VERIFY(lab.gaveUp());  // again

    QVERIFY(Surroundings::write(flag, "x"));
    lab.client().setPatience(test::kPatience, test::kPatience, test::kPatience);
    lab.restartWorker();
    QTRY_VERIFY(isDone(lab));
    QVERIFY(now(lab).rung() == &stage("shared") && now(lab).freshness == Freshness::Live);
  }

  void whatGoesWrongStaysWithItsPoint_data() {
    QTest::addColumn<QByteArray>("behaviour");
    QTest::addColumn<QString>("words");
    QTest::newRow("wrong result") << QByteArray("only=naive,wrong=17") << "wrong";
    QTest::newRow("out of memory") << QByteArray("memory=100K") << "memory";
    QTest::newRow("illegal address")
        << QByteArray("only=naive,illegal-address") << "illegal memory access";
  }
  void whatGoesWrongStaysWithItsPoint() {
    QFETCH(QByteArray, behaviour);
    QFETCH(QString, words);
    m_around->fakeGpu("jitter=0," + behaviour);
    Lab lab(setup());
    choose(lab, "naive");
    QTRY_VERIFY(!now(lab).note.isEmpty());
    QVERIFY2(now(lab).note.contains(words), qPrintable(now(lab).note));
    QVERIFY(!now(lab).gflops.known() && !now(lab).measuring);
    QTRY_VERIFY(!lab.trouble().isEmpty());
    QVERIFY2(isOneSentence(lab.trouble()), qPrintable(lab.trouble()));
    const HistoryPoint wrong = now(lab);
    QTRY_VERIFY(lab.canMeasure());
    QTest::qWait(kNoPassing);
    choose(lab, "shared", {32, 32, 32});
    QTRY_VERIFY(isDone(lab));
    QCOMPARE(lab.history()[0].note, wrong.note);
    QVERIFY(lab.trouble().isEmpty());
    QCOMPARE(kept().size(), std::size_t{1});
  }

  void theWholeLadder() {
    m_around->fakeGpu("jitter=0,rate=warptiled:20000,rate=cublas:40000");
    Lab lab(setup());
    choose(lab, "naive");
    QTRY_VERIFY(isDone(lab));
    lab.measureLadder();
    const auto full = [&lab] {
      return std::ranges::all_of(lab.ladder(), [](const LadderBar& bar) {
        return bar.freshness == Freshness::Live && bar.ratio.known() && bar.gflops.known();
      });
    };
    QTRY_VERIFY(full());
    QCOMPARE(lab.ladder().size(), everyStage().size());
    for (const Stage& s : stages()) {
      const LadderBar& bar = lab.ladder()[static_cast<std::size_t>(s.rung - 1)];
      QVERIFY(bar.rung() == &s && bar.tile == s.standardTile());
    }
    QVERIFY(std::abs(lab.ladder()[7].ratio.median - 0.5) < 0.01);
    QVERIFY2(lab.ladderSource().startsWith("live on Fake H100"), qPrintable(lab.ladderSource()));
    QCOMPARE(kept().size(), 1 + everyStage().size());
    QCOMPARE(lab.history().size(), std::size_t{1});  // it is not a move of the tile parameters
    choose(lab, "naive", {64, 64, 64});
    for (const LadderBar& bar : lab.ladder()) QVERIFY(!bar.ratio.known());  // of this size: nothing
  }

  void restCancels() {
    m_around->fakeGpu(kSlow);
    Lab lab(setup());
    int rounds = 0;
    connect(&lab.measuring(), &Measuring::progress, this, [&](const Measuring::Asked& asked) {
      rounds = asked.latest->rounds;
      if (rounds >= 5) lab.rest();
    });
    QSignalSpy measured(&lab.measuring(), &Measuring::done);
    choose(lab, "naive");
    QTRY_VERIFY(rounds >= 5);
    QVERIFY(!now(lab).measuring && now(lab).gflops.known());
    QCOMPARE(kept().size(), std::size_t{1});
    QCOMPARE(kept()[0].rounds, rounds);
    QTRY_VERIFY(!lab.client().busy());
    QTest::qWait(500);
    QVERIFY(measured.isEmpty() && !lab.client().busy());
    QVERIFY(lab.trouble().isEmpty());

    // Back at the same tile it goes on, without another point.
    choose(lab, "naive");
    QTRY_VERIFY(isUnderWay(lab) || isDone(lab));
    QCOMPARE(lab.history().size(), std::size_t{1});
    choose(lab, "shared");
    QVERIFY(!lab.history()[0].measuring);
    QTRY_VERIFY(isDone(lab));
    QVERIFY(now(lab).rung() == &stage("shared"));
  }

  void closedWhileMeasuring() {
    m_around->fakeGpu(kSlow);
    int rounds = 0;
    {
      Lab lab(setup());
      connect(&lab.measuring(), &Measuring::progress, this,
              [&](const Measuring::Asked& asked) { rounds = asked.latest->rounds; });
      choose(lab, "naive");
      QTRY_VERIFY(rounds >= 5 && isUnderWay(lab));
    }
    QCOMPARE(kept().size(), std::size_t{1});
    QCOMPARE(kept()[0].rounds, rounds);
  }

  // With a compiler that always reports 64 registers it is known which neighbours have other
  // blocks.
  void cliffsAreJustWhereOccupancyChanges() {
    m_around->fakeGpu("jitter=0,registers=96");
    Lab lab(setup());
    choose(lab, "warptiled");
    const Stage& warp = stage("warptiled");
    const TileShape here = warp.standardTile();
    const auto warps = [&warp](const TileShape& tile) {
      const Derived d = derive(warp, tile);
      return d.warps *
             analysis::occupancy(defaultArchitecture(), {d.threads, 96, d.sharedBytes}).blocks;
    };
    std::map<Parameter, std::map<int, int>> wanted;
    for (const ParameterSpec& spec : warp.parameters) {
      for (const int value : legalValues(warp, here, spec.parameter)) {
        const int there = warps(here.with(spec.parameter, value));
        if ((value & (value - 1)) == 0 && there != warps(here))
          wanted[spec.parameter][value] = there;
      }
    }
    QVERIFY(wanted.size() >= 2);
    const auto found = [&lab] {
      std::map<Parameter, std::map<int, int>> cliffs;
      for (const auto& [parameter, list] : lab.cliffs()) {
        for (const auto& cliff : list) cliffs[parameter][cliff.value] = cliff.warps;
      }
      return cliffs;
    };
    QTRY_VERIFY(found() == wanted);
    for (const auto& [parameter, list] : lab.cliffs()) {
      for (const auto& cliff : list) QCOMPARE(cliff.fewer, cliff.warps < warps(here));
    }
  }

  // After a lecture the history of the user counts, and everything is of what is chosen.
  void setAsideAndBack() {
    Lab lab({{}, {}, false});
    const Problem large{4096, 4096, 4096}, usual{2048, 2048, 2048};
    const auto ladder = [&lab] {
      std::vector<double> speeds;
      for (const LadderBar& bar : lab.ladder()) speeds.push_back(bar.gflops.median);
      return speeds;
    };
    choose(lab, "warptiled", usual);
    const std::vector<double> before = ladder();
    const Subject place = lab.place();
    // The window is restored first.
    lab.setAside(true);
    choose(lab, "coalesced", large);
    QVERIFY(ladder() != before);
    choose(lab, "warptiled", usual);
    lab.setAside(false);
    QVERIFY(lab.place() == place && lab.problem() == usual && ladder() == before);
    QCOMPARE(lab.history().size(), std::size_t{1});
    // It was restored to an illegal tile, which is shown over the last legal one.
    lab.setAside(true);
    choose(lab, "coalesced", large);
    lab.rest();
    lab.setAside(false);
    QVERIFY(lab.place() == place && lab.problem() == usual && ladder() == before);
    QVERIFY(lab.kernel() && lab.kernel()->registers == lab.kernelOf(place)->registers);
    // The window went elsewhere.
    choose(lab, "warptiled", usual);
    lab.setAside(true);
    choose(lab, "coalesced", large);
    lab.setAside(false);
    QVERIFY(lab.place().rung() == &stage("coalesced") && lab.problem() == large);
    QVERIFY(now(lab).rung() == &stage("coalesced") && now(lab).problem == large);
  }

  void cliffsOfTheRealCompiler() {
    m_around->compilerOnly();
    Lab lab(setup());
    QTRY_VERIFY(lab.client().info().has_value());
    if (!lab.client().info()->canCompile()) QSKIP("NOT TESTED: there is no NVRTC here");
    const Stage& warp = stage("warptiled");
    choose(lab, "warptiled", {2048, 2048, 2048});
    QTRY_VERIFY(lab.kernel() && lab.kernel()->source.startsWith("NVRTC"));
    QVERIFY(lab.kernel()->registers > 32 && lab.kernel()->registers <= 255);
    QVERIFY2(lab.workerStatus().contains("Registers are from NVRTC"),
             qPrintable(lab.workerStatus()));
    QTRY_VERIFY(!lab.cliffs().empty() && !lab.client().busy());
    static const QRegularExpression words(
        "^(\\d+) registers and (\\d+) threads: (\\d+) blocks, (\\d+) warps per SM become (\\d+) "
        "and "
        "(\\d+), "
        "limited by .");
    for (const auto& [parameter, list] : lab.cliffs()) {
      for (const auto& cliff : list) {
        const auto match = words.match(cliff.words);
        QVERIFY2(match.hasMatch(), qPrintable(cliff.words));
        const Derived d = derive(warp, warp.standardTile().with(parameter, cliff.value));
        const auto there = analysis::occupancy(
            defaultArchitecture(), {d.threads, match.captured(1).toInt(), d.sharedBytes});
        QCOMPARE(match.captured(2).toInt(), d.threads);
        QCOMPARE(match.captured(3).toInt(), lab.kernel()->blocks);
        QCOMPARE(match.captured(4).toInt(), lab.kernel()->warps);
        QCOMPARE(match.captured(5).toInt(), there.blocks);
        QCOMPARE(match.captured(6).toInt(), cliff.warps);
        QCOMPARE(cliff.warps, there.blocks * d.warps);
        QVERIFY(cliff.warps != lab.kernel()->warps);
        QCOMPARE(cliff.fewer, cliff.warps < lab.kernel()->warps);
      }
    }
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::LabTest, EventLoop)
#include "lab_test.moc"
