// SPDX-License-Identifier: GPL-3.0-or-later
// The runs inside the executable are complete, and a run is found fast.
#include <QDir>
#include <QtTest>
#include <array>
#include <set>
#include <thread>

#include "kernels/runs/recording_files.h"
#include "kernels/runs/recordings.h"
#include "kernels/runs/run_index.h"
#include "kernels/runs/run_store.h"
#include "kernels/tile/architecture.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/subject.h"
#include "tests/support/runs.h"
#include "tests/support/test_class.h"

namespace tileloom::test {

using namespace runs;

class RecordingsTest : public QObject {
  Q_OBJECT

 private slots:
  // First, before they are parsed.
  void severalThreadsMayAskFirst() {
    std::vector<std::thread> threads;
    std::array<const RunRecord*, 4> seen{};
    for (auto& place : seen) {
      threads.emplace_back([&place] {
        recordedRun(standardSubject(stages().front()), {64, 64, 64});
        place = recordings().data();
      });
    }
    for (auto& thread : threads) thread.join();
    for (const RunRecord* place : seen) QCOMPARE(place, recordings().data());
  }

  void everyLineIsGood() {
    std::size_t runs = 0;
    for (const EmbeddedFile& file : recordingFiles()) {
      const RunFile parsed = parseRuns(file.text, file.name);
      for (const auto& complaint : parsed.complaints) QFAIL(complaint.c_str());
      runs += parsed.runs.size();
    }
    QCOMPARE(recordings().size(), runs);
    for (const RunRecord& run : recordings()) QVERIFY(run.origin == Origin::Recorded);
  }

  void theExecutableHoldsTheFiles() {
    QDir folder(TILELOOM_RECORDINGS);
    const QStringList names = folder.entryList({"*.jsonl"}, QDir::Files, QDir::Name);
    QCOMPARE(qsizetype(recordingFiles().size()), names.size());
    for (const EmbeddedFile& file : recordingFiles()) {
      QFile source(
          folder.filePath(QString::fromUtf8(file.name.data(), qsizetype(file.name.size()))));
      QVERIFY(source.open(QIODevice::ReadOnly));
      QVERIFY(source.readAll().toStdString() == file.text);
    }
  }

  void everyRecordingIsFound() {
    for (const RunRecord& run : recordings()) {
      const auto stage = stageNamed(run.stage);
      if (!stage) continue;
      const RunRecord* found = recordedRun({*stage, run.tile, run.format}, run.problem, run.device);
      QVERIFY(found != nullptr && found->tile == run.tile && found->when >= run.when);
    }
  }

  // Without a device, all figures are of one device.
  void oneDeviceUnlessAskedFor() {
    std::set<std::string> devices;
    int none = 0;
    for (const RunRecord& run : recordings()) {
      devices.insert(run.device);
      const Stage& stage = **stageNamed(run.stage);
      const RunRecord* found = recordedRun(usualSubject(stage, run.tile), run.problem);
      QVERIFY(found == nullptr || found->device == kReferenceDevice);
      none += found == nullptr ? 1 : 0;
      // Any device: that one comes first.
      const RunRecord* any = recordedRun(usualSubject(stage, run.tile), run.problem, {});
      QVERIFY(any != nullptr && (found == nullptr || any == found));
    }
    QVERIFY(none > 100);  // of the other device alone
    QVERIFY(devices.size() > 1);
    const Stage& naive = stages().front();
    const RunRecord* other = recordedRun(standardSubject(naive), {4096, 4096, 4096}, "h200");
    QVERIFY(other != nullptr && other->device == "NVIDIA H200");
  }

  void theLatestOfExactlyThis() {
    std::vector<RunRecord> runs(5, madeUpRun());
    runs[1].when = "2027-01-01T00:00:00Z";
    runs[2].when = "2025-01-01T00:00:00Z";
    runs[3].device = "Other Device";
    runs[4].tile[Parameter::TM] = 4;
    const RunIndex index(runs);
    const auto& [stage, tile, problem] = std::tie(runs[0].stage, runs[0].tile, runs[0].problem);
    QCOMPARE(index.latest(stage, tile, problem), &runs[1]);
    QCOMPARE(index.latest(stage, tile, problem, "oTHER"), &runs[3]);
    QCOMPARE(index.latest(stage, tile, problem, "H100"), nullptr);
    QCOMPARE(index.latest(stage, runs[4].tile, problem), &runs[4]);
    QCOMPARE(index.latest("naive", tile, problem), nullptr);
    QCOMPARE(index.latest(stage, tile.with(Parameter::BK, 8), problem), nullptr);
    QCOMPARE(index.latest(stage, tile, {1, 1, 1}), nullptr);
    QCOMPARE(RunIndex({}).latest(stage, tile, problem), nullptr);
  }

  void lookingUpIsFast() {
    std::vector<RunRecord> runs;
    for (int i = 0; i < 20000; ++i) {
      runs.push_back(madeUpRun());
      runs.back().problem.k = 1 + i;
    }
    const RunIndex index(runs);
    const RunRecord& last = runs.back();
    QBENCHMARK {
      QVERIFY(index.latest(last.stage, last.tile, last.problem, "invented") == &last);
    }
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::RecordingsTest, EventLoop)
#include "recordings_test.moc"
