// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/bench_ui.h"

#include <fmt/format.h>

#include <QElapsedTimer>
#include <QEventLoop>
#include <algorithm>

#include "app/bench/bench_memory.h"
#include "app/bench/bench_soak.h"
#include "app/session/page_ids.h"
#include "app/window/application.h"
#include "app/window/main_window.h"
#include "kernels/tile/parameters.h"
#include "viz/loom/loom_view.h"
#include "viz/panels/parameter_panel.h"
#include "viz/panels/parameter_slider.h"

namespace tileloom::app {
namespace {

struct Spread {
  double least = 0, median = 0, p95 = 0;
};

Spread spread(std::vector<double> ms) {
  std::ranges::sort(ms);
  const auto at = [&](double share) {
    return ms[std::min(ms.size() - 1,
                       static_cast<std::size_t>(share * static_cast<double>(ms.size())))];
  };
  return {ms.front(), at(0.5), at(0.95)};
}

double since(const QElapsedTimer& timer) {
  return static_cast<double>(timer.nsecsElapsed()) * 1e-6;
}

// From the change of a tile parameter to the end of painting the frame that shows it.
std::vector<double> sliderMoves(MainWindow& window, int moves) {
  Explorer& explorer = window.explorer();
  const Stage& stage = explorer.stage();
  const TileShape standard = stage.standardTile();
  std::vector<double> times;
  for (int i = 0; i < moves; ++i) {
    // To and from the default tile, whose frame is the one that counts.
    const bool back = i % 2 == 1;
    const TileShape tile = back ? standard : standard.with(Parameter::WNITER, 2);
    QEventLoop loop;
    QObject::connect(&explorer, &Explorer::recordingChanged, &loop, &QEventLoop::quit,
                     Qt::QueuedConnection);
    QElapsedTimer timer;
    timer.start();
    emit window.view<ParameterPanel>()->slider(Parameter::WNITER)->moved(tile[Parameter::WNITER]);
    loop.exec();
    QApplication::processEvents();  // paints what has changed, as a real frame does
    if (back && i > 4) times.push_back(since(timer));
  }
  return times;
}

std::vector<double> playFrames(MainWindow& window, int frames) {
  std::vector<double> times;
  Explorer& explorer = window.explorer();
  explorer.setIndex(0);
  for (int i = 0; i < frames; ++i) {
    QElapsedTimer timer;
    timer.start();
    explorer.step(7);  // loads, multiply-adds and barriers alike
    QApplication::processEvents();
    times.push_back(since(timer));
  }
  return times;
}

// The window plays by itself, on a canvas of 1920 x 1080: the time from one frame to the next would
// be that of the timer, so the work for each is measured instead.
std::vector<double> weaveFrames(MainWindow& window, int frames) {
  std::vector<double> times;
  window.resize(1920, 1080);
  Explorer& explorer = window.explorer();
  explorer.setIndex(0);
  explorer.setPace(kUsualPace);
  explorer.setPlaying(true);
  QEventLoop loop;
  const auto watch = QObject::connect(&explorer, &Explorer::sceneChanged, &window, [&] {
    QElapsedTimer timer;
    timer.start();
    QApplication::sendPostedEvents();
    window.view<LoomView>()->repaint();
    times.push_back(since(timer));
    if (static_cast<int>(times.size()) >= frames) loop.quit();
  });
  loop.exec();
  QObject::disconnect(watch);
  explorer.setPlaying(false);
  return times;
}

// Frames while playing at each level of the loom.
std::string levelFrames(MainWindow& window) {
  std::string text;
  for (std::size_t level = 0; level < kZoomNames.size(); ++level) {
    window.view<LoomView>()->zoomTo(static_cast<LoomLevel>(level), false);
    const Spread s = spread(playFrames(window, 200));
    text += fmt::format("    zoomed to the {:<12} {:8.2f} ms median  {:8.2f} ms 95 %\n",
                        kZoomNames[level], s.median, s.p95);
  }
  window.view<LoomView>()->zoomTo(LoomLevel::Block, false);
  return text;
}

// The last rung of the tensor ladder, whose instructions multiply 2,048 products each.
std::string tensorFrames(MainWindow& window) {
  const Stage& stage = tensorStages().back();
  QEventLoop loop;
  QObject::connect(&window.explorer(), &Explorer::recordingChanged, &loop, &QEventLoop::quit,
                   Qt::QueuedConnection);
  window.explorer().setStage(stage);
  loop.exec();
  const std::string levels = levelFrames(window);
  const Spread weave = spread(weaveFrames(window, 120));
  return fmt::format(
      "  rung {}, one frame while playing\n{}"
      "    weaving, 1920 x 1080       {:8.2f} ms median  {:8.2f} ms 95 %\n",
      rungLabel(stage), levels, weave.median, weave.p95);
}

void run(Outcome& outcome) {
  QElapsedTimer start;
  start.start();
  Application application({Platform::Offscreen, Look::Dark});
  MainWindow window;
  window.resize(1600, 1000);
  window.show();
  QEventLoop loop;
  QObject::connect(&window.explorer(), &Explorer::recordingChanged, &loop, &QEventLoop::quit,
                   Qt::QueuedConnection);
  loop.exec();
  window.repaint();
  const double first = since(start);
  const Spread moves = spread(sliderMoves(window, 120));
  const Spread frames = spread(playFrames(window, 400));
  std::string levels = levelFrames(window);
  const Spread weave = spread(weaveFrames(window, 120));
  window.middle().setLower(0);
  QApplication::processEvents();
  const Spread large = spread(weaveFrames(window, 120));
  window.middle().setLower(kUsualLower);
  window.resize(1600, 1000);
  levels += fmt::format(
      "    weaving, 1920 x 1080       {:8.2f} ms median  {:8.2f} ms 95 %\n"
      "    lower half folded away     {:8.2f} ms median  {:8.2f} ms 95 %\n",
      weave.median, weave.p95, large.median, large.p95);
  for (const std::string_view tab : kTabIds) {
    window.showPage(tab);
    QApplication::processEvents();
    const Spread s = spread(playFrames(window, 100));
    levels += fmt::format("    with the tab {:<13} {:8.2f} ms median  {:8.2f} ms 95 %\n", tab,
                          s.median, s.p95);
  }
  outcome.output = fmt::format(
      "tileloom bench ui: 1600 x 1000, software rendering, default warp tile\n"
      "  start to first frame       {:8.1f} ms\n"
      "  slider move to new frame   {:8.2f} ms median  {:8.2f} ms 95 %  {:8.2f} ms least   (goal: "
      "16 ms)\n"
      "  one frame while playing    {:8.2f} ms median  {:8.2f} ms 95 %  {:8.2f} ms least   (goal: "
      "16.7 ms)\n"
      "{}"
      "  frames per second            {:8.0f} at the median\n"
      "{}",
      first, moves.median, moves.p95, moves.least, frames.median, frames.p95, frames.least, levels,
      1000.0 / frames.median, tensorFrames(window));
}

}  // namespace

void addBenchUiCommand(Command root, Outcome& outcome) {
  const Command bench = root.command("bench");
  bench.addCommand("ui", "Time slider moves and frames of the window (prints figures, never fails)")
      .onRun([&outcome] { run(outcome); });
  addBenchSoakCommand(bench, outcome);
  addBenchMemoryCommand(bench, outcome);
}

}  // namespace tileloom::app
