// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/roofline.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include <memory>

#include "app/commands/common/kernel_book.h"
#include "app/commands/common/measuring.h"
#include "app/commands/common/shared_options.h"
#include "app/commands/common/stage_options.h"
#include "app/commands/common/stage_text.h"
#include "app/commands/common/table.h"
#include "app/commands/report/limit_json.h"
#include "app/commands/report/rung_figures.h"
#include "kernels/analysis/counts/loop_totals.h"
#include "kernels/analysis/counts/totals.h"
#include "kernels/model/limits/roofline.h"
#include "kernels/model/prediction/rates.h"
#include "kernels/runs/counters.h"
#include "kernels/runs/recordings.h"
#include "kernels/runs/run_index.h"
#include "kernels/runs/run_store.h"
#include "kernels/tile/constraints.h"
#include "kernels/tile/subject.h"
#include "kernels/tile/words.h"

namespace tileloom::app {
namespace {

using model::Ceilings;
using model::MemoryLevel;
using model::Roof;
using model::Traffic;
using runs::RunRecord;

struct Options {
  StageOptions stage;
  std::string size = "4096";
  TargetOptions target;
  bool json = false;
};

struct Row : Subject {
  RungFigures figures;
  const RunRecord* run = nullptr;  // of exactly this tile and size
  std::optional<model::Limit> limit = std::nullopt;
  bool estimated = false;  // the blocks per SM are estimated
  int blocks = 0;
};

std::string gigabytes(double bytes) {
  if (bytes <= 0) return "-";
  return bytes < 1e6   ? std::string("< 0.001")
         : bytes < 1e9 ? fmt::format("{:.3f}", bytes / 1e9)
                       : fmt::format("{:.2f}", bytes / 1e9);
}

// "137 GFLOP"; few operations are counted.
std::string flopText(double flops) {
  return flops < 1e6    ? fmt::format("{} FLOP", grouped(static_cast<std::uint64_t>(flops)))
         : flops < 1e12 ? fmt::format("{:.4g} GFLOP", flops / 1e9)
                        : fmt::format("{:.4g} TFLOP", flops / 1e12);
}

std::string boundsText(const Ceilings& ceilings, const Traffic& traffic) {
  const auto [pipes, peak, dram, coldL2] = lowerBounds(ceilings, traffic);
  std::string text;
  if (peak) text += fmt::format("{}: the {}", model::timeText(*peak), name(pipes));
  if (dram)
    text += fmt::format("{}{}: DRAM{}{}", text.empty() ? "" : "; ", model::timeText(*dram),
                        coldL2 ? " " : "", coldL2 ? model::kColdL2 : "");
  return text.empty() ? text : fmt::format("No tile can take less than {}.\n", text);
}

std::string ceilingsLine(const Ceilings& c, Ladder ladder) {
  std::string text = fmt::format("Ceilings of {}, {}: ", c.device, name(c.origin));
  bool first = true;
  for (const Roof roof : model::roofsOf(ladder)) {
    const auto value = ceilingOf(c, roof);
    text += fmt::format("{}{} {}", first ? "" : ", ", name(roof),
                        value ? fmt::format("{} {}", figureText({*value, *value, *value}),
                                            levelOf(roof) ? "GB/s" : "GFLOP/s")
                        : roof == Roof::MmaSync ? "not measured"
                                                : "not known");
    if (value && roof == Roof::L2 && ladder == Ladder::Fp32)
      text += " (each SM with lines of its own)";
    if (value && roof == Roof::Tensor)
      text += fmt::format(" (computed for {} MHz, not measured)", tensorClockMHz(c));
    first = false;
  }
  return text + "\n";
}

// Rungs whose lowest roof is DRAM only if it moves more than the fewest bytes. The limit assumes
// the fewest bytes, so it may be another one.
std::string otherRoofs(const std::vector<Row>& rows, const Ceilings& ceilings) {
  std::string list;
  for (const Row& row : rows) {
    const auto roof = bindingOf(ceilings, row.figures.traffic);
    if (!roof || roof->roof != Roof::Dram || row.figures.traffic.countedDram) continue;
    Traffic least = row.figures.traffic;
    least.dramBytes = least.dramLeast;
    const auto other = bindingOf(ceilings, least);
    if (other && other->roof != Roof::Dram)
      list += fmt::format("{}{} for {}", list.empty() ? "" : ", ", name(other->roof),
                          rungLabel(*row.rung()));
  }
  return list.empty()
             ? list
             : fmt::format(
                   "With the fewest bytes that DRAM can move, another roof is the lowest: {}.\n",
                   list);
}

std::string rooflineText(const std::vector<Row>& rows, const Problem& size,
                         const Ceilings& ceilings, Format format) {
  const Traffic& any = rows.front().figures.traffic;
  std::string text =
      fmt::format("{}{}: {}, {} at least\n", toString(size),
                  any.ladder == Ladder::Tensor ? fmt::format(" in {}", rowOf(format).words) : "",
                  flopText(any.flops), model::bytesText(any.leastBytes)) +
      ceilingsLine(ceilings, any.ladder) + boundsText(ceilings, any) + "\n";
  Table table({{"rung"},
               {"stage", Align::Left},
               {"GB: DRAM"},
               {"L2"},
               {"L1+shared"},
               {"FLOP per byte: DRAM"},
               {"L2"},
               {"L1+shared"},
               {"GFLOP/s"},
               {"", Align::Left},
               {"% of roof"},
               {"roof", Align::Left},
               {"limit", Align::Left}});
  bool estimated = false;
  for (const Row& row : rows) {
    const Traffic& t = row.figures.traffic;
    const auto roof = bindingOf(ceilings, t);
    estimated = estimated || row.estimated;
    table.add({rungLabel(*row.rung()), std::string(row.rung()->id),
               (t.counted(MemoryLevel::Dram) ? "" : "~") + gigabytes(t.bytes(MemoryLevel::Dram)) +
                   (row.estimated ? "*" : ""),
               gigabytes(t.l2Bytes), gigabytes(t.bytes(MemoryLevel::Shared)),
               intensityText(t, MemoryLevel::Dram), intensityText(t, MemoryLevel::L2),
               intensityText(t, MemoryLevel::Shared),
               row.run != nullptr ? figureText(row.run->gflops) : "-",
               row.run != nullptr ? std::string(name(row.run->origin)) : "",
               row.run != nullptr && roof
                   ? fmt::format("{:.1f}", 100 * row.run->gflops.median / roof->gflops)
                   : "",
               roof ? std::string(name(roof->roof)) : "", row.limit ? shortText(*row.limit) : "-"});
  }
  text += table.text();
  // For one rung there is room for the whole sentence.
  if (rows.size() == 1 && rows.front().limit)
    text += fmt::format("\n{}\n", sentence(*rows.front().limit));
  text +=
      "\nRoof: the lowest ceiling of the whole device. Limit: what takes most of the launch's "
      "time;\n"
      "it also includes SMs without work, padding and instructions.\n";
  if (any.ladder == Ladder::Tensor)
    text +=
        "That time is a lower bound, by counts and rates: these rungs have no prediction. The\n"
        "difference from the time of a run is not explained here.\n"
        "L2 is not a roof here: blocks that share its lines get more than the\n"
        "rate above, which is for loads that share none.\n";
  const bool boxes =
      std::ranges::any_of(rows, [](const Row& row) { return row.rung()->features().tma; });
  text +=
      "\nBytes are predicted: L1 and shared memory by wavefronts, L2 by the sectors that are "
      "touched" +
      std::string(boxes ? " (TMA\nloads move whole packets, which trace counts)" : "") +
      ".\nDRAM is counted in the run; after ~ it is predicted within a factor of about two.\n" +
      otherRoofs(rows, ceilings);
  if (estimated) text += "* blocks per SM estimated: neither compiled nor measured\n";
  return text;
}

Json rooflineJson(const std::vector<Row>& rows, const Problem& size, const Ceilings& ceilings,
                  Format format) {
  Json list = Json::array();
  for (const Row& row : rows) {
    const auto roof = bindingOf(ceilings, row.figures.traffic);
    Json json = {{"stage", std::string(row.rung()->id)},
                 {"rung", row.rung()->rung},
                 {"tile", tileJson(*row.rung(), row.tile)},
                 {"blocks_per_sm", row.blocks},
                 {"blocks_estimated", row.estimated},
                 {"traffic", trafficJson(row.figures.traffic)},
                 {"padding", paddingJson(paddingOf(*row.rung(), row.tile, size))}};
    json["gflops"] = row.run != nullptr ? Json(row.run->gflops.median) : Json(nullptr);
    if (row.run != nullptr) json["origin"] = std::string(name(row.run->origin));
    json["limit"] = limitJson(row.limit);
    json["roof"] = roof ? Json(std::string(name(roof->roof))) : Json(nullptr);
    json["roof_gflops"] = roof ? Json(roof->gflops) : Json(nullptr);
    list.push_back(std::move(json));
  }
  const auto [pipes, peak, dram, coldL2] = lowerBounds(ceilings, rows.front().figures.traffic);
  const auto computed = ceilingOf(ceilings, Roof::Tensor);
  const auto ms = [](const std::optional<double>& seconds) {
    return seconds ? Json(1e3 * *seconds) : Json(nullptr);
  };
  return {{"schema", "tileloom.roofline/1"},
          {"problem", problemJson(size)},
          {"arithmetic", std::string(rowOf(format).name)},
          {"ceilings", toJson(ceilings)},
          {"tensor_gflops", computed ? Json(*computed) : Json(nullptr)},
          {"least_ms",
           {{pipes == Roof::Tensor ? "tensor" : "fma", ms(peak)},
            {"dram", ms(dram)},
            {"cold_l2", coldL2}}},
          {"rungs", std::move(list)}};
}

// Without a stage it chooses the ladder; with a stage of the tensor ladder, the format.
void addRooflineFormat(Command command, StageOptions& options) {
  command
      .addOption("--arithmetic", options.format,
                 "fp32 (default), or bf16 or fp16: the tensor ladder")
      .typeName("NAME");
}

std::optional<model::KernelFacts> known(Result<model::KernelFacts> facts) {
  return facts ? std::optional(std::move(*facts)) : std::nullopt;
}

void run(const Options& options, Outcome& outcome) {
  const auto size = parseSize(options.size);
  if (!size) return outcome.fail(size.error());
  const auto target = chosenTarget(options.target);
  if (!target) return outcome.fail(target.error());
  const auto device = deviceOf(*target);
  if (!device) return outcome.fail(device.error());
  std::vector<Row> rows;
  Format format = Format::Fp32;
  if (options.stage.stage.empty()) {
    if (options.stage.tile)
      return outcome.fail("--tile is for one stage: name it, such as roofline warptiled");
    if (options.stage.format) {
      const auto asked = formatNamed(*options.stage.format);
      if (!asked) return outcome.fail(asked.error());
      format = *asked;
    }
    for (const Stage& stage : ladderOf(format))
      rows.push_back({{&stage, stage.standardTile(), format}, {}});
  } else {
    const auto choice = chosenStage(options.stage, "roofline");
    if (!choice) return outcome.fail(choice.error());
    format = choice->format;
    if (const std::string why =
            explainTile(*choice->rung(), choice->tile, std::nullopt, target->arch);
        !why.empty())
      return outcome.fail(why);
    rows.push_back({*choice, {}});
  }

  const auto kept = model::readCeilings(model::defaultCeilingFile());
  if (kept) {
    outcome.remarks = kept->complaints;
  } else {
    outcome.remarks.push_back(kept.error());
  }
  const std::span<const Ceilings> own = kept ? std::span(kept->all) : std::span<const Ceilings>();
  const Ceilings* ceilings = model::ceilingsOf(own, *device);
  if (ceilings == nullptr) {
    return outcome.fail(fmt::format(
        "the ceilings of {} are not known: measure them there with tileloom ceilings", *device));
  }
  // Runs measured here on that device come before recorded ones.
  const auto history = runs::readRuns(runs::defaultRunFile());
  const std::vector<RunRecord> live = history ? history->runs : std::vector<RunRecord>{};
  const runs::RunIndex index(live);
  model::Machine machine;
  if (ceilings->sms > 0) machine.sms = ceilings->sms;
  if (ceilings->l2CacheBytes > 0) machine.l2CacheBytes = ceilings->l2CacheBytes;
  const auto arch = architectureNamed(ceilings->arch);
  // Constants of predictions are those of one device.
  const auto rates = model::ratesFor(ceilings->arch);
  const bool predicted = rates && rates->device == ceilings->device;
  std::optional<KernelBook> book;
  if (arch) book.emplace(*arch, true);
  emulator::Workspace workspace;
  for (Row& row : rows) {
    row.run = index.latest(row.rung()->id, row.tile, *size, ceilings->device, format);
    if (row.run == nullptr) row.run = runs::recordedRun(row, *size, ceilings->device);
    const auto facts = book ? known(book->facts(row)) : std::nullopt;
    row.blocks = row.run != nullptr ? row.run->blocksPerSm : 0;
    if (row.blocks < 1 && facts) row.blocks = facts->shape.blocksPerSm;
    row.estimated = row.blocks < 1;
    if (row.estimated)
      row.blocks =
          model::estimatedBlocksPerSm(*row.rung(), row.tile, arch ? *arch : defaultArchitecture());
    const auto figures = figuresOf(workspace, *row.rung(), row.tile, *size, row.blocks, machine);
    if (!figures) {
      return outcome.fail(
          fmt::format("{} cannot be traced: choose a smaller --size", toString(*size)));
    }
    row.figures = *figures;
    if (row.run != nullptr)
      row.figures.traffic.countedDram = row.run->counters[runs::Counter::DramBytes];
    if (!arch) continue;
    const auto loop = analysis::traceLoop(workspace, row, *size);
    row.limit = model::limitOf({.subject = row,
                                .problem = *size,
                                .loop = loop,
                                .arch = *arch,
                                .facts = facts ? &*facts : nullptr,
                                .rates = predicted ? &*rates : nullptr,
                                .ceilings = ceilings});
  }
  outcome.output = options.json ? jsonText(rooflineJson(rows, *size, *ceilings, format))
                                : rooflineText(rows, *size, *ceilings, format);
  if (!options.json && rows.size() == 1)
    outcome.output += paddedNote(*rows[0].rung(), rows[0].tile, *size);
}

}  // namespace

void addRooflineCommand(Command root, Outcome& outcome) {
  const Command command = root.addCommand(
      "roofline", "Bytes and FLOP per byte of each rung at each level, and its roof");
  const auto options = std::make_shared<Options>();
  addStageOptions(command, options->stage);
  addRooflineFormat(command, options->stage);
  addSizeOption(command, options->size);
  addTargetOptions(command, options->target);
  addJsonOptions(command, options->json, outcome);
  command.onRun([options, &outcome] { run(*options, outcome); });
}

}  // namespace tileloom::app
