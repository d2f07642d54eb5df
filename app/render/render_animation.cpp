// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/render/render_animation.h"

#include <fmt/format.h>

#include <QApplication>

#include "app/commands/common/output.h"
#include "app/export/write_animation.h"
#include "app/render/render_window.h"
#include "app/session/page_ids.h"
#include "app/window/application.h"
#include "app/window/frame/view_frames.h"
#include "app/window/main_window.h"
#include "app/window/quiet.h"
#include "kernels/analysis/recording.h"

namespace tileloom::app {
namespace {

// The part of the warp's stream, or why it has no such part.
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

}  // namespace

void renderAnimation(const RenderRequest& r, const Scene& scene, const QString& out,
                     Outcome& outcome) {
  const auto range = rangeOf(r, scene);
  if (!range) return outcome.fail(range.error());
  const auto target = animationTarget(out);
  if (!target) return outcome.fail(target.error().toStdString());
  AnimationSetup setup;
  const auto& trace = scene.recording->trace;
  const std::uint32_t warp = scene.moment.warp;
  setup.indices = frameIndices(trace, warp, *range,
                               r.animation->every.value_or(usualStep(trace, warp, *range)));
  setup.fps = r.animation->fps.value_or(usualFps(setup.indices.size()));
  setup.target = *target;
  if (const QString why = whyNotAnimated(target->format, setup.indices.size(), setup.fps);
      !why.isEmpty())
    return outcome.fail(why.toStdString());

  // Printed before writing, which takes a while.
  const std::string length =
      fmt::format("tileloom: {} at {} a second\n",
                  lengthText(setup.indices.size(), setup.fps).toStdString(), setup.fps);

  const Interruptions interruptions;
  const Application application({Platform::Offscreen, r.picture.theme.look});
  QString problem;
  if (r.needsNoWindow()) {
    FramePainter painter{scene.recording, scene.moment.warp, scene.selection, r.picture};
    painter.picture.font = QApplication::font();
    painter.residency = scene.residency;
    if (r.caption) {
      painter.caption = factsWithoutGpu();
      painter.captionRoom = captionRoom(painter, setup.indices);
      problem = makeRoom(painter.picture, painter.captionRoom);
    }
    setup.paint = painter;
    if (problem.isEmpty()) {
      writeStandardError(length);
      problem = writeAnimation(std::move(setup), interruptions);
    }
  } else {
    QStringList report;
    problem = withWindow(r, scene, report, [&](MainWindow& window) {
      ViewExport how;
      how.size = r.picture.size;
      how.grows = !r.ownHeight;
      how.scale = r.picture.scale;
      if (r.caption) how.caption = factsWithoutGpu().date;
      if (r.page != nullptr) window.page(r.page->id)->pose();
      ViewFrames frames(window, r.page != nullptr ? std::string_view(r.page->id) : kWindowId,
                        setup.indices, how);
      if (!frames.problem().isEmpty()) return frames.problem();
      if (r.page == nullptr) {
        Picture whole = r.picture;
        if (const QString why = makeRoom(whole, frames.captionRoom()); !why.isEmpty()) return why;
        window.resize(whole.size.toSize());
      }
      waitUntilQuiet(window);
      setup.paint = [&frames](std::uint32_t index) { return frames.at(index); };
      writeStandardError(length);
      return writeAnimation(std::move(setup), interruptions);
    });
  }
  if (!problem.isEmpty()) {
    outcome.fail(problem.toStdString());
    if (interruptions.happened()) outcome.status = kInterrupted;
    return;
  }
  outcome.output = fmt::format("{}\n", out.toStdString());
}

}  // namespace tileloom::app
