// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/report/runs_text.h"

#include <fmt/format.h>

#include "app/commands/common/parse.h"
#include "app/commands/common/table.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/words.h"

namespace tileloom::app {
namespace {

using runs::Interval;
using runs::RunRecord;

constexpr std::string_view kUnknown = "-";

// This build may not know the stage, so the parameters come from the tile.
std::string parameterText(const TileShape& tile) {
  std::string text;
  for (const Parameter parameter : kAllParameters) {
    if (tile[parameter] == 0) continue;
    text += fmt::format("{}{}={}", text.empty() ? "" : ",", name(parameter), tile[parameter]);
  }
  return text;
}

// "18,234 ± 0.4 %", with all digits that say something for slow ones: "312.4 ± 0.4 %".
std::string speedText(const RunRecord& run) {
  const Interval& speed = run.gflops;
  if (!speed.known()) return std::string(kUnknown);
  const std::string figure =
      speed.median < 1000 ? fmt::format("{:.1f}", speed.median) : wholeText(speed.median);
  return fmt::format("{} ± {:.1f} %{}", figure, 100 * speed.spread(), run.noisy() ? " noisy" : "");
}

std::string ratioText(const RunRecord& run) {
  return run.ratio.known() ? fmt::format("{:.1f}", 100 * run.ratio.median) : std::string(kUnknown);
}

}  // namespace

std::string runsTable(std::span<const RunRecord> runs) {
  Table table({{"when", Align::Left},
               {"stage", Align::Left},
               {"tile", Align::Left},
               {"size", Align::Right},
               {"GFLOP/s", Align::Right},
               {"% cuBLAS", Align::Right},
               {"registers", Align::Right},
               {"device", Align::Left}});
  for (const RunRecord& run : runs) {
    std::string stage = quotable(run.stage);
    if (run.format != Format::Fp32) stage += fmt::format(" {}", rowOf(run.format).name);
    table.add({run.when, stage, parameterText(run.tile), toString(run.problem), speedText(run),
               ratioText(run),
               run.registers < 0 ? std::string(kUnknown) : std::to_string(run.registers),
               quotable(run.device)});
  }
  return table.text();
}

}  // namespace tileloom::app
