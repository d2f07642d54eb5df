// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/report/rung_figures.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "kernels/analysis/counts/grid_totals.h"
#include "kernels/analysis/counts/totals.h"
#include "kernels/emulator/run.h"
#include "kernels/tile/subject.h"

namespace tileloom::app {

using model::MemoryLevel;
using model::Traffic;

std::optional<analysis::Totals> totalsOf(emulator::Workspace& workspace, const Subject& subject,
                                         const Problem& problem) {
  emulator::TraceRequest request;
  request.subject() = subject;
  request.problem = problem;
  request.operands = false;
  if (!emulator::whyNotTraceable(request).empty()) return std::nullopt;
  return analysis::gridTotals(workspace, request);
}

std::optional<RungFigures> figuresOf(emulator::Workspace& workspace, const Stage& stage,
                                     const TileShape& tile, const Problem& problem, int blocksPerSm,
                                     const model::Machine& machine) {
  const auto totals = totalsOf(workspace, usualSubject(stage, tile), problem);
  if (!totals) return std::nullopt;
  return RungFigures{model::traffic(stage, tile, problem, *totals, blocksPerSm, machine),
                     model::conflictShare(*totals)};
}

std::string intensityText(const Traffic& traffic, MemoryLevel level) {
  const auto intensity = traffic.intensity(level);
  if (!intensity) return "-";
  // Of DRAM a counted one is preferred: the others are marked.
  const char* mark = level == MemoryLevel::Dram && !traffic.counted(level) ? "~" : "";
  return *intensity < 1 ? fmt::format("{}{:.2g}", mark, *intensity)
                        : fmt::format("{}{:.1f}", mark, *intensity);
}

Json trafficJson(const Traffic& t) {
  const auto whole = [](double value) { return std::llround(value); };
  const auto intensity = [&t](MemoryLevel level) {
    const auto value = t.intensity(level);
    return value ? Json(*value) : Json(nullptr);
  };
  return {{"flops", whole(t.flops)},
          {"dram_bytes", whole(t.dramBytes)},
          {"dram_bytes_counted", t.countedDram ? Json(whole(*t.countedDram)) : Json(nullptr)},
          {"dram_bytes_least", whole(t.dramLeast)},
          {"dram_bytes_most", whole(t.dramMost)},
          {"l2_bytes", whole(t.l2Bytes)},
          {"shared_bytes", whole(t.sharedBytes)},
          {"l1_bytes", whole(t.l1Bytes)},
          {"shared_bytes_asked", whole(t.sharedAskedBytes)},
          {"least_bytes", whole(t.leastBytes)},
          {"waves", t.waves},
          {"dram_intensity", intensity(MemoryLevel::Dram)},
          {"l2_intensity", intensity(MemoryLevel::L2)},
          {"l1_intensity", intensity(MemoryLevel::Shared)}};
}

Json literatureJson(const Stage& stage) {
  const auto figure = literatureOf(stage);
  if (!figure) return nullptr;
  return {{"device", std::string(kLiteratureDevice)},
          {"size", kLiteratureSize},
          {"gflops", figure->gflops},
          {"percent_of_cublas", figure->percentOfCublas}};
}

}  // namespace tileloom::app
