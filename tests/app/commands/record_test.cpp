// SPDX-License-Identifier: GPL-3.0-or-later
// `tileloom record` as a user calls it: what it measures, where it continues, and what it keeps.
#include <QtTest>
#include <algorithm>

#include "kernels/runs/run_store.h"
#include "tests/app/program.h"
#include "tests/app/surroundings.h"
#include "tests/support/runs.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::test {

using runs::RunRecord;

class RecordTest : public QObject {
  Q_OBJECT

  std::unique_ptr<Surroundings> m_around;

  QString file() const { return m_around->path("recorded.jsonl"); }
  std::vector<RunRecord> runs() const {
    const auto read = runs::readRuns(file().toStdString());
    return read && read->complaints.empty() ? read->runs : std::vector<RunRecord>{};
  }
  Said record(const QString& more = {}) const {
    return runTileloom(QStringList{"record", file()} + more.split(' ', Qt::SkipEmptyParts));
  }
  // One small size: the ladder's runs and `tiles` of each rung, the default one among them.
  Said recordSmall(int tiles, const QString& more = {}) const {
    return record(
        QString("--sizes 64 --tile-sizes 64 --tiles %1 --limit 2 %2").arg(tiles).arg(more));
  }

 private slots:
  void init() { m_around = std::make_unique<Surroundings>(); }

  void withoutAGpu() {
    const Said said = record("--tiles 3");
    QCOMPARE(said.status, 3);
    QVERIFY2(isOneSentence(said.err), said.err.constData());
    QVERIFY(said.out.isEmpty());
    QVERIFY(!QFile::exists(file()));
  }

  void theLadderAndASpread() {
    m_around->fakeGpu("jitter=0");
    const Said said = recordSmall(3);
    QVERIFY2(said.status == 0 && said.err.isEmpty(), said.err.constData());
    const std::size_t expected = 3 * stages().size();
    const QByteArray count = QByteArray::number(qulonglong(expected));
    QVERIFY2(said.out.startsWith(count +
                                 " runs measured, 0 were there already, 0 would take too "
                                 "long, 0 failed, 0 of " +
                                 count + " left"),
             said.out.constData());
    const auto all = runs();
    QCOMPARE(all.size(), expected);
    for (const Stage& s : stages()) {
      std::vector<TileShape> tiles;
      for (const RunRecord& run : all) {
        if (run.stage != s.id) continue;
        QVERIFY(run.gflops.known() && run.ratio.known() && run.rounds >= 5);
        QVERIFY((run.problem == Problem{64, 64, 64}));
        QVERIFY(std::ranges::find(tiles, run.tile) == tiles.end());
        tiles.push_back(run.tile);
      }
      QCOMPARE(tiles.size(), std::size_t{3});
      QVERIFY(std::ranges::find(tiles, s.standardTile()) != tiles.end());
    }
    QVERIFY(!QFile::exists(m_around->history()));  // that is another file
  }

  void itGoesOnWhereItStopped() {
    m_around->fakeGpu("jitter=0");
    QCOMPARE(recordSmall(1).status, 0);
    const auto first = runs();
    QCOMPARE(first.size(), stages().size());
    const QByteArray rungs = QByteArray::number(qulonglong(stages().size()));
    QVERIFY(recordSmall(1).out.startsWith("0 runs measured, " + rungs + " were there already"));
    QVERIFY(runs() == first);
    const Said more = recordSmall(2);
    QVERIFY2(more.out.startsWith(rungs + " runs measured, " + rungs + " were there already"),
             more.out.constData());
    const auto second = runs();
    QCOMPARE(second.size(), 2 * stages().size());
    for (const RunRecord& run : first) QCOMPARE(std::ranges::count(second, run), std::ptrdiff_t{1});
    // Another device.
    m_around->fakeGpu("jitter=0,name=Fake B200,arch=100");
    QVERIFY(recordSmall(1).out.startsWith(rungs + " runs measured, 0 were there already"));
    QCOMPARE(runs().size(), 3 * stages().size());
  }

  void noisyRunsAgain() {
    m_around->fakeGpu("jitter=0");
    QCOMPARE(recordSmall(1).status, 0);
    std::vector<RunRecord> all = runs();
    const RunRecord calm = all[1];
    RunRecord& noisy = all[0];
    noisy.gflops.low = 0.5 * noisy.gflops.median;
    QVERIFY(noisy.noisy());
    RunRecord elsewhere = noisy;  // not of this GPU, so it is not measured again
    elsewhere.device = "NVIDIA of another day";
    QVERIFY(
        Surroundings::write(file(), QByteArray::fromStdString(toLine(noisy) + "\n" + toLine(calm) +
                                                              "\n" + toLine(elsewhere) + "\n")));
    const Said said = record("--noisy --limit 2");
    QVERIFY2(said.status == 0 && said.out.startsWith("1 runs measured, 0 were there already"),
             (said.out + said.err).constData());
    const auto now = runs();
    QCOMPARE(now.size(), std::size_t{3});
    QCOMPARE(std::ranges::count(now, calm), std::ptrdiff_t{1});
    QCOMPARE(std::ranges::count(now, elsewhere), std::ptrdiff_t{1});
    const auto again = std::ranges::find_if(now, [&](const RunRecord& r) {
      return r.stage == noisy.stage && r.device == noisy.device;
    });
    QVERIFY(again != now.end() && !again->noisy() && again->rounds >= 25);
    QVERIFY(record("--noisy --limit 2").out.startsWith("0 runs measured"));
  }

  // A stage whose source has changed since is measured again, and the new run replaces the old one.
  void runsOfOlderSourcesAreRenewed() {
    m_around->fakeGpu("jitter=0");
    QCOMPARE(recordSmall(1).status, 0);
    std::vector<RunRecord> all = runs();
    RunRecord elsewhere = all[0];  // at a size that is not requested now
    all[0].fingerprint = elsewhere.fingerprint = "0123456789abcdef";
    elsewhere.problem = {96, 96, 96};
    all.push_back(elsewhere);
    QByteArray text;
    for (const RunRecord& run : all) text += QByteArray::fromStdString(toLine(run)) + "\n";
    QVERIFY(Surroundings::write(file(), text));
    const Said said = recordSmall(1);
    QCOMPARE(said.status, 0);
    const QByteArray others = QByteArray::number(qulonglong(stages().size() - 1));
    QVERIFY2(said.out.startsWith("1 runs measured, " + others + " were there already"),
             said.out.constData());
    QVERIFY2(said.err.contains("1 runs of older sources were measured again") &&
                 said.err.contains("1 runs of older sources are still in the file"),
             said.err.constData());
    const auto now = runs();
    QCOMPARE(now.size(), all.size());
    QCOMPARE(std::ranges::count(now, all[0]), std::ptrdiff_t{0});
    QCOMPARE(std::ranges::count(now, elsewhere), std::ptrdiff_t{1});
  }

  // A line that cannot be read would be lost when the file is rewritten.
  void aBrokenLineIsNotLost() {
    m_around->fakeGpu("jitter=0");
    const QByteArray text = QByteArray::fromStdString(toLine(madeUpRun())) +
                            "\n{\"schema\":\"tileloom.run/1\", cut o\n";
    QVERIFY(Surroundings::write(file(), text));
    const Said said = recordSmall(1);
    QCOMPARE(said.status, 2);
    QVERIFY2(isOneSentence(said.err) && said.err.contains("recorded.jsonl, line 2: "),
             said.err.constData());
    QFile kept(file());
    QVERIFY(kept.open(QIODevice::ReadOnly));
    QCOMPARE(kept.readAll(), text);
  }

  // Lines of other programs in the file.
  void whatIsThereIsKept() {
    m_around->fakeGpu("jitter=0");
    RunRecord foreign = madeUpRun();
    foreign.stage = "rung of another day";
    QVERIFY(Surroundings::write(file(), QByteArray::fromStdString(toLine(foreign)) + "\n"));
    QCOMPARE(recordSmall(1).status, 0);
    const auto read = runs::readRuns(file().toStdString());
    QVERIFY(read.has_value());
    QCOMPARE(read->runs.size(), 1 + stages().size());
    QCOMPARE(std::ranges::count(read->runs, foreign), std::ptrdiff_t{1});
  }

  void aTileThatFails() {
    m_around->fakeGpu("jitter=0,only=shared,wrong=0");
    const Said said = recordSmall(2);
    const std::size_t all = 2 * stages().size();
    QVERIFY2(said.out.startsWith(QByteArray::number(qulonglong(all - 2)) +
                                 " runs measured, 0 were there already, 0 would take too long, "
                                 "2 failed, 0 of " +
                                 QByteArray::number(qulonglong(all)) + " left"),
             said.out.constData());
    QCOMPARE(said.err.count('\n'), 2);
    QCOMPARE(said.err.count("tileloom: shared with BLOCKSIZE="), 2);
    QCOMPARE(runs().size(), all - 2);
    for (const RunRecord& run : runs()) QVERIFY(run.stage != "shared");
  }

  void theGpuIsLost_data() {
    QTest::addColumn<QByteArray>("behaviour");
    QTest::newRow("illegal address") << QByteArray("illegal-address");
    QTest::newRow("hangs") << QByteArray("hang=launch");
  }
  void theGpuIsLost() {
    QFETCH(QByteArray, behaviour);
    m_around->fakeGpu("jitter=0,only=blocktile1d," + behaviour);
    const Said said = recordSmall(1);
    QCOMPARE(said.status, 3);
    QVERIFY2(isOneSentence(said.err) && said.err.contains("blocktile1d"), said.err.constData());
    QCOMPARE(runs().size(), std::size_t{3});  // the earlier runs
    m_around->fakeGpu("jitter=0");
    QVERIFY(recordSmall(1).out.startsWith(QByteArray::number(qulonglong(stages().size() - 3)) +
                                          " runs measured, 3 were there already"));
  }

  void wrong_data() {
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("names");
    const auto row = [](const char* line, const char* names) {
      QTest::newRow(line) << QString(line) << QString(names);
    };
    row("record", "FILE");
    row("record % --sizes 0", "1 to 32768");
    row("record % --sizes 64,big", "\"big\"");
    row("record % --tile-sizes 1x2", "\"1x2\"");
    row("record % --tiles -1", "-1");
    row("record % --tiles many", "\"many\"");
    row("record % --minutes 0", "--minutes");
    row("record % --minutes soon", "\"soon\"");
    row("record % --limit 0", "--limit");
    row("record % --device x", "\"x\"");
    row("record % --no-cache", "--no-cache");
    row("record % naive", "\"naive\"");
    row("record /", "\"/\"");
    row("record /proc/no/such/folder/x --sizes 64 --tiles 0", "/proc/no/such/folder/x");
  }
  void wrong() {
    QFETCH(QString, line);
    QFETCH(QString, names);
    m_around->fakeGpu("jitter=0");
    line.replace('%', file());
    const Said said = runTileloom(line.split(' '));
    QCOMPARE(said.status, 2);
    QVERIFY2(isOneSentence(said.err), said.err.constData());
    QVERIFY2(said.err.contains(names.toUtf8()), said.err.constData());
    QVERIFY2(said.out.isEmpty(), said.out.constData());
  }

  // Nine minutes of measuring must not end in "cannot write". Here the first launch would end the
  // process.
  void aFileThatCannotBeWritten() {
    m_around->fakeGpu("abort=launch");
    const Said said =
        runTileloom({"record", "/proc/no/such/folder/x", "--sizes", "64", "--tiles", "0"});
    QCOMPARE(said.status, 2);
    QVERIFY2(isOneSentence(said.err), said.err.constData());
  }

  void theOrderOfWordsIsFree() {
    m_around->fakeGpu("jitter=0");
    const Said said = runTileloom({"record", "--sizes", "64", file(), "--tiles", "0"});
    QEXPECT_FAIL("", "--sizes takes the words after it for sizes", Abort);
    QVERIFY2(said.status == 0, said.err.constData());
  }

  void help() {
    const Said said = runTileloom({"record", "--help"});
    QCOMPARE(said.status, 0);
    for (const char* option :
         {"FILE", "--sizes", "--tile-sizes", "--tiles", "--minutes", "--device", "--limit"})
      QVERIFY2(said.out.contains(option), option);
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::RecordTest, EventLoop)
#include "record_test.moc"
