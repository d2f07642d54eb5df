// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/trace.h"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <tuple>
#include <vector>

#include "app/commands/common/output.h"
#include "app/commands/common/own_source_options.h"
#include "app/commands/common/parse.h"
#include "app/commands/common/shared_options.h"
#include "app/commands/common/stage_options.h"
#include "app/commands/report/cubin_report.h"
#include "app/commands/report/launch_report.h"
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
  // Of a file with a kernel.
  OwnSourceOptions own;
  std::optional<std::string> kernel, grid, threads, dynamicShared;
  std::vector<std::string> arguments;
  bool sizeGiven = false, kTilesGiven = false;
};

// The first option that only a launch of a cubin has; empty: none is given.
std::string givenForCubin(const Options& options) {
  if (options.kernel) return "--kernel";
  if (const std::string given = options.own.given(); !given.empty()) return given;
  if (options.grid) return "--grid";
  if (options.threads) return "--threads";
  if (options.dynamicShared) return "--shared";
  return options.arguments.empty() ? "" : "--param";
}

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

// A launch of a kernel that any compiler has made.
void traceCubin(const Options& options, Outcome& outcome) {
  if (options.stage.tile || options.stage.format || options.block || options.sizeGiven ||
      options.kTilesGiven || options.target.device) {
    return outcome.fail(
        "of a cubin, trace counts a launch by --kernel, --grid, --threads, --shared and --param: "
        "leave options of our own rungs out");
  }
  OwnSourceOptions own = options.own;
  own.arch = options.target.arch.value_or("");
  const auto source = ownSource(options.stage.stage, own, options.kernel.value_or(""), outcome);
  if (!source) return outcome.fail(source.error());
  const sass::Module* const module = &source->module;
  const auto kernel = kernelNamed(*module, source->nameOf(options.kernel.value_or("")));
  if (!kernel) return outcome.fail(kernel.error());
  LaunchQuery query;
  query.module = module;
  query.kernel = *kernel;
  for (const auto& [option, text, extent] :
       {std::tuple("--grid", &options.grid, &query.grid),
        std::tuple("--threads", &options.threads, &query.block)}) {
    if (!*text) continue;
    const auto parsed = parseExtent(option, **text);
    if (!parsed) return outcome.fail(parsed.error());
    *extent = *parsed;
  }
  if (options.dynamicShared) {
    const auto bytes = parseNumber("--shared", *options.dynamicShared, 0, 0x7fffffff);
    if (!bytes) return outcome.fail(bytes.error());
    query.dynamicShared = static_cast<std::uint32_t>(*bytes);
  }
  query.arguments = options.arguments;
  query.file = quotableFile(std::filesystem::path(options.stage.stage).filename());
  const auto report = launchReport(query);
  if (!report) return outcome.fail(report.error());
  outcome.output = options.json ? jsonText(launchJson(*report)) : launchText(*report);
  if (outcome.oldJson) outcome.beside = launchText(*report);
}

void run(const Options& options, Outcome& outcome) {
  if (gpu::namesOwnFile(options.stage.stage)) return traceCubin(options, outcome);
  if (const std::string given = givenForCubin(options); !given.empty())
    return outcome.fail(
        fmt::format("{} is for a launch of a cubin: give the file instead of the stage", given));
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
  const Argument size = addSizeOption(command, options->size);
  addTargetOptions(command, options->target);
  command
      .addOption("--block", options->block,
                 "Count only this block (blockIdx; for T10 to T13 and split-K: this block tile of "
                 "the grid) over all of K, not the whole grid")
      .typeName("X,Y");
  const Argument kTiles = command.addOption(
      "--ktiles", options->kTiles, "K tiles that the table by lines covers (2 by default)");
  kTiles.typeName("N");
  command.addOption("--kernel", options->kernel,
                    "Of a cubin instead of STAGE: execute this kernel (a part of its name)");
  command.addOption("--grid", options->grid, "Of a cubin: blocks of the launch (1 by default)")
      .typeName("X,Y,Z");
  command.addOption("--threads", options->threads, "Of a cubin: threads of a block (1 by default)")
      .typeName("X,Y,Z");
  command
      .addOption("--shared", options->dynamicShared,
                 "Of a cubin: bytes of shared memory that the launch adds")
      .typeName("BYTES");
  command
      .addOption("--param", options->arguments,
                 "Of a cubin: an argument, once for each parameter in their order: 128, 1.5, or a "
                 "buffer as A:f32:128x64 (then :random, :zero, :one or :index)")
      .typeName("VALUE")
      .repeatable();
  addOwnSourceOptions(command, options->own);
  addJsonOptions(command, options->json, outcome);
  command.onRun([options, size, kTiles, &outcome] {
    options->sizeGiven = size.given();
    options->kTilesGiven = kTiles.given();
    run(*options, outcome);
  });
}

}  // namespace tileloom::app
