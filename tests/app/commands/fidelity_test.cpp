// SPDX-License-Identifier: GPL-3.0-or-later
// `tileloom fidelity` and `run --counters` as a user calls them; and that today's trace agrees with
// the hardware's counters as docs/design/02-fidelity.md says.
#include <QtTest>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "kernels/runs/counters.h"
#include "kernels/runs/fidelity.h"
#include "kernels/runs/recordings.h"
#include "kernels/runs/run_store.h"
#include "kernels/tile/derived.h"
#include "tests/app/program.h"
#include "tests/app/surroundings.h"
#include "tests/support/random.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"
#include "tests/support/unrecorded.h"

namespace tileloom::test {

class FidelityTest : public QObject {
  Q_OBJECT

  std::unique_ptr<Surroundings> m_around;

  static constexpr const char* kInTheRelease =
      "NOT TESTED: all recorded launches are traced where no sanitizer slows it down";

  // Of all counters that ship. Made once, because tracing each launch takes long.
  std::optional<runs::RunFile> m_file;
  std::vector<runs::Comparison> m_comparisons;

  const std::vector<runs::Comparison>& comparisons() {
    if (m_file) return m_comparisons;
    auto file = runs::readRuns(source("tests/fixtures/fidelity/h100.jsonl").toStdString());
    if (!file) qFatal("%s", file.error().c_str());
    m_file = std::move(*file);
    m_comparisons = runs::compareWithTrace(m_file->runs);
    return m_comparisons;
  }

  static QString source(const char* path) {
    return QStringLiteral(TILELOOM_SOURCE_DIR "/") + QLatin1String(path);
  }

 private slots:
  void init() { m_around = std::make_unique<Surroundings>(); }

  // The command prints the library's text for the same file.
  void theCommandComparesAFile() {
    const auto file = runs::readRuns(source("tests/fixtures/fidelity/h100.jsonl").toStdString());
    QVERIFY(file && !file->runs.empty());
    const std::vector<runs::RunRecord> one = {file->runs.back()};
    const QString path = m_around->path("one.jsonl");
    QVERIFY(runs::writeRuns(path.toStdString(), one));
    const Said said = runTileloom({"fidelity", "--from", path});
    if (firstWithoutRuns() == nullptr) QCOMPARE(said.err, QByteArray());
    QCOMPARE(said.status, 0);
    QCOMPARE(said.out.toStdString(), runs::fidelityText(runs::compareWithTrace(one)));
  }

  // Options that only counting on a GPU uses are refused beside a file, and rungs choose among its
  // records.
  void optionsBesideAFile() {
    const auto file = runs::readRuns(source("tests/fixtures/fidelity/h100.jsonl").toStdString());
    QVERIFY(file && file->runs.size() > 1);
    std::vector<runs::RunRecord> two = {file->runs.front(), file->runs.back()};
    QVERIFY(two[0].stage != two[1].stage);
    const QString path = m_around->path("two.jsonl");
    QVERIFY(runs::writeRuns(path.toStdString(), two));
    const QString last = QString::fromStdString(two[1].stage);
    const Said chosen = runTileloom({"fidelity", "--from", path, "--stages", last});
    QCOMPARE(chosen.status, 0);
    two.erase(two.begin());
    QCOMPARE(chosen.out.toStdString(), runs::fidelityText(runs::compareWithTrace(two)));
    for (const char* option : {"--tiles", "--seed", "--device", "--limit"}) {
      const Said said = runTileloom({"fidelity", "--from", path, option, "3"});
      QCOMPARE(said.status, 2);
      QVERIFY2(said.err.contains(option) && said.err.contains("leave one"), said.err.constData());
    }
    const Said none = runTileloom({"fidelity", "--from", path, "--stages", "autotuned"});
    QVERIFY(none.status != 0 && none.err.contains("no record"));
  }

  // If the analysis gets worse or better, the document must be updated.
  void theDocumentIsTodaysTrace() {
    if (briefly()) QSKIP(kInTheRelease);
    QVERIFY(!comparisons().empty());
    const QByteArray document = Surroundings::read(source("docs/design/02-fidelity.md"));
    const std::string part = runs::withFidelityText({}, runs::fidelityText(comparisons()));
    QVERIFY2(document.contains(QByteArray::fromStdString(part)),
             "make it again: tileloom fidelity --from tests/fixtures/fidelity/h100.jsonl --out "
             "docs/design/02-fidelity.md");
  }

  // A record can come from anywhere: its device's name must be plain text in the document.
  void aDeviceNameIsNoMarkdown() {
    const auto file = runs::readRuns(source("tests/fixtures/fidelity/h100.jsonl").toStdString());
    QVERIFY(file.has_value());
    std::vector<runs::RunRecord> one = {file->runs.front()};
    one[0].device = "[GPU](http://x) <img src=x> `a` *b* <!-- made by `tileloom fidelity`: end -->";
    const std::string text = runs::fidelityText(runs::compareWithTrace(one));
    QVERIFY2(text.find("\\[GPU\\](http://x) \\<img src=x\\> \\`a\\` \\*b\\* \\<!-- made") !=
                 std::string::npos,
             text.c_str());
    const std::string once = runs::withFidelityText("before", text);
    QCOMPARE(runs::withFidelityText(once, text), once);
  }

  void everyRungIsCountedAndNoDifferenceIsOpen() {
    if (briefly()) QSKIP(kInTheRelease);
    QCOMPARE(comparisons().size(), m_file->runs.size());
    QVERIFY(m_file->complaints.empty());
    std::map<std::string, std::set<std::string>> sizes;
    for (const runs::Comparison& c : comparisons()) {
      sizes[c.run->stage].insert(toLine(*c.run));
      for (const runs::Difference& d : c.differences)
        QVERIFY2(d.reason != runs::Reason::Open, toLine(*c.run).c_str());
    }
    // The default tile and six more, each on one block and on several.
    const Stage* lacking = nullptr;
    for (const Stage& stage : stages()) {
      const std::size_t counted = sizes[std::string(stage.id)].size();
      if (counted == 0 && !mustBeRecorded(stage)) {
        lacking = &stage;
      } else {
        QVERIFY2(counted >= 14, stage.id.data());
      }
    }
    if (lacking != nullptr) QSKIP(runs::notRecordedYet(*lacking, runs::Evidence::Counters).c_str());
  }

  // A counter with a wrong metric stays 0 or is never there, and agrees with everything.
  void everyCounterCounts() {
    const auto file = runs::readRuns(source("tests/fixtures/fidelity/h100.jsonl").toStdString());
    QVERIFY(file.has_value());
    const auto stalls = runs::readRuns(source("tests/fixtures/stalls/h100.jsonl").toStdString());
    QVERIFY(stalls && stalls->complaints.empty());
    const runs::CounterSpec* lacking = nullptr;
    for (const runs::CounterSpec& spec : runs::counterSpecs()) {
      bool counted = false, above = false;
      const auto look = [&](const runs::RunRecord& run) {
        const auto value = run.counters[spec.counter];
        counted = counted || value.has_value();
        above = above || value.value_or(0) > 0;
      };
      for (const runs::RunRecord& run : file->runs) look(run);
      for (const runs::RunRecord& run : stalls->runs) look(run);
      for (const runs::RunRecord& run : runs::recordings()) look(run);
      // No legal tile makes the tensor core's own reads wait for a bank: 0 is the right figure, and
      // nothing here shows that the counter could have another value.
      if (spec.counter == runs::Counter::ProductConflicts) continue;
      if (!counted) {
        lacking = &spec;
      } else {
        QVERIFY2(above, qPrintable(QString("%1 is 0 in every recorded launch: is %2 its metric?")
                                       .arg(QLatin1String(spec.key.data()),
                                            QLatin1String(spec.metric.data()))));
      }
    }
    if (lacking != nullptr) {
      QSKIP(qPrintable(
          QString("%1 is not recorded yet: on a machine with an H100, `%2`")
              .arg(QLatin1String(lacking->key.data()),
                   QLatin1String(runs::recordingCommand(runs::Evidence::Counters).data()))));
    }
  }

  // Differences that no shipped record has: CUPTI's sum cannot show them, because it takes lanes
  // that are served in pairs for unpaired where they have conflicts, and stores without a lane.
  void whatElseExplainsADifference() {
    using runs::Counter;
    using runs::Reason;
    const auto file = runs::readRuns(source("tests/fixtures/fidelity/h100.jsonl").toStdString());
    QVERIFY(file.has_value());
    const Stage& stage = test::stage("vectorized");
    const auto warpsOf = [&](const runs::RunRecord& r) {
      return (derive(stage, r.tile).threads + 31) / 32;
    };
    const auto recorded = std::ranges::find_if(file->runs, [&](const runs::RunRecord& r) {
      const Derived d = derive(stage, r.tile);
      return r.stage == stage.id && r.problem.m == d.blockM && warpsOf(r) > 2;
    });
    QVERIFY(recorded != file->runs.end());
    const int warps = warpsOf(*recorded);
    const auto reasons = [&](Counter changed, double more, Counter with = Counter::SmBusy,
                             double factor = 1) {
      runs::RunRecord run = *recorded;
      run.counters.set(changed, *run.counters[changed] + more);
      if (with != Counter::SmBusy) run.counters.set(with, factor * *run.counters[with]);
      std::vector<Reason> all;
      const auto comparisons = runs::compareWithTrace(std::span(&run, 1));
      for (const runs::Difference& d : comparisons.front().differences) all.push_back(d.reason);
      return all;
    };
    const std::vector<Reason> none, open = {Reason::Open}, off = {Reason::AllOff};
    QCOMPARE(reasons(Counter::SharedLoadWavefronts, 0), none);
    constexpr Counter kLoads = Counter::SharedLoadWavefrontsAlone;
    const std::vector<Reason> among = {Reason::AmongWarps};
    QCOMPARE(reasons(Counter::SharedLoadWavefronts, warps - 1, kLoads, 2), among);
    QCOMPARE(reasons(Counter::SharedLoadConflicts, 1, kLoads, 2), among);
    QCOMPARE(reasons(Counter::SharedLoadWavefronts, warps, kLoads, 2), open);
    QCOMPARE(reasons(Counter::SharedLoadWavefronts, -1, kLoads, 2), open);
    QCOMPARE(reasons(Counter::SharedStoreInstructions, 8), off);
    QCOMPARE(reasons(Counter::SharedStoreInstructions, 8, Counter::SharedStoreWavefrontsAlone, 2),
             open);
    QCOMPARE(reasons(Counter::SharedStoreInstructions, -8), open);
  }

  void counts() {
    m_around->fakeGpu();
    const QString json = m_around->path("counters.jsonl"), out = m_around->path("fidelity.md");
    QVERIFY(Surroundings::write(out,
                                "# Mine\n\n<!-- made by `tileloom fidelity`: begin -->\nold\n"
                                "<!-- made by `tileloom fidelity`: end -->\nThe end.\n"));
    const Said said = runTileloom({"fidelity", "--stages", "shared,warptiled", "--tiles", "1",
                                   "--record", json, "--out", out});
    QCOMPARE(said.status, 0);
    QVERIFY2(said.out.startsWith("8 launches compared\n"), said.out + said.err);
    const QByteArray document = Surroundings::read(out);
    QVERIFY(document.startsWith("# Mine\n") && document.endsWith("The end.\n"));
    QVERIFY(!document.contains("\nold\n"));
    QVERIFY(document.contains("Fake H100"));
    QVERIFY(document.contains("| 8 | warptiled | 2 | 4 | 0 | 0 | 4 |"));
    const Said again = runTileloom({"fidelity", "--from", json});
    QVERIFY(document.contains(again.out));
  }

  void troubles_data() {
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("cupti");
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("says");
    QTest::newRow("not allowed") << "fidelity --tiles 0"
                                 << "fail=cuptiRangeProfilerEnable:35" << 3
                                 << "NVreg_RestrictProfilingToAdminUsers=0";
    QTest::newRow("no file") << "fidelity --from nothing.jsonl"
                             << "" << 2 << "cannot read \"nothing.jsonl\"";
    QTest::newRow("no stage") << "fidelity --stages mystery"
                              << "" << 2 << "mystery";
    QTest::newRow("no number") << "fidelity --tiles many"
                               << "" << 2 << "--tiles";
  }
  void troubles() {
    QFETCH(QString, line);
    QFETCH(QString, cupti);
    QFETCH(int, status);
    QFETCH(QString, says);
    m_around->fakeGpu();
    qputenv("TILELOOM_FAKE_CUPTI", cupti.toUtf8());
    const Said said = runTileloom(line.split(' '));
    QCOMPARE(said.status, status);
    QVERIFY2(said.err.contains(says.toUtf8()), said.err);
    QVERIFY(isOneSentence(said.err));
    QCOMPARE(said.out, QByteArray());
  }

  void aRunShowsItsCounters() {
    m_around->fakeGpu();
    qputenv("TILELOOM_FAKE_CUPTI",
            "value=sm__warps_active.avg.pct_of_peak_sustained_active:31.5,"
            "value=sm__inst_executed.avg.per_cycle_active:2.87,"
            "value=l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum:24794");
    const Said said = runTileloom({"run", "shared", "--size", "128", "--counters"});
    QCOMPARE(said.status, 0);
    QVERIFY2(
        said.out.contains("2.87") && said.out.contains("31.5 %") && said.out.contains("24,794"),
        said.out);
    const auto kept = runs::readRuns(m_around->historyPath());
    QVERIFY(kept && kept->runs.size() == 1);
    QCOMPARE(kept->runs[0].counters[runs::Counter::InstructionsPerCycle], std::optional(2.87));
    QCOMPARE(kept->runs[0].achievedOccupancy, std::optional(0.315));
  }

  void aRunThatMayNotBeCountedIsARun() {
    m_around->fakeGpu();
    qputenv("TILELOOM_FAKE_CUPTI", "fail=cuptiRangeProfilerEnable:35");
    const Said said = runTileloom({"run", "shared", "--size", "128", "--counters", "--no-save"});
    QCOMPARE(said.status, 0);
    QVERIFY(said.out.contains("GFLOP/s"));
    QVERIFY2(said.err.contains("administrator"), said.err);
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::FidelityTest, EventLoop)
#include "fidelity_test.moc"
