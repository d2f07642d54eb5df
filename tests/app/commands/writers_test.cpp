// SPDX-License-Identifier: GPL-3.0-or-later
// Every command that writes a file, where it cannot be written: the command reports it before it
// works, even if something else is missing, and keeps existing files.
#include <sys/stat.h>
#include <unistd.h>

#include <QtTest>

#include "tests/app/program.h"
#include "tests/app/surroundings.h"
#include "tests/support/random.h"
#include "tests/support/test_class.h"

namespace tileloom::test {

class WritersTest : public QObject {
  Q_OBJECT

  std::unique_ptr<Surroundings> m_around;

  // FILE is replaced by the file. There is neither a GPU nor a compiler: a command that looked for
  // them first would complain about them.
  static constexpr const char* kWriters[] = {
      "trace naive --size 64 --json FILE.json",
      "timeline naive --size 256 --out FILE.json",
      "timeline naive --size 256 --measure FILE.json",
      "compile naive --cubin FILE.cubin",
      "sass naive --recorded --out FILE.txt",
      "sass naive --recorded --json FILE.json",
      "stalls --record FILE.jsonl",
      "microcases --record FILE.json",
      "loop naive --measure --record FILE.jsonl",
      "fidelity --out FILE.md",
      "fidelity --json FILE.jsonl",
      "runs export --recorded FILE.jsonl",
      "render loom --stage naive --size 64 --out FILE.png",
      "render loom --stage naive --size 64 --out FILE.svg",
      "render window --stage naive --size 64 --out FILE.pdf",
      "render animation --stage naive --size 64 --out FILE.mp4",
      "render animation --stage naive --size 64 --out FILE.gif",
      "lecture export bank-conflicts --out FILE.pdf",
      "lecture export bank-conflicts --out FILE.html",
      "lecture export bank-conflicts --out FILE.mp4",
      "lecture export bank-conflicts --steps 1 --size 640x480 --out FILE.gif",
  };

  static Said say(const char* command, const QString& file) {
    QStringList words = QString(command).split(' ');
    words.replaceInStrings("FILE", file);
    return runTileloom(words);
  }

 private slots:
  void init() { m_around = std::make_unique<Surroundings>(); }

  void everyWriter_data() {
    QTest::addColumn<int>("writer");
    for (int i = 0; i < int(std::size(kWriters)); ++i) QTest::newRow(kWriters[i]) << i;
  }
  void everyWriter() {
    QFETCH(int, writer);
    const char* const command = kWriters[writer];
    const bool film = QByteArray(command).endsWith("mp4") || QByteArray(command).endsWith("gif");
    // A folder that is missing, one that is read-only, and a file instead of a folder.
    QVERIFY(Surroundings::write(m_around->path("plain"), "precious"));
    for (const QString& place :
         {m_around->path("no/such"), QString("/proc"), m_around->path("plain")}) {
      if (briefly() && place != "/proc") continue;
      const Said said = say(command, place + "/out");
      if (film && said.err.contains("needs ffmpeg")) QSKIP("NOT TESTED: no ffmpeg here");
      QCOMPARE(said.status, 2);
      QVERIFY2(isOneSentence(said.err) && said.err.contains("/out."), said.err.constData());
      QVERIFY2(said.out.isEmpty(), said.out.constData());
    }
    QCOMPARE(Surroundings::read(m_around->path("plain")), QByteArray("precious"));
  }

  // In a folder of mode 777 another user has put a link in the file's place.
  void throughALinkOfAnother_data() { everyWriter_data(); }
  void throughALinkOfAnother() {
    if (::geteuid() != 0) QSKIP("NOT TESTED: a link of another user needs root");
    QFETCH(int, writer);
    if (briefly() && writer % 4 != 0) return;
    const QString precious = m_around->path("precious");
    QVERIFY(Surroundings::write(precious, "precious"));
    const QString suffix = QFileInfo(QString(kWriters[writer]).split(' ').last()).suffix();
    const QByteArray link = (m_around->path("out.") + suffix).toLocal8Bit();
    constexpr uid_t kOther = 65534;
    QCOMPARE(::symlink(precious.toLocal8Bit().constData(), link.constData()), 0);
    QCOMPARE(::lchown(link.constData(), kOther, kOther), 0);
    const Said said = say(kWriters[writer], m_around->path("out"));
    if (said.err.contains("needs ffmpeg")) QSKIP("NOT TESTED: no ffmpeg here");
    QCOMPARE(said.status, 2);
    QVERIFY2(isOneSentence(said.err) && said.err.contains("another user"), said.err.constData());
    QCOMPARE(Surroundings::read(precious), QByteArray("precious"));
  }

  // The bytes of a name are kept, or refused: Qt cannot name a file whose name is not UTF-8.
  void namesThatAreNoUtf8_data() { everyWriter_data(); }
  void namesThatAreNoUtf8() {
    QFETCH(int, writer);
    const QString command = kWriters[writer];
    const bool works = command.startsWith("trace") || command.contains("--recorded") ||
                       command.startsWith("render") || command.startsWith("lecture");
    if (!works || (briefly() && writer % 3 != 0)) return;
    QStringList words = command.split(' ');
    const QString suffix = QFileInfo(words.takeLast()).suffix();
    // The file that would be written instead.
    const QString other = m_around->path(QString(QChar(0xfffd)) + "." + suffix);
    QVERIFY(Surroundings::write(other, "precious"));
    QProcess process;
    process.setWorkingDirectory(m_around->path(""));
    process.start("/bin/sh", QStringList{"-c",
                                         "name=$(printf '\\377.%s' \"$1\"); shift; "
                                         "exec \"$@\" \"$name\"",
                                         "sh", suffix, TILELOOM_PROGRAM} +
                                 words);
    const Said said = collect(process);
    QCOMPARE(Surroundings::read(other), QByteArray("precious"));
    const QByteArray name = "\xff." + suffix.toLatin1();
    struct stat info = {};
    const QByteArray file = m_around->path("").toLocal8Bit() + "/" + name;
    if (said.status == 0) {
      QCOMPARE(::stat(file.constData(), &info), 0);
      QVERIFY(info.st_size > 0);
    } else {
      QCOMPARE(said.status, 2);
      QVERIFY2(isOneSentence(said.err) && said.err.contains("UTF-8"), said.err.constData());
    }
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::WritersTest, EventLoop)
#include "writers_test.moc"
