// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/render_command.h"

#include <fmt/format.h>

#include <QEventLoop>
#include <QTabWidget>
#include <QTimer>

#include "app/application.h"
#include "app/commands/parse.h"
#include "app/commands/stage_options.h"
#include "app/export.h"
#include "app/main_window.h"
#include "kernels/emulator/run.h"
#include "kernels/tile/constraints.h"
#include "viz/loom_view.h"

namespace tileloom::app {
namespace {

constexpr int kStopMs = 600;  // longer than a stop in passing

struct Options {
  std::string view;
  StageOptions stage;
  std::string size = toString(kOpeningProblem);
  std::string block = "0,0";
  std::string ktiles = "2";
  std::optional<std::string> step;
  std::string warp = "0";
  std::optional<std::string> lane;
  std::string theme = "dark";
  std::string text = "100";
  std::string width = "1200";
  std::string height;
  std::string scale = "1";
  bool grid = false;
  std::string tab = "banks";
  std::string live = "0";
  std::vector<std::string> moves;
  std::string out;
};

struct Request {
  emulator::TraceRequest trace;
  Picture picture;
  bool window = false;
  std::optional<int> step;
  int warp = 0;
  std::optional<int> lane;
  std::optional<LowerTab> tab;
  int text = 100;                // percent
  int live = 0;                  // seconds at each tile
  std::vector<TileShape> moves;  // of the knobs, one after the other
};

// Everything that can be judged before any work is done.
tl::expected<Request, std::string> understand(const Options& o) {
  Request r;
  if (o.view == "banks") {
    r.picture.view = Picture::View::Banks;
  } else if (o.view == "window") {
    r.window = true;
  } else if (o.view != "loom") {
    return tl::unexpected(
        fmt::format("there is no view \"{}\": choose loom, banks or window", quotable(o.view)));
  }
  const auto stage = chosenStage(o.stage, "render");
  if (!stage) return tl::unexpected(stage.error());
  const auto size = parseSize(o.size);
  if (!size) return tl::unexpected(size.error());
  const auto block = parseBlock(o.block);
  if (!block) return tl::unexpected(block.error());
  const auto tiles = parseNumber("--ktiles", o.ktiles, 1, 64);
  if (!tiles) return tl::unexpected(tiles.error());
  r.trace = {stage->stage, stage->tile, *size, *block, static_cast<std::uint32_t>(*tiles)};
  if (auto why = emulator::whyNotTraceable(r.trace); !why.empty()) return tl::unexpected(why);

  const auto number = [](const char* name, const std::string& text, int least, int most,
                         auto& into) -> std::string {
    const auto parsed = parseNumber(name, text, least, most);
    if (!parsed) return parsed.error();
    into = *parsed;
    return {};
  };
  int width = 0, height = 0, scale = 1;
  const std::string heightText = !o.height.empty()    ? o.height
                                 : o.view == "banks"  ? "420"
                                 : o.view == "window" ? "1000"
                                                      : "1000";
  for (const std::string& error :
       {o.step ? number("--step", *o.step, 0, 1 << 28, r.step) : std::string(),
        number("--warp", o.warp, 0, 31, r.warp),
        o.lane ? number("--lane", *o.lane, 0, 31, r.lane) : std::string(),
        number("--width", o.view == "window" && o.width == "1200" ? "1600" : o.width, 200, 16384,
               width),
        number("--height", heightText, 120, 16384, height),
        number("--scale", o.scale, 1, 8, scale)}) {
    if (!error.empty()) return tl::unexpected(error);
  }
  r.tab.reset();
  for (int i = 0; i < kLowerTabs; ++i) {
    if (o.tab == tabName(static_cast<LowerTab>(i))) r.tab = static_cast<LowerTab>(i);
  }
  if (!r.tab) {
    return tl::unexpected(fmt::format("there is no tab \"{}\": choose one of {}", quotable(o.tab),
                                      fmt::join(kTabNames, ", ")));
  }
  if (const auto error = number("--live", o.live, 0, 600, r.live); !error.empty())
    return tl::unexpected(error);
  for (const std::string& move : o.moves) {
    // A move names what changes; the other knobs stay where the move before left them.
    const auto named = parseTile(*stage->stage, move);
    if (!named) return tl::unexpected(named.error());
    TileShape tile = r.moves.empty() ? stage->tile : r.moves.back();
    for (const auto& part : QString::fromStdString(move).split(QLatin1Char(','))) {
      const auto knob = knobNamed(part.section(QLatin1Char('='), 0, 0).trimmed().toStdString());
      if (knob) tile[*knob] = (*named)[*knob];
    }
    if (const auto why = explainTile(*stage->stage, tile); !why.empty()) return tl::unexpected(why);
    r.moves.push_back(tile);
  }
  if (const auto error = number("--text", o.text, 100, 300, r.text); !error.empty())
    return tl::unexpected(error);
  const auto look = lookNamed(o.theme);
  if (!look) {
    return tl::unexpected(fmt::format("there is no theme \"{}\": choose one of {}",
                                      quotable(o.theme), fmt::join(kLookNames, ", ")));
  }
  r.picture.size = QSizeF(width, height);
  r.picture.scale = scale;
  r.picture.theme = Theme::make(*look);
  r.picture.wholeGrid = o.grid;
  return r;
}

// The asked-for instant, or why there is none.
tl::expected<Scene, std::string> sceneOf(const Request& r,
                                         std::shared_ptr<const analysis::Recording> recording) {
  const auto& trace = recording->trace;
  if (static_cast<std::uint32_t>(r.warp) >= trace.warps) {
    return tl::unexpected(
        fmt::format("the block has no warp {}: choose one from 0 to {}", r.warp, trace.warps - 1));
  }
  const auto warp = static_cast<std::uint32_t>(r.warp);
  const std::uint32_t length = trace.length(warp);
  const std::uint32_t index =
      r.step ? static_cast<std::uint32_t>(*r.step) : openingIndex(*recording);
  if (index >= length) {
    return tl::unexpected(fmt::format(
        "step {} is past the end: warp {} executes {} instructions, so choose a step from 0 to {}",
        index, warp, length, length - 1));
  }
  Scene scene = makeScene(std::move(recording), warp, index);
  if (r.lane) {
    Selection selection;
    selection.thread = warp * emulator::kWarpSize + static_cast<std::uint32_t>(*r.lane);
    scene.selection = complete(scene, selection);
  }
  return scene;
}

void dwell(int ms) {
  QEventLoop loop;
  QTimer::singleShot(ms, &loop, &QEventLoop::quit);
  loop.exec();
}

// Turns the knobs as a person would, staying at each tile; says when its first figure came.
void walk(MainWindow& window, const Request& r, QStringList& report) {
  Lab& lab = window.lab();
  for (const TileShape& tile : r.moves) {
    QElapsedTimer clock;
    bool told = false;
    const auto connection = QObject::connect(&lab, &Lab::historyChanged, &window, [&] {
      if (told || lab.current() < 0) return;
      const HistoryPoint& point = lab.history()[static_cast<std::size_t>(lab.current())];
      if (point.tile != tile || !point.gflops.known() || point.standing != Standing::Live) return;
      told = true;
      report += QStringLiteral("%1: first figure after %2 ms")
                    .arg(QString::fromStdString(tileText(*r.trace.stage, tile)))
                    .arg(clock.elapsed());
    });
    clock.start();
    window.explorer().setTile(tile);
    dwell(std::max(kStopMs, r.live * 1000));
    QObject::disconnect(connection);
  }
}

QString writeWindow(const Request& r, const Scene& wanted, const QString& file,
                    QStringList& report) {
  if (!file.endsWith(QLatin1String(".png"), Qt::CaseInsensitive)) {
    return QStringLiteral("the window can be rendered to .png only, not to \"%1\"").arg(file);
  }
  MainWindow window(LabSetup{{}, {}, r.live > 0});
  window.resize(r.picture.size.toSize());
  window.setTextSize(r.text);
  window.show();
  Explorer& explorer = window.explorer();
  QEventLoop loop;
  QObject::connect(&explorer, &Explorer::recordingChanged, &loop, [&](const Scene& scene) {
    const auto& trace = scene.recording->trace;
    if (trace.stage == r.trace.stage && trace.tile == r.trace.tile &&
        trace.asked == r.trace.problem)
      loop.quit();
  });
  explorer.setStage(*r.trace.stage);
  explorer.setTile(r.trace.tile);
  explorer.setProblem(r.trace.problem);
  loop.exec();
  const auto& map = wanted.recording->map;
  if (!(wanted.recording->trace.block == Extent{0, 0})) {
    explorer.setBlockAt(static_cast<int>(map.c.row), static_cast<int>(map.c.column));
    loop.exec();
  }
  explorer.setWarp(r.warp);
  explorer.setIndex(static_cast<int>(wanted.moment.index));
  if (!wanted.selection.empty()) explorer.hold(wanted.selection);
  if (r.picture.wholeGrid) window.loom()->zoomTo(LoomView::Level::Grid, false);
  window.showTab(*r.tab);
  if (r.live > 0 || !r.moves.empty()) dwell(std::max(kStopMs, r.live * 1000));
  walk(window, r, report);
  // The marks of the sliders come once the move has settled: a picture shows them always.
  while (window.lab().settling()) QApplication::processEvents(QEventLoop::WaitForMoreEvents);
  QApplication::processEvents();
  QImage image((r.picture.size * r.picture.scale).toSize(), QImage::Format_RGB32);
  image.setDevicePixelRatio(r.picture.scale);
  window.render(&image);
  return writeImage(image, file);
}

void run(const Options& options, Outcome& outcome) {
  const auto request = understand(options);
  if (!request) return outcome.fail(request.error());
  emulator::Workspace workspace;
  const auto scene = sceneOf(*request, analysis::record(workspace, request->trace));
  if (!scene) return outcome.fail(scene.error());

  Application application({Platform::Offscreen, request->picture.theme.look});
  Picture picture = request->picture;
  picture.font = QApplication::font();
  picture.font.setPointSizeF(picture.font.pointSizeF() * request->text / 100.0);
  const QString file = QString::fromStdString(options.out);
  QStringList report;
  const QString problem = request->window ? writeWindow(*request, *scene, file, report)
                                          : writePicture(picture, *scene, file);
  if (!problem.isEmpty()) return outcome.fail(problem.toStdString());
  report += file;
  outcome.output = report.join(QLatin1Char('\n')).toStdString() + "\n";
}

}  // namespace

void addRenderCommand(CLI::App& root, Outcome& outcome) {
  auto options = std::make_shared<Options>();
  options->stage.stage = "warptiled";
  CLI::App* command = root.add_subcommand("render", "Write a view as a picture: PNG, SVG or PDF");
  command->add_option("VIEW", options->view, "loom, banks or window")->required();
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
      ->add_option("--live", options->live,
                   "for the window: start the worker, and stay this many seconds at each tile")
      ->capture_default_str();
  command->add_option("--move", options->moves,
                      "for the window: knobs to turn before the picture, in turn (BK=8)");
  command->add_option("--theme", options->theme, "dark, light or contrast")->capture_default_str();
  command->add_option("--text", options->text, "size of the text in percent, 100 to 300")
      ->capture_default_str();
  command->add_option("--width", options->width, "pixels (default: 1200, the window 1600)");
  command->add_option("--height", options->height, "pixels (default: 1000, the banks 420)");
  command->add_option("--scale", options->scale, "pixels of the file for each of these")
      ->capture_default_str();
  command->add_option("--out", options->out, "file to write: .png, .svg or .pdf")->required();
  command->callback([options, &outcome] { run(*options, outcome); });
}

}  // namespace tileloom::app
