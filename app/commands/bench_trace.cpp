// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/bench_trace.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <memory>
#include <string>

#include "app/commands/bench_tiles.h"
#include "app/commands/common/parse.h"
#include "app/commands/common/table.h"
#include "kernels/emulator/run.h"

namespace tileloom::app {
namespace {

struct Timing {
  double median = 0;  // ms
  double least = 0;
};

// Times `runs` traces of the first `kTiles` K tiles of one block of a 1024-cube, with operands, as
// the window requests them.
Timing timeTrace(emulator::Workspace& workspace, const Stage& stage, const TileShape& tile,
                 std::uint32_t kTiles, int runs) {
  emulator::TraceRequest request;
  request.subject() = usualSubject(stage, tile);
  request.problem = {1024, 1024, 1024};
  request.kTiles = kTiles;
  std::vector<double> times;
  for (int i = 0; i < runs; ++i) {
    const auto start = std::chrono::steady_clock::now();
    const emulator::Trace trace = traceBlock(workspace, request);
    const std::chrono::duration<double, std::milli> taken =
        std::chrono::steady_clock::now() - start;
    times.push_back(taken.count());
  }
  std::ranges::sort(times);
  return {times[times.size() / 2], times.front()};
}

// Megabytes. VmHWM where the system has it: getrusage also covers the process that started this
// one.
double peakMemory() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    if (word != "VmHWM:") continue;
    double kilobytes = 0;
    status >> kilobytes;
    return kilobytes / 1000;
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
#ifdef __APPLE__
  return static_cast<double>(usage.ru_maxrss) / 1e6;
#else
  return static_cast<double>(usage.ru_maxrss) / 1000;
#endif
}

struct Worst {
  const Stage* stage = nullptr;
  TileShape tile;
  Timing timing;
  std::size_t measured = 0;
};

// Of `count` random legal tiles per stage, and the heaviest ones.
Worst worstFirstTile(emulator::Workspace& workspace, std::size_t count) {
  const std::size_t heaviest = std::max<std::size_t>(count / 4, 1);
  constexpr int kRuns = 5;
  std::mt19937 random(1);  // the same tiles every time
  Worst worst;
  for (const Stage* each : everyStage()) {
    const Stage& stage = *each;
    std::vector<TileShape> tiles = randomTiles(stage, count, random);
    for (const TileShape& tile : heaviestTiles(stage, heaviest)) {
      if (std::ranges::find(tiles, tile) == tiles.end()) tiles.push_back(tile);
    }
    for (const TileShape& tile : tiles) {
      const Timing timing = timeTrace(workspace, stage, tile, 1, kRuns);
      ++worst.measured;
      if (timing.median <= worst.timing.median) continue;
      worst.stage = &stage;
      worst.tile = tile;
      worst.timing = timing;
    }
  }
  return worst;
}

std::string ms(double value) {
  return fmt::format("{:.2f} ms", value);
}

void benchTrace(const std::string& tiles, Outcome& outcome) {
  const auto count = parseNumber("--tiles", tiles, 1, 1000);
  if (!count) return outcome.fail(count.error());
  // One rung that uses threads only, and those that keep the block's agents busiest.
  struct Usual {
    const char* stage;
    const char* goal;
  };
  emulator::Workspace workspace;
  std::vector<std::vector<std::string>> usual;
  for (const Usual& row :
       {Usual{"warptiled", "6 ms"}, {"multistage", "10 ms"}, {"overlapped", "10 ms"}}) {
    const auto stage = stageNamed(row.stage);
    if (!stage) {
      return outcome.fail(
          fmt::format("the stage {} is missing from this build: rebuild it", row.stage));
    }
    const Timing timing = timeTrace(workspace, **stage, (*stage)->standardTile(), 2, 51);
    usual.push_back(
        {fmt::format("rung {}, default tile, first two K tiles of one block", rungLabel(**stage)),
         ms(timing.median), ms(timing.least), row.goal});
  }
  const Worst worst = worstFirstTile(workspace, static_cast<std::size_t>(*count));

  Table table({{"figure", Align::Left}, {"median"}, {"least"}, {"goal"}});
  for (auto& row : usual) table.add(std::move(row));
  table.add({fmt::format("first K tile, slowest of {} legal tiles", worst.measured),
             ms(worst.timing.median), ms(worst.timing.least), "40 ms"});
  table.add({"peak memory of this process", fmt::format("{:.0f} MB", peakMemory()), "", "300 MB"});
  outcome.output = fmt::format(
      "Tracing on this machine, with all operands\n\n"
      "{}\n"
      "The slowest tile: {} --tile {}\n",
      table.text(), worst.stage->id, tileText(*worst.stage, worst.tile));
}

}  // namespace

void addBenchCommand(Command root, Outcome& outcome) {
  const Command group = root.addCommand("bench", "Measure this program on this machine");
  group.requireCommand();
  const Command command = group.addCommand("trace", "Time the tracing of blocks");
  const auto tiles = std::make_shared<std::string>("40");
  command.addOption("--tiles", *tiles, "Random legal tiles to measure per stage (40 by default)")
      .typeName("N");
  command.onRun([tiles, &outcome] { benchTrace(*tiles, outcome); });
}

}  // namespace tileloom::app
