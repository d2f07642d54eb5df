// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/render_command.h"

#include <fmt/format.h>

#include <QDateTime>

#include "app/application.h"
#include "app/render_animation.h"
#include "app/render_window.h"
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

void addRenderCommand(CLI::App& root, Outcome& outcome) {
  auto options = std::make_shared<RenderOptions>();
  options->stage.stage = "warptiled";
  CLI::App* command =
      root.add_subcommand("render", "Write a view as a picture or playing as an animation");
  command
      ->add_option("VIEW", options->view,
                   fmt::format("{} or animation", fmt::join(kExportedNames, ", ")))
      ->required();
  addStageOptions(*command, options->stage, "--stage");
  command->add_option("--size", options->size, "M x N x K of the problem")->capture_default_str();
  command->add_option("--block", options->block, "blockIdx as X,Y")->capture_default_str();
  command->add_option("--ktiles", options->ktiles, "how many K tiles to trace")
      ->capture_default_str();
  command->add_option("--step", options->step,
                      "instruction of the warp, from 0 (default: its first shared load)");
  command->add_option("--warp", options->warp, "which warp is watched")->capture_default_str();
  command->add_option("--lane", options->lane, "which lane is selected");
  command->add_flag("--grid", options->grid, "zoom the loom out to the whole grid");
  command
      ->add_option("--tab", options->tab,
                   fmt::format("of the window: {}", fmt::join(kTabNames, ", ")))
      ->capture_default_str();
  command
      ->add_option("--zoom", options->zoom,
                   fmt::format("of the loom: {}", fmt::join(kZoomNames, ", ")))
      ->capture_default_str();
  command
      ->add_option("--beside", options->beside,
                   "for the window: the baseline to compare with, such as vectorized or "
                   "warptiled:WNITER=1")
      ->type_name("STAGE[:TILE]");
  command
      ->add_option("--without", options->without,
                   "for the window: a panel to leave out, ladder or tile (may be given twice)")
      ->type_name("PANEL");
  command
      ->add_option("--live", options->live,
                   "for the window and its charts: start the worker, and stay this many seconds at "
                   "each tile")
      ->capture_default_str();
  command->add_option(
      "--move", options->moves,
      "for the window and its charts: knobs to turn before the picture, in turn (BK=8)");
  command->add_option("--theme", options->theme, fmt::format("{}", fmt::join(kLookNames, ", ")))
      ->capture_default_str();
  command->add_option("--text", options->text, "size of the text in percent, 100 to 300")
      ->capture_default_str();
  command->add_option("--width", options->width,
                      "pixels (default: 1200, the window 1600, source and table as needed)");
  command->add_option("--height", options->height,
                      "pixels, with the caption (default: 1000, the banks 420, the table as "
                      "needed)");
  command
      ->add_option("--scale", options->scale,
                   "pixels of the file for each of these (4K: 1920x1080 at 2)")
      ->capture_default_str();
  command->add_flag("--caption", options->caption,
                    "below the picture, words on what it shows (menus of the window do so)");
  command->add_flag("--no-caption", options->noCaption, "without them (default)");
  command->add_option("--view", options->of,
                      "for an animation: loom, banks or window (default: loom)");
  command->add_option("--from", options->from,
                      "for an animation: its first instruction (default: of the first K tile)");
  command->add_option("--to", options->to,
                      "for an animation: its last instruction (default: of the first K tile)");
  command->add_option("--every", options->every,
                      "for an animation, a frame for each instruction, dot (default) or ktile");
  command->add_option("--fps", options->fps, "for an animation: frames a second (default: 10)");
  command
      ->add_option("--out", options->out,
                   "file to write: .png, .svg or .pdf; of an animation .mp4, .gif or a folder for "
                   "PNGs")
      ->required();
  command->callback([options, &outcome] { run(*options, outcome); });
}

}  // namespace tileloom::app
