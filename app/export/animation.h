// SPDX-License-Identifier: GPL-3.0-or-later
// Exports playback: which instants become frames, and a writer that makes a folder of PNGs, an MP4
// or a GIF of them without ever blocking its thread.
#pragma once

#include <QObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QThreadPool>
#include <QTimer>
#include <array>
#include <chrono>
#include <functional>
#include <memory>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "app/export/export.h"

namespace tileloom {

enum class FrameStep { Instruction, K, KTile, Even };
inline constexpr std::array<const char*, 4> kFrameSteps = {"instruction", "k", "ktile", "even"};
inline constexpr std::size_t kEvenFrames = 120;  // of FrameStep::Even, at most

struct FrameRange {
  std::uint32_t from = 0, to = 0;  // instructions of the warp, both included
};

inline constexpr int kMostFrames = 99999;  // the most that five digits number
inline constexpr int kMostFps = 120;
inline constexpr int kMostGifFps = 50;  // a GIF counts time in hundredths of a second

// From the warp's first instruction in the first K tile to its last one there.
FrameRange firstKTile(const emulator::Trace& trace, std::uint32_t warp);

// The instructions at which a frame is taken: the first of the range, and then each one, or each
// one at which k or the K tile changes, or some of them at even distances.
std::vector<std::uint32_t> frameIndices(const emulator::Trace& trace, std::uint32_t warp,
                                        FrameRange range, FrameStep step);

// How often a frame is taken by default: at each instruction if that makes few enough frames, else
// at even distances.
FrameStep usualStep(const emulator::Trace& trace, std::uint32_t warp, FrameRange range);
// The pace at which this many frames take about ten seconds; a K tile then takes 6 to 20.
int usualFps(std::size_t frames);
// "18 frames, 9.0 s"
QString lengthText(std::size_t frames, int fps);

enum class AnimationFormat { Frames, Mp4, Gif };

struct AnimationTarget {
  AnimationFormat format = AnimationFormat::Frames;
  QString path;  // a folder that is new or empty, or a file
};

// By the name's suffix; why nothing can be written there, if that can be known in advance.
tl::expected<AnimationTarget, QString> animationTarget(const QString& out);
// Empty, or why this many frames at that pace cannot become such a file.
QString whyNotAnimated(AnimationFormat format, std::size_t frames, int fps);
// Full path of ffmpeg; empty: there is none.
QString findFfmpeg();

// Paints loom or banks at instruction `index` of the warp. All frames are as large as the first.
struct FramePainter {
  std::shared_ptr<const analysis::Recording> recording;
  std::uint32_t warp = 0;
  Selection held;
  Picture picture;
  std::optional<CaptionFacts> caption = std::nullopt;
  double captionRoom = 0;
  std::optional<Residency> residency = std::nullopt;  // whose waves the grid shows

  Scene sceneAt(std::uint32_t index) const;
  QImage operator()(std::uint32_t index) const;
};
// The tallest caption among these frames at this width: no frame is higher than another.
double captionRoom(const FramePainter& painter, const std::vector<std::uint32_t>& indices);

struct AnimationSetup {
  std::function<QImage(std::uint32_t index)> paint;
  std::vector<std::uint32_t> indices;
  int fps = 10;
  AnimationTarget target;
  // How long ffmpeg may neither read nor write although it has work.
  std::chrono::milliseconds patience = std::chrono::minutes(2);
};

class AnimationWriter : public QObject {
  Q_OBJECT
 public:
  explicit AnimationWriter(AnimationSetup setup, QObject* parent = nullptr);
  // An unfinished animation leaves no files.
  ~AnimationWriter() override;

  // Frames are painted one per turn of the event loop, in this thread.
  void start();
  void cancel();
  int done() const { return m_painted; }
  int total() const { return static_cast<int>(m_setup.indices.size()); }

 signals:
  void progress(int done, int total);
  // Once. Empty: the animation is at its target.
  void finished(const QString& problem);

 private:
  bool isVideo() const { return m_setup.target.format != AnimationFormat::Frames; }
  QString partial() const;
  void next();
  bool room() const;
  void writeFrame(const QImage& frame);
  void encoded(const QString& problem);
  bool startFfmpeg(const QSize& size);
  void watchFfmpeg();
  void ffmpegEnded(int code, QProcess::ExitStatus status);
  void finish();
  void end(const QString& problem);
  QString cannotWrite(const QString& why) const;

  AnimationSetup m_setup;
  std::unique_ptr<QTemporaryDir> m_folder;  // beside the target, so that one rename completes it
  std::unique_ptr<QProcess> m_ffmpeg;
  QByteArray m_said;  // the end of ffmpeg's standard error
  QThreadPool m_encoders;
  QTimer m_turn;
  QTimer m_watch;
  std::pair<qint64, qint64> m_progress;  // bytes that ffmpeg has yet to read, and has written
  int m_looksWithoutProgress = 0;
  QSize m_size;
  int m_painted = 0;
  int m_encoding = 0;
  bool m_ended = false;
};

}  // namespace tileloom
