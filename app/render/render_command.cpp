// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/render/render_command.h"

#include <fmt/format.h>

#include <QDateTime>

#include "app/render/render_animation.h"
#include "app/render/render_window.h"
#include "app/window/application.h"
#include "kernels/analysis/recording.h"

namespace tileloom::app {
namespace {

// Loom and banks need no window: they are painted from the recording alone.
QString writeAlone(const RenderRequest& request, const Scene& scene, const QString& file) {
  Picture picture = request.picture;
  picture.font = QApplication::font();
  picture.font.setPointSizeF(picture.font.pointSizeF() * request.text / 100.0);
  if (request.caption) {
    picture.caption = captionOf(scene, factsWithoutGpu());
    const QString problem =
        makeRoom(picture, captionHeight(*picture.caption, picture.size.width(), picture.font));
    if (!problem.isEmpty()) return problem;
  }
  return writePicture(picture, scene, file);
}

void run(const RenderOptions& options, Outcome& outcome) {
  const auto request = understand(options);
  if (!request) return outcome.fail(request.error());
  emulator::Workspace workspace;
  const auto scene = sceneOf(*request, analysis::record(workspace, request->trace));
  if (!scene) return outcome.fail(scene.error());
  const QString file = QString::fromStdString(options.out);
  if (request->animation) return renderAnimation(*request, *scene, file, outcome);

  Application application({Platform::Offscreen, request->picture.theme.look});
  const bool alone = request->view == ExportedView::Loom || request->view == ExportedView::Banks;
  QStringList report;
  const QString problem =
      alone ? writeAlone(*request, *scene, file) : writeFromWindow(*request, *scene, file, report);
  if (!problem.isEmpty()) return outcome.fail(problem.toStdString());
  report += file;
  outcome.output = report.join(QLatin1Char('\n')).toStdString() + "\n";
}

}  // namespace

void addRenderCommand(Command root, Outcome& outcome) {
  auto options = std::make_shared<RenderOptions>();
  options->stage.stage = "warptiled";
  const Command command =
      root.addCommand("render", "Write a view as a picture or playing as an animation");
  command
      .addOption("VIEW", options->view,
                 fmt::format("{} or animation", fmt::join(kExportedNames, ", ")))
      .typeName("")
      .required();
  addStageOptions(command, options->stage, "--stage");
  command.addOption("--size", options->size, "size of the problem, or one number for a cube")
      .typeName("MxNxK")
      .showDefault();
  command.addOption("--block", options->block, "blockIdx of the block that is shown")
      .typeName("X,Y")
      .showDefault();
  command.addOption("--ktiles", options->ktiles, "how many K tiles to trace")
      .typeName("N")
      .showDefault();
  command
      .addOption("--step", options->step,
                 "instruction of the warp, from 0 (default: its first shared load)")
      .typeName("INSTRUCTION");
  command.addOption("--warp", options->warp, "which warp is watched").typeName("N").showDefault();
  command.addOption("--lane", options->lane, "which lane is selected").typeName("0-31");
  command.addFlag("--grid", options->grid, "zoom the loom out to the whole grid");
  command
      .addOption("--tab", options->tab,
                 fmt::format("of the window: {}", fmt::join(kTabNames, ", ")))
      .typeName("TAB")
      .showDefault();
  command
      .addOption("--level", options->level,
                 fmt::format("of the roofline: {}", fmt::join(kRooflineLevelNames, ", ")))
      .typeName("LEVEL")
      .showDefault();
  command
      .addOption("--form", options->form,
                 fmt::format("of the tuning tab: {}", fmt::join(kTuningFormNames, ", ")))
      .typeName("FORM")
      .showDefault();
  command
      .addOption("--axes", options->axes,
                 "of the tuning map: a knob upwards and one to the right (default: BM,BN)")
      .typeName("KNOB,KNOB");
  command
      .addOption(
          "--others", options->others,
          fmt::format("what becomes of the map's other knobs: {}", fmt::join(kOthersNames, ", ")))
      .typeName("HOW")
      .showDefault();
  command
      .addOption("--on", options->on,
                 "of the tuning tab: whose runs, a part of the device's name (default: the one "
                 "with the most)")
      .typeName("DEVICE");
  command.addOption("--and-on", options->andOn, "of the tuning tab: a second device beside it")
      .typeName("DEVICE");
  command
      .addOption("--zoom", options->zoom,
                 fmt::format("of the loom: {}", fmt::join(kZoomNames, ", ")))
      .typeName("LEVEL")
      .showDefault();
  command
      .addOption("--beside", options->beside,
                 "for the window: the baseline to compare with, such as vectorized or "
                 "warptiled:WNITER=1")
      .typeName("STAGE[:TILE]");
  command
      .addOption("--without", options->without,
                 "for the window: a panel to leave out, ladder or tile (may be given twice)")
      .typeName("PANEL");
  command
      .addOption("--live", options->live,
                 "for the window and its charts: start the worker, and stay this many seconds at "
                 "each tile")
      .typeName("SECONDS")
      .showDefault();
  command
      .addOption("--move", options->moves,
                 "for the window and its charts: knobs to turn before the picture, in turn (BK=8)")
      .typeName("KNOB=N,...");
  command.addOption("--theme", options->theme, fmt::format("{}", fmt::join(kLookNames, ", ")))
      .typeName("THEME")
      .showDefault();
  command.addOption("--text", options->text, "size of the text, 100 to 300")
      .typeName("PERCENT")
      .showDefault();
  command
      .addOption("--width", options->width,
                 "of the picture (default: 1200, the window 1600, source and tables as needed)")
      .typeName("PIXELS");
  command
      .addOption("--height", options->height,
                 "with the caption (default: 1000, the banks 420, the table as needed)")
      .typeName("PIXELS");
  command
      .addOption("--scale", options->scale,
                 "pixels of the file for each of these (4K: 1920x1080 at 2)")
      .typeName("N")
      .showDefault();
  command.addFlag("--caption", options->caption,
                  "below the picture, words on what it shows (menus of the window do so)");
  command.addFlag("--no-caption", options->noCaption, "without them (default)");
  command
      .addOption("--view", options->of, "for an animation: loom, banks or window (default: loom)")
      .typeName("VIEW");
  command
      .addOption("--from", options->from,
                 "for an animation: its first one (default: of the first K tile)")
      .typeName("INSTRUCTION");
  command
      .addOption("--to", options->to,
                 "for an animation: its last one (default: of the first K tile)")
      .typeName("INSTRUCTION");
  command
      .addOption("--every", options->every,
                 "for an animation, a frame for each instruction, dot (default) or ktile")
      .typeName("WHAT");
  command.addOption("--fps", options->fps, "for an animation: frames a second (default: 10)")
      .typeName("N");
  command
      .addOption("--out", options->out,
                 "file to write: .png, .svg or .pdf; of an animation .mp4, .gif or a folder for "
                 "PNGs")
      .typeName("FILE")
      .required();
  command.onRun([options, &outcome] { run(*options, outcome); });
}

}  // namespace tileloom::app
