// SPDX-License-Identifier: GPL-3.0-or-later
// Every file that the program reads, with every kind of bad file: each time the program ends by
// itself, with at most one sentence, within a bounded amount of memory.
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <QtTest>

#include "tests/app/program.h"
#include "tests/app/surroundings.h"
#include "tests/support/random.h"
#include "tests/support/runs.h"
#include "tests/support/test_class.h"

namespace tileloom::test {

class OutsideFilesTest : public QObject {
  Q_OBJECT

  std::unique_ptr<Surroundings> m_around;

  // A command, the file that it reads, and whether a file without a line that can be used ends it.
  struct Reader {
    const char* name;
    const char* file;
    const char* command;  // FILE is replaced by the file
    bool refuses;
  };
  static constexpr Reader kReaders[] = {
      {"session", "view.tileloom", "FILE", true},
      {"session by option", "view", "--session FILE", true},
      {"runs to list", "given", "runs list --file FILE", false},
      {"runs to import", "given", "runs import FILE", true},
      {"history", "data/tileloom/runs.jsonl", "runs list", false},
      {"history to add to", "data/tileloom/runs.jsonl", "runs import GOOD", false},
      {"runs to fit", "given", "model fit --runs FILE --out OTHER", true},
      {"runs to judge causes by", "given", "model causes --runs FILE", true},
      {"history of an explanation", "data/tileloom/runs.jsonl", "why naive", false},
      {"journal", "given", "tune show FILE", true},
      {"journals", "given", "tune merge FILE", true},
      {"journal to go on in", "given", "tune naive --resume FILE", true},
      {"journal to begin in", "given", "tune naive --size 64 --out FILE", true},
      {"rates", "data/tileloom/rates.jsonl", "predict naive", true},
      {"ceilings", "data/tileloom/ceilings.jsonl", "roofline naive", false},
      {"counters", "given", "fidelity --from FILE", true},
      {"text to add to", "given", "fidelity --from GOOD --out FILE", false},
      {"best tiles", "data/tileloom/best.jsonl", "run naive --size 64 --seconds 1", false},
  };

  static bool make(const QString& kind, const QString& path) {
    const QByteArray name = path.toLocal8Bit();
    if (!QDir().mkpath(QFileInfo(path).path())) return false;
    if (kind == "folder") return QDir().mkpath(path);
    if (kind == "pipe") return ::mkfifo(name.constData(), 0600) == 0;
    if (kind == "device") return ::symlink("/dev/zero", name.constData()) == 0;
    if (kind == "nested") {
      constexpr int kDeep = 100'000;
      return Surroundings::write(
          path, "{\"schema\":" + QByteArray(kDeep, '[') + QByteArray(kDeep, ']') + ",\"b\":1}\n");
    }
    if (kind == "nested without end")
      return Surroundings::write(path, QByteArray(1'000'000, '[') + '\n');
    if (kind == "no UTF-8")
      return Surroundings::write(path, "{\"schema\":\"\xff\xfe\xc0\x80\x1b[31m\"}\n\xed\xa0\x80\n");
    if (kind == "many keys") {
      QByteArray line = "{";
      for (int i = 0; i < 95'000; ++i) line += "\"key" + QByteArray::number(i) + "\":0,";
      return Surroundings::write(path, line + "\"z\":0}\n");
    }
    // A line of 200 MB in a sparse file.
    return Surroundings::write(path, "{\"a\":\"") && QFile::resize(path, 200'000'000);
  }

 private slots:
  void init() {
    m_around = std::make_unique<Surroundings>();
    m_around->fakeGpu("jitter=0,polls=0");
  }

  void everyReader_data() {
    QTest::addColumn<int>("reader");
    QTest::addColumn<QString>("kind");
    for (int r = 0; r < int(std::size(kReaders)); ++r) {
      for (const char* kind : {"folder", "pipe", "device", "nested", "nested without end",
                               "no UTF-8", "many keys", "a long line"}) {
        if (briefly() && (r + kind[0]) % 3 != 0) continue;
        QTest::addRow("%s: %s", kReaders[r].name, kind) << r << QString(kind);
      }
    }
  }
  void everyReader() {
    QFETCH(int, reader);
    QFETCH(QString, kind);
    const Reader& r = kReaders[reader];
    const QString path = m_around->path(r.file);
    QVERIFY(make(kind, path));
    const QString good = m_around->path("good.jsonl");
    const runs::RunRecord run = madeUpRun();
    QVERIFY(Surroundings::write(good, QByteArray::fromStdString(toLine(run)) + '\n'));
    QStringList arguments = QString(r.command).split(' ');
    arguments.replaceInStrings("FILE", path);
    arguments.replaceInStrings("GOOD", good);
    arguments.replaceInStrings("OTHER", m_around->path("other"));
    const Said said = runTileloom(arguments);
    QVERIFY2(said.status >= 0 && said.status <= 3, said.err.left(300).constData());
    if (r.refuses) QVERIFY(said.status != 0);
    if (said.status != 0) QVERIFY2(isOneSentence(said.err), said.err.left(600).constData());
    for (const QByteArray& line : said.err.split('\n'))
      QVERIFY2(line.size() < 600, line.left(700).constData());
    QVERIFY2(!said.err.contains("internal error"), said.err.left(300).constData());
    for (const char c : said.err + said.out)
      QVERIFY((static_cast<unsigned char>(c) >= 0x20 && c != 0x7f) || c == '\n' || c == '\t');
    rusage usage = {};
    QCOMPARE(::getrusage(RUSAGE_CHILDREN, &usage), 0);
    constexpr long kMostKb = 1'200'000;  // of the largest child; sanitizers take twice as much
    QVERIFY2(usage.ru_maxrss < kMostKb, qPrintable(QString::number(usage.ru_maxrss)));
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::OutsideFilesTest, EventLoop)
#include "outside_files_test.moc"
