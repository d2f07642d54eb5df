// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/export/animation.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QPainter>
#include <QStandardPaths>
#include <algorithm>
#include <filesystem>

#include "app/export/left_folders.h"
#include "kernels/base/temporary_name.h"
#include "kernels/base/text_file.h"
#include "viz/base/text/describe.h"
#include "viz/base/text/text.h"

namespace tileloom {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::Animation)
};

constexpr int kEncodersAtOnce = 2;
constexpr qsizetype kSaidKept = 4096;
constexpr int kLooks = 10;  // at ffmpeg's progress, within its patience

QString suffixOf(const QString& file) {
  return QFileInfo(file).suffix().toLower();
}

QString lastLine(const QByteArray& text) {
  const QString said = QString::fromLocal8Bit(text).trimmed();
  return said.mid(std::max(said.lastIndexOf(u'\n'), said.lastIndexOf(u'\r')) + 1).trimmed();
}

// Most videos store one colour for two pixels by two, so no side may be odd.
QImage even(const QImage& image) {
  const QSize size((image.width() + 1) / 2 * 2, (image.height() + 1) / 2 * 2);
  QImage frame = image.convertToFormat(QImage::Format_RGB32);
  frame.setDevicePixelRatio(1);
  if (size == frame.size()) return frame;
  QImage larger(size, QImage::Format_RGB32);
  larger.fill(frame.pixel(0, 0));
  QPainter(&larger).drawImage(0, 0, frame);
  return larger;
}

}  // namespace

FrameRange firstKTile(const emulator::Trace& trace, std::uint32_t warp) {
  FrameRange range{0, trace.length(warp) - 1};
  bool found = false;
  for (std::uint32_t i = 0; i < trace.length(warp); ++i) {
    const auto at = trace.position(warp, i);
    if (trace.at(warp, at.interval).instructions[at.instruction].kTile != 0) continue;
    if (!found) range.from = i;
    found = true;
    range.to = i;
  }
  return range;
}

std::vector<std::uint32_t> frameIndices(const emulator::Trace& trace, std::uint32_t warp,
                                        FrameRange range, FrameStep step) {
  std::vector<std::uint32_t> indices;
  const std::uint32_t last = std::min(range.to, trace.length(warp) - 1);
  if (step == FrameStep::Even && last >= range.from) {
    const std::uint64_t gaps = last - range.from;
    const std::uint64_t frames = std::min<std::uint64_t>(kEvenFrames, gaps + 1);
    for (std::uint64_t i = 0; i < frames; ++i)
      indices.push_back(range.from +
                        static_cast<std::uint32_t>(frames == 1 ? 0 : i * gaps / (frames - 1)));
    return indices;
  }
  std::optional<emulator::Instruction> before;
  for (std::uint32_t i = range.from; i <= last; ++i) {
    const auto at = trace.position(warp, i);
    const emulator::Instruction now = trace.at(warp, at.interval).instructions[at.instruction];
    const bool other =
        !before || now.kTile != before->kTile || (step == FrameStep::K && now.dot != before->dot);
    if (step == FrameStep::Instruction || other) indices.push_back(i);
    before = now;
  }
  return indices;
}

FrameStep usualStep(const emulator::Trace& trace, std::uint32_t warp, FrameRange range) {
  return frameIndices(trace, warp, range, FrameStep::Instruction).size() <= 2 * kEvenFrames
             ? FrameStep::Instruction
             : FrameStep::Even;
}

int usualFps(std::size_t frames) {
  constexpr std::size_t kSeconds = 10;
  constexpr int kMostUsual = 30;
  return std::clamp(static_cast<int>((frames + kSeconds / 2) / kSeconds), 1, kMostUsual);
}

QString lengthText(std::size_t frames, int fps) {
  return Words::tr("%1, %2 s")
      .arg(counted(static_cast<qlonglong>(frames), Words::tr("1 frame"), Words::tr("%1 frames")))
      .arg(static_cast<double>(frames) / std::max(1, fps), 0, 'f', 1);
}

QString findFfmpeg() {
  return QStandardPaths::findExecutable(QStringLiteral("ffmpeg"));
}

tl::expected<AnimationTarget, QString> animationTarget(const QString& out) {
  const QString suffix = suffixOf(out);
  const QFileInfo info(QDir::cleanPath(out));
  const bool video = suffix == QLatin1String("mp4") || suffix == QLatin1String("gif");
  if (out.isEmpty() || (!video && !suffix.isEmpty() && !info.isDir() && !out.endsWith(u'/'))) {
    return tl::unexpected(Words::tr("\"%1\" does not say what to write: end it in .mp4 or .gif, or "
                                    "name a folder, without a suffix, for a sequence of PNGs")
                              .arg(shownFile(out)));
  }
  AnimationTarget target{AnimationFormat::Frames, info.filePath()};
  // Whether a video can be replaced, or a folder made.
  const auto whyNot = [&info] {
    return QString::fromStdString(whyNotReplaced(fileNamed(info.filePath())));
  };
  if (video) {
    if (info.isDir()) {
      return tl::unexpected(
          Words::tr("\"%1\" is a folder: choose another name for the file").arg(shownFile(out)));
    }
    if (findFfmpeg().isEmpty()) {
      return tl::unexpected(Words::tr("\"%1\" needs ffmpeg, which is not installed: install its "
                                      "package, or name a folder for a sequence of PNGs")
                                .arg(shownFile(out)));
    }
    if (const QString why = whyNot(); !why.isEmpty()) return tl::unexpected(why);
    target.format = suffix == QLatin1String("gif") ? AnimationFormat::Gif : AnimationFormat::Mp4;
    return target;
  }
  if (info.exists() && !info.isDir()) {
    return tl::unexpected(Words::tr("\"%1\" is a file already: choose another name for the folder")
                              .arg(shownFile(out)));
  }
  if (const QString why = info.isDir() ? QString() : whyNot(); !why.isEmpty())
    return tl::unexpected(why);
  if (info.isDir() &&
      !QDir(info.filePath())
           .isEmpty(QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot)) {
    return tl::unexpected(Words::tr("the folder \"%1\" is not empty: choose a new or an empty one")
                              .arg(shownFile(out)));
  }
  return target;
}

QString whyNotAnimated(AnimationFormat format, std::size_t frames, int fps) {
  if (frames > kMostFrames) {
    return Words::tr(
               "this makes %1 frames, more than the limit of %2: choose a shorter range or a "
               "larger step")
        .arg(frames)
        .arg(kMostFrames);
  }
  if (format == AnimationFormat::Gif && fps > kMostGifFps) {
    return Words::tr("a GIF shows at most %1 frames per second, not %2: choose fewer or an .mp4")
        .arg(kMostGifFps)
        .arg(fps);
  }
  return {};
}

Scene FramePainter::sceneAt(std::uint32_t index) const {
  Scene scene = makeScene(recording, warp, index);
  scene.held = !held.empty();
  scene.selection = complete(scene, held);
  scene.residency = residency;
  return scene;
}

QImage FramePainter::operator()(std::uint32_t index) const {
  const Scene scene = sceneAt(index);
  Sheet sheet = sheetOf(picture);
  if (caption) sheet.caption = captionOf(scene, *caption);
  sheet.captionRoom = captionRoom;
  return sheetImage(sheet, [&](QCPPainter& p) { paintPicture(painterOf(p), picture, scene); });
}

double captionRoom(const FramePainter& painter, const std::vector<std::uint32_t>& indices) {
  double most = 0;
  if (!painter.caption) return most;
  for (const std::uint32_t index : indices) {
    most = std::max(most, captionHeight(captionOf(painter.sceneAt(index), *painter.caption),
                                        painter.picture.size.width(), painter.picture.font));
  }
  return most;
}

AnimationWriter::AnimationWriter(AnimationSetup setup, QObject* parent)
    : QObject(parent), m_setup(std::move(setup)) {
  m_encoders.setMaxThreadCount(kEncodersAtOnce);
  connect(&m_turn, &QTimer::timeout, this, &AnimationWriter::next);
  connect(&m_watch, &QTimer::timeout, this, &AnimationWriter::watchFfmpeg);
}

AnimationWriter::~AnimationWriter() {
  m_ended = true;
  if (m_ffmpeg) {
    m_ffmpeg->disconnect(this);
    m_ffmpeg->kill();
    m_ffmpeg->waitForFinished(1000);
  }
  m_encoders.waitForDone();
}

QString AnimationWriter::cannotWrite(const QString& why) const {
  return tr("cannot write \"%1\": %2; choose another place")
      .arg(shownFile(m_setup.target.path), why);
}

// The name that is renamed to the target in the end. A file has the target's suffix, from
// which ffmpeg takes the format.
QString AnimationWriter::partial() const {
  return m_folder->filePath(isVideo() ? kFilmFile + suffixOf(m_setup.target.path)
                                      : QString::fromLatin1(kFramesFolder));
}

void AnimationWriter::start() {
  const QString place = QFileInfo(m_setup.target.path).absolutePath();
  removeLeftFolders(fileNamed(place));
  m_folder = std::make_unique<QTemporaryDir>(place + u'/' + toQString(kTemporaryPattern));
  if (!m_folder->isValid()) return end(cannotWrite(m_folder->errorString()));
  if (!isVideo() && !QDir().mkdir(partial()))
    return end(cannotWrite(tr("a folder cannot be made there")));
  m_turn.start(0);
}

void AnimationWriter::cancel() {
  end(tr("the animation was cancelled: nothing was written"));
}

bool AnimationWriter::room() const {
  if (!isVideo()) return m_encoding < kEncodersAtOnce;
  return !m_ffmpeg || m_ffmpeg->bytesToWrite() < qint64{2} * m_size.width() * m_size.height() * 4;
}

void AnimationWriter::next() {
  if (m_ended) return;
  if (m_painted == total() || !room()) return m_turn.stop();
  const QImage frame = m_setup.paint(m_setup.indices[static_cast<std::size_t>(m_painted)]);
  if (m_ended) return;  // painting a window may handle events
  if (frame.isNull())
    return end(tr("a picture this large cannot be painted: choose a smaller size or scale"));
  writeFrame(isVideo() ? even(frame) : frame);
  if (m_ended) return;
  emit progress(++m_painted, total());
  if (m_painted == total()) finish();
}

void AnimationWriter::writeFrame(const QImage& frame) {
  if (isVideo()) {
    if (!m_ffmpeg && !startFfmpeg(frame.size())) return;
    m_ffmpeg->write(reinterpret_cast<const char*>(frame.constBits()), frame.sizeInBytes());
    return;
  }
  const QString file =
      partial() + QStringLiteral("/frame_%1.png").arg(m_painted, 5, 10, QLatin1Char('0'));
  ++m_encoding;
  m_encoders.start([this, frame, file] {
    const QString problem = writeImage(frame, file);
    QMetaObject::invokeMethod(
        this, [this, problem] { encoded(problem); }, Qt::QueuedConnection);
  });
}

void AnimationWriter::encoded(const QString& problem) {
  if (m_ended) return;
  --m_encoding;
  if (!problem.isEmpty()) return end(problem);
  if (m_painted == total()) return finish();
  if (!m_turn.isActive()) m_turn.start(0);
}

bool AnimationWriter::startFfmpeg(const QSize& size) {
  m_size = size;
  QStringList arguments{
      QStringLiteral("-hide_banner"), QStringLiteral("-loglevel"), QStringLiteral("error"),
      // Otherwise a full disk is only a remark at the end, with exit status 0.
      QStringLiteral("-xerror"), QStringLiteral("-y"), QStringLiteral("-f"),
      QStringLiteral("rawvideo"), QStringLiteral("-pixel_format"),
      QStringLiteral("bgr0"),  // QImage's RGB32 in memory
      QStringLiteral("-video_size"), QStringLiteral("%1x%2").arg(size.width()).arg(size.height()),
      QStringLiteral("-framerate"), QString::number(m_setup.fps), QStringLiteral("-i"),
      QStringLiteral("-")};
  if (m_setup.target.format == AnimationFormat::Gif) {
    // A palette of this animation's own colours; dithering would make flat tiles flicker.
    arguments += {QStringLiteral("-filter_complex"),
                  QStringLiteral("split[a][b];[a]palettegen[p];[b][p]paletteuse=dither=none")};
  } else {
    // A format that all players show, with explicit colours: players would guess them from the
    // size.
    arguments += {QStringLiteral("-vf"),
                  QStringLiteral("scale=out_color_matrix=bt709:out_range=tv,format=yuv420p"),
                  QStringLiteral("-colorspace"),
                  QStringLiteral("bt709"),
                  QStringLiteral("-color_primaries"),
                  QStringLiteral("bt709"),
                  QStringLiteral("-color_trc"),
                  QStringLiteral("bt709"),
                  QStringLiteral("-movflags"),
                  QStringLiteral("+faststart")};
  }
  arguments += partial();
  m_ffmpeg = std::make_unique<QProcess>();
  QProcess* const process = m_ffmpeg.get();
  process->setStandardOutputFile(QProcess::nullDevice());
  connect(process, &QProcess::readyReadStandardError, this, [this, process] {
    m_said = (m_said + process->readAllStandardError()).right(kSaidKept);
  });
  connect(process, &QProcess::bytesWritten, this, [this] {
    if (!m_ended && m_painted < total() && !m_turn.isActive()) m_turn.start(0);
  });
  connect(process, &QProcess::errorOccurred, this, [this, process](QProcess::ProcessError error) {
    if (error == QProcess::FailedToStart)
      end(tr("ffmpeg could not be started: %1").arg(process->errorString()));
  });
  connect(process, &QProcess::finished, this, &AnimationWriter::ffmpegEnded);
  process->start(findFfmpeg(), arguments);
  m_watch.start(m_setup.patience / kLooks);
  return !m_ended;
}

// Counts looks instead of time, which passes while this process is stopped.
void AnimationWriter::watchFfmpeg() {
  if (m_ended) return;
  const std::pair now(m_ffmpeg->bytesToWrite(), QFileInfo(partial()).size());
  const bool waitsForFrames = now.first == 0 && m_painted < total();
  m_looksWithoutProgress = now == m_progress && !waitsForFrames ? m_looksWithoutProgress + 1 : 0;
  m_progress = now;
  if (m_looksWithoutProgress <= kLooks) return;
  end(tr("ffmpeg could not write \"%1\": it made no progress for %2 s and was ended; try again, or "
         "name a folder for a sequence of PNGs")
          .arg(shownFile(m_setup.target.path))
          .arg(static_cast<double>(m_setup.patience.count()) / 1000));
}

void AnimationWriter::ffmpegEnded(int code, QProcess::ExitStatus status) {
  if (m_ended) return;
  m_said += m_ffmpeg->readAllStandardError();
  const bool all = m_painted == total();
  if (status == QProcess::NormalExit && code == 0 && all && QFileInfo(partial()).size() > 0) {
    std::error_code error;
    std::filesystem::rename(partial().toStdString(), m_setup.target.path.toStdString(), error);
    return end(error ? cannotWrite(QString::fromStdString(error.message())) : QString());
  }
  QString said = lastLine(m_said);
  if (said.isEmpty()) {
    said = status == QProcess::CrashExit ? tr("it was killed or crashed")
           : code != 0                   ? tr("it ended with exit status %1").arg(code)
                                         : tr("it ended without writing a file");
  }
  end(tr("ffmpeg could not write \"%1\": %2").arg(shownFile(m_setup.target.path), said));
}

void AnimationWriter::finish() {
  m_turn.stop();
  if (isVideo()) return m_ffmpeg->closeWriteChannel();  // it ends after it has written everything
  if (m_encoding > 0) return;
  std::error_code error;
  std::filesystem::rename(partial().toStdString(), m_setup.target.path.toStdString(), error);
  end(error ? cannotWrite(QString::fromStdString(error.message())) : QString());
}

void AnimationWriter::end(const QString& problem) {
  if (m_ended) return;
  m_ended = true;
  m_turn.stop();
  m_watch.stop();
  if (m_ffmpeg && m_ffmpeg->state() != QProcess::NotRunning) {
    m_ffmpeg->disconnect(this);
    m_ffmpeg->kill();
    m_ffmpeg->waitForFinished(1000);
  }
  m_encoders.waitForDone();
  m_folder.reset();
  emit finished(problem);
}

}  // namespace tileloom
