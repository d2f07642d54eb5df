// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/why.h"

#include <fmt/format.h>

#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/commands/common/kernel_book.h"
#include "app/commands/common/measuring.h"
#include "app/commands/common/shared_options.h"
#include "app/commands/common/stage_options.h"
#include "app/commands/common/stage_text.h"
#include "app/commands/report/floor_report.h"
#include "app/commands/report/why_report.h"
#include "kernels/emulator/run.h"
#include "kernels/model/prediction/rates.h"

namespace tileloom::app {
namespace {

struct Options {
  StageOptions stage;
  std::string size = "4096";
  std::optional<std::string> against;
  TargetOptions target;
  bool noCache = false;
  bool json = false;
};

void run(const Options& options, Outcome& outcome) {
  const auto choice = chosenStage(options.stage, "why");
  if (!choice) return outcome.fail(choice.error());
  const Stage& stage = *choice->rung();
  const auto target = chosenTarget(options.target);
  if (!target) return outcome.fail(target.error());
  const Architecture* arch = &target->arch;
  const auto problem = parseSize(options.size);
  if (!problem) return outcome.fail(problem.error());
  std::optional<TileShape> other;
  if (options.against) {
    const auto tile = parseTile(stage, *options.against);
    if (!tile) return outcome.fail(fmt::format("--against: {}", tile.error()));
    other = *tile;
  }
  const auto whyNot = [&](const TileShape& tile) {
    return emulator::whyNotTraceable({{choice->with(tile), *problem}});
  };
  if (const std::string why = whyNot(choice->tile); !why.empty()) return outcome.fail(why);
  if (other) {
    if (const std::string why = whyNot(*other); !why.empty())
      return outcome.fail(fmt::format("--against: {}", why));
  }
  if (!model::isPredicted(stage)) {
    const KernelBook book(*arch, !options.noCache);
    const FloorReport report(stage, choice->format, *problem, *target, book);
    outcome.output =
        options.json ? jsonText(report.json(choice->tile, other))
                     : report.text(choice->tile, other) + paddedNote(stage, choice->tile, *problem);
    return;
  }
  const auto rates = model::ratesFor(arch->name);
  if (!rates) return outcome.fail(rates.error());
  if (const auto same = sameDevice(*target, rates->device, "predictions"); !same)
    return outcome.fail(same.error());

  const KernelBook book(*arch, !options.noCache);
  // Each tile is requested several times and compiled once, even without the cache.
  std::map<std::string, std::optional<model::KernelFacts>> known;
  for (const auto& tile : {std::optional(choice->tile), other}) {
    if (!tile) continue;
    const auto found = book.facts({&stage, *tile, choice->format});
    if (!found) return failWith(outcome, found.error());
    known[tileText(stage, *tile)] = *found;
  }
  const auto facts = [&](const TileShape& tile) -> std::optional<model::KernelFacts> {
    const auto [at, isNew] = known.try_emplace(tileText(stage, tile));
    if (isNew) {
      if (const auto found = book.facts({&stage, tile, choice->format})) at->second = *found;
    }
    return at->second;
  };
  const auto* here = book.run({&stage, choice->tile, choice->format}, *problem, rates->device);
  emulator::Workspace workspace;
  const auto why = model::explainSpeed(
      workspace, *choice, *problem, *arch, *rates,
      {facts, here, [&](const TileShape& tile) {
         return book.run({&stage, tile, choice->format}, *problem, rates->device);
       }});
  if (!why) return outcome.fail("nothing is known about the kernel of this tile");
  std::optional<model::WhyMoved> moved;
  if (other) {
    moved = model::explainMove(
        workspace, choice->with(*other), *choice, *problem, *arch, *rates, facts,
        book.run({&stage, *other, choice->format}, *problem, rates->device), here);
  }
  // On the same device as the speed that it is shown beside.
  const auto fastest =
      book.fastest(stage, *problem, here != nullptr ? here->device : rates->device, choice->format);
  outcome.output = options.json
                       ? jsonText(whyJson(*why, moved, fastest))
                       : whyText(*why, moved, fastest) + paddedNote(stage, choice->tile, *problem);
}

}  // namespace

void addWhyCommand(Command root, Outcome& outcome) {
  const Command command =
      root.addCommand("why",
                      "Break a tile's run time down by cause and say which parameter would help, "
                      "or what bounds it on tensor cores; needs no GPU");
  const auto options = std::make_shared<Options>();
  addStageOptions(command, options->stage);
  addFormatOption(command, options->stage);
  addSizeOption(command, options->size);
  command
      .addOption("--against", options->against, "Another tile: also say what changed from that one")
      .typeName("PARAMETER=N,...");
  addTargetOptions(command, options->target);
  addCacheOption(command, options->noCache);
  addJsonOptions(command, options->json, outcome);
  command.onRun([options, &outcome] { run(*options, outcome); });
}

}  // namespace tileloom::app
