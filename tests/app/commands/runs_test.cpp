// SPDX-License-Identifier: GPL-3.0-or-later
// `tileloom runs` as a user calls it, with a history of its own.
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>
#include <memory>
#include <vector>

#include "kernels/runs/run_store.h"
#include "tests/app/program.h"
#include "tests/support/runs.h"
#include "tests/support/test_class.h"

namespace tileloom::test {
namespace {

using runs::RunRecord;

RunRecord runOf(const char* stage, const char* when) {
  RunRecord run = madeUpRun();
  run.stage = stage;
  run.when = when;
  return run;
}

QByteArray line(const RunRecord& run) {
  return QByteArray::fromStdString(toLine(run)) + "\n";
}

}  // namespace

class RunsTest : public QObject {
  Q_OBJECT

 private slots:
  void init() {
    folder_ = std::make_unique<QTemporaryDir>();
    qputenv("XDG_DATA_HOME", folder_->path().toUtf8());
  }

  void emptyHistory() {
    const Said said = runTileloom({"runs", "list"});
    QCOMPARE(said.status, 0);
    QVERIFY(said.out.startsWith("No runs in " + history().toUtf8()));
    QVERIFY(said.err.isEmpty());
    QVERIFY(!QFile::exists(history()));
    const Said json = runTileloom({"runs", "list", "--json"});
    QVERIFY(QJsonDocument::fromJson(json.out).object()["runs"].toArray().isEmpty());
  }

  void listShowsTheHistory() {
    RunRecord noisy = runOf("naive", "2025-01-01T00:00:00Z");
    noisy.gflops = {100, 90, 110};
    noisy.ratio = {};
    noisy.registers = -1;
    write(history(), line(runOf("warptiled", "2026-11-21T03:25:00Z")) + "rubbish\n" + line(noisy));
    const Said said = runTileloom({"runs", "list"});
    QCOMPARE(said.status, 0);
    QCOMPARE(said.err, QByteArray("tileloom: runs.jsonl, line 2: this is not a JSON object\n"));
    QVERIFY(said.out.startsWith("2 runs in "));
    QVERIFY2(said.out.contains("4096x4096x2048"), said.out.constData());
    QVERIFY(said.out.contains("BM=128,BN=128,BK=16,WM=64,WN=64,WNITER=4,TM=8,TN=4"));
    QVERIFY(said.out.contains("1,235 ± 0.4 %") || said.out.contains("1,234 ± 0.4 %"));
    QVERIFY(said.out.contains("100.0 ± 10.0 % noisy"));
    QVERIFY(said.out.contains("61.7") && said.out.contains("168"));
    QVERIFY(said.out.indexOf("2025-01-01") < said.out.indexOf("2026-11-21"));
    QCOMPARE(runTileloom({"runs", "list", "--stage", "1"}).out.count("Invented Device"), 1);
    QCOMPARE(runTileloom({"runs", "list", "--stage", "naive"}).out.count("Invented Device"), 1);
    QVERIFY(runTileloom({"runs", "list", "--stage", "k10"}).out.contains("2026-11-21"));
    QVERIFY(runTileloom({"runs", "list", "--stage", "shared"}).out.startsWith("No runs of this"));
  }

  void listAsJson() {
    write(history(), line(madeUpRun()));
    const Said said = runTileloom({"runs", "list", "--json"});
    const QJsonObject all = QJsonDocument::fromJson(said.out).object();
    QCOMPARE(all["schema"].toString(), QString("tileloom.runs-list/1"));
    const QJsonObject run = all["runs"].toArray()[0].toObject();
    QCOMPARE(run, QJsonDocument::fromJson(line(madeUpRun())).object());
  }

  void aStageOfTomorrowCanBeAskedFor() {
    write(history(), line(runOf("tensor", "2027-01-01T00:00:00Z")));
    QVERIFY(runTileloom({"runs", "list", "--stage", "tensor"}).out.contains("tensor"));
    QCOMPARE(runTileloom({"runs", "list", "--stage", "tensors"}).status, 2);
  }

  void importAddsWhatIsNew() {
    const QByteArray known = line(runOf("naive", "2025-01-01T00:00:00Z"));
    RunRecord elsewhere = runOf("naive", "2026-01-01T00:00:00Z");
    elsewhere.origin = runs::Origin::Live;
    const QByteArray sentAs = line(elsewhere);
    elsewhere.origin = runs::Origin::Recorded;  // a run that was live elsewhere is not live here
    const QByteArray fresh = line(elsewhere);
    write(history(), known);
    const QString sent = folder_->filePath("sent.jsonl");
    write(sent, known + "{\"schema\":\"tileloom.run/9\"}\n" + sentAs + sentAs + "rub\n");
    const Said said = runTileloom({"runs", "import", sent});
    QCOMPARE(said.status, 0);
    QCOMPARE(said.out,
             "1 run added to " + history().toUtf8() + ", 2 known already, 2 lines broken\n");
    QCOMPARE(said.err.count('\n'), 2);
    QVERIFY(said.err.contains("tileloom: sent.jsonl, line 2: this run is of schema"));
    QCOMPARE(read(history()), known + fresh);
    QVERIFY(runTileloom({"runs", "import", sent}).out.startsWith("0 runs added"));
    QVERIFY(runTileloom({"runs", "import", history()}).out.startsWith("0 runs added"));
    QCOMPARE(read(history()), known + fresh);
  }

  void exportAndImportElsewhere() {
    QByteArray all;
    for (int i = 0; i < 20; ++i) {
      RunRecord run = runOf(i % 2 == 0 ? "naive" : "shared", "2026-01-01T00:00:00Z");
      run.problem.m = 1 + i / 4;
      run.watts = i;
      run.origin = runs::Origin::Recorded;
      all += line(run);
    }
    write(history(), all);
    const QString out = folder_->filePath("out.jsonl");
    const Said said = runTileloom({"runs", "export", out});
    QCOMPARE(said.status, 0);
    QCOMPARE(said.out, "20 runs written to " + out.toUtf8() + "\n");
    QVERIFY(read(out).size() * 3 < all.size());
    QCOMPARE(runTileloom({"runs", "export", "-"}).out, read(out));

    const QString other = folder_->filePath("elsewhere/runs.jsonl");
    QVERIFY(runTileloom({"runs", "import", "--file", other, out}).out.startsWith("20 runs added"));
    const auto sorted = [](const QByteArray& text) {
      QList<QByteArray> lines = text.split('\n');
      std::ranges::sort(lines);
      return lines;
    };
    QCOMPARE(sorted(read(other)), sorted(all));
    QVERIFY(runTileloom({"runs", "list", "--file", other})
                .out.startsWith("20 runs in " + other.toUtf8()));
    QVERIFY(runTileloom({"runs", "export", out, "--stage", "naive"}).out.startsWith("10 runs"));
  }

  void recordedOnes() {
    write(history(), line(madeUpRun()));
    const Said said = runTileloom({"runs", "list", "--recorded"});
    QCOMPARE(said.status, 0);
    QVERIFY(said.out.contains("inside this program"));
    QVERIFY(!said.out.contains("Invented Device"));
    QCOMPARE(runTileloom({"runs", "export", "--recorded", "-"}).status, 0);
  }

  // Two imports of one file at the same time: each run is added once.
  void importsAtOnce() {
    QByteArray lines;
    RunRecord run = madeUpRun();
    for (int i = 0; i < 300; ++i) {
      run.registers = i % 250;
      run.rounds = i + 1;
      lines += line(run);
    }
    write(folder_->filePath("given"), lines);
    std::vector<std::unique_ptr<QProcess>> both;
    for (int i = 0; i < 3; ++i) {
      both.push_back(std::make_unique<QProcess>());
      both.back()->start(TILELOOM_PROGRAM, {"runs", "import", folder_->filePath("given")});
    }
    for (const auto& process : both) QCOMPARE(collect(*process).status, 0);
    const auto kept = runs::readRuns(history().toStdString());
    QVERIFY(kept.has_value());
    QCOMPARE(kept->runs.size(), std::size_t{300});
    QCOMPARE(kept->broken, std::size_t{0});
  }

  void wrong_data() {
    QTest::addColumn<QString>("arguments");
    QTest::addColumn<QString>("names");
    const auto row = [](const char* arguments, const char* names) {
      QTest::newRow(arguments) << QString(arguments) << QString(names);
    };
    row("runs", "list");
    row("runs lst", "\"lst\"");
    row("runs import", "FILE");
    row("runs export", "FILE");
    row("runs list --stage nonsense", "\"nonsense\"");
    row("runs list --recorded --file x", "--file");
    row("runs import /proc/no/such/file", "/proc/no/such/file");
    row("runs import /", "\"/\"");
    row("runs import FOLDER/empty", "contains no runs: choose");
    row("runs import FOLDER/one", "only a line that is invalid (one, line 1");
    row("runs import FOLDER/rubbish", "only 2 lines that are invalid (rubbish, line 1");
    row("runs list --file /", "\"/\"");
    row("runs import --file /dev/null/x FOLDER/good", "/dev/null/x");
    row("runs export /proc/no/such/folder/x", "/proc/no/such/folder/x");
    row("runs export --recorded /dev/full", "No space left on device");
    row("runs export /", "\"/\"");
  }
  void wrong() {
    QFETCH(QString, arguments);
    QFETCH(QString, names);
    if (arguments.contains("/dev/full") && !QFile::exists("/dev/full")) QSKIP("no /dev/full");
    write(folder_->filePath("good"), line(madeUpRun()));
    write(folder_->filePath("empty"), "");
    write(folder_->filePath("one"), "{\"schema\":\"tileloom.run/9\"}\n");
    write(folder_->filePath("rubbish"), "rub\nbish\n");
    arguments.replace("FOLDER", folder_->path());
    const Said said = runTileloom(arguments.split(' '));
    QCOMPARE(said.status, 2);
    QVERIFY2(isOneSentence(said.err), said.err.constData());
    QVERIFY2(said.err.contains(names.toUtf8()), said.err.constData());
    QVERIFY(said.out.isEmpty());
  }

  void help() {
    QVERIFY(runTileloom({"runs", "--help"}).out.contains("import"));
    QVERIFY(runTileloom({"runs", "export", "--help"}).out.contains("--recorded"));
  }

 private:
  QString history() const { return folder_->filePath("tileloom/runs.jsonl"); }

  static void write(const QString& path, const QByteArray& text) {
    QVERIFY(QDir().mkpath(QFileInfo(path).path()));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(text), text.size());
  }

  static QByteArray read(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  }

  std::unique_ptr<QTemporaryDir> folder_;
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::RunsTest, EventLoop)
#include "runs_test.moc"
