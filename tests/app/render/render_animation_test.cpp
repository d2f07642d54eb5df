// SPDX-License-Identifier: GPL-3.0-or-later
// `tileloom render animation` as a user calls it.
#include <signal.h>

#include <QDir>
#include <QImage>
#include <QTemporaryDir>
#include <QtTest>

#include "tests/app/fake_ffmpeg.h"
#include "tests/app/program.h"
#include "tests/support/test_class.h"

namespace tileloom::test {

class RenderAnimationTest : public QObject {
  Q_OBJECT

  std::unique_ptr<QTemporaryDir> folder_;

  QString path(const QString& name) const { return folder_->filePath(name); }
  QStringList files() const {
    return QDir(folder_->path())
        .entryList(QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot);
  }
  // After what was said of its length.
  static QByteArray lastLine(const QByteArray& err) {
    return err.mid(err.trimmed().lastIndexOf('\n') + 1);
  }
  static QStringList words(const QString& line) { return line.split(' ', Qt::SkipEmptyParts); }

 private slots:
  void init() { folder_ = std::make_unique<QTemporaryDir>(); }

  void frames_data() {
    QTest::addColumn<QString>("line");
    QTest::addColumn<int>("count");
    QTest::addColumn<QSize>("size");
    const auto row = [](const char* line, int count, QSize size) {
      QTest::newRow(line) << line << count << size;
    };
    row("--stage 8 --width 200 --height 150", 120, {200, 150});
    row("--stage 8 --every dot --width 400 --height 300", 18, {400, 300});
    row("--stage 8 --view banks --warp 2 --every instruction --from 30 --to 34", 5, {1200, 420});
    row("--stage 8 --view banks --caption --width 640 --height 360 --every ktile", 1, {640, 360});
    row("--stage 8 --view window --every dot --from 40 --to 300 --width 1300 --height 800 "
        "--caption",
        3, {1300, 800});
    row("--stage T8 --view ring --caption --from 30 --to 60 --every instruction --width 900 "
        "--height 700",
        31, {900, 700});
    row("--stage T8 --view timeline --from 30 --to 40 --every instruction", 11, {1200, 460});
    row("--stage 8 --beside 5 --view path --caption --from 60 --to 60 --width 900 --height 800", 1,
        {900, 800});
    row("--stage 8 --beside 5 --caption --every dot --width 900 --height 700", 0, {900, 700});
    row("--stage 5 --scale 2 --width 300 --height 200 --theme light --from 60", 0, {600, 400});
  }
  void frames() {
    QFETCH(QString, line);
    QFETCH(int, count);
    QFETCH(QSize, size);
    const Said said =
        runTileloom(words("render animation " + line) + QStringList{"--out", path("film")});
    QVERIFY2(said.status == 0, said.err.constData());
    QCOMPARE(said.out, path("film").toUtf8() + '\n');
    const QStringList names = QDir(path("film")).entryList(QDir::Files, QDir::Name);
    if (count > 0) QCOMPARE(names.size(), count);
    // Its length was printed before.
    const QByteArray frames =
        names.size() == 1 ? "1 frame, " : QByteArray::number(names.size()) + " frames, ";
    QVERIFY2(said.err.startsWith("tileloom: " + frames) && said.err.count('\n') == 1,
             said.err.constData());
    QVERIFY(!names.isEmpty());
    QCOMPARE(names.first(), QString("frame_00000.png"));
    QImage before;
    for (const QString& name : names) {
      const QImage image(path("film/" + name));
      QCOMPARE(image.size(), size);
      QVERIFY(image != before);
      before = image;
    }
    QCOMPARE(files(), QStringList{"film"});
  }

  // A frame is the picture that `render` makes of the same instant.
  void framesArePictures() {
    for (const char* view : {"loom", "banks", "window"}) {
      const QStringList size = words("--width 1300 --height 800 --stage 8 --warp 1");
      const QString film = path(QString("film-") + view), one = path("one.png");
      QCOMPARE(runTileloom(words(QString("render animation --from 900 --to 900 --view ") + view) +
                           size + QStringList{"--out", film})
                   .status,
               0);
      QCOMPARE(runTileloom(words(QString("render %1 --step 900").arg(view)) + size +
                           QStringList{"--out", one})
                   .status,
               0);
      QVERIFY2(QImage(film + "/frame_00000.png") == QImage(one), view);
    }
  }

  void films() {
    const FakeFfmpeg ffmpeg(FakeFfmpeg::kSucceeds);
    const Said said =
        runTileloom(words("render animation --stage 8 --every dot --width 301 --height 201 "
                          "--fps 24 --out") +
                    QStringList{path("a.mp4")});
    QVERIFY2(said.status == 0, said.err.constData());
    QCOMPARE(QFileInfo(path("a.mp4")).size(), 18 * 302 * 202 * 4);
    QVERIFY(ffmpeg.log().contains("-framerate 24"));
    QCOMPARE(files(), QStringList{"a.mp4"});
  }

  void badInput_data() {
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("names");
    const auto row = [](const char* line, const char* names) {
      QTest::newRow(line) << line << names;
    };
    row("--view charts --out %/x", "\"charts\"");
    row("--view lume --out %/x", "loom, banks, path, fragments, timeline, ring, source or window");
    row("--from 20 --to 10 --out %/x", "--from 20");
    row("--from -1 --out %/x", "-1");
    row("--from first --out %/x", "\"first\"");
    row("--to 99999999 --out %/x", "99999999");
    row("--fps 0 --out %/x", "--fps");
    row("--fps 121 --out %/x", "120");
    row("--fps 60 --out %/x.gif", "50");
    row("--every second --out %/x", "instruction, k, ktile, even");
    row("--step 5 --out %/x", "--from");
    row("--move BK=8 --out %/x", "--move");
    row("--live 3 --out %/x", "--live");
    row("--out %/x.avi", ".mp4");
    row("--out %/x.png", "sequence of PNGs");
    row("--out %/no/such/x", "no/such/x");
    row("--out %/no/such/x.mp4", "no/such/x.mp4");
    row("--warp 9 --out %/x", "from 0 to 3");
    row("--caption --height 120 --out %/x", "height");
    row("", "--out");
  }
  void badInput() {
    QFETCH(QString, line);
    QFETCH(QString, names);
    const FakeFfmpeg ffmpeg(FakeFfmpeg::kSucceeds);
    QStringList arguments = words("render animation --stage 8 " + line);
    for (QString& word : arguments) word.replace('%', folder_->path());
    const Said said = runTileloom(arguments);
    QCOMPARE(said.status, 2);
    QVERIFY2(isOneSentence(said.err), said.err.constData());
    QVERIFY2(said.err.contains(names.toUtf8()), said.err.constData());
    QVERIFY(said.out.isEmpty());
    QCOMPARE(files(), QStringList());
  }

  void ffmpegThatFailsOrIsMissing() {
    for (const auto& [script, says] : {std::pair(FakeFfmpeg::kFails, "Unknown encoder libx999"),
                                       std::pair("", "is not installed")}) {
      const FakeFfmpeg ffmpeg(script);
      const Said said =
          runTileloom(words("render animation --stage 8 --out") + QStringList{path("a.mp4")});
      QCOMPARE(said.status, 2);
      const QByteArray last = lastLine(said.err);
      QVERIFY2(isOneSentence(last) && last.contains(says), said.err.constData());
      QCOMPARE(files(), QStringList());
    }
  }

  // Ctrl-C, or SIGTERM, removes what was begun.
  void interrupted_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("number");
    QTest::newRow("video") << "a.mp4" << SIGINT;
    QTest::newRow("folder") << "film" << SIGINT;
    QTest::newRow("killed") << "a.mp4" << SIGTERM;
  }
  void interrupted() {
    QFETCH(QString, name);
    QFETCH(int, number);
    const FakeFfmpeg ffmpeg(FakeFfmpeg::kHangs);
    QProcess process;
    process.start(TILELOOM_PROGRAM,
                  words("render animation --stage 8 --every instruction --width 1920 --height 1200 "
                        "--out") +
                      QStringList{path(name)});
    QVERIFY(QTest::qWaitFor([&] { return !files().isEmpty(); }, test::kPatience));
    QTest::qWait(100);
    QCOMPARE(process.state(), QProcess::Running);
    QCOMPARE(::kill(static_cast<pid_t>(process.processId()), number), 0);
    const Said said = collect(process);
    QCOMPARE(said.status, 130);
    const QByteArray last = lastLine(said.err);
    QVERIFY2(isOneSentence(last) && last.contains("cancelled"), said.err.constData());
    QCOMPARE(files(), QStringList());
  }

  void helpNamesTheOptions() {
    const Said said = runTileloom({"render", "--help"});
    for (const char* option : {"--view", "--from", "--to", "--every", "--fps", "--caption"})
      QVERIFY2(said.out.contains(option), option);
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::RenderAnimationTest, EventLoop)
#include "render_animation_test.moc"
