// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/ladder.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>

#include <algorithm>
#include <memory>

#include "app/commands/common/json.h"
#include "app/commands/common/measuring.h"
#include "app/commands/common/shared_options.h"
#include "app/commands/common/stage_options.h"
#include "app/commands/common/table.h"
#include "app/commands/report/ladder_markdown.h"
#include "app/commands/report/rung_figures.h"
#include "app/commands/report/tuned_defaults.h"
#include "kernels/model/limits/ceilings.h"
#include "kernels/runs/counters.h"
#include "kernels/runs/ratio_words.h"
#include "kernels/runs/recordings.h"
#include "kernels/runs/run_index.h"
#include "kernels/runs/run_store.h"
#include "kernels/runs/statistics.h"
#include "kernels/runs/unrecorded.h"
#include "kernels/tile/build_target.h"
#include "kernels/tile/words.h"

namespace tileloom::app {
namespace {

struct Options {
  GpuOptions gpu;
  std::string size = "4096";
  std::string seconds = "1";
  bool recorded = false;
  std::string on;
  std::string format = "fp32";
  bool dontSave = false;
  bool json = false;
  bool standard = false;
  bool markdown = false;
};

// One rung: its run, or why there is none.
struct Row {
  const Stage* stage = nullptr;
  std::optional<runs::RunRecord> run;
  std::string why;
  std::optional<RungFigures> figures = std::nullopt;
};

// Bytes and conflicts, if the size can be traced.
void addFigures(std::vector<Row>& rows, const Problem& size) {
  emulator::Workspace workspace;
  for (Row& row : rows) {
    if (!row.run) continue;
    model::Machine machine;
    if (const auto* device = model::ceilingsOf({}, row.run->device)) {
      machine.sms = device->sms;
      machine.l2CacheBytes = device->l2CacheBytes;
    }
    row.figures = figuresOf(workspace, *row.stage, row.run->tile, size,
                            std::max(1, row.run->blocksPerSm), machine);
    if (row.figures) row.figures->traffic.countedDram = row.run->counters[runs::Counter::DramBytes];
  }
}

constexpr std::string_view kFromWhere =
    "FLOP per byte of DRAM: counted in that run; after ~ and for L1, and conflicts: predicted.";

std::string conflictText(const RungFigures& figures) {
  return figures.traffic.sharedBytes > 0 ? percentText(figures.conflictShare) : "-";
}

std::string ladderText(const std::vector<Row>& rows, const Problem& size, Format format) {
  // The literature's ladder is of FP32.
  const bool published = format == Format::Fp32;
  Table table({{"rung", Align::Right},
               {"stage", Align::Left},
               {"GFLOP/s", Align::Right},
               {"", Align::Left},
               {"% of cuBLAS", Align::Right},
               {"% of peak", Align::Right},
               {"registers", Align::Right},
               {"blocks per SM", Align::Right},
               {"occupancy", Align::Right},
               {"FLOP/B DRAM", Align::Right},
               {"L1+shared", Align::Right},
               {"conflicts", Align::Right},
               {published ? "A6000" : "", Align::Right},
               {published ? "%" : "", Align::Right},
               {"MHz", Align::Right},
               {"W", Align::Right},
               {"tile", Align::Left}});
  const runs::RunRecord* first = nullptr;
  std::vector<double> library;
  for (const Row& row : rows) {
    if (!row.run) {
      table.add({rungLabel(*row.stage), std::string(row.stage->id), "-"});
      continue;
    }
    const runs::RunRecord& r = *row.run;
    const auto theirs = literatureOf(*row.stage);
    if (first == nullptr) first = &r;
    if (r.cublas.known()) library.push_back(r.cublas.median);
    table.add({rungLabel(*row.stage), std::string(row.stage->id), figureText(r.gflops),
               spreadText(r.gflops),
               r.ratio.known() ? fmt::format("{:.1f}", 100 * r.ratio.median) : "",
               r.peakPercent > 0 ? fmt::format("{:.1f}", r.peakPercent) : "",
               fmt::format("{}{}", r.registers, r.spillBytes > 0 ? " (spills)" : ""),
               std::to_string(r.blocksPerSm), percentText(r.occupancy),
               row.figures ? intensityText(row.figures->traffic, model::MemoryLevel::Dram) : "",
               row.figures ? intensityText(row.figures->traffic, model::MemoryLevel::Shared) : "",
               row.figures ? conflictText(*row.figures) : "",
               theirs      ? wholeText(theirs->gflops)
               : published ? "-"
                           : "",
               theirs      ? fmt::format("{:.1f}", theirs->percentOfCublas)
               : published ? "-"
                           : "",
               r.smClockMHz > 0 ? std::to_string(r.smClockMHz) : "",
               r.watts > 0 ? fmt::format("{:.0f}", r.watts) : "", tileText(*row.stage, r.tile)});
  }
  if (!library.empty()) {
    const auto [low, high] = std::ranges::minmax(library);
    table.add({"", "cuBLAS", figureText({runs::median(library), low, high}),
               format == Format::Fp32 ? "pedantic FP32, median of these runs"
                                      : "cublasGemmEx, median of these runs"});
  }
  const std::string what = format == Format::Fp32
                               ? toString(size)
                               : fmt::format("{} in {}", toString(size), rowOf(format).words);
  std::string text = fmt::format("{}\n", what);
  if (first != nullptr) {
    text = fmt::format("{} on {} ({}), driver {}, NVRTC {}, {}{}\n", what, first->device,
                       first->arch, first->driver.empty() ? "unknown" : first->driver, first->cuda,
                       first->when, first->origin == runs::Origin::Recorded ? ", recorded" : "");
  }
  text += fmt::format("\n{}\n% of cuBLAS: {}.", table.text(), runs::kRatioMeaning);
  if (std::ranges::any_of(rows, [](const Row& row) { return !row.run; }))
    text += "\nA rung without a speed has no run here.";
  if (std::ranges::any_of(rows, [](const Row& row) { return row.run && row.run->watts > 0; }))
    text +=
        "\nW: power by the card's sensor, averaged over time. In runs shorter than a second it is "
        "far below the kernel's power.";
  if (format != Format::Fp32) return text + "\n" + std::string(kFromWhere) + "\n";
  return text + fmt::format(
                    "\n{}\nA6000: GFLOP/s and % of cuBLAS "
                    "on an {} at {}, from the literature ({});\n"
                    "-: not in the literature.\n",
                    kFromWhere, kLiteratureDevice, kLiteratureSize, kLiterature);
}

void show(const Options& options, std::vector<Row>& rows, const Problem& size, Format format,
          Outcome& outcome) {
  for (const Row& row : rows) {
    if (!row.run) outcome.remarks.push_back(fmt::format("{}: {}", row.stage->id, row.why));
  }
  addFigures(rows, size);
  if (!options.json) {
    outcome.output = ladderText(rows, size, format);
    return;
  }
  Json list = Json::array();
  for (const Row& row : rows) {
    if (!row.run) continue;
    Json json = toJson(*row.run);
    if (row.figures) {
      json["traffic"] = trafficJson(row.figures->traffic);
      json["conflict_share"] = row.figures->conflictShare;
    }
    json["literature"] = literatureJson(*row.stage);
    list.push_back(std::move(json));
  }
  outcome.output = jsonText({{"schema", "tileloom.runs/1"}, {"runs", std::move(list)}});
}

// Empty, or one sentence: no run of a device with such a name ships.
std::string whyNoRecordings(std::string_view device) {
  std::set<std::string> devices;
  for (const runs::RunRecord& run : runs::recordings()) devices.insert(run.device);
  if (std::ranges::any_of(devices, [&](const auto& name) { return runs::isDevice(name, device); }))
    return {};
  return fmt::format(
      "the ladder is not recorded on a device whose name contains \"{}\": choose one of {}",
      quotable(device), fmt::join(devices, ", "));
}

void showRecorded(const Options& options, const Problem& size, Format format, Outcome& outcome) {
  std::vector<Row> rows;
  const std::string_view on = options.on.empty() ? kReferenceDevice : options.on;
  if (const auto why = whyNoRecordings(on); !why.empty()) {
    outcome.fail(why);
    outcome.status = kNoGpu;
    return;
  }
  for (const Stage& stage : ladderOf(format)) {
    Row row{&stage, std::nullopt, ""};
    if (const auto* r = runs::recordedRun({&stage, stage.standardTile(), format}, size, on)) {
      row.run = *r;
    }
    row.why = runs::hasRecordedRuns(stage) ? "not recorded at this size"
                                           : runs::notRecordedYet(stage, runs::Evidence::Runs);
    rows.push_back(std::move(row));
  }
  if (std::ranges::none_of(rows, [](const Row& row) { return row.run.has_value(); })) {
    outcome.fail(
        fmt::format("the ladder at {} is not recorded: tileloom runs list --recorded shows what is",
                    toString(size)));
    outcome.status = kNoGpu;
    return;
  }
  show(options, rows, size, format, outcome);
}

void showMarkdown(const Options& options, Outcome& outcome) {
  if (options.json) return outcome.fail("--markdown and --json exclude each other: choose one");
  const std::string_view on = options.on.empty() ? kReferenceDevice : options.on;
  if (const auto why = whyNoRecordings(on); !why.empty()) {
    outcome.fail(why);
    outcome.status = kNoGpu;
    return;
  }
  outcome.output = ladderMarkdown(on);
}

void run(const Options& options, Outcome& outcome) {
  if (options.markdown) return showMarkdown(options, outcome);
  const auto size = parseSize(options.size);
  if (!size) return outcome.fail(size.error());
  const auto format = formatNamed(options.format);
  if (!format) return outcome.fail(format.error());
  if (options.recorded) return showRecorded(options, *size, *format, outcome);
  const auto device = parseNumber("--device", options.gpu.device, 0, 1023);
  if (!device) return outcome.fail(device.error());
  const auto limit = parseNumber("--limit", options.gpu.limit, 1, 3600);
  if (!limit) return outcome.fail(limit.error());
  const auto seconds = parseNumber("--seconds", options.seconds, 1, 3600);
  if (!seconds) return outcome.fail(seconds.error());
  auto measuring = Measuring::open(*device, !options.gpu.noCache);
  if (!measuring) {
    Error error = measuring.error();
    if (error.trouble == Trouble::Missing)
      error.text += ", or show a shipped ladder with --recorded";
    return failWith(outcome, error);
  }
  outcome.remarks = (*measuring)->bench().remarks();
  gpu::MeasureOptions how;
  how.budgetMs = 1000.0 * *seconds;
  how.limitMs = 1000.0 * *limit;
  how.spread = 0;
  how.maxRounds = 100000;
  std::vector<Row> rows;
  const TunedDefaults defaults(**measuring);
  for (const Stage& stage : ladderOf(*format)) {
    Row row{&stage, std::nullopt, whyNotFor(stage, *format, (*measuring)->arch())};
    if (!row.why.empty()) {  // not supported by this device: not a failure
      rows.push_back(std::move(row));
      continue;
    }
    TileShape tile = stage.standardTile();
    if (const auto best = options.standard ? std::nullopt : defaults.of(stage, *size, *format)) {
      tile = best->run.tile;
      outcome.remarks.push_back(fmt::format("{}: {}: --standard uses the literature's", stage.id,
                                            tuning::tunedText(*best)));
    }
    auto record = (*measuring)->run({&stage, tile, *format}, *size, how);
    if (record) {
      if (!options.dontSave) {
        if (const auto saved = appendRun(runs::defaultRunFile(), *record); !saved)
          outcome.remarks.push_back(saved.error());
      }
      row.run = std::move(*record);
    } else {
      row.why = record.error().text;
      outcome.status = record.error().trouble == Trouble::WrongResult ? kFoundFaults : kNoGpu;
    }
    rows.push_back(std::move(row));
    if (!record && isFatal(record.error().trouble)) {
      Measuring::abandon(std::move(*measuring), outcome);
      break;
    }
  }
  if (std::ranges::none_of(rows, [](const Row& row) { return row.run.has_value(); }) &&
      outcome.status == 0)
    outcome.status = kNoGpu;
  show(options, rows, *size, *format, outcome);
}

}  // namespace

void addLadderCommand(Command root, Outcome& outcome) {
  const Command command = root.addCommand(
      "ladder", "Run every rung with its default tile, or the one tuned here, beside cuBLAS");
  const auto options = std::make_shared<Options>();
  addSizeOption(command, options->size);
  addLadderFormat(command, options->format);
  addStandardOption(command, options->standard);
  command.addOption("--seconds", options->seconds, "Time to measure each rung (1 by default)")
      .typeName("S");
  addGpuOptions(command, options->gpu);
  addCacheOption(command, options->gpu.noCache);
  command.addFlag("--recorded", options->recorded, "Show the shipped runs instead; needs no GPU");
  command.addFlag(
      "--markdown", options->markdown,
      "Print both ladders as tables for README.md, from the shipped runs at 4096 and 8192");
  command
      .addOption("--on", options->on, "With --recorded or --markdown: a part of the device's name")
      .typeName("NAME");
  command.addFlag("--no-save", options->dontSave, "Do not add the runs to the history");
  addJsonOptions(command, options->json, outcome);
  command.onRun([options, &outcome] { run(*options, outcome); });
}

}  // namespace tileloom::app
