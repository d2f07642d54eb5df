// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/explain.h"

#include <fmt/format.h>

#include <algorithm>

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/commands/common/json.h"
#include "app/commands/common/parse.h"
#include "app/commands/common/shared_options.h"
#include "app/commands/common/stage_options.h"
#include "app/commands/common/stage_text.h"
#include "app/commands/common/table.h"
#include "kernels/tile/build_target.h"
#include "kernels/tile/constraints.h"
#include "kernels/tile/derived.h"
#include "kernels/tile/literature.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/residency.h"
#include "kernels/tile/subject.h"
#include "kernels/tile/whole_tiles.h"
#include "kernels/tile/words.h"

namespace tileloom::app {
namespace {

constexpr const char* kArchitecture = "architecture";  // instead of a row of the table

struct Options {
  StageOptions stage;
  TargetOptions target;
  std::optional<std::string> size;
  bool json = false;
};

struct Explanation {
  const Stage& stage;
  TileShape tile;
  Architecture arch;
  std::string reason;  // empty for a legal tile
  std::string rule;    // the broken row of the constraint table
  std::optional<TileShape> nearest;
  std::optional<Problem> size;

  bool legal() const { return reason.empty(); }
  // The tile that divides the problem: an illegal tile has no grid.
  const TileShape* runs() const { return legal() ? &tile : nearest ? &*nearest : nullptr; }
};

// How near the nearest legal tile is: see nearestTile().
std::string nearnessText(const Stage& stage, const TileShape& tile, const TileShape& near) {
  const auto moved = std::ranges::count_if(stage.parameters, [&](const ParameterSpec& spec) {
    return tile[spec.parameter] != near[spec.parameter];
  });
  return moved == 1 ? std::string("one parameter away")
                    : fmt::format("{} parameters away, among round values", moved);
}

Explanation explain(const Subject& choice, const Architecture& arch,
                    const std::optional<Problem>& size) {
  const Stage& stage = *choice.rung();
  const TileShape& tile = choice.tile;
  if (std::string why = whyNotFor(stage, choice.format, arch); !why.empty())
    return {stage, tile, arch, std::move(why), kArchitecture, std::nullopt, size};
  Explanation e{stage, tile, arch, {}, {}, nearestTile(stage, tile, std::nullopt, arch), size};
  if (const auto violation = firstViolation(stage, tile, arch)) {
    e.rule = violation->row->id;
    e.reason = explainTile(stage, tile, std::nullopt, arch);
  }
  return e;
}

std::string parameterTable(const Explanation& e) {
  Table table({{"parameter", Align::Left},
               {"value", Align::Right},
               {"range", Align::Right},
               {"next legal below", Align::Right},
               {"next legal above", Align::Right}});
  bool none = false;
  for (const ParameterSpec& spec : e.stage.parameters) {
    const Nearest nearest = nearestValues(e.stage, e.tile, spec.parameter, e.arch);
    const auto shown = [&none](const std::optional<int>& v) {
      none = none || !v;
      return v ? std::to_string(*v) : "-";
    };
    table.add({std::string(name(spec.parameter)), std::to_string(e.tile[spec.parameter]),
               fmt::format("{}-{}", spec.min, spec.max), shown(nearest.below),
               shown(nearest.above)});
  }
  return none ? table.text() + "-: no other value of this parameter is legal in that direction.\n"
              : table.text();
}

std::string derivedTable(const Stage& stage, const TileShape& tile) {
  Table table({{"", Align::Left}, {"", Align::Right}, {"", Align::Left}});
  for (const NamedValue& value : shownValues(stage, tile)) {
    table.add({std::string(value.name),
               value.value < 0 ? "-" : grouped(static_cast<std::uint64_t>(value.value)),
               std::string(value.unit)});
  }
  return table.text();
}

// The tiles of C at this size, and the blocks that an H100 or H200 launches for them.
struct Tiles {
  int rows = 0;
  int columns = 0;
  int blocks = 0;
  std::int64_t onlyForClusters = 0;  // tiles below C that only complete clusters
  std::int64_t count() const { return std::int64_t{rows} * columns; }
};

Tiles tilesOf(const Stage& stage, const TileShape& tile, const Padding& padding) {
  const Derived d = derive(stage, tile);
  const auto parts = [](int whole, int part) { return (whole + part - 1) / part; };
  const Extent blocks = residentLaunch(stage, tile, padding.buffers).grid;
  const Extent grid = launchOf(stage, tile, padding.buffers).grid;
  Tiles tiles{parts(padding.buffers.m, d.blockM), parts(padding.buffers.n, d.blockN),
              blocks.x * blocks.y};
  tiles.onlyForClusters =
      clusterOf(stage, tile) > 1 ? std::int64_t{grid.x} * grid.y - tiles.count() : 0;
  return tiles;
}

std::string sizeText(const Explanation& e, const TileShape& tile) {
  const Padding padding = paddingOf(e.stage, tile, *e.size);
  const Tiles tiles = tilesOf(e.stage, tile, padding);
  const Derived d = derive(e.stage, tile);
  const auto number = [](std::int64_t value) { return grouped(static_cast<std::uint64_t>(value)); };
  Table table({{"", Align::Left}, {"", Align::Right}, {"", Align::Left}});
  std::string division = fmt::format("{} along M x {} along N, each of {} x {}", number(tiles.rows),
                                     number(tiles.columns), d.blockM, d.blockN);
  if (tiles.onlyForClusters > 0)
    division += fmt::format("; {} more only complete{} clusters", number(tiles.onlyForClusters),
                            tiles.onlyForClusters == 1 ? "s" : "");
  table.add({"tiles of C", number(tiles.count()), division});
  table.add({"blocks", number(tiles.blocks), "on " + usualSmsText(e.arch)});
  table.add({"useful", percentText(padding.usefulShare()), "of the multiply-adds"});
  const std::string padded = paddingText(padding);
  return fmt::format("\nAt {} (M x N x K){}\n\n{}{}{}", toString(*e.size),
                     e.legal() ? "" : ", with the nearest legal tile", table.text(),
                     padded.empty() ? "" : "\n", padded);
}

std::string explanationText(const Explanation& e) {
  const bool legal = e.legal();
  std::string text =
      fmt::format("{}\n\n  {}\n\n", stageHeading(e.stage), tileText(e.stage, e.tile));
  if (const auto differs = literatureDifference(e.stage); !differs.empty())
    text += fmt::format("{}\n\n", differs);
  text += legal ? fmt::format("Legal on {}.\n", e.arch.name)
                : fmt::format("Not legal on {}: {}.\n", e.arch.name, e.reason);
  if (!legal && e.nearest) {
    text += fmt::format("\nThe nearest legal tile, {}:\n\n  --tile {}\n",
                        nearnessText(e.stage, e.tile, *e.nearest), tileText(e.stage, *e.nearest));
  }
  // No tile parameter helps where the architecture lacks what the rung uses.
  if (e.rule == kArchitecture) return text;
  text += "\nChanging one tile parameter, the others fixed\n\n" + parameterTable(e);
  // Quotients of an illegal tile have no meaning, so show those of the nearest legal one.
  if (legal) {
    text += "\nDerived from the tile\n\n" + derivedTable(e.stage, e.tile);
  } else if (e.nearest) {
    text += "\nDerived from the nearest legal tile\n\n" + derivedTable(e.stage, *e.nearest);
  }
  if (e.size && e.runs() != nullptr) text += sizeText(e, *e.runs());
  return text;
}

Json derivedJson(const Stage& stage, const TileShape& tile) {
  Json list = Json::array();
  for (const NamedValue& value : shownValues(stage, tile)) {
    list.push_back({{"name", value.name}, {"value", value.value}, {"unit", value.unit}});
  }
  return list;
}

Json explainedSizeJson(const Explanation& e, const TileShape& tile) {
  const Padding padding = paddingOf(e.stage, tile, *e.size);
  const Tiles tiles = tilesOf(e.stage, tile, padding);
  return {{"size", problemJson(*e.size)},
          {"padded", problemJson(padding.buffers)},
          {"multiplied", problemJson(padding.multiplied)},
          {"padding", paddingJson(padding)},
          {"useful_fraction", padding.usefulShare()},
          {"tile_rows", tiles.rows},
          {"tile_columns", tiles.columns},
          {"tiles_only_for_clusters", tiles.onlyForClusters},
          {"blocks", tiles.blocks}};
}

Json explanationJson(const Explanation& e) {
  const bool legal = e.legal();
  Json parameters = Json::array();
  for (const ParameterSpec& spec : e.stage.parameters) {
    const Nearest nearest = nearestValues(e.stage, e.tile, spec.parameter, e.arch);
    const auto orNull = [](const std::optional<int>& v) { return v ? Json(*v) : Json(nullptr); };
    parameters.push_back({{"name", name(spec.parameter)},
                          {"value", e.tile[spec.parameter]},
                          {"default", spec.standard},
                          {"min", spec.min},
                          {"max", spec.max},
                          {"legal_below", orNull(nearest.below)},
                          {"legal_above", orNull(nearest.above)}});
  }
  Json json = {{"schema", "tileloom.explain/1"},
               {"stage", e.stage.id},
               {"ladder", keyOf(e.stage.ladder)},
               {"rung", e.stage.rung},
               {"literature", e.stage.literature},
               {"literature_differs", std::string(literatureDifference(e.stage))},
               {"arch", e.arch.name},
               {"tile", tileJson(e.stage, e.tile)},
               {"legal", legal},
               {"rule", legal ? Json(nullptr) : Json(e.rule)},
               {"reason", legal ? Json(nullptr) : Json(e.reason)},
               {"parameters", std::move(parameters)},
               {"nearest_tile", nullptr},
               {"nearest_tile_text", nullptr},
               {"derived", nullptr}};
  if (e.nearest) {
    json["nearest_tile"] = tileJson(e.stage, *e.nearest);
    json["nearest_tile_text"] = tileText(e.stage, *e.nearest);
  }
  if (legal) json["derived"] = derivedJson(e.stage, e.tile);
  if (e.size) json["at"] = e.runs() != nullptr ? explainedSizeJson(e, *e.runs()) : Json(nullptr);
  return json;
}

void run(const Options& options, Outcome& outcome) {
  const auto choice = chosenStage(options.stage, "explain");
  if (!choice) return outcome.fail(choice.error());
  const auto target = chosenTarget(options.target);
  if (!target) return outcome.fail(target.error());
  std::optional<Problem> size;
  if (options.size) {
    const auto parsed = parseSize(*options.size);
    if (!parsed) return outcome.fail(parsed.error());
    size = *parsed;
  }
  const Explanation explanation = explain(*choice, target->arch, size);
  // For scripts; the answer is printed in any case.
  if (!explanation.reason.empty()) outcome.status = kFoundFaults;
  outcome.output =
      options.json ? jsonText(explanationJson(explanation)) : explanationText(explanation);
}

}  // namespace

void addExplainCommand(Command root, Outcome& outcome) {
  const Command command = root.addCommand(
      "explain", "Say whether a tile is legal, why not, and which ones near it are");
  const auto options = std::make_shared<Options>();
  addStageOptions(command, options->stage);
  addFormatOption(command, options->stage);
  addSizeOption(command, options->size, "to show its tiles and padding; none by default");
  addTargetOptions(command, options->target);
  addJsonOptions(command, options->json, outcome);
  command.onRun([options, &outcome] { run(*options, outcome); });
}

}  // namespace tileloom::app
