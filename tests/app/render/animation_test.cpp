// SPDX-License-Identifier: GPL-3.0-or-later
// Which instants become frames, and what the writer leaves: the whole animation or nothing.
#include "app/export/animation.h"

#include <QSignalSpy>
#include <QtTest>

#include "app/pages/banks/banks_picture.h"
#include "app/pages/loom/loom_picture.h"
#include "app/window/application.h"
#include "tests/app/fake_ffmpeg.h"
#include "tests/support/recorded.h"
#include "tests/support/test_class.h"

namespace tileloom {

using test::FakeFfmpeg;

class AnimationTest : public QObject {
  Q_OBJECT

  const test::RecordingPointer recording_ = test::recorded({.stage = "warptiled"});
  std::unique_ptr<QTemporaryDir> folder_;

  QString path(const QString& name) const { return folder_->filePath(name); }
  QStringList files() const {
    return QDir(folder_->path())
        .entryList(QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot);
  }
  static QByteArray contents(const QString& file) {
    QFile f(file);
    return f.open(QIODevice::ReadOnly) ? f.readAll() : QByteArray();
  }

  AnimationSetup setup(const QString& out, int frames = 4, const QSizeF& size = {321, 241}) const {
    FramePainter paint{recording_, 0, {}, {}};
    paint.picture = {paintBanksPicture, size, 1, Theme::make(true), QApplication::font()};
    AnimationSetup s;
    s.paint = paint;
    for (int i = 0; i < frames; ++i) s.indices.push_back(30 + 137 * static_cast<std::uint32_t>(i));
    s.fps = 5;
    const auto target = animationTarget(out);
    s.target = target.value_or(AnimationTarget{AnimationFormat::Frames, "no target"});
    return s;
  }

  // What the writer reports in the end; "…" if it never ends.
  static QString run(AnimationSetup s) {
    AnimationWriter writer(std::move(s));
    const QSignalSpy finished(&writer, &AnimationWriter::finished);
    writer.start();
    return QTest::qWaitFor([&] { return finished.count() > 0; }, test::kPatience)
               ? finished.first().first().toString()
               : "…";
  }

 private slots:
  void init() { folder_ = std::make_unique<QTemporaryDir>(); }

  void framesOfARange() {
    const auto& trace = recording_->trace;
    const FrameRange first = firstKTile(trace, 1);
    using test::instructionAt;
    QCOMPARE(instructionAt(*recording_, 1, first.from).kTile, 0u);
    QCOMPARE(instructionAt(*recording_, 1, first.to).kTile, 0u);
    QCOMPARE(instructionAt(*recording_, 1, first.to + 1).kTile, 1u);
    QVERIFY(first.from == 0 || instructionAt(*recording_, 1, first.from - 1).kTile != 0);

    const auto each = frameIndices(trace, 1, first, FrameStep::Instruction);
    QCOMPARE(each.size(), std::size_t{first.to - first.from + 1});
    QCOMPARE(each.front(), first.from);
    QCOMPARE(each.back(), first.to);
    // A frame before the dots, one for each of the 16, one after them.
    const auto dots = frameIndices(trace, 1, first, FrameStep::K);
    QCOMPARE(dots.size(), std::size_t{18});
    QCOMPARE(instructionAt(*recording_, 1, dots[5]).dot, std::uint16_t{4});
    QVERIFY(std::ranges::is_sorted(dots));
    QCOMPARE(frameIndices(trace, 1, first, FrameStep::KTile).size(), std::size_t{1});
    const FrameRange all{0, trace.length(1) - 1};
    QCOMPARE(frameIndices(trace, 1, all, FrameStep::KTile).size(), std::size_t{3});  // epilogue
    QCOMPARE(frameIndices(trace, 1, {7, 7}, FrameStep::K), std::vector<std::uint32_t>{7});
    // Past the end is the end.
    QCOMPARE(frameIndices(trace, 1, {all.to, all.to + 50}, FrameStep::Instruction).size(),
             std::size_t{1});
  }

  void aFolderOfFrames() {
    QCOMPARE(run(setup(path("film"))), QString());
    QCOMPARE(files(), QStringList{"film"});
    QCOMPARE(
        QDir(path("film")).entryList(QDir::Files),
        (QStringList{"frame_00000.png", "frame_00001.png", "frame_00002.png", "frame_00003.png"}));
    const QImage first(path("film/frame_00000.png")), last(path("film/frame_00003.png"));
    QCOMPARE(first.size(), QSize(321, 241));
    QVERIFY(first != last);
    // Each is what the view shows at that instant.
    const AnimationSetup s = setup(path("other"));
    QCOMPARE(first.convertToFormat(QImage::Format_RGB32), s.paint(s.indices[0]));
  }

  void anEmptyFolderIsTaken() {
    QVERIFY(QDir(folder_->path()).mkdir("film"));
    QCOMPARE(run(setup(path("film"), 2)), QString());
    QCOMPARE(QDir(path("film")).count(), 4u);  // with . and ..
  }

  void framesAreAllAsLarge() {
    AnimationSetup s = setup(path("film"), 3);
    FramePainter paint{recording_, 0, {}, {}};
    paint.picture = {paintLoomPicture, {400, 300}, 1, Theme::make(false), QApplication::font()};
    paint.caption = CaptionFacts{"no GPU", QDate(2026, 1, 2)};
    s.indices = {0, 30, 45, 2200};
    paint.captionRoom = captionRoom(paint, s.indices);
    s.paint = paint;
    QCOMPARE(run(std::move(s)), QString());
    for (int i = 0; i < 4; ++i)
      QCOMPARE(QImage(path(QString("film/frame_0000%1.png").arg(i))).height(),
               300 + static_cast<int>(paint.captionRoom));
  }

  void framesGoToFfmpeg() {
    const FakeFfmpeg ffmpeg(FakeFfmpeg::kSucceeds);
    for (const char* name : {"a.mp4", "b.gif"}) {
      QCOMPARE(run(setup(path(name), 6)), QString());
      // Even sides, four bytes per pixel.
      QCOMPARE(QFileInfo(path(name)).size(), 6 * 322 * 242 * 4);
      QVERIFY2(ffmpeg.log().contains("-video_size 322x242 -framerate 5"), ffmpeg.log());
    }
    QCOMPARE(files(), (QStringList{"a.mp4", "b.gif"}));
    QVERIFY(ffmpeg.log().contains("palettegen"));
  }

  void anOldFileIsReplacedOnlyBySuccess() {
    QFile old(path("a.mp4"));
    QVERIFY(old.open(QIODevice::WriteOnly) && old.write("old") == 3);
    old.close();
    {
      const FakeFfmpeg ffmpeg(FakeFfmpeg::kFails);
      QVERIFY(!run(setup(path("a.mp4"))).isEmpty());
      QCOMPARE(contents(path("a.mp4")), QByteArray("old"));
    }
    const FakeFfmpeg ffmpeg(FakeFfmpeg::kSucceeds);
    QCOMPARE(run(setup(path("a.mp4"))), QString());
    QVERIFY(contents(path("a.mp4")).size() > 1000);
    QCOMPARE(files(), QStringList{"a.mp4"});
  }

  void ffmpegsFailureIsSaid_data() {
    QTest::addColumn<QByteArray>("script");
    QTest::addColumn<QString>("says");
    QTest::newRow("in the end") << QByteArray(FakeFfmpeg::kFails) << "Unknown encoder libx999";
    QTest::newRow("at once") << QByteArray(FakeFfmpeg::kFailsAtOnce) << "No space left on device";
    QTest::newRow("without a word") << QByteArray("cat > /dev/null; exit 3") << "exit status 3";
    QTest::newRow("killed") << QByteArray("kill -9 $$") << "killed or crashed";
    QTest::newRow("nothing written") << QByteArray("cat > /dev/null") << "without writing";
  }
  void ffmpegsFailureIsSaid() {
    QFETCH(QByteArray, script);
    QFETCH(QString, says);
    const FakeFfmpeg ffmpeg(script);
    const QString why = run(setup(path("a.mp4"), 40));
    QVERIFY2(why.contains(says) && why.contains("a.mp4"), qPrintable(why));
    QVERIFY(!why.contains('\n') && !why.contains("a warning"));
    QCOMPARE(files(), QStringList());
  }

  void cancelledLeavesNothing_data() {
    QTest::addColumn<QString>("name");
    QTest::newRow("folder") << "film";
    QTest::newRow("video") << "a.mp4";
  }
  void cancelledLeavesNothing() {
    QFETCH(QString, name);
    const FakeFfmpeg ffmpeg(FakeFfmpeg::kHangs);
    AnimationWriter writer(setup(path(name), 1000));
    const QSignalSpy progress(&writer, &AnimationWriter::progress);
    const QSignalSpy finished(&writer, &AnimationWriter::finished);
    writer.start();
    QVERIFY(QTest::qWaitFor([&] { return progress.count() > 0; }, test::kPatience));
    QVERIFY(!files().isEmpty());  // something is begun
    writer.cancel();
    QCOMPARE(finished.count(), 1);
    QVERIFY(finished.first().first().toString().contains("cancelled"));
    QCOMPARE(files(), QStringList());
    QTest::qWait(50);
    QCOMPARE(finished.count(), 1);
    QVERIFY(progress.count() < 1000);
  }

  // It never waits for a slow reader, nor keeps more than a few frames for it.
  void aSlowFfmpegHoldsPaintingBack() {
    const FakeFfmpeg ffmpeg(FakeFfmpeg::kHangs);
    AnimationWriter writer(setup(path("a.mp4"), 1000, {1600, 1200}));
    const QSignalSpy progress(&writer, &AnimationWriter::progress);
    writer.start();
    QVERIFY(QTest::qWaitFor([&] { return progress.count() > 1; }, test::kPatience));
    QTest::qWait(400);
    QVERIFY2(progress.count() < 6, qPrintable(QString::number(progress.count())));
  }

  void gone() {
    const FakeFfmpeg ffmpeg(FakeFfmpeg::kHangs);
    {
      AnimationWriter writer(setup(path("a.mp4"), 1000));
      writer.start();
      QTest::qWait(50);
    }
    QCOMPARE(files(), QStringList());
  }

  // It reports success, and has written nothing: the old film stays.
  void anEmptyFileIsNoFilm() {
    for (const char* script : {"cat > /dev/null; : > \"$out\"", "cat > /dev/null"}) {
      const FakeFfmpeg ffmpeg(script);
      QVERIFY(ffmpeg.ok());
      QFile old(path("a.mp4"));
      QVERIFY(old.open(QIODevice::WriteOnly) && old.write("the old film") > 0);
      old.close();
      const QString why = run(setup(path("a.mp4")));
      QVERIFY2(why.contains("a.mp4") && why.contains("without writing"), qPrintable(why));
      QCOMPARE(contents(path("a.mp4")), QByteArray("the old film"));
      QCOMPARE(files(), QStringList{"a.mp4"});
    }
  }

  // It reads nothing, or reads everything and never ends: the wait for either is limited.
  void anFfmpegThatHangsIsEnded_data() {
    QTest::addColumn<QByteArray>("script");
    QTest::newRow("takes nothing") << QByteArray(FakeFfmpeg::kHangs);
    QTest::newRow("takes all") << QByteArray("cat > /dev/null; echo x > \"$out\"; exec sleep 600");
  }
  void anFfmpegThatHangsIsEnded() {
    QFETCH(QByteArray, script);
    const FakeFfmpeg ffmpeg(script);
    QVERIFY(ffmpeg.ok());
    AnimationSetup impatient = setup(path("a.mp4"), 12);
    impatient.patience = std::chrono::milliseconds(500);
    const QString why = run(std::move(impatient));
    QVERIFY2(why.contains("a.mp4") && why.contains("0.5 s"), qPrintable(why));
    QCOMPARE(files(), QStringList());
  }

  // A slow one that makes progress is waited for.
  void anFfmpegThatIsSlowIsWaitedFor() {
    const FakeFfmpeg ffmpeg(
        "cat > /dev/null; for i in 1 2 3 4 5 6 7 8; do echo part >> \"$out\"; sleep 0.2; done");
    QVERIFY(ffmpeg.ok());
    AnimationSetup impatient = setup(path("a.mp4"));
    impatient.patience = std::chrono::milliseconds(1000);
    QCOMPARE(run(std::move(impatient)), QString());
    QCOMPARE(contents(path("a.mp4")).count("part"), 8);
  }

  void badTargets() {
    const FakeFfmpeg ffmpeg(FakeFfmpeg::kSucceeds);
    QVERIFY(QDir(folder_->path()).mkpath("full/inner.mp4"));
    QFile plain(path("plain"));
    QVERIFY(plain.open(QIODevice::WriteOnly));
    plain.close();
    for (const auto& [name, says] :
         {std::pair("x.avi", ".mp4 or .gif"), std::pair("x.png", ".mp4 or .gif"),
          std::pair("full", "not empty"), std::pair("plain", "a file already"),
          std::pair("full/inner.mp4", "is a folder")}) {
      const auto target = animationTarget(path(name));
      QVERIFY2(!target, name);
      QVERIFY2(target.error().contains(says) && target.error().contains(path(name)),
               qPrintable(target.error()));
    }
    QVERIFY(!animationTarget(""));
    // A typing error is reported at once, and again where the folder has gone since.
    for (const auto& [name, format] : {std::pair("no/such/film", AnimationFormat::Frames),
                                       std::pair("no/such/a.mp4", AnimationFormat::Mp4),
                                       std::pair("no/such/a.gif", AnimationFormat::Gif)}) {
      const auto target = animationTarget(path(name));
      QVERIFY(!target);
      QVERIFY2(target.error().contains("cannot write") && target.error().contains(name),
               qPrintable(target.error()));
      AnimationSetup late = setup(path("film"));
      late.target = {format, path(name)};
      const QString why = run(std::move(late));
      QVERIFY2(why.contains("cannot write") && why.contains(name), qPrintable(why));
    }
    QVERIFY(!animationTarget("/proc/a.mp4"));
    QVERIFY(!animationTarget("/proc/film"));
    QVERIFY(!whyNotAnimated(AnimationFormat::Gif, 10, 60).isEmpty());
    QVERIFY(whyNotAnimated(AnimationFormat::Mp4, 10, 60).isEmpty());
    QVERIFY(whyNotAnimated(AnimationFormat::Frames, 100000, 10).contains("100000"));
  }

  void evenDistances() {
    const auto& trace = recording_->trace;
    const FrameRange range = firstKTile(trace, 0);
    const auto even = frameIndices(trace, 0, range, FrameStep::Even);
    QCOMPARE(even.size(), kEvenFrames);
    QCOMPARE(even.front(), range.from);
    QCOMPARE(even.back(), range.to);
    for (std::size_t i = 1; i < even.size(); ++i) {
      const std::uint32_t apart = (range.to - range.from) / (kEvenFrames - 1);
      QVERIFY(even[i] - even[i - 1] == apart || even[i] - even[i - 1] == apart + 1);
    }
    // Fewer instructions are all of them.
    QCOMPARE(frameIndices(trace, 0, {10, 12}, FrameStep::Even),
             std::vector<std::uint32_t>({10, 11, 12}));
    QCOMPARE(frameIndices(trace, 0, {10, 10}, FrameStep::Even), std::vector<std::uint32_t>({10}));
  }

  // A K tile of every rung can be followed in a film of a bearable length.
  void aKTileTakesItsTime_data() {
    QTest::addColumn<const Stage*>("stage");
    for (const Stage* stage : everyStage()) QTest::newRow(stage->id.data()) << stage;
  }
  void aKTileTakesItsTime() {
    QFETCH(const Stage*, stage);
    const auto recording = test::recorded({.stage = stage->id, .problem = {2048, 2048, 2048}});
    const auto& trace = recording->trace;
    const FrameRange range = firstKTile(trace, 0);
    const FrameStep step = usualStep(trace, 0, range);
    const std::size_t frames = frameIndices(trace, 0, range, step).size();
    const double seconds = static_cast<double>(frames) / usualFps(frames);
    QVERIFY2(seconds >= 6 && seconds <= 20, qPrintable(lengthText(frames, usualFps(frames))));
    QVERIFY(frames <= 240);
  }

  void withoutFfmpeg() {
    const FakeFfmpeg none("");
    const auto target = animationTarget(path("a.mp4"));
    QVERIFY(!target);
    QVERIFY2(target.error().contains("install") && target.error().contains("PNG"),
             qPrintable(target.error()));
    QVERIFY(animationTarget(path("film")).has_value());
  }

  // With the real one, if it is installed.
  void films() {
    if (findFfmpeg().isEmpty()) QSKIP("ffmpeg is not installed: no video was made");
    QCOMPARE(run(setup(path("a.gif"), 5)), QString());
    QCOMPARE(contents(path("a.gif")).left(6), QByteArray("GIF89a"));
    QCOMPARE(run(setup(path("a.mp4"), 5)), QString());
    QCOMPARE(contents(path("a.mp4")).mid(4, 4), QByteArray("ftyp"));
    QVERIFY(contents(path("a.mp4")).contains("moov"));
    QCOMPARE(files(), (QStringList{"a.gif", "a.mp4"}));
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::AnimationTest, Window)

#include "animation_test.moc"
