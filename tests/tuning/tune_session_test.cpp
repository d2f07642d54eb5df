// SPDX-License-Identifier: GPL-3.0-or-later
// A tuning run on disk: what is written, how a run that was cut off anywhere continues, which runs
// belong together, and the best-known tiles that result.
#include "kernels/tuning/tune_session.h"

#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

#include "kernels/gpu/compile/build.h"
#include "kernels/runs/run_store.h"
#include "kernels/tile/identity/text_keys.h"
#include "kernels/tile/parameters.h"
#include "kernels/tuning/best.h"
#include "tests/support/runs.h"
#include "tests/support/test_class.h"

namespace tileloom::test {
namespace {

using namespace tuning;
using runs::readRuns;
using runs::RunRecord;

const Stage& warptiled() {
  return **stageNamed("warptiled");
}

TuneRequest request() {
  TuneRequest r;
  r.stages = {&warptiled()};
  r.problem = {512, 512, 512};
  r.space.listed = {{Parameter::BM, {64, 128}},
                    {Parameter::BN, {64, 128}},
                    {Parameter::BK, {8, 16}},
                    {Parameter::TM, {4, 8}},
                    {Parameter::TN, {4}}};
  return r;
}

const TuneDevice kDevice = {"Made-up GPU", "sm_90", "1.2.3", "13.0"};

TunePlan planOf(const TuneRequest& r, const TuneDevice& device = kDevice) {
  return *planTuning(r, device, defaultArchitecture());
}

double speedOf(const TileShape& t) {
  unsigned hash = 7;
  for (const Parameter parameter : kAllParameters)
    hash = hash * 31 + static_cast<unsigned>(t[parameter]);
  return 20000 + 100.123456789 * (hash % 97) + t[Parameter::WM];
}

// Where several stages are searched, one of them is a little better.
double advantage(const Stage& stage) {
  return stage.id == "padded" ? 1.07 : 1;
}

// Answers up to `steps` questions as a GPU would; every 7th candidate spills, every 11th is wrong.
void answer(TuneSession& session, int steps) {
  for (int i = 0; i < steps; ++i) {
    const auto step = session.next();
    if (!step) return;
    if (step->kind == TuneStep::Kind::Compile) {
      QVERIFY(session.compiled(100, step->candidate % 7 == 3 ? 16 : 0));
    } else if (step->candidate % 11 == 5) {
      QVERIFY(session.failed("its result is wrong", 0.001));
    } else {
      RunRecord run = madeUpRun();
      run.stage = step->tile.rung()->id;
      run.tile = step->tile.tile;
      run.problem = session.header().problem;
      run.device = kDevice.name;
      run.driver = kDevice.driver;
      run.fingerprint = fingerprintOf(*step->tile.rung());
      run.when = "2026-11-21T03:25:00Z";
      run.rounds = step->rounds;
      const double speed = speedOf(step->tile.tile) * advantage(*step->tile.rung());
      run.gflops = {speed, speed * 0.9999, speed * 1.0001};
      QVERIFY(session.timed(run, 0.00123456789));
    }
  }
}

}  // namespace

class TuneSessionTest : public QObject {
  Q_OBJECT

  std::unique_ptr<QTemporaryDir> m_folder;

  std::filesystem::path path(const char* name) const {
    return m_folder->filePath(name).toStdString();
  }
  static QByteArray read(const std::filesystem::path& file) {
    QFile f(QString::fromStdString(file.string()));
    return f.open(QIODevice::ReadOnly) ? f.readAll() : QByteArray();
  }
  static void write(const std::filesystem::path& file, const QByteArray& text) {
    QFile f(QString::fromStdString(file.string()));
    QVERIFY(f.open(QIODevice::WriteOnly) && f.write(text) == text.size());
  }
  QByteArray wholeRun(const char* name) {
    auto session = TuneSession::open(planOf(request()), path(name));
    if (!session) qFatal("%s", session.error().c_str());
    answer(*session, 1 << 20);
    return read(path(name));
  }
  // All but the time at which it was begun.
  static QList<QByteArray> events(const QByteArray& journal) {
    QList<QByteArray> lines = journal.split('\n');
    lines.removeFirst();
    return lines;
  }

 private slots:
  void init() { m_folder = std::make_unique<QTemporaryDir>(); }

  void everyResultIsOnDiskBeforeItCounts() {
    auto session = TuneSession::open(planOf(request()), path("run"));
    QVERIFY(session.has_value());
    qsizetype lines = 1;
    while (session->next()) {
      QCOMPARE(read(path("run")).count('\n'), lines);
      answer(*session, 1);
      ++lines;
    }
    const auto log = readJournal(path("run"));
    QVERIFY(log.has_value());
    QCOMPARE(log->events.size(), std::size_t(lines - 1));
    const Funnel f = session->funnel();
    QVERIFY(f.generated > f.legal && f.legal >= f.compiled && f.compiled > f.timed && f.timed > 0);
    QVERIFY(f.spilling > 0 && f.failed > 0);
    const std::string name = "run";
    const auto sum = summaryOf({&*log, 1}, {&name, 1});
    QVERIFY(sum.has_value());
    QCOMPARE(sum->funnel.timed, f.timed);
    QCOMPARE(sum->funnel.spilling, f.spilling);
    QCOMPARE(sum->funnel.failed, f.failed);
    // Reading gives the same result as searching.
    const Verdict live = session->search().verdict();
    QCOMPARE(sum->verdict.standings.size(), live.standings.size());
    QCOMPARE(sum->verdict.standings[0].gflops.median, live.standings[0].gflops.median);
    for (const Standing& s : sum->verdict.standings) {
      QVERIFY(std::abs(s.gflops.median / speedOf(sum->tiles[s.candidate].tile) - 1) < 1e-5);
      QVERIFY(sum->records[s.candidate].tile == sum->tiles[s.candidate].tile);
    }
    QCOMPARE(sum->verdict.tied.size(), live.tied.size());
    QCOMPARE(sum->verdict.winner.has_value(), live.winner.has_value());
  }

  // The journal of a run that was cut off after any byte leads, opened again, to the same journal.
  void cutOffAnywhere() {
    const QByteArray whole = wholeRun("whole");
    const QList<QByteArray> want = events(whole);
    unsigned random = 17;
    for (int i = 0; i < 60; ++i) {
      random = random * 1103515245 + 12345;
      const qsizetype bytes = i < 3 ? i : qsizetype((random >> 4) % unsigned(whole.size()));
      write(path("cut"), whole.left(bytes));
      {
        auto session = TuneSession::open(planOf(request()), path("cut"));
        QVERIFY2(session.has_value(), session ? "" : session.error().c_str());
        answer(*session, int(random % 50));  // and again
      }
      auto session = TuneSession::open(planOf(request()), path("cut"));
      QVERIFY2(session.has_value(), session ? "" : session.error().c_str());
      answer(*session, 1 << 20);
      QVERIFY(events(read(path("cut"))) == want);
    }
  }

  // Predictions come when they are ready; a continued run also ranks by them.
  void predictionsAreInTheFile() {
    const std::vector<SearchCandidate> candidates = planOf(request()).candidates;
    std::vector<double> gflops;
    for (const SearchCandidate& c : candidates) gflops.push_back(speedOf(c.tile) + 0.4);
    {
      auto session = TuneSession::open(planOf(request()), path("whole"));
      QVERIFY(session->wantsPredictions());
      answer(*session, 30);
      QVERIFY(session->wantsPredictions());
      QVERIFY(session->predicted(gflops));
      QVERIFY(!session->wantsPredictions());
      const qsizetype lines = read(path("whole")).count('\n');
      QVERIFY(session->predicted(gflops));  // once is enough
      QCOMPARE(read(path("whole")).count('\n'), lines);
      answer(*session, 1 << 20);
    }
    const QByteArray whole = read(path("whole"));
    const auto log = readJournal(path("whole"));
    QVERIFY2(log.has_value(), log ? "" : log.error().c_str());
    const auto* told = std::get_if<PredictedEvent>(&log->events[30]);
    QVERIFY(told != nullptr && told->gflops.size() == candidates.size());
    QCOMPARE(told->gflops[3], std::round(gflops[3]));
    QVERIFY(events(whole) != events(wholeRun("without")));

    // Cut off before, within and after them.
    const qsizetype at = whole.indexOf("{\"event\":\"predicted\"");
    QVERIFY(at > 0);
    for (const qsizetype bytes : {at, at + 60, whole.indexOf('\n', at) + 1, whole.size() / 2}) {
      write(path("cut"), whole.left(bytes));
      auto session = TuneSession::open(planOf(request()), path("cut"));
      QVERIFY2(session.has_value(), session ? "" : session.error().c_str());
      QCOMPARE(session->wantsPredictions(), bytes <= at + 60);
      QVERIFY(session->predicted(gflops));
      answer(*session, 1 << 20);
      QVERIFY(events(read(path("cut"))) == events(whole));
    }

    for (const bool exhaustive : {true, false}) {
      TuneRequest r = request();
      r.search.exhaustive = exhaustive;
      r.predict = exhaustive;
      const auto name = exhaustive ? "all" : "none";
      auto session = TuneSession::open(planOf(r), path(name));
      QVERIFY(!session->wantsPredictions());
      QVERIFY(session->predicted(gflops));
      QVERIFY(!read(path(name)).contains("\"predicted\""));
    }
  }

  // For many candidates they take several lines, some of which a crash may leave.
  void predictionsOfManyTiles() {
    TuneRequest r = request();
    r.space.listed.clear();
    std::vector<double> gflops(planOf(r).candidates.size(), 54321);
    QVERIFY(gflops.size() > 10000);
    {
      auto session = TuneSession::open(planOf(r), path("run"));
      QVERIFY(session->predicted(gflops));
    }
    QByteArray text = read(path("run"));
    QVERIFY(text.count("\"predicted\"") > 2);
    QVERIFY(!TuneSession::open(planOf(r), path("run"))->wantsPredictions());
    text.chop(1);
    write(path("run"), text.left(text.lastIndexOf('\n') + 1));
    QVERIFY(TuneSession::open(planOf(r), path("run"))->wantsPredictions());
    QCOMPARE(read(path("run")).count('\n'), 1);
  }

  // A file that is not a journal is not written, whether it has lines or not.
  void somebodyElsesFileStays() {
    for (const char* text : {"precious", "{\"schema\":\"other/1\"", "two\nlines\n", "{", " "}) {
      write(path("run"), text);
      const auto session = TuneSession::open(planOf(request()), path("run"));
      const bool ours = QByteArray("{\"schema\":\"tileloom.tune/2\",").startsWith(text);
      QCOMPARE(session.has_value(), ours);
      if (!ours) QCOMPARE(read(path("run")), QByteArray(text));
    }
    // A part of the first line, left by a killed process, is started again like an empty file.
    for (const char* text : {"", "{\"schema\":\"tileloom.tune/2\",\"when\":\"2026"}) {
      write(path("run"), text);
      QVERIFY(TuneSession::open(planOf(request()), path("run")).has_value());
      QCOMPARE(read(path("run")).count('\n'), 1);
    }
    QVERIFY(!TuneSession::open(planOf(request()), std::filesystem::path()).has_value());
  }

  void putAsideIsRenamed() {
    QVERIFY(putAside(path("nothing")).has_value());
    for (const char* name : {"run.old1", "run.old2"}) {
      write(path("run"), name);
      QVERIFY(putAside(path("run")).has_value());
      QVERIFY(read(path("run")).isEmpty() && read(path(name)) == name);
    }
  }

  void whatDoesNotFitIsRefused_data() {
    QTest::addColumn<QString>("what");
    QTest::addColumn<QString>("says");
    QTest::newRow("device") << "device"
                            << "is of device Made-up GPU and not of Another";
    QTest::newRow("driver") << "driver"
                            << "is of driver 1.2.3 and not of 9";
    QTest::newRow("nvrtc") << "nvrtc"
                           << "is of NVRTC 13.0 and not of 12.9";
    QTest::newRow("size") << "size"
                          << "is of size 512x512x512 and not of 256x512x512";
    QTest::newRow("parameters") << "parameters"
                                << "searches other values of the tile parameters";
    QTest::newRow("budget") << "budget"
                            << "has other options";
    QTest::newRow("spills") << "spills"
                            << "has other options";
    QTest::newRow("shard") << "shard"
                           << "a shard count of";
    QTest::newRow("prediction") << "prediction"
                                << "was begun with predictions";
    QTest::newRow("source") << "source"
                            << "is of source 0123456789abcdef and not of";
  }
  void whatDoesNotFitIsRefused() {
    QFETCH(QString, what);
    QFETCH(QString, says);
    {
      auto session = TuneSession::open(planOf(request()), path("run"));
      answer(*session, 20);
    }
    TuneRequest r = request();
    TuneDevice device = kDevice;
    if (what == "device") device.name = "Another";
    if (what == "driver") device.driver = "9";
    if (what == "nvrtc") device.nvrtc = "12.9";
    if (what == "size") r.problem.m = 256;
    if (what == "parameters") r.space.threes = true;
    if (what == "budget") r.search.budgetRuns = 50;
    if (what == "spills") r.keepSpills = true;
    if (what == "shard") r.shards = 2;
    if (what == "prediction") r.predict = false;
    if (what == "source") {
      QByteArray text = read(path("run"));
      text.replace(QByteArray::fromStdString(fingerprintOf(warptiled())), "0123456789abcdef");
      write(path("run"), text);
    }
    // A part of a line at the end, left by a crash, also stays.
    write(path("run"), read(path("run")) + "{\"event\":\"ti");
    const QByteArray before = read(path("run"));
    const auto session = TuneSession::open(planOf(r, device), path("run"));
    QVERIFY(!session.has_value());
    QVERIFY2(session.error().find(says.toStdString()) != std::string::npos,
             session.error().c_str());
    QVERIFY(read(path("run")) == before);
  }

  // A run from before fingerprints continues under its name.
  void runsOfEarlierVersionsGoOn_data() {
    QTest::addColumn<bool>("several");
    QTest::newRow("one stage") << false;
    QTest::newRow("several stages") << true;
  }
  void runsOfEarlierVersionsGoOn() {
    QFETCH(bool, several);
    TuneRequest r = request();
    if (several) {
      r.stages.push_back(*stageNamed("padded"));
      r.space.listed.push_back({Parameter::PAD, {4}});
    }
    const TunePlan plan = planOf(r);
    const auto keys = textKeysOfAll(plan.header.stages);
    QVERIFY(!keys.empty());
    TuneHeader earlier = plan.header;
    earlier.fingerprint = keys.back();
    const std::filesystem::path folder = m_folder->path().toStdString();
    const std::filesystem::path old = folder / journalName(earlier);
    QVERIFY(journalIn(folder, plan.header) == folder / journalName(plan.header));
    {
      auto session = TuneSession::open(planOf(r), old);
      answer(*session, 20);
    }
    QByteArray text = read(old);
    const auto quoted = [](const char* key, const std::string& value) {
      return QByteArray::fromStdString(fmt::format("\"{}\":\"{}\"", key, value));
    };
    QVERIFY(text.contains(quoted("fingerprint", plan.header.fingerprint)));
    text.replace(quoted("fingerprint", plan.header.fingerprint),
                 quoted("source_hash", keys.back()));
    for (const Stage* each : plan.header.stages) {
      const TextKey& key = *std::ranges::find(textKeys(), each->id, &TextKey::stage);
      text.replace(quoted("fingerprint", fingerprintOf(*each)), quoted("source_hash", key.text));
    }
    QVERIFY(!text.contains("fingerprint"));
    write(old, text);
    QVERIFY(journalIn(folder, plan.header) == old);
    {
      auto session = TuneSession::open(planOf(r), old);
      QVERIFY2(session.has_value(), session ? "" : session.error().c_str());
      QVERIFY(session->resumedFrom() > 0);
      answer(*session, 1 << 20);
      QVERIFY(!session->next());
    }
    const auto log = readJournal(old);
    QVERIFY2(log.has_value(), log ? "" : log.error().c_str());
    QVERIFY(log->header.fingerprint == plan.header.fingerprint);
    // An unknown text is another source.
    write(old, read(old).replace(QByteArray::fromStdString(keys.back()), "0123456789abcdef"));
    QVERIFY(!TuneSession::open(planOf(r), old).has_value());
  }

  void brokenLinesAreNamed() {
    QByteArray text = wholeRun("run");
    QList<QByteArray> lines = text.split('\n');
    lines[3] = "{\"event\": \"timed\"}";
    write(path("run"), lines.join('\n'));
    const auto log = readJournal(path("run"));
    QVERIFY(!log && log.error().find("line 4") != std::string::npos);
    lines = text.split('\n');
    lines.removeIf([](const QByteArray& l) {
      return l.contains("\"screen\"");
    });  // then some are missing: what follows does not follow
    const QByteArray torn = lines.join('\n') + "{\"event\":\"ti";
    write(path("run"), torn);
    const auto session = TuneSession::open(planOf(request()), path("run"));
    QVERIFY(!session && session.error().find("does not follow") != std::string::npos);
    QVERIFY(read(path("run")) == torn);
    QVERIFY(!readJournal(path("nothing")).has_value());
  }

  void oneProcessAtATime() {
    auto session = TuneSession::open(planOf(request()), path("run"));
    QVERIFY(session.has_value());
    const auto second = TuneSession::open(planOf(request()), path("run"));
    QVERIFY(!second && second.error().find("another process") != std::string::npos);
  }

  // History and best-known tile, once, however often the end is interrupted.
  void keptOnce() {
    std::size_t timed = 0;
    {
      auto session = TuneSession::open(planOf(request()), path("run"));
      QVERIFY(session->keep(path("history"), path("best")));  // too early: nothing
      QVERIFY(read(path("history")).isEmpty());
      answer(*session, 1 << 20);
      timed = session->search().verdict().standings.size();
      QVERIFY(session->keep(path("history"), path("best")));
    }
    const QByteArray history = read(path("history"));
    QCOMPARE(std::size_t(history.count('\n')), timed);
    for (int i = 0; i < 2; ++i) {
      auto session = TuneSession::open(planOf(request()), path("run"));
      QVERIFY(!session->next());
      QVERIFY(session->keep(path("history"), path("best")));
      QVERIFY(read(path("history")) == history);
    }
    // Interrupted in the middle of keeping.
    QByteArray journal = read(path("run"));
    write(path("run"), journal.left(journal.lastIndexOf("{\"event\":\"ended\",\"kept\":true")));
    write(path("history"), history.left(history.indexOf('\n', history.size() / 2) + 1));
    auto session = TuneSession::open(planOf(request()), path("run"));
    QVERIFY(session->keep(path("history"), path("best")));
    QVERIFY(read(path("history")) == history);
    const auto runs = readRuns(path("history"));
    QVERIFY(runs && runs->complaints.empty());
    // A figure of one round has an interval all the same.
    for (const RunRecord& r : runs->runs) QVERIFY(r.gflops.spread() > 0 || r.rounds > 10);
  }

  // Another process adds the same runs while this one waits for the lock: none is added twice.
  void keptOnceBesideAnImport() {
    {
      auto session = TuneSession::open(planOf(request()), path("run"));
      answer(*session, 1 << 20);
      QVERIFY(session->keep(path("elsewhere"), path("best")));
    }
    const QByteArray history = read(path("elsewhere"));
    QVERIFY(history.count('\n') > 1);
    QByteArray journal = read(path("run"));
    write(path("run"), journal.left(journal.lastIndexOf("{\"event\":\"ended\",\"kept\":true")));
    int ready[2];
    QCOMPARE(::pipe(ready), 0);
    const pid_t other = ::fork();
    if (other == 0) {
      auto lines = LineFile::open(path("history"));
      if (!lines || ::write(ready[1], "x", 1) != 1) ::_exit(1);
      ::usleep(300'000);
      for (const QByteArray& line : history.split('\n')) {
        if (!line.isEmpty() && !lines->add(line.toStdString())) ::_exit(1);
      }
      ::_exit(0);
    }
    char got = 0;
    QCOMPARE(::read(ready[0], &got, 1), ssize_t{1});
    auto session = TuneSession::open(planOf(request()), path("run"));
    QVERIFY(session->keep(path("history"), path("best")));
    int status = -1;
    QCOMPARE(::waitpid(other, &status, 0), other);
    QVERIFY(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    QVERIFY(read(path("history")) == history);
    ::close(ready[0]);
    ::close(ready[1]);
  }

  // Of several rungs, in whatever order they are named, and each once: one search, one journal, one
  // leader, which is the only one that is kept as its rung's best tile.
  void severalRungsAreOneRun() {
    const Stage& padded = **stageNamed("padded");
    TuneRequest r = request();
    r.stages = {&padded, &warptiled(), &padded};
    r.space.listed.push_back({Parameter::PAD, {4}});  // which only one of them has
    const TunePlan plan = planOf(r);
    QCOMPARE(plan.header.stages, (std::vector<const Stage*>{&warptiled(), &padded}));
    TuneRequest alone = request();
    const std::size_t one = planOf(alone).candidates.size();
    alone.stages = {&padded};
    alone.space.listed = r.space.listed;
    QCOMPARE(plan.candidates.size(), one + planOf(alone).candidates.size());
    std::uint64_t rejected = plan.header.legal;
    for (const Rejection& row : plan.rejected) rejected += row.tiles;
    QCOMPARE(rejected, plan.header.generated);
    const std::string name = journalName(plan.header);
    QVERIFY2(name.starts_with("warptiled+padded-512x512x512-sm_90-"), name.c_str());

    for (int steps : {7, 40, 1 << 20}) {  // interrupted twice
      auto session = TuneSession::open(planOf(r), path("run"));
      QVERIFY2(session.has_value(), session ? "" : session.error().c_str());
      answer(*session, steps);
      QVERIFY(session->keep(path("history"), path("best")));
    }
    const auto log = readJournal(path("run"));
    QVERIFY2(log.has_value(), log ? "" : log.error().c_str());
    QVERIFY(log->header.stages == plan.header.stages);
    const std::string file = "run";
    const auto sum = summaryOf({&*log, 1}, {&file, 1});
    QVERIFY(sum.has_value());
    QVERIFY(sum->ended);
    QCOMPARE(sum->bestOfStages.size(), std::size_t{2});
    const auto best = [&](std::size_t which) {
      return sum->tiles[sum->verdict.standings[sum->bestOfStages[which]].candidate];
    };
    QVERIFY(best(0).rung() == &warptiled() && best(1).rung() == &padded);
    QCOMPARE(sum->bestOfStages[1], std::size_t{0});  // and so it leads
    const auto kept = readBest(path("best"));
    QVERIFY(kept && kept->size() == 1);
    QCOMPARE(kept->front().run.stage, std::string("padded"));
    QVERIFY(kept->front().run.tile == best(1).tile);

    // The same of other rungs is another run.
    const auto refused = TuneSession::open(planOf(alone), path("run"));
    QVERIFY(!refused && refused.error().find("is of stage warptiled, padded and not of padded") !=
                            std::string::npos);
  }

  void rungsThatAreNoOneSearch() {
    TuneRequest r = request();
    r.stages.push_back(*stageNamed("t3"));
    const auto ladders = planTuning(r, kDevice, defaultArchitecture());
    QVERIFY(!ladders && ladders.error().find("two ladders") != std::string::npos);
    r.stages = {&warptiled(), *stageNamed("vectorized")};
    r.space.listed = {{Parameter::GROUP, {8}}};  // which none of them has
    QVERIFY(!planTuning(r, kDevice, defaultArchitecture()).has_value());
    const std::vector<const Stage*> both = {*stageNamed("t3"), *stageNamed("t4")};
    QVERIFY(!whyNotPredicted(both).empty());
    QVERIFY(whyNotPredicted(std::vector<const Stage*>{&warptiled()}).empty());
  }

  void shardsAreOneRun() {
    std::vector<TuneLog> logs;
    std::vector<std::string> names;
    std::size_t candidates = 0;
    double best = 0;
    for (int shard = 0; shard < 3; ++shard) {
      TuneRequest r = request();
      r.shard = shard;
      r.shards = 3;
      r.search.exhaustive = true;
      names.push_back(path(std::to_string(shard).c_str()).string());
      auto session = TuneSession::open(planOf(r), names.back());
      QVERIFY(session.has_value());
      answer(*session, 1 << 20);
      candidates += session->search().candidates().size();
      best = std::max(best, session->search().progress().bestGflops);
      QVERIFY(session->keep(path("history"), path("best")));
      logs.push_back(*readJournal(names.back()));
    }
    QCOMPARE(candidates, planOf(request()).candidates.size());
    const auto sum = summaryOf(logs, names);
    QVERIFY2(sum.has_value(), sum ? "" : sum.error().c_str());
    QCOMPARE(sum->shards, (std::vector<int>{0, 1, 2}));
    QVERIFY(sum->ended);
    QCOMPARE(sum->verdict.standings[0].gflops.median, best);
    // Two percent lie between machines, at least.
    QVERIFY(!sum->verdict.winner);
    for (const Standing& s : sum->verdict.tied) QVERIFY(s.gflops.median > 0.979 * best);

    std::swap(logs[1], logs[2]);
    logs[1].header.device.name = "Another";
    const auto mixed = summaryOf(logs, names);
    QVERIFY(!mixed && mixed.error().find("Another") != std::string::npos &&
            mixed.error().find(names[1]) != std::string::npos);
    const std::vector<TuneLog> twice = {logs[0], logs[0]};
    const auto again = summaryOf(twice, names);
    QVERIFY(!again && again.error().find("shard 0/3") != std::string::npos);
  }

  void bestKnownTiles() {
    const Stage& stage = warptiled();
    const auto run = [&](int size, int bm, const char* when) {
      RunRecord r = madeUpRun();
      r.stage = "warptiled";
      r.tile = stage.standardTile().with(Parameter::BM, bm);
      r.problem = {size, size, size};
      r.arch = "sm_90";
      r.device = "Made-up GPU";
      r.driver = "1.2.3";
      r.fingerprint = fingerprintOf(stage);
      r.when = when;
      return r;
    };
    const Here here{"Made-up GPU", "1.2.3"};
    const auto at = [&](int size, const Here& where) {
      const auto all = readBest(path("best"));
      const auto found = bestTile(*all, stage, {size, size, size}, where, stage.usualFormat());
      return found ? found->run.tile[Parameter::BM] : 0;
    };
    QCOMPARE(at(4096, here), 0);
    QVERIFY(appendBest(path("best"), {run(4096, 64, "2026-11-20T00:00:00Z"), 1, 1}));
    QVERIFY(appendBest(path("best"), {run(1024, 256, "2026-11-21T00:00:00Z"), 3, 1}));
    QCOMPARE(at(4096, here), 64);
    QCOMPARE(at(8192, here), 64);  // the nearest size
    QCOMPARE(at(512, here), 256);
    QCOMPARE(at(4096, {"Made-up GPU", "9"}), 0);
    QCOMPARE(at(4096, {"Another", "1.2.3"}), 0);
    QVERIFY(appendBest(path("best"), {run(4096, 128, "2026-11-22T00:00:00Z"), 1, 1}));
    QCOMPARE(at(4096, here), 128);  // the later one
    QVERIFY(appendBest(path("best"), {run(4096, 256, "2026-11-23T00:00:00Z"), 1, 4}));
    QCOMPARE(at(4096, here), 128);  // one shard's says less
    RunRecord old = run(4096, 64, "2026-11-24T00:00:00Z");
    old.fingerprint = "0123456789abcdef";
    QVERIFY(appendBest(path("best"), {old, 1, 1}));
    RunRecord illegal = run(4096, 100, "2026-11-24T00:00:00Z");
    QVERIFY(appendBest(path("best"), {illegal, 1, 1}));
    QCOMPARE(at(4096, here), 128);
    const auto all = readBest(path("best"));
    QCOMPARE(tunedText((*all)[0]),
             std::string("tile tuned on this device, 2026-11-20, for 4096x4096x4096"));
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::TuneSessionTest, EventLoop)
#include "tune_session_test.moc"
