// SPDX-License-Identifier: GPL-3.0-or-later
// All files that the program writes, on a full disk: existing files stay unchanged, and a sentence
// and the exit status report it.
#include <QDirIterator>

#include "app/window/common/settings.h"
#include "tests/app/open_window.h"
#include "tests/app/program.h"
#include "tests/app/surroundings.h"
#include "tests/support/runs.h"
#include "tests/support/small_disk.h"
#include "tests/support/test_class.h"

namespace tileloom {

using test::OpenWindow;
using test::Said;
using test::SmallDisk;
using test::Surroundings;

class FullDiskTest : public QObject {
  Q_OBJECT

  std::unique_ptr<Surroundings> m_around;

  static QMap<QString, QByteArray> contents(const QString& folder) {
    QMap<QString, QByteArray> all;
    QDirIterator files(folder, QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
    while (files.hasNext()) {
      const QString file = files.next();
      if (!file.endsWith("rest-of-the-disk")) all[file] = Surroundings::read(file);
    }
    return all;
  }

 private slots:
  void init() {
    m_around = std::make_unique<Surroundings>();
    m_around->fakeGpu("jitter=0,polls=0");
    qputenv("TILELOOM_CACHE", m_around->path("kernels").toUtf8());
  }

  // DISK is the full disk, GOOD a file of runs elsewhere. Each command is run once with room, so
  // that there is something to lose, and then without.
  void commands_data() {
    QTest::addColumn<QString>("command");
    QTest::addColumn<bool>(
        "remark");  // reported as a remark: the command has done the rest of its work
    const auto row = [](const char* name, const char* command, bool remark = false) {
      QTest::newRow(name) << QString(command) << remark;
    };
    row("PNG", "render loom --stage naive --size 64 --width 300 --height 200 --out DISK/x.png");
    row("SVG", "render loom --stage naive --size 64 --width 300 --height 200 --out DISK/x.svg");
    row("PDF", "render loom --stage naive --size 64 --width 300 --height 200 --out DISK/x.pdf");
    row("trace as JSON", "trace naive --size 64 --json --out DISK/x.json");
    row("cubin", "compile naive --cubin DISK/x.cubin");
    row("listing", "sass naive --recorded --out DISK/x.txt");
    row("listing as JSON", "sass naive --recorded --json --out DISK/x.json");
    row("counters as text", "fidelity --from GOOD --out DISK/x.md");
    row("counters", "fidelity --from GOOD --record DISK/x.jsonl --out OTHER");
    row("export", "runs export --recorded --stage naive DISK/x.jsonl");
    row("import", "runs import --file DISK/x.jsonl MANY");
    row("journal", "tune naive --size 64 --budget 3 --restart --out DISK/x.jsonl");
    row("kept run", "run naive --size 64 --seconds 1", true);
  }
  void commands() {
    QFETCH(QString, command);
    QFETCH(bool, remark);
    SmallDisk disk(3000);
    if (!disk.ok()) QSKIP(SmallDisk::kSkipped);
    const QString good = m_around->path("good.jsonl"), many = m_around->path("many.jsonl");
    runs::RunRecord run = test::madeUpRun();
    QByteArray lines;
    for (int i = 0; i < 200; ++i) {
      run.registers = i;
      lines += QByteArray::fromStdString(toLine(run)) + '\n';
      if (i == 0) QVERIFY(Surroundings::write(good, lines));
    }
    QVERIFY(Surroundings::write(many, lines));
    if (remark) qputenv("XDG_DATA_HOME", disk.path("data").toUtf8());
    QStringList arguments = command.split(' ');
    arguments.replaceInStrings("DISK", disk.path());
    arguments.replaceInStrings("GOOD", good);
    arguments.replaceInStrings("MANY", many);
    arguments.replaceInStrings("OTHER", m_around->path("other"));
    QStringList first = arguments;
    if (command.startsWith("runs import")) first.last() = good;
    const Said before = test::runTileloom(first);
    if (before.status != 0 && before.err.contains("NVRTC")) QSKIP("NOT TESTED: no compiler here");
    QVERIFY2(before.status == 0, before.err.constData());
    const auto old = contents(disk.path());
    QVERIFY(!old.isEmpty());
    for (const int pagesLeft : {0, 1}) {
      disk.makeRoom();
      QVERIFY(disk.fill(pagesLeft));
      const Said said = test::runTileloom(arguments);
      const auto now = contents(disk.path());
      if (said.status == 0 && !remark) {
        // There was room after all: every file is whole, none empty.
        for (const QByteArray& text : now) QVERIFY(!text.isEmpty());
        QVERIFY(pagesLeft > 0);
        continue;
      }
      if (remark && said.err.isEmpty()) {
        // The line went into what was left of a page.
        QVERIFY(now != old);
        continue;
      }
      QVERIFY2(said.err.contains("room") || said.err.contains("No space"), said.err.constData());
      QVERIFY2(!said.err.contains("Unknown error"), said.err.constData());
      if (!remark) QVERIFY2(test::isOneSentence(said.err), said.err.constData());
      // Files written line by line may have grown by whole lines; all others are unchanged.
      for (auto file = old.begin(); file != old.end(); ++file) {
        QVERIFY2(now.value(file.key()).startsWith(file.value()) ||
                     (command.contains("--restart") && now.values().contains(file.value())),
                 qPrintable(file.key()));
        if (!command.startsWith("runs import") && !command.startsWith("tune") && !remark)
          QCOMPARE(now.value(file.key()), file.value());
        if (command.startsWith("runs import")) QVERIFY(now.value(file.key()).endsWith('\n'));
      }
    }
  }

  void animations_data() {
    QTest::addColumn<QString>("out");
    for (const char* out : {"frames", "x.mp4", "x.gif"}) QTest::newRow(out) << QString(out);
  }
  void animations() {
    QFETCH(QString, out);
    SmallDisk disk(300);
    if (!disk.ok()) QSKIP(SmallDisk::kSkipped);
    const QStringList arguments{"render", "animation", "--stage", "naive",       "--size",
                                "64",     "--width",   "300",     "--height",    "200",
                                "--to",   "30",        "--out",   disk.path(out)};
    const Said before = test::runTileloom(arguments);
    if (before.status != 0 && before.err.contains("ffmpeg")) QSKIP("NOT TESTED: no ffmpeg here");
    QVERIFY2(before.status == 0, before.err.constData());
    const auto whole = contents(disk.path());
    for (const int pagesLeft : {0, 1, 2, 5, 10}) {
      for (const QString& old : contents(disk.path()).keys()) QVERIFY(QFile::remove(old));
      QDir(disk.path(out)).removeRecursively();
      disk.makeRoom();
      QVERIFY(disk.fill(pagesLeft));
      const Said said = test::runTileloom(arguments);
      if (said.status == 0) {
        QCOMPARE(contents(disk.path()), whole);
      } else {
        // After the length of an animation, which is printed before it is written.
        const QByteArray last = said.err.mid(said.err.trimmed().lastIndexOf('\n') + 1);
        QVERIFY2(test::isOneSentence(last), said.err.constData());
        QVERIFY2(contents(disk.path()).isEmpty(), said.err.constData());
      }
      QVERIFY(said.status != 0 || pagesLeft > 0);
    }
  }

  void sessionsAndSettings() {
    SmallDisk disk(64);
    if (!disk.ok()) QSKIP(SmallDisk::kSkipped);
    qputenv("XDG_CONFIG_HOME", disk.path("config").toUtf8());
    OpenWindow w;
    QVERIFY(w.ready());
    const QString file = disk.path("view.tileloom");
    QCOMPARE(w.window.sessions().save(file), QString());
    Settings().set("sight/theme", QString("light"));
    const auto old = contents(disk.path());
    QCOMPARE(old.size(), 2);
    QVERIFY(disk.fill());
    QVERIFY(w.pick(test::stage("warptiled")));
    const QString problem = w.window.sessions().save(file);
    QVERIFY2(problem.contains("No space left on device"), qPrintable(problem));
    Settings().set("sight/theme", QString("dark"));
    QCOMPARE(contents(disk.path()), old);
    disk.makeRoom();
    QCOMPARE(w.window.sessions().save(file), QString());
    QVERIFY(contents(disk.path()).value(file).contains("warptiled"));
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::FullDiskTest, Window)
#include "full_disk_test.moc"
