// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/stages.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <vector>

#include "app/commands/common/json.h"
#include "app/commands/common/parse.h"
#include "app/commands/common/shared_options.h"
#include "app/commands/common/table.h"
#include "kernels/tile/derived.h"
#include "kernels/tile/parameters.h"

namespace tileloom::app {
namespace {

using Rungs = std::span<const Stage>;

std::string ladderTable(Rungs rungs) {
  Table table({{"rung", Align::Right},
               {"lit.", Align::Right},
               {"stage", Align::Left},
               {"title", Align::Left},
               {"idea", Align::Left},
               {"threads", Align::Right}});
  for (const Stage& stage : rungs) {
    const Derived derived = derive(stage, stage.standardTile());
    table.add({rungLabel(stage), stage.literature > 0 ? std::to_string(stage.literature) : "-",
               std::string(stage.id), std::string(stage.title), std::string(stage.idea),
               grouped(static_cast<std::uint64_t>(derived.threads))});
  }
  return table.text();
}

std::string tileTable(Rungs rungs) {
  Table table({{"stage", Align::Left}, {"default tile", Align::Left}});
  for (const Stage& stage : rungs) {
    table.add({std::string(stage.id), tileText(stage, stage.standardTile())});
  }
  return table.text();
}

std::string rangeTable(Rungs rungs) {
  std::vector<Parameter> parameters;  // that any of the rungs has
  for (const Parameter parameter : kAllParameters) {
    const auto has = [parameter](const Stage& stage) { return stage.spec(parameter) != nullptr; };
    if (std::ranges::any_of(rungs, has)) parameters.push_back(parameter);
  }
  std::vector<Column> columns = {{"stage", Align::Left}};
  for (const Parameter parameter : parameters)
    columns.push_back({std::string(name(parameter)), Align::Right});
  Table table(std::move(columns));
  for (const Stage& stage : rungs) {
    std::vector<std::string> cells = {std::string(stage.id)};
    for (const Parameter parameter : parameters) {
      const ParameterSpec* spec = stage.spec(parameter);
      cells.push_back(spec != nullptr ? fmt::format("{}-{}", spec->min, spec->max) : "");
    }
    table.add(std::move(cells));
  }
  return table.text();
}

std::string stagesText() {
  return fmt::format(
      "The ladder, each rung with its number in the literature (lit.)\n\n"
      "{}\n"
      "Default tiles, in elements\n\n"
      "{}\n"
      "Tile parameters, least to most; not every combination is legal: see tileloom explain\n\n"
      "{}\n"
      "The tensor ladder: A, B and C of 16 bits, bf16 or fp16, and FP32 accumulators on tensor "
      "cores\n\n"
      "{}\n"
      "Its default tiles\n\n"
      "{}\n"
      "Its tile parameters\n\n"
      "{}",
      ladderTable(stages()), tileTable(stages()), rangeTable(stages()), ladderTable(tensorStages()),
      tileTable(tensorStages()), rangeTable(tensorStages()));
}

Json stagesJson() {
  Json list = Json::array();
  for (const Stage* each : everyStage()) {
    const Stage& stage = *each;
    Json formats = Json::array();
    for (const Format format : stage.formats) formats.push_back(rowOf(format).name);
    const TileShape tile = stage.standardTile();
    Json parameters = Json::array();
    for (const ParameterSpec& spec : stage.parameters) {
      parameters.push_back({{"name", name(spec.parameter)},
                            {"default", spec.standard},
                            {"min", spec.min},
                            {"max", spec.max}});
    }
    list.push_back({{"ladder", stage.ladder == Ladder::Tensor ? "tensor" : "fp32"},
                    {"rung", stage.rung},
                    {"label", rungLabel(stage)},
                    {"arithmetics", std::move(formats)},
                    {"literature", stage.literature},
                    {"id", stage.id},
                    {"title", stage.title},
                    {"idea", stage.idea},
                    {"source", stage.file},
                    {"parameters", std::move(parameters)},
                    {"tile", tileJson(stage, tile)},
                    {"tile_text", tileText(stage, tile)},
                    {"threads", derive(stage, tile).threads}});
  }
  return {{"schema", "tileloom.stages/1"}, {"stages", std::move(list)}};
}

}  // namespace

void addStagesCommand(Command root, Outcome& outcome) {
  const Command command =
      root.addCommand("stages", "List the rungs of both ladders and their tile parameters");
  const auto json = std::make_shared<bool>(false);
  addJsonOptions(command, *json, outcome);
  command.onRun(
      [json, &outcome] { outcome.output = *json ? jsonText(stagesJson()) : stagesText(); });
}

}  // namespace tileloom::app
