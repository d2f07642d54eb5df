// SPDX-License-Identifier: GPL-3.0-or-later
// Runs in files: several writers, broken lines, and disks that do not take them.
#include <sys/wait.h>
#include <unistd.h>

#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "kernels/runs/run_store.h"
#include "kernels/tile/parameters.h"
#include "tests/support/random.h"
#include "tests/support/runs.h"
#include "tests/support/test_class.h"

namespace tileloom::test {
namespace {

using namespace runs;

std::filesystem::path in(const QTemporaryDir& folder, const char* name) {
  return folder.filePath(name).toStdString();
}

void write(const std::filesystem::path& path, const std::string& text) {
  QFile file(QString::fromStdString(path.string()));
  QVERIFY(file.open(QIODevice::WriteOnly));
  QCOMPARE(file.write(text.data(), qint64(text.size())), qint64(text.size()));
}

QByteArray contentOf(const std::filesystem::path& path) {
  QFile file(QString::fromStdString(path.string()));
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

RunRecord numbered(int number) {
  RunRecord run = madeUpRun();
  run.problem.k = number;
  return run;
}

// Runs as a sweep makes them: neighbours differ little.
std::vector<RunRecord> sweep(Random& random, int count) {
  std::vector<RunRecord> runs;
  for (int i = 0; i < count; ++i) {
    RunRecord run = madeUpRun();
    run.stage = random.oneIn(2) ? "warptiled" : "naive";
    run.device = random.oneIn(8) ? "Another Device" : "Invented Device";
    run.problem.m = 1024 * random.integer(1, 3);
    run.tile[Parameter::BM] = 32 * random.integer(1, 4);
    run.gflops = {1000.0 + i, 999, 3000};
    if (random.oneIn(3)) run.achievedOccupancy.reset();
    if (random.oneIn(5)) run.throttled.clear();
    runs.push_back(run);
  }
  return runs;
}

std::multiset<std::string> lines(std::span<const RunRecord> runs) {
  std::multiset<std::string> all;
  for (const RunRecord& run : runs) all.insert(toLine(run));
  return all;
}

QString first(const RunFile& file) {
  return file.complaints.empty() ? QString() : QString::fromStdString(file.complaints[0]);
}

constexpr const char* kHeader = R"({"schema":"tileloom.runs/1","common":)";

}  // namespace

class RunStoreTest : public QObject {
  Q_OBJECT

 private slots:
  void defaultFileFollowsXdg() {
    qputenv("XDG_DATA_HOME", "/somewhere/data");
    QCOMPARE(defaultRunFile().string(), std::string("/somewhere/data/tileloom/runs.jsonl"));
    qputenv("HOME", "/somebody");
    for (const char* useless : {"", "relative"}) {
      qputenv("XDG_DATA_HOME", useless);
      QCOMPARE(defaultRunFile().string(),
               std::string("/somebody/.local/share/tileloom/runs.jsonl"));
    }
  }

  void missingFileIsEmpty() {
    const auto file = readRuns("/proc/no/such/folder/runs.jsonl");
    QVERIFY(file.has_value());
    QVERIFY(file->runs.empty() && file->complaints.empty());
  }

  void appendsAndReads() {
    const QTemporaryDir folder;
    const auto path = in(folder, "made/on/demand/runs.jsonl");
    QVERIFY(appendRun(path, numbered(1)).has_value());
    QVERIFY(appendRun(path, numbered(2)).has_value());
    const auto file = readRuns(path);
    QVERIFY(file.has_value() && file->complaints.empty());
    QCOMPARE(file->runs.size(), std::size_t(2));
    QVERIFY(file->runs[0] == numbered(1) && file->runs[1] == numbered(2));
  }

  void unreadableRunIsNotAppended() {
    const QTemporaryDir folder;
    const auto path = in(folder, "runs.jsonl");
    RunRecord run = madeUpRun();
    run.problem.m = 0;
    const auto done = appendRun(path, run);
    QVERIFY(!done && done.error().starts_with("this run cannot be kept: \"m\""));
    QVERIFY(!std::filesystem::exists(path));
    QVERIFY(!writeRuns(path, {&run, 1}).has_value());
  }

  void cutOffLineGetsANewline() {
    const QTemporaryDir folder;
    const auto path = in(folder, "runs.jsonl");
    const std::string line = toLine(numbered(1));
    write(path, line + "\n" + line.substr(0, 100));
    const auto before = readRuns(path);
    QCOMPARE(before->runs.size(), std::size_t(1));
    QVERIFY2(
        first(*before).startsWith("runs.jsonl, line 2: ") && first(*before).contains("cut off"),
        qPrintable(first(*before)));
    QVERIFY(appendRun(path, numbered(2)).has_value());
    const auto after = readRuns(path);
    QCOMPARE(after->runs.size(), std::size_t(2));
    QCOMPARE(after->broken, std::size_t(1));
    QVERIFY(after->runs[1] == numbered(2));
  }

  void severalProcessesShareAFile() {
    constexpr int kWriters = 2;
    constexpr int kLines = 500;
    const QTemporaryDir folder;
    const auto path = in(folder, "runs.jsonl");
    std::vector<pid_t> children;
    for (int writer = 0; writer < kWriters; ++writer) {
      const pid_t child = fork();
      if (child == 0) {
        bool good = true;
        for (int i = 0; i < kLines; ++i) {
          good = appendRun(path, numbered(1 + writer * kLines + i)).has_value() && good;
        }
        _exit(good ? 0 : 1);
      }
      QVERIFY(child > 0);
      children.push_back(child);
    }
    for (const pid_t child : children) {
      int status = -1;
      QCOMPARE(waitpid(child, &status, 0), child);
      QCOMPARE(status, 0);
    }
    const auto file = readRuns(path);
    QVERIFY2(file->complaints.empty(), qPrintable(first(*file)));
    std::set<int> seen;
    for (const RunRecord& run : file->runs) seen.insert(run.problem.k);
    QCOMPARE(int(file->runs.size()), kWriters * kLines);
    QCOMPARE(int(seen.size()), kWriters * kLines);
  }

  void brokenLinesAreSkipped() {
    const std::string good = toLine(numbered(7));
    const RunFile file =
        parseRuns("\xEF\xBB\xBF" + good + "\r\n\n  \nrubbish\n{}\n" + good +
                      "\n{\"schema\":\"tileloom.run/9\"}\n" + std::string(70000, 'x') + "\n" + good,
                  "sent.jsonl");
    QCOMPARE(file.runs.size(), std::size_t(3));
    for (const RunRecord& run : file.runs) QVERIFY(run == numbered(7));
    QCOMPARE(file.broken, std::size_t(4));
    const std::vector<std::string> expected = {
        "sent.jsonl, line 4: this is not a JSON object",
        "sent.jsonl, line 5: \"schema\" is missing",
        "sent.jsonl, line 7: this run is of schema tileloom.run/9, which this version does not "
        "know: update Tileloom",
        "sent.jsonl, line 8: this line is longer than 64 KiB"};
    QCOMPARE(file.complaints, expected);
  }

  void complaintsAreBounded() {
    std::string text;
    for (int i = 0; i < 5000; ++i) text += "x\n";
    const RunFile file = parseRuns(text, "x");
    QCOMPARE(file.broken, std::size_t(5000));
    QCOMPARE(file.complaints.size(), std::size_t(101));
    QCOMPARE(file.complaints.back(), std::string("x: 4900 more broken lines"));
  }

  void commonFieldsFillIn() {
    auto rest = toJson(madeUpRun());
    nlohmann::ordered_json own;
    for (const char* key : {"stage", "gflops"}) {
      own[key] = rest[key];
      rest.erase(key);
    }
    const RunFile file = parseRuns(
        kHeader + rest.dump() + "}\n" + own.dump() + "\n{\"m\":5," + own.dump().substr(1), "c");
    QVERIFY2(file.complaints.empty(), qPrintable(first(file)));
    QCOMPARE(file.runs.size(), std::size_t(2));
    QVERIFY(file.runs[0] == madeUpRun());
    QCOMPARE(file.runs[1].problem.m, 5);
  }

  // Runs must not be filled in from the common line before a broken one: those fields are of other
  // runs.
  void brokenCommonLineIsNotPassedOver() {
    const std::string common = kHeader + toJson(madeUpRun()).dump() + "}\n";
    QCOMPARE(parseRuns(common + "{}\n", "c").runs.size(), std::size_t(1));
    for (const std::string& broken :
         {common.substr(0, 200) + "\n", std::string(kHeader) + "7}\n", "x" + common,
          std::string("{\"schema\":\"tileloom.runs/2\",\"common\":{}}\n"),
          std::string("{\"schema\":\"tileloom.runs/2\",\"commons\":{}}\n"),
          std::string(70000, 'x') + "\n"}) {
      const RunFile file = parseRuns(common + broken + "{}\n{\"m\":3}\n", "c");
      QVERIFY2(file.runs.empty(), broken.substr(0, 100).c_str());
      QCOMPARE(file.broken, std::size_t(3));
    }
  }

  void compactFileHoldsTheSameRuns() {
    Random random(seed());
    const QTemporaryDir folder;
    const auto path = in(folder, "out.jsonl");
    for (const int count : {0, 1, 2, 3, 10, 200}) {
      const std::vector<RunRecord> runs = sweep(random, count);
      const auto done = writeRuns(path, runs);
      QVERIFY2(done.has_value(), done ? "" : done.error().c_str());
      const auto again = readRuns(path);
      QVERIFY(again.has_value());
      QVERIFY2(again->complaints.empty(), qPrintable(first(*again)));
      QCOMPARE(lines(again->runs), lines(runs));
      const auto order = [](const RunRecord& r) {
        return std::tuple(r.device, r.stage, r.problem.m, r.problem.n, r.problem.k);
      };
      QVERIFY(std::ranges::is_sorted(again->runs, {}, order));
      // Again, without a change.
      QCOMPARE(compactText(again->runs), contentOf(path).toStdString());
    }
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden), QStringList("out.jsonl"));
  }

  void compactFileIsCompact() {
    Random random(seed());
    const std::vector<RunRecord> runs = sweep(random, 300);
    std::size_t plain = 0;
    for (const RunRecord& run : runs) plain += toLine(run).size() + 1;
    const std::size_t compact = compactText(runs).size();
    QVERIFY2(compact * 4 < plain, qPrintable(QString("%1 of %2").arg(compact).arg(plain)));
  }

  void manyDifferentRunsTakeNoLongTime() {
    std::vector<RunRecord> runs;
    for (int i = 0; i < 5000; ++i) runs.push_back(numbered(1 + i));
    QElapsedTimer timer;
    timer.start();
    const std::string text = compactText(runs);
    qInfo("compacting 5000 runs took %lld ms", timer.restart());
    QCOMPARE(parseRuns(text, "x").runs.size(), runs.size());
    qInfo("parsing them took %lld ms (%zu KB)", timer.elapsed(), text.size() / 1000);
  }

  void writeReplacesTheFile() {
    const QTemporaryDir folder;
    const auto path = in(folder, "out.jsonl");
    write(path, std::string(100000, 'x'));
    std::filesystem::permissions(
        path, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
    std::filesystem::create_symlink(path, in(folder, "link.jsonl"));
    const RunRecord run = madeUpRun();
    QVERIFY(writeRuns(in(folder, "link.jsonl"), {&run, 1}).has_value());
    QVERIFY(std::filesystem::is_symlink(in(folder, "link.jsonl")));
    QCOMPARE(readRuns(path)->runs.size(), std::size_t(1));
    QCOMPARE(int(std::filesystem::status(path).permissions()), 0600);
  }

  void placesThatCannotBe() {
    const QTemporaryDir folder;
    const auto here = std::filesystem::path(folder.path().toStdString());
    const auto file = in(folder, "file");
    write(file, "x");
    const RunRecord run = madeUpRun();
    for (const auto& [place, done] :
         {std::pair{here, appendRun(here, run)},
          {file / "under.jsonl", appendRun(file / "under.jsonl", run)},
          {here, writeRuns(here, {&run, 1})},
          {here / "none" / "x", writeRuns(here / "none" / "x", {&run, 1})},
          {here, readRuns(here).map([](const RunFile&) {})},
          {std::filesystem::path("/dev/full"), writeRuns("/dev/full", {&run, 1})}}) {
      QVERIFY2(!done.has_value(), place.c_str());
      QVERIFY2(done.error().find(place.string()) != std::string::npos, done.error().c_str());
      QVERIFY2(done.error().find('\n') == std::string::npos, done.error().c_str());
    }
    QCOMPARE(contentOf(file), QByteArray("x"));
    QVERIFY(std::filesystem::is_character_file("/dev/full"));
  }

  void anEndlessFileIsRefused() {
    const auto file = readRuns("/dev/zero");
    QVERIFY(!file && file.error().find("a device and not a regular file") != std::string::npos);
  }

  void aDeviceIsNoHistory() {
    if (!QFile::exists("/dev/full")) QSKIP("this system has no /dev/full");
    const auto done = appendRun("/dev/full", madeUpRun());
    QVERIFY(!done.has_value());
    QCOMPARE(done.error(), std::string("cannot add to \"/dev/full\" (it is a device and not a "
                                       "regular file): choose another file"));
  }

  void noPermission() {
    if (geteuid() == 0) QSKIP("root may write everywhere");
    const QTemporaryDir folder;
    const auto path = in(folder, "runs.jsonl");
    write(path, "x");
    std::filesystem::permissions(path, std::filesystem::perms::none);
    const auto appended = appendRun(path, madeUpRun());
    QVERIFY(!appended && appended.error().find("Permission denied") != std::string::npos);
    const auto read = readRuns(path);
    QVERIFY(!read && read.error().find("Permission denied") != std::string::npos);
  }

  void mutatedTexts() {
    Random random(seed());
    const std::string whole = compactText(sweep(random, 12));
    for (int round = 0; round < 500; ++round) {
      std::string text = whole;
      for (int change = random.integer(1, 6); change > 0; --change) {
        const auto at = std::size_t(random.integer(0, int(text.size()) - 1));
        text[at] = random.oneIn(4) ? '\n' : static_cast<char>(random.integer(0, 255));
      }
      const RunFile file = parseRuns(text, "x");
      QCOMPARE(lines(parseRuns(compactText(file.runs), "y").runs), lines(file.runs));
    }
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::RunStoreTest, EventLoop)
#include "run_store_test.moc"
