// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/render/render_animation.h"

#include <fmt/format.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <QApplication>
#include <QEventLoop>
#include <QSocketNotifier>
#include <csignal>

#include "app/render/render_window.h"
#include "app/window/application.h"
#include "app/window/main_window.h"
#include "app/window/window_frames.h"
#include "kernels/analysis/recording.h"

namespace tileloom::app {
namespace {

// Ctrl-C and a polite kill as events, so that what was begun can be removed. They are held back for
// the whole process, which is why this has to live before any thread does.
class Interruptions {
 public:
  Interruptions() {
    sigset_t wanted;
    sigemptyset(&wanted);
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&wanted, number);
    pthread_sigmask(SIG_BLOCK, &wanted, &before_);
    file_ = signalfd(-1, &wanted, SFD_CLOEXEC | SFD_NONBLOCK);
  }
  ~Interruptions() {
    // One that has come meanwhile was answered already.
    signalfd_siginfo told;
    while (read(file_, &told, sizeof told) > 0) {
    }
    close(file_);
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  Interruptions(const Interruptions&) = delete;
  Interruptions& operator=(const Interruptions&) = delete;
  int file() const { return file_; }

 private:
  sigset_t before_{};
  int file_ = -1;
};

// What of the warp's stream, or why it has no such part.
tl::expected<FrameRange, std::string> rangeOf(const RenderRequest& r, const Scene& scene) {
  const auto& trace = scene.recording->trace;
  const std::uint32_t warp = scene.moment.warp, length = trace.length(warp);
  FrameRange range = firstKTile(trace, warp);
  const auto take = [&](const std::optional<int>& asked, std::uint32_t& into) -> std::string {
    if (!asked) return {};
    into = static_cast<std::uint32_t>(*asked);
    if (into < length) return {};
    return fmt::format(
        "step {} is past the end: warp {} executes {} instructions, so choose a step from 0 to {}",
        into, warp, length, length - 1);
  };
  for (const std::string& error :
       {take(r.animation->from, range.from), take(r.animation->to, range.to)}) {
    if (!error.empty()) return tl::unexpected(error);
  }
  if (range.from > range.to) {
    // Only one end was given: the other one is that of the first K tile.
    if (r.animation->to) {
      range.from = 0;
    } else {
      range.to = length - 1;
    }
  }
  return range;
}

// Runs the writer to its end; what went wrong, or nothing.
QString write(AnimationSetup setup, const Interruptions& interruptions, bool& interrupted) {
  AnimationWriter writer(std::move(setup));
  QEventLoop loop;
  QString problem;
  QObject::connect(&writer, &AnimationWriter::finished, &loop, [&](const QString& said) {
    problem = said;
    loop.quit();
  });
  QSocketNotifier notifier(interruptions.file(), QSocketNotifier::Read);
  QObject::connect(&notifier, &QSocketNotifier::activated, &loop, [&] {
    notifier.setEnabled(false);
    interrupted = true;
    writer.cancel();
  });
  QTimer::singleShot(0, &writer, &AnimationWriter::start);
  loop.exec();
  return problem;
}

}  // namespace

void renderAnimation(const RenderRequest& r, const Scene& scene, const QString& out,
                     Outcome& outcome) {
  const auto range = rangeOf(r, scene);
  if (!range) return outcome.fail(range.error());
  const auto target = animationTarget(out);
  if (!target) return outcome.fail(target.error().toStdString());
  AnimationSetup setup;
  setup.indices =
      frameIndices(scene.recording->trace, scene.moment.warp, *range, r.animation->every);
  setup.fps = r.animation->fps;
  setup.target = *target;
  if (const QString why = whyNotAnimated(target->format, setup.indices.size(), setup.fps);
      !why.isEmpty())
    return outcome.fail(why.toStdString());

  const Interruptions interruptions;
  const Application application({Platform::Offscreen, r.picture.theme.look});
  QString problem;
  bool interrupted = false;
  if (r.page != nullptr) {
    FramePainter painter{scene.recording, scene.moment.warp, scene.selection, r.picture};
    painter.picture.font = QApplication::font();
    if (r.caption) {
      painter.caption = factsWithoutGpu();
      painter.captionRoom = captionRoom(painter, setup.indices);
      problem = makeRoom(painter.picture, painter.captionRoom);
    }
    setup.paint = painter;
    if (problem.isEmpty()) problem = write(std::move(setup), interruptions, interrupted);
  } else {
    QStringList report;
    problem = withWindow(r, scene, report, [&](MainWindow& window) {
      WindowFrames frames(window, setup.indices, r.picture.scale,
                          r.caption ? std::optional(factsWithoutGpu().date) : std::nullopt);
      Picture whole = r.picture;
      if (const QString why = makeRoom(whole, frames.captionRoom()); !why.isEmpty()) return why;
      window.resize(whole.size.toSize());
      QApplication::processEvents();
      window.awaitTime();
      setup.paint = [&frames](std::uint32_t index) { return frames.at(index); };
      return write(std::move(setup), interruptions, interrupted);
    });
  }
  if (!problem.isEmpty()) {
    outcome.fail(problem.toStdString());
    if (interrupted) outcome.status = kInterrupted;
    return;
  }
  outcome.output = fmt::format("{}\n", out.toStdString());
}

}  // namespace tileloom::app
