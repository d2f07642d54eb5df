// SPDX-License-Identifier: GPL-3.0-or-later
// A command that writes an animation comes to its end, however soon the writer does.
#include "app/export/write_animation.h"

#include <signal.h>

#include <QDir>
#include <QImage>
#include <QTemporaryDir>
#include <QtTest>

#include "tests/app/fake_ffmpeg.h"
#include "tests/app/program.h"
#include "tests/support/test_class.h"

namespace tileloom {

using test::FakeFfmpeg;

class WriteAnimationTest : public QObject {
  Q_OBJECT

  QTemporaryDir m_folder;

  QString path(const QString& name) const { return m_folder.filePath(name); }
  static AnimationSetup setup(AnimationFormat format, const QString& out) {
    AnimationSetup s;
    s.paint = [](std::uint32_t) {
      QImage image(64, 48, QImage::Format_RGB32);
      image.fill(Qt::white);
      return image;
    };
    s.indices = {0, 1, 2};
    s.target = {format, out};
    return s;
  }
  QStringList files() const {
    return QDir(m_folder.path())
        .entryList(QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot);
  }

 private slots:
  // The writer ends while it starts: nothing may wait for it then.
  void theFolderIsMissing_data() {
    QTest::addColumn<int>("format");
    QTest::addColumn<QString>("out");
    for (const AnimationFormat format :
         {AnimationFormat::Frames, AnimationFormat::Mp4, AnimationFormat::Gif}) {
      for (const QString& out : {QString("/proc/out.mp4"), path("no/such/out.mp4")})
        QTest::addRow("%d %s", int(format), qPrintable(out)) << int(format) << out;
    }
  }
  void theFolderIsMissing() {
    QFETCH(int, format);
    QFETCH(QString, out);
    const Interruptions interruptions;
    const QString why = writeAnimation(setup(AnimationFormat(format), out), interruptions);
    QVERIFY2(why.contains("cannot write") && why.contains("out.mp4"), qPrintable(why));
    QVERIFY(!interruptions.happened());
  }

  void itIsWritten() {
    const Interruptions interruptions;
    QCOMPARE(writeAnimation(setup(AnimationFormat::Frames, path("frames")), interruptions),
             QString());
    QCOMPARE(QDir(path("frames")).entryList(QDir::Files).size(), 3);
    QVERIFY(QDir(path("frames")).removeRecursively());
  }

  // A signal that came already, or comes while ffmpeg is at work, ends it.
  void interrupted_data() {
    QTest::addColumn<int>("number");
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) QTest::addRow("%d", number) << number;
  }
  void interrupted() {
    QFETCH(int, number);
    const FakeFfmpeg ffmpeg(FakeFfmpeg::kHangs);
    struct sigaction before = {}, after = {};
    QCOMPARE(::sigaction(number, nullptr, &before), 0);
    for (const int delay : {0, 200}) {
      const Interruptions interruptions;
      if (delay == 0) {
        ::raise(number);
      } else {
        QTimer::singleShot(delay, [number] { ::raise(number); });
      }
      const QString why = writeAnimation(setup(AnimationFormat::Mp4, path("a.mp4")), interruptions);
      QVERIFY2(why.contains("cancelled"), qPrintable(why));
      QVERIFY(interruptions.happened());
      QCOMPARE(files(), QStringList());
    }
    // Afterwards signals have their earlier effect.
    QCOMPARE(::sigaction(number, nullptr, &after), 0);
    QVERIFY(after.sa_handler == before.sa_handler);
  }

  // The film of a lecture leaves nothing behind either.
  void aLecturesFilmIsEnded() {
    const FakeFfmpeg ffmpeg(FakeFfmpeg::kHangs);
    QProcess process;
    process.start(TILELOOM_PROGRAM, {"lecture", "export", "bank-conflicts", "--steps", "1",
                                     "--size", "640x480", "--out", path("a.gif")});
    QVERIFY(QTest::qWaitFor([&] { return !files().isEmpty(); }, test::kPatience));
    QTest::qWait(100);
    QCOMPARE(process.state(), QProcess::Running);
    QCOMPARE(::kill(static_cast<pid_t>(process.processId()), SIGTERM), 0);
    const test::Said said = test::collect(process);
    QCOMPARE(said.status, kInterrupted);
    QVERIFY2(test::isOneSentence(said.err) && said.err.contains("cancelled"), said.err.constData());
    QCOMPARE(files(), QStringList());
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::WriteAnimationTest, Window)
#include "write_animation_test.moc"
