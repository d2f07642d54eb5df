// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/trace.h"

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/commands/parse.h"
#include "app/commands/stage_options.h"
#include "app/commands/trace_report.h"
#include "kernels/base/text_file.h"

namespace tileloom::app {
namespace {

struct Options {
  StageOptions stage;
  std::string size = "1024x1024x1024";
  std::optional<std::string> block;
  std::string kTiles = "2";
  std::optional<std::string> json;
};

tl::expected<TraceQuery, std::string> queryFrom(const Options& options) {
  TraceQuery query;
  const auto choice = chosenStage(options.stage, "trace");
  if (!choice) return tl::unexpected(choice.error());
  query.stage = choice->stage;
  query.tile = choice->tile;
  query.arithmetic = choice->arithmetic;
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
  if (options.json && options.json->empty()) {
    return outcome.fail("--json has an empty file name: name a file, or - for standard output");
  }
  const auto report = traceReport(*query);
  if (!report) return outcome.fail(report.error());
  if (options.json == "-") {
    outcome.output = jsonText(traceJson(*report));
  } else {
    if (options.json) {
      const auto written = replaceText(*options.json, jsonText(traceJson(*report)));
      if (!written) return outcome.fail(written.error());
    }
    outcome.output = traceText(*report);
  }
  outcome.remarks = faultLines(report->faults);
  if (!report->faults.empty()) outcome.status = kFoundFaults;
}

}  // namespace

void addTraceCommand(Command root, Outcome& outcome) {
  const Command command = root.addCommand(
      "trace", "Count what a launch costs in shared and global memory, line by line");
  const auto options = std::make_shared<Options>();
  addStageOptions(command, options->stage);
  addArithmeticOption(command, options->stage);
  command.addOption("--size", options->size, "Size of the problem (1024x1024x1024 by default)")
      .typeName("MxNxK");
  command
      .addOption("--block", options->block,
                 "Count only this block (blockIdx) over all of K, not the whole grid")
      .typeName("X,Y");
  command
      .addOption("--ktiles", options->kTiles,
                 "K tiles that the table by lines covers (2 by default)")
      .typeName("N");
  command
      .addOption("--json", options->json,
                 "Also write JSON to this file; - writes JSON alone to standard output")
      .typeName("FILE|-");
  command.onRun([options, &outcome] { run(*options, outcome); });
}

}  // namespace tileloom::app
