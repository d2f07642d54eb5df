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

// Some pictures need no window: they are painted from the recording alone.
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
  const bool alone = request->page != nullptr && request->page->ofScene;
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
  command->add_option("VIEW", options->view, renderedNames())->type_name("")->required();
  addStageOptions(*command, options->stage, "--stage");
  command->add_option("--size", options->size, "size of the problem, or one number for a cube")
      ->type_name("MxNxK")
      ->capture_default_str();
  command->add_option("--block", options->block, "blockIdx of the block that is shown")
      ->type_name("X,Y")
      ->capture_default_str();
  command->add_option("--ktiles", options->ktiles, "how many K tiles to trace")
      ->type_name("N")
      ->capture_default_str();
  command
      ->add_option("--step", options->step,
                   "instruction of the warp, from 0 (default: its first shared load)")
      ->type_name("INSTRUCTION");
  command->add_option("--warp", options->warp, "which warp is watched")
      ->type_name("N")
      ->capture_default_str();
  command->add_option("--lane", options->lane, "which lane is selected")->type_name("0-31");
  command->add_flag("--grid", options->grid, "zoom the loom out to the whole grid");
  command
      ->add_option("--tab", options->tab,
                   fmt::format("of the window: {}", fmt::join(kTabIds, ", ")))
      ->type_name("TAB")
      ->capture_default_str();
  command
      ->add_option("--level", options->level,
                   fmt::format("of the roofline: {}", fmt::join(kRooflineLevelNames, ", ")))
      ->type_name("LEVEL")
      ->capture_default_str();
  command
      ->add_option("--form", options->form,
                   fmt::format("of the tuning tab: {}", fmt::join(kTuningFormNames, ", ")))
      ->type_name("FORM")
      ->capture_default_str();
  command
      ->add_option("--axes", options->axes,
                   "of the tuning map: a knob upwards and one to the right (default: BM,BN)")
      ->type_name("KNOB,KNOB");
  command
      ->add_option(
          "--others", options->others,
          fmt::format("what becomes of the map's other knobs: {}", fmt::join(kOthersNames, ", ")))
      ->type_name("HOW")
      ->capture_default_str();
  command
      ->add_option("--on", options->on,
                   "of the tuning tab: whose runs, a part of the device's name (default: the one "
                   "with the most)")
      ->type_name("DEVICE");
  command->add_option("--and-on", options->andOn, "of the tuning tab: a second device beside it")
      ->type_name("DEVICE");
  command
      ->add_option("--zoom", options->zoom,
                   fmt::format("of the loom: {}", fmt::join(kZoomNames, ", ")))
      ->type_name("LEVEL")
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
      ->type_name("SECONDS")
      ->capture_default_str();
  command
      ->add_option(
          "--move", options->moves,
          "for the window and its charts: knobs to turn before the picture, in turn (BK=8)")
      ->type_name("KNOB=N,...");
  command->add_option("--theme", options->theme, fmt::format("{}", fmt::join(kLookNames, ", ")))
      ->type_name("THEME")
      ->capture_default_str();
  command->add_option("--text", options->text, "size of the text, 100 to 300")
      ->type_name("PERCENT")
      ->capture_default_str();
  command
      ->add_option("--width", options->width,
                   "of the picture (default: 1200, the window 1600, source and tables as needed)")
      ->type_name("PIXELS");
  command
      ->add_option("--height", options->height,
                   "with the caption (default: 1000, the banks 420, the table as needed)")
      ->type_name("PIXELS");
  command
      ->add_option("--scale", options->scale,
                   "pixels of the file for each of these (4K: 1920x1080 at 2)")
      ->type_name("N")
      ->capture_default_str();
  command->add_flag("--caption", options->caption,
                    "below the picture, words on what it shows (menus of the window do so)");
  command->add_flag("--no-caption", options->noCaption, "without them (default)");
  command
      ->add_option("--view", options->of, "for an animation: loom, banks or window (default: loom)")
      ->type_name("VIEW");
  command
      ->add_option("--from", options->from,
                   "for an animation: its first one (default: of the first K tile)")
      ->type_name("INSTRUCTION");
  command
      ->add_option("--to", options->to,
                   "for an animation: its last one (default: of the first K tile)")
      ->type_name("INSTRUCTION");
  command
      ->add_option("--every", options->every,
                   "for an animation, a frame for each instruction, dot (default) or ktile")
      ->type_name("WHAT");
  command->add_option("--fps", options->fps, "for an animation: frames a second (default: 10)")
      ->type_name("N");
  command
      ->add_option("--out", options->out,
                   "file to write: .png, .svg or .pdf; of an animation .mp4, .gif or a folder for "
                   "PNGs")
      ->type_name("FILE")
      ->required();
  command->callback([options, &outcome] { run(*options, outcome); });
}

}  // namespace tileloom::app
