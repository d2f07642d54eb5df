// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/stages.h"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "app/commands/json.h"
#include "app/commands/parse.h"
#include "app/commands/table.h"
#include "kernels/tile/derived.h"
#include "kernels/tile/knobs.h"

namespace tileloom::app {
namespace {

std::string ladderTable() {
  Table table({{"rung", Align::Right},
               {"lit.", Align::Right},
               {"stage", Align::Left},
               {"title", Align::Left},
               {"idea", Align::Left},
               {"threads", Align::Right}});
  for (const Stage& stage : stages()) {
    const Derived derived = derive(stage, stage.standardTile());
    table.add({std::to_string(stage.rung),
               stage.literature > 0 ? std::to_string(stage.literature) : "-", std::string(stage.id),
               std::string(stage.title), std::string(stage.idea),
               grouped(static_cast<std::uint64_t>(derived.threads))});
  }
  return table.text();
}

std::string tileTable() {
  Table table({{"stage", Align::Left}, {"default tile", Align::Left}});
  for (const Stage& stage : stages()) {
    table.add({std::string(stage.id), tileText(stage, stage.standardTile())});
  }
  return table.text();
}

std::string rangeTable() {
  std::vector<Column> columns = {{"stage", Align::Left}};
  for (const Knob knob : kAllKnobs) columns.push_back({std::string(name(knob)), Align::Right});
  Table table(std::move(columns));
  for (const Stage& stage : stages()) {
    std::vector<std::string> cells = {std::string(stage.id)};
    for (const Knob knob : kAllKnobs) {
      const KnobSpec* spec = stage.spec(knob);
      cells.push_back(spec != nullptr ? fmt::format("{}-{}", spec->min, spec->max) : "");
    }
    table.add(std::move(cells));
  }
  return table.text();
}

std::string stagesText() {
  return fmt::format(
      "The ladder, each rung with the number that the longer literature gives it (lit.)\n\n{}\n"
      "Default tiles, in elements\n\n{}\n"
      "Knobs, least to most; not every combination is legal: see tileloom explain\n\n{}",
      ladderTable(), tileTable(), rangeTable());
}

Json stagesJson() {
  Json list = Json::array();
  for (const Stage& stage : stages()) {
    const TileShape tile = stage.standardTile();
    Json knobs = Json::array();
    for (const KnobSpec& spec : stage.knobs) {
      knobs.push_back({{"name", name(spec.knob)},
                       {"default", spec.standard},
                       {"min", spec.min},
                       {"max", spec.max}});
    }
    list.push_back({{"rung", stage.rung},
                    {"literature", stage.literature},
                    {"id", stage.id},
                    {"title", stage.title},
                    {"idea", stage.idea},
                    {"source", stage.file},
                    {"knobs", std::move(knobs)},
                    {"tile", tileJson(stage, tile)},
                    {"tile_text", tileText(stage, tile)},
                    {"threads", derive(stage, tile).threads}});
  }
  return {{"schema", "tileloom.stages/1"}, {"stages", std::move(list)}};
}

}  // namespace

void addStagesCommand(Command root, Outcome& outcome) {
  const Command command = root.addCommand("stages", "List the rungs of the ladder and their knobs");
  const auto json = std::make_shared<bool>(false);
  command.addFlag("--json", *json, "Print JSON instead of tables");
  command.onRun(
      [json, &outcome] { outcome.output = *json ? jsonText(stagesJson()) : stagesText(); });
}

}  // namespace tileloom::app
