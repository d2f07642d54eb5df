// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/sass.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "app/commands/common/measuring.h"
#include "app/commands/common/output.h"
#include "app/commands/common/own_source_options.h"
#include "app/commands/common/shared_options.h"
#include "app/commands/common/stage_options.h"
#include "app/commands/report/cubin_report.h"
#include "app/commands/report/sass_report.h"
#include "kernels/base/text_file.h"
#include "kernels/gpu/compile/build_cache.h"
#include "kernels/gpu/compile/disassemble.h"
#include "kernels/runs/unrecorded.h"
#include "kernels/sass/recorded.h"
#include "kernels/tile/build_target.h"
#include "kernels/tile/constraints.h"
#include "kernels/tile/subject.h"

namespace tileloom::app {
namespace {

constexpr std::size_t kMostRecorded = 16 * 1024 * 1024;  // bytes of a file of listings

struct Options {
  StageOptions stage;
  std::string arch{defaultArchitecture().name};
  bool archGiven = false;
  bool loopOnly = false;
  bool recorded = false;
  bool noCache = false;
  bool json = false;
  std::optional<std::string> record;
  // Of a file with a kernel.
  std::optional<std::string> kernel;
  OwnSourceOptions own;
};

// What a machine needs for a listing of its own.
struct Tools {
  std::shared_ptr<const gpu::Nvrtc> nvrtc;
  sass::ListingReader reader;
  std::optional<gpu::BuildCache> cache;

  static Result<Tools> find(bool useCache) {
    // First what takes less time to find.
    auto reader = sass::ListingReader::find();
    if (!reader) return tl::unexpected(reader.error());
    auto nvrtc = gpu::Nvrtc::load();
    if (!nvrtc) return tl::unexpected(nvrtc.error());
    Tools tools{*nvrtc, *reader, std::nullopt};
    if (useCache) tools.cache.emplace();
    return tools;
  }
  Result<sass::MachineCode> make(const Stage& stage, const TileShape& tile,
                                 const Architecture& arch, Format format) const {
    return gpu::disassembleStage(*nvrtc, cache ? &*cache : nullptr, reader, {&stage, tile, format},
                                 arch);
  }
};

std::string today() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm utc{};
  gmtime_r(&now, &utc);
  return fmt::format("{:04}-{:02}-{:02}", utc.tm_year + 1900, utc.tm_mon + 1, utc.tm_mday);
}

// What `--record` writes into each file: the rungs whose listings ship for this architecture, or
// all that can be built for one that was named.
std::vector<const Stage*> recordedStages(const Architecture& arch, bool named) {
  std::vector<const Stage*> all;
  for (const Stage* stage : everyStage()) {
    const auto listed = sass::listedArchitectures(*stage);
    if (named ? canBeBuiltFor(*stage, arch) : std::ranges::find(listed, arch.name) != listed.end())
      all.push_back(stage);
  }
  return all;
}

// A listing that differs from the file's only in its date keeps the file's date.
void keepDate(sass::MachineCode& code, std::string_view file) {
  auto before = sass::findListing(file, code, code.arch);
  if (!before) return;
  const std::string when = before->when;
  before->when = code.when;
  if (recordText(*before) == recordText(code)) code.when = when;
}

// A file for each architecture, with every rung's default tile.
void record(const Options& options, Outcome& outcome) {
  const auto tools = Tools::find(!options.noCache);
  if (!tools) return failWith(outcome, tools.error());
  std::set<std::string, std::less<>> names;
  for (const Stage* stage : everyStage()) {
    for (const std::string_view each : sass::listedArchitectures(*stage)) names.emplace(each);
  }
  if (options.archGiven) names = {options.arch};
  for (const std::string& each : names) {
    const auto arch = architectureNamed(quotable(each));
    if (!arch) return outcome.fail(arch.error());
    const std::string file = fmt::format("{}/{}.txt", *options.record, arch->name);
    if (const std::string why = whyNotReplaced(file); !why.empty()) return outcome.fail(why);
    const std::string before = readText(file, kMostRecorded, Absent::IsEmpty).value_or("");
    const auto stages = recordedStages(*arch, options.archGiven);
    std::string text;
    std::size_t instructions = 0;
    for (const Stage* stage : stages) {
      auto code = tools->make(*stage, stage->standardTile(), *arch, stage->usualFormat());
      if (!code) return failWith(outcome, code.error());
      code->when = today();
      keepDate(*code, before);
      instructions += code->listing.instructions.size();
      text += recordText(*code);
    }
    if (const auto written = replaceText(file, text); !written)
      return outcome.fail(written.error());
    outcome.output += fmt::format("{}: {} listings, {} instructions, {} bytes\n", file,
                                  stages.size(), instructions, text.size());
  }
}

// "mmaring with BM=128,…", and its format where that is not the usual one.
std::string whatOf(const Subject& choice) {
  std::string text =
      fmt::format("{} with {}", choice.rung()->id, tileText(*choice.rung(), choice.tile));
  if (choice.format != choice.rung()->usualFormat())
    text += fmt::format(" in {}", rowOf(choice.format).name);
  return text;
}

// "sm_80, sm_86 and sm_90"
std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += fmt::format("{}{}", i == 0 ? "" : i + 1 == names.size() ? " and " : ", ", names[i]);
  return text;
}

// Live if this machine can, else recorded, with a remark on what is missing.
Result<sass::MachineCode> codeOf(const Options& options, const Subject& choice,
                                 const Architecture& arch, Outcome& outcome) {
  const auto tools =
      options.recorded ? Result<Tools>(tl::unexpected(Error{})) : Tools::find(!options.noCache);
  Result<sass::MachineCode> live = tl::unexpected(tools ? Error{} : tools.error());
  if (tools) {
    live = tools->make(*choice.rung(), choice.tile, arch, choice.format);
    if (live || live.error().trouble != Trouble::Unsupported) return live;
  }
  if (auto code = sass::recordedListing(choice, arch.name)) {
    if (!options.recorded) {
      outcome.remarks.push_back(
          fmt::format("this is a recorded listing, because {}", live.error().text));
    }
    if (code->stale()) {
      outcome.remarks.emplace_back(
          "the rung's source has changed since this listing was recorded: record it again");
    }
    return *code;
  }
  if (tools) return live;  // recording it would meet the same
  const std::string none =
      !sass::hasRecordedListing(*choice.rung())
          ? runs::notRecordedYet(*choice.rung(), runs::Evidence::Listings)
          : fmt::format(
                "there is no recorded listing of {} for {}: default tiles are recorded{} for {}",
                whatOf(choice), arch.name,
                choice.rung()->ladder == Ladder::Fp32
                    ? std::string()
                    : fmt::format(" in {}", rowOf(choice.rung()->usualFormat()).name),
                listed(sass::recordedArchitectures(*choice.rung())));
  return fail(Trouble::Missing,
              options.recorded ? none : fmt::format("{}; {}", live.error().text, none));
}

// The kernels of a file, from any compiler.
void showCubin(const Options& options, Outcome& outcome) {
  const std::string& file = options.stage.stage;
  if (options.stage.tile || options.stage.format || options.recorded || options.record ||
      options.loopOnly) {
    return outcome.fail(
        "of a cubin, sass shows the kernels, or with --kernel the instructions of one: leave "
        "options of our own rungs out");
  }
  OwnSourceOptions own = options.own;
  own.noCache = options.noCache;
  if (options.archGiven) own.arch = options.arch;
  if (!options.kernel) {
    const auto cubins = ownCubins(file, own, outcome);
    if (!cubins) return outcome.fail(cubins.error());
    if (cubins->size() > 1) {
      outcome.output = options.json ? jsonText(cubinsJson(*cubins)) : cubinsText(*cubins, file);
      return;
    }
    const auto only = moduleOf(cubins->front().cubin, file);
    if (!only) return outcome.fail(only.error());
    outcome.output = options.json ? jsonText(cubinJson(*only)) : cubinText(*only, file);
    return;
  }
  const auto source = ownSource(file, own, *options.kernel, outcome);
  if (!source) return outcome.fail(source.error());
  const sass::Module* const module = &source->module;
  const auto kernel = kernelNamed(*module, source->nameOf(*options.kernel));
  if (!kernel) return outcome.fail(kernel.error());
  outcome.output =
      options.json ? jsonText(kernelJson(*module, **kernel)) : kernelText(*module, **kernel);
}

void run(const Options& options, Outcome& outcome) {
  if (gpu::namesOwnFile(options.stage.stage)) return showCubin(options, outcome);
  if (const std::string given = options.kernel ? "--kernel" : options.own.given(); !given.empty())
    return outcome.fail(
        fmt::format("{} is for a kernel of a file: give the file instead of the stage", given));
  if (options.record) {
    if (!options.stage.stage.empty() || options.stage.tile || options.stage.format ||
        options.recorded || options.json || outcome.file || options.loopOnly) {
      return outcome.fail(
          "--record writes every rung's default tile: leave stage, tile and other options out");
    }
    return record(options, outcome);
  }
  const auto choice = chosenStage(options.stage, "sass");
  if (!choice) return outcome.fail(choice.error());
  const auto arch = architectureNamed(quotable(options.arch));
  if (!arch) return outcome.fail(arch.error());
  if (const auto why = whyNotFor(*choice->rung(), choice->format, *arch); !why.empty())
    return outcome.fail(why);
  if (const auto why = explainTile(*choice->rung(), choice->tile, std::nullopt, *arch);
      !why.empty())
    return outcome.fail(why);
  const auto code = codeOf(options, *choice, *arch, outcome);
  if (!code) return failWith(outcome, code.error());
  std::string text = sassText(*code, options.loopOnly);
  outcome.output = options.json ? jsonText(sassJson(*code, options.loopOnly)) : text;
  if (outcome.oldJson) outcome.beside = std::move(text);
}

}  // namespace

void addSassCommand(Command root, Outcome& outcome) {
  const Command command = root.addCommand(
      "sass", "Show a tile's SASS (main loop, mix, register banks), or a cubin's; needs no GPU");
  const auto options = std::make_shared<Options>();
  addStageOptions(command, options->stage);
  addFormatOption(command, options->stage);
  const Argument arch = addArchOption(command, options->arch);
  command.addFlag("--loop", options->loopOnly, "List only the main loop");
  command.addFlag("--recorded", options->recorded, "Show the shipped listing");
  addJsonOptions(command, options->json, outcome);
  command
      .addOption("--record", options->record,
                 "Write the listings of all default tiles into this folder")
      .file("FOLDER");
  command.addOption("--kernel", options->kernel,
                    "Of a cubin instead of STAGE: list this kernel (a part of its name)");
  addOwnSourceOptions(command, options->own);
  addCacheOption(command, options->noCache);
  command.onRun([options, arch, &outcome] {
    options->archGiven = arch.given();
    run(*options, outcome);
  });
}

}  // namespace tileloom::app
