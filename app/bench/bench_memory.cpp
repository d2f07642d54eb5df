// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/bench_memory.h"

#include <fmt/format.h>

#include <memory>

#include "app/bench/grand_tour.h"
#include "app/bench/memory_figures.h"
#include "app/commands/common/parse.h"
#include "app/window/application.h"

namespace tileloom::app {
namespace {

struct Options {
  std::string rounds = "4";
};

std::string line(const std::string& when, MainWindow& window, GrandTour& tour) {
  return fmt::format(
      "  {:<12} {:7.1f} MB resident  {:7.1f} MB allocated  {:4} recordings made, {} alive  {:5} "
      "objects\n",
      when, residentMb(), allocatedMb(), tour.recordingsMade(), tour.recordingsAlive(),
      window.findChildren<QObject*>().size());
}

void run(const Options& options, Outcome& outcome) {
  const auto rounds = parseNumber("--rounds", options.rounds, 1, 1000);
  if (!rounds) return outcome.fail(rounds.error());
  Application application({Platform::Offscreen, Look::Dark});
  MainWindow window;
  window.show();
  GrandTour tour(window);
  tour.visit(0, 0);
  std::string text = fmt::format("tileloom bench memory: {} stops in each round\n", tour.stops());
  text += line("first stop", window, tour);
  for (int round = 0; round < *rounds; ++round) {
    tour.visitAll(round);
    text += line(fmt::format("round {}", round + 1), window, tour);
  }
  outcome.output = text;
}

}  // namespace

void addBenchMemoryCommand(Command bench, Outcome& outcome) {
  const auto options = std::make_shared<Options>();
  const Command command = bench.addCommand(
      "memory", "Memory of the window at every rung and page, round after round (prints figures)");
  command.addOption("--rounds", options->rounds, "through all rungs and pages").showDefault();
  command.onRun([options, &outcome] { run(*options, outcome); });
}

}  // namespace tileloom::app
