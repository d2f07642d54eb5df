// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/render/render_command.h"

#include <fmt/format.h>

#include <QDateTime>

#include "app/render/render_animation.h"
#include "app/render/render_options.h"
#include "app/render/render_window.h"
#include "app/window/application.h"
#include "kernels/analysis/recording.h"
#include "kernels/base/text_file.h"
#include "viz/base/widgets/file_given.h"

namespace tileloom::app {
namespace {

// Some pictures need no window: they are painted from the recording alone.
QString writeAlone(const RenderRequest& request, const Scene& scene, const QString& file) {
  Picture picture = request.picture;
  picture.font = QApplication::font();
  picture.font.setPointSizeF(picture.font.pointSizeF() * request.session.text.value_or(kUsualText) /
                             100.0);
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
  const auto given = fileGiven(options.out);
  if (!given) return outcome.fail(given.error());
  const QString& file = *given;
  if (!request->animation) {
    if (const std::string why = whyNotReplaced(options.out); !why.empty()) return outcome.fail(why);
  }
  emulator::Workspace workspace;
  const auto scene = sceneOf(*request, analysis::record(workspace, request->trace));
  if (!scene) return outcome.fail(scene.error());
  if (request->animation) return renderAnimation(*request, *scene, file, outcome);

  Application application({Platform::Offscreen, request->picture.theme.look});
  QStringList report;
  const QString problem = request->needsNoWindow()
                              ? writeAlone(*request, *scene, file)
                              : writeFromWindow(*request, *scene, file, report);
  if (!problem.isEmpty()) return outcome.fail(problem.toStdString());
  report += file;
  outcome.output = report.join(QLatin1Char('\n')).toStdString() + "\n";
}

}  // namespace

void addRenderCommand(Command root, Outcome& outcome) {
  auto options = std::make_shared<RenderOptions>();
  const Command command =
      root.addCommand("render", "Write a view as a picture or playing as an animation");
  addRenderOptions(command, *options);
  command.onRun([options, &outcome] { run(*options, outcome); });
}

}  // namespace tileloom::app
