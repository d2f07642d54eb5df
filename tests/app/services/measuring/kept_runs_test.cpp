// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/measuring/kept_runs.h"

#include <fmt/format.h>

#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>
#include <fstream>

#include "kernels/runs/run_store.h"
#include "kernels/tile/identity/text_keys.h"
#include "tests/support/runs.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom {

using test::stage;

class KeptRunsTest : public QObject {
  Q_OBJECT

  std::unique_ptr<QTemporaryDir> m_folder;

  std::filesystem::path path(const char* name) const {
    return m_folder->filePath(name).toStdString();
  }
  static runs::RunRecord run(int edge) {
    runs::RunRecord r = test::madeUpRun();
    r.device = "Fake H100";
    r.stage = "naive";
    r.tile = stage("naive").standardTile();
    r.problem = {edge, edge, edge};
    r.fingerprint = fingerprintOf(stage("naive"));
    return r;
  }

 private slots:
  void init() { m_folder = std::make_unique<QTemporaryDir>(); }

  void whatIsKeptIsFoundAgain() {
    KeptRuns kept(path("a/runs.jsonl"));
    QCOMPARE(kept.load(), QString());
    QVERIFY(kept.all().empty());
    QCOMPARE(kept.keep(run(1)), QString());
    QCOMPARE(kept.keep(run(2)), QString());
    KeptRuns again(path("a/runs.jsonl"));
    QCOMPARE(again.load(), QString());
    QVERIFY(again.all() == kept.all() && again.all().size() == 2);
  }

  void withoutAFileNothingIsWritten() {
    KeptRuns kept({});
    QCOMPARE(kept.load(), QString());
    QCOMPARE(kept.keep(run(1)), QString());
    QCOMPARE(kept.all().size(), std::size_t{1});
  }

  void brokenLinesAreSaid() {
    std::ofstream(path("runs.jsonl")) << toLine(run(1)) << "\nrubbish\n" << toLine(run(2)) << "\n";
    KeptRuns kept(path("runs.jsonl"));
    QVERIFY(kept.load().contains("line 2"));
    QCOMPARE(kept.all().size(), std::size_t{2});
  }

  // A user's runs from before there were fingerprints: those of today's code count like new ones,
  // and the others stay as they are.
  void runsOfEarlierVersionsAreReadAndKept() {
    const TextKey& key = *std::ranges::find(textKeys(), "naive", &TextKey::stage);
    const auto earlier = [](int edge, std::string_view text) {
      QString line = test::q(toLine(run(edge)));
      line.replace(test::q(fmt::format("\"fingerprint\":\"{}\"", run(edge).fingerprint)),
                   test::q(fmt::format("\"source_hash\":\"{}\"", text)));
      return line.toStdString();
    };
    std::ofstream(path("runs.jsonl")) << earlier(1, key.text) << '\n'
                                      << earlier(2, "0123456789abcdef") << '\n';
    KeptRuns kept(path("runs.jsonl"));
    QCOMPARE(kept.load(), QString());
    QCOMPARE(kept.all().size(), std::size_t{2});
    const auto latest = [&](int edge) {
      return kept.latest({&stage("naive"), stage("naive").standardTile(), Format::Fp32},
                         {edge, edge, edge}, "Fake H100");
    };
    QVERIFY(latest(1) != nullptr && latest(1)->fingerprint == fingerprintOf(stage("naive")));
    QVERIFY(latest(2) == nullptr);  // stale
    // Exported runs say the same, and so do imported ones.
    QCOMPARE(kept.exportTo(path("sent.jsonl")), QString());
    KeptRuns again(path("again.jsonl"));
    const auto done = again.import(path("sent.jsonl"));
    QVERIFY(done && done->added.size() == 2);
    QCOMPARE(test::q(again.all()[0].fingerprint), test::q(fingerprintOf(stage("naive"))));
    QCOMPARE(test::q(again.all()[1].fingerprint), QString("text:0123456789abcdef"));
  }

  void whatCannotBeWrittenIsKnownAllTheSame() {
    std::ofstream(path("file")) << "a file is no folder";
    KeptRuns kept(path("file/runs.jsonl"));
    QVERIFY(!kept.keep(run(1)).isEmpty());
    QCOMPARE(kept.all().size(), std::size_t{1});
  }

  void knownRunsAreNotTakenTwice() {
    KeptRuns kept({});
    kept.keep(run(1));
    const std::vector<runs::RunRecord> given = {run(1), run(2), run(3)};
    QCOMPARE(kept.take(given), std::size_t{2});
    QCOMPARE(kept.take(given), std::size_t{0});
    QCOMPARE(kept.all().size(), std::size_t{3});
  }

  void theLatestOfTheDeviceIsFound() {
    KeptRuns kept({});
    runs::RunRecord later = run(1), elsewhere = run(1), older = run(1);
    later.when = "2030-01-01T00:00:00Z";
    elsewhere.device = "Other";
    older.fingerprint = "0123456789abcdef";
    for (const auto& r : {run(1), later, elsewhere, older}) kept.keep(r);
    const auto latest = [&](const char* device, int edge) {
      return kept.latest({&stage("naive"), stage("naive").standardTile(), Format::Fp32},
                         {edge, edge, edge}, device);
    };
    QVERIFY(latest("Fake H100", 1) != nullptr && *latest("Fake H100", 1) == later);
    QVERIFY(*latest("Other", 1) == elsewhere);
    QVERIFY(latest("Fake H100", 2) == nullptr && latest("Unknown", 1) == nullptr);
  }

  // The same tile at the same size, in two formats: one is never used for the other.
  void formatsAreApart() {
    KeptRuns kept({});
    runs::RunRecord bf16 = run(1);
    bf16.stage = "mmaring";
    bf16.tile = stage("mmaring").standardTile();
    bf16.fingerprint = fingerprintOf(stage("mmaring"));
    bf16.format = Format::Bf16;
    runs::RunRecord fp16 = bf16;
    fp16.format = Format::Fp16;
    kept.keep(bf16);
    const auto latest = [&](Format format) {
      return kept.latest({&stage("mmaring"), bf16.tile, format}, bf16.problem, bf16.device);
    };
    QVERIFY(latest(Format::Bf16) != nullptr && latest(Format::Fp16) == nullptr);
    // Everything else is equal, but it is another run.
    QCOMPARE(kept.take(std::vector<runs::RunRecord>{fp16, bf16}), std::size_t{1});
    QVERIFY(latest(Format::Fp16) != nullptr && *latest(Format::Fp16) == fp16);
    QVERIFY(*latest(Format::Bf16) == bf16);
  }

  void runsAreImportedAndExported() {
    KeptRuns sent({});
    sent.keep(run(1));
    sent.keep(run(2));
    QCOMPARE(sent.exportTo(path("sent.jsonl")), QString());
    KeptRuns kept(path("runs.jsonl"));
    const auto done = kept.import(path("sent.jsonl"));
    QVERIFY(done && done->added.size() == 2 && done->known == 0);
    QVERIFY(kept.all() == done->added && kept.all()[0].origin == runs::Origin::Recorded);
    const auto again = kept.import(path("sent.jsonl"));
    QVERIFY(again && again->added.empty() && again->known == 2);
    QVERIFY(!kept.import(path("nowhere.jsonl")));
    QVERIFY(!kept.exportTo(path("sent.jsonl/x")).isEmpty());
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::KeptRunsTest, Nothing)
#include "kept_runs_test.moc"
