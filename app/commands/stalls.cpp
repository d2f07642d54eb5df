// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/stalls.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/commands/common/json.h"
#include "app/commands/common/measuring.h"
#include "app/commands/common/shared_options.h"
#include "app/commands/common/stage_options.h"
#include "app/commands/common/stage_text.h"
#include "app/commands/common/table.h"
#include "kernels/base/environment.h"
#include "kernels/base/json_text.h"
#include "kernels/base/plain_text.h"
#include "kernels/base/text_file.h"
#include "kernels/emulator/run.h"
#include "kernels/gpu/compile/disassemble.h"
#include "kernels/gpu/measure/sample_stage.h"
#include "kernels/model/why/stalls.h"
#include "kernels/runs/stall_samples.h"
#include "kernels/runs/unrecorded.h"
#include "kernels/sass/recorded.h"
#include "kernels/tile/constraints.h"
#include "kernels/tile/identity/fingerprint.h"
#include "kernels/tile/subject.h"
#include "kernels/tile/words.h"
#include "kernels/timeline/recorded/sampled_waits.h"
#include "kernels/timeline/seam.h"
#include "kernels/worker/once.h"

namespace tileloom::app {
namespace {

struct Options {
  StageOptions stage;
  GpuOptions gpu;
  std::optional<std::string> size;
  bool recorded = false;
  bool live = false;
  bool json = false;
  std::optional<std::string> record;
};

constexpr std::size_t kMostRows = 16;  // of a table

// The samples, and their machine code, if known.
struct Found {
  runs::StallSamples samples;
  std::optional<sass::MachineCode> code;
};

std::string percent(double share) {
  return share > 0 ? percentText(share) : "";
}

std::string mostText(const model::LineStalls& line, const timeline::WaitPlaces* places) {
  if (!line.stalls.reason) return "";
  return fmt::format("{} {}", percent(timeline::waitedShare(line, places)),
                     timeline::waitedText(line, places));
}

std::vector<std::string> linesOf(const Stage& stage) {
  std::vector<std::string> lines;
  const std::string_view text = sourceText(stage);
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line = text.substr(begin, end - begin);
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    lines.emplace_back(line.substr(0, line.find("  //")));
    begin = end + 1;
  }
  return lines;
}

std::string linesTable(const Stage& stage, const std::vector<model::LineStalls>& lines,
                       const timeline::WaitPlaces& places, std::size_t most) {
  const auto source = linesOf(stage);
  Table table(
      {{"samples"}, {"ready"}, {"waited most", Align::Left}, {"line"}, {"source", Align::Left}});
  for (std::size_t i = 0; i < std::min(lines.size(), most); ++i) {
    const model::LineStalls& each = lines[i];
    const bool known = each.line > 0 && static_cast<std::size_t>(each.line) <= source.size();
    table.add({percent(each.stalls.share), percent(each.stalls.ready), mostText(each, &places),
               known ? std::to_string(each.line) : "",
               known ? source[static_cast<std::size_t>(each.line) - 1]
                     : "no source line: added by the compiler"});
  }
  return table.text();
}

// Warps that multiply, warps that load and idle warps are separate: a stall of one does not explain
// why another is slow.
std::string byLine(const Found& found) {
  const runs::StallSamples& s = found.samples;
  const auto request = timeline::oneTile(s, s.problem);
  timeline::WaitPlaces places;
  if (request) {
    emulator::Workspace workspace;
    places = timeline::waitPlaces(emulator::traceBlock(workspace, *request));
  }
  const auto waits = timeline::sampledWaits(model::stallsByLine(s, found.code->listing), places);
  if (waits.bring.empty())
    return "\nBy source line\n" + linesTable(*s.rung(), waits.multiply, places, kMostRows);
  std::string text = fmt::format(
      "\nBy source line, of the samples of warps that multiply ({} of all samples)\n"
      "{}\n"
      "The same for warps that load ({} of all samples)\n"
      "{}",
      percent(waits.ofMultiply), linesTable(*s.rung(), waits.multiply, places, kMostRows),
      percent(waits.ofBring), linesTable(*s.rung(), waits.bring, places, kMostRows / 4));
  if (waits.ofIdle > 0) {
    text += fmt::format(
        "\n{} of all samples are of {}, which have nothing to do and wait in line {} until their "
        "block ends: they are in neither table.\n",
        percent(waits.ofIdle), timeline::idleText(places), places.idleLine);
  }
  return text;
}

std::string stallsText(const Found& found, const Problem& asked) {
  const runs::StallSamples& s = found.samples;
  const std::string numbers =
      s.rung()->formats.size() > 1 ? fmt::format(" in {}", rowOf(s.format).name) : "";
  std::string text = fmt::format(
      "{}\n"
      "{}{}, {} on {} ({}), {}{}\n"
      "{} samples of its warps, at most one every {} cycles per SM\n",
      stageHeading(*s.rung()), tileText(*s.rung(), s.tile), numbers, toString(s.problem), s.device,
      s.arch, s.when, s.recorded ? ", recorded" : "", grouped(s.total()),
      grouped(std::uint64_t{1} << s.log2Period));
  if (!(s.problem == asked))
    text += fmt::format("Nothing is recorded at {}: these samples are of the nearest size\n",
                        toString(asked));
  if (s.dropped > 0)
    text += fmt::format("{} samples were lost, because the hardware had no room for them\n",
                        grouped(s.dropped));
  if (!found.code) {
    text += "\nThe source lines of the instructions are unknown without their listing.\n";
  } else if (!found.code->listing.hasLines()) {
    text += "\nThe source lines of the instructions are unknown: the listing has none";
    if (!found.code->readByThisProgram())
      text += fmt::format(" (unset {}, so that Tileloom reads it)", kDisassemblerVariable);
    text += ".\n";
  } else {
    text += byLine(found);
  }
  std::vector<const runs::SampledInstruction*> order;
  for (const runs::SampledInstruction& each : s.at) order.push_back(&each);
  std::ranges::stable_sort(order, std::greater{}, [](const auto* each) { return each->total(); });
  Table table({{"samples"},
               {"ready"},
               {"waited most", Align::Left},
               {"address"},
               {"instruction", Align::Left}});
  for (std::size_t i = 0; i < std::min(order.size(), kMostRows); ++i) {
    const auto stalls = model::stallShareAt(s, order[i]->address);
    const auto index = found.code ? found.code->listing.at(order[i]->address) : std::nullopt;
    table.add({percent(stalls.share), percent(stalls.ready), mostText({0, 1, stalls}, nullptr),
               fmt::format("0x{:04x}", order[i]->address),
               index ? found.code->listing.instructions[*index].text() : ""});
  }
  text += "\nBy machine instruction, of all samples\n" + table.text();
  text +=
      "\nA sample shows the state of one warp. Ready: its instruction was issued, or that of "
      "another warp instead. While one warp waits, others can continue, so these are not shares of "
      "the launch's time.\n";
  return text;
}

// A listing of exactly the code that was sampled: the same source and compiler.
bool isOf(const sass::MachineCode& code, const runs::StallSamples& samples) {
  return code.fingerprint == samples.fingerprint && code.nvrtc == samples.cuda &&
         code.format == samples.format;
}

Result<Found> recorded(const Subject& choice, const Problem& size) {
  const runs::StallSamples* samples =
      runs::recordedSamples(choice, size, defaultArchitecture().name);
  if (samples == nullptr && !runs::hasRecordedSamples(*choice.rung())) {
    return fail(Trouble::Missing, runs::notRecordedYet(*choice.rung(), runs::Evidence::Samples));
  }
  if (samples == nullptr) {
    const bool usual = choice.format == choice.rung()->usualFormat();
    return fail(
        Trouble::Missing,
        fmt::format("there are no recorded samples of {} with {}{}: default tiles are "
                    "recorded{}, on {}",
                    choice.rung()->id, tileText(*choice.rung(), choice.tile),
                    usual ? "" : fmt::format(" in {}", rowOf(choice.format).name),
                    usual ? "" : fmt::format(" in {}", rowOf(choice.rung()->usualFormat()).name),
                    runs::allRecordedSamples().front().device));
  }
  Found found{*samples,
              sass::recordedListing({choice.rung(), choice.tile, samples->format}, samples->arch)};
  if (found.code && !isOf(*found.code, found.samples)) found.code.reset();
  return found;
}

Result<Found> live(Measuring& measuring, const Subject& choice, const Problem& size, double limitMs,
                   bool json, Outcome& outcome) {
  auto samples = gpu::sampleStage(measuring.bench(), measuring.nvrtc(), measuring.cache(), choice,
                                  size, limitMs);
  if (!samples) return tl::unexpected(samples.error());
  Found found{std::move(*samples), std::nullopt};
  if (json) return found;  // which has no listing
  const auto reader = sass::ListingReader::find();
  if (!reader) {
    outcome.remarks.push_back(reader.error().text);
    return found;
  }
  const auto code = gpu::disassembleStage(measuring.nvrtc(), measuring.cache(), *reader, choice,
                                          measuring.arch());
  if (code) {
    found.code = *code;
  } else {
    outcome.remarks.push_back(code.error().text);
  }
  return found;
}

// What ships: every rung's default tile at the size that the window opens with and at the one that
// the documents use. In a format that is named, only the rungs that have it.
std::vector<Launched> recordedLaunches(std::optional<Format> format) {
  std::vector<Launched> launches;
  for (const int size : {2048, 4096}) {
    for (const Stage* stage : everyStage()) {
      const auto& its = stage->formats;
      if (format && std::ranges::find(its, *format) == its.end()) continue;
      launches.push_back({{stage, stage->standardTile(), format.value_or(stage->usualFormat())},
                          {size, size, size}});
    }
  }
  return launches;
}

// Each in a process of its own: see gpu::PcSampler.
void record(const Options& options, Outcome& outcome) {
  if (!options.stage.stage.empty() || options.stage.tile || options.size || options.recorded ||
      options.json || options.live || options.gpu.noCache) {
    return outcome.fail(
        "--record samples every rung's default tile at 2048 and 4096: leave stage, tile, size and "
        "other options out");
  }
  if (const std::string why = whyNotReplaced(*options.record); !why.empty())
    return outcome.fail(why);
  std::optional<Format> format;
  if (options.stage.format) {
    const auto named = formatNamed(*options.stage.format);
    if (!named) return outcome.fail(named.error());
    format = *named;
  }
  const auto device = parseNumber("--device", options.gpu.device, 0, 1023);
  if (!device) return outcome.fail(device.error());
  const auto limit = parseNumber("--limit", options.gpu.limit, 1, 3600);
  if (!limit) return outcome.fail(limit.error());
  std::string lines;
  for (const Launched& launch : recordedLaunches(format)) {
    const worker::SampleRequest request{launch, static_cast<int>(*device), 1000.0 * *limit};
    const auto samples = worker::sampleInChild(thisProgram(), request, nullptr);
    const std::string_view id = launch.rung()->id;
    if (!samples) {
      return failWith(outcome, {Trouble::Failed,
                                fmt::format("{} was not sampled: {}", id, samples.error().text)});
    }
    lines += dumped(toJson(*samples)) + "\n";
    outcome.output +=
        fmt::format("{} at {}: {} samples\n", id, launch.problem.m, grouped(samples->total()));
  }
  if (const auto written = replaceText(*options.record, lines); !written)
    return outcome.fail(written.error());
  outcome.output += fmt::format("{}: {} bytes\n", *options.record, lines.size());
}

void run(const Options& options, Outcome& outcome) {
  if (options.record) return record(options, outcome);
  const auto choice = chosenStage(options.stage, "stalls");
  if (!choice) return outcome.fail(choice.error());
  if (options.recorded && options.live)
    return outcome.fail("--recorded and --live exclude each other: leave one out");
  const auto size = parseSize(options.size.value_or("4096"));
  if (!size) return outcome.fail(size.error());
  const auto device = parseNumber("--device", options.gpu.device, 0, 1023);
  if (!device) return outcome.fail(device.error());
  const auto limit = parseNumber("--limit", options.gpu.limit, 1, 3600);
  if (!limit) return outcome.fail(limit.error());
  if (const auto why =
          explainTile(*choice->rung(), choice->tile, std::nullopt, defaultArchitecture());
      !why.empty())
    return outcome.fail(why);
  const auto show = [&](const Found& found) {
    outcome.output = options.json ? jsonText(toJson(found.samples)) : stallsText(found, *size);
  };
  if (options.recorded) {
    const auto known = recorded(*choice, *size);
    return known ? show(*known) : failWith(outcome, known.error());
  }
  auto measuring = Measuring::open(*device, !options.gpu.noCache);
  if (!measuring) {
    const auto known = recorded(*choice, *size);
    if (!known || options.live) return failWith(outcome, measuring.error());
    outcome.remarks.push_back(
        fmt::format("these are recorded samples, for {}", measuring.error().text));
    return show(*known);
  }
  const auto found = live(**measuring, *choice, *size, 1000.0 * *limit, options.json, outcome);
  if (found) return show(*found);
  failWith(outcome, found.error());
  if (isFatal(found.error().trouble)) Measuring::abandon(std::move(*measuring), outcome);
}

}  // namespace

void addStallsCommand(Command root, Outcome& outcome) {
  const Command command = root.addCommand(
      "stalls",
      "Sample where warps stall, by source line and SASS instruction; recorded without a GPU");
  const auto options = std::make_shared<Options>();
  addStageOptions(command, options->stage);
  addFormatOption(command, options->stage);
  addSizeOption(command, options->size, "4096 by default");
  command.addFlag("--recorded", options->recorded, "Show the shipped samples");
  command.addFlag("--live", options->live, "Fail rather than show recorded samples");
  addJsonOptions(command, options->json, outcome);
  command
      .addOption("--record", options->record,
                 "Sample every rung's default tile at two sizes and write this file, in the "
                 "shipped format; with --arithmetic those of its ladder")
      .file();
  addGpuOptions(command, options->gpu);
  addCacheOption(command, options->gpu.noCache);
  command.onRun([options, &outcome] { run(*options, outcome); });
}

}  // namespace tileloom::app
