// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/trace.h"

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/commands/common/output.h"
#include "app/commands/common/parse.h"
#include "app/commands/common/shared_options.h"
#include "app/commands/common/stage_options.h"
#include "app/commands/report/trace_report.h"
#include "kernels/tile/build_target.h"
#include "kernels/tile/constraints.h"

namespace tileloom::app {
namespace {

struct Options {
  StageOptions stage;
  std::string size = "1024";
  std::optional<std::string> block;
  std::string kTiles = "2";
  TargetOptions target;
  bool json = false;
};

tl::expected<TraceQuery, std::string> queryFrom(const Options& options) {
  TraceQuery query;
  const auto choice = chosenStage(options.stage, "trace");
  if (!choice) return tl::unexpected(choice.error());
  query.subject() = *choice;
  const auto target = chosenTarget(options.target);
  if (!target) return tl::unexpected(target.error());
  for (const std::string& why :
       {whyNotFor(*query.rung(), query.format, target->arch),
        explainTile(*query.rung(), query.tile, std::nullopt, target->arch)}) {
    if (!why.empty()) return tl::unexpected(why);
  }
  query.arch = target->arch;
  const auto size = parseSize(options.size);
  if (!size) return tl::unexpected(size.error());
  query.size = *size;
  if (options.block) {
    const auto block = parseBlock(*options.block);
    if (!block) return tl::unexpected(block.error());
    query.block = *block;
  }
  const auto kTiles = parseNumber("--ktiles", options.kTiles, 1, emulator::kMaxDimension);
  if (!kTiles) return tl::unexpected(kTiles.error());
  query.kTiles = *kTiles;
  return query;
}

void run(const Options& options, Outcome& outcome) {
  const auto query = queryFrom(options);
  if (!query) return outcome.fail(query.error());
  const auto report = traceReport(*query);
  if (!report) return outcome.fail(report.error());
  outcome.output = options.json ? jsonText(traceJson(*report)) : traceText(*report);
  if (outcome.oldJson) outcome.beside = traceText(*report);
  outcome.remarks = faultLines(report->faults);
  if (!report->faults.empty()) outcome.status = kFoundFaults;
}

}  // namespace

void addTraceCommand(Command root, Outcome& outcome) {
  const Command command = root.addCommand(
      "trace", "Count what a launch costs in shared and global memory, line by line");
  const auto options = std::make_shared<Options>();
  addStageOptions(command, options->stage);
  addFormatOption(command, options->stage);
  addSizeOption(command, options->size);
  addTargetOptions(command, options->target);
  command
      .addOption("--block", options->block,
                 "Count only this block (blockIdx; for T10 to T13 and split-K: this block tile of "
                 "the grid) over all of K, not the whole grid")
      .typeName("X,Y");
  command
      .addOption("--ktiles", options->kTiles,
                 "K tiles that the table by lines covers (2 by default)")
      .typeName("N");
  addJsonOptions(command, options->json, outcome);
  command.onRun([options, &outcome] { run(*options, outcome); });
}

}  // namespace tileloom::app
