// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/run.h"

#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/commands/common/json.h"
#include "app/commands/common/measuring.h"
#include "app/commands/common/shared_options.h"
#include "app/commands/common/stage_options.h"
#include "app/commands/common/stage_text.h"
#include "app/commands/common/table.h"
#include "app/commands/report/run_ratios.h"
#include "app/commands/report/rung_figures.h"
#include "app/commands/report/tuned_defaults.h"
#include "kernels/analysis/counts/totals.h"
#include "kernels/runs/counters.h"
#include "kernels/runs/ratio_words.h"
#include "kernels/runs/recordings.h"
#include "kernels/runs/run_store.h"
#include "kernels/runs/unrecorded.h"
#include "kernels/tile/build_target.h"
#include "kernels/tile/constraints.h"
#include "kernels/tile/subject.h"
#include "kernels/tile/words.h"

namespace tileloom::app {
namespace {

using analysis::Totals;

struct Options {
  StageOptions stage;
  GpuOptions gpu;
  std::string size = "4096";
  std::string seconds = "1";
  bool recorded = false;
  std::string on;
  bool counters = false;
  bool ratios = false;
  bool dontSave = false;
  bool json = false;
  bool standard = false;
};

// Counted values beside predictions. Occupancy is never shown without the instructions per cycle
// that it serves.
std::string countersText(const Stage& stage, const runs::RunRecord& r) {
  using runs::Counter;
  Table table({{"counted", Align::Left}, {""}, {"predicted"}});
  const auto percent = [](double value) { return fmt::format("{:.1f} %", 100 * value); };
  const auto row = [&](const char* what, Counter counter, auto&& form, std::string predicted = "") {
    if (const auto value = r.counters[counter]) table.add({what, form(*value), predicted});
  };
  row("instructions per cycle and SM", Counter::InstructionsPerCycle,
      [](double value) { return fmt::format("{:.2f}", value); });
  row("occupancy", Counter::AchievedOccupancy, percent, percent(r.occupancy));
  if (stage.ladder == Ladder::Fp32)
    row("FMA pipe in use, of an SM's busy cycles", Counter::FmaPipe, percent);
  if (stage.ladder == Ladder::Tensor)
    row("tensor cores in use, of an SM's busy cycles", Counter::TensorPipe, percent);
  row("SM busy, of the launch", Counter::SmBusy, percent);
  row("bytes to and from DRAM", Counter::DramBytes, wholeText);
  row("bytes through L2", Counter::L2Bytes, wholeText);
  emulator::Workspace workspace;
  const std::optional<Totals> totals = totalsOf(workspace, {&stage, r.tile, r.format}, r.problem);
  const auto ofTrace = [&](std::uint64_t Totals::*count) {
    return totals ? grouped(*totals.*count) : std::string();
  };
  row("bank conflicts of shared loads", Counter::SharedLoadConflicts, wholeText,
      ofTrace(&Totals::sharedLoadConflicts));
  row("bank conflicts of shared stores", Counter::SharedStoreConflicts, wholeText,
      ofTrace(&Totals::sharedStoreConflicts));
  if (!r.counters[Counter::SharedLoadConflicts] && !r.counters[Counter::SharedStoreConflicts])
    return table.text();
  return fmt::format("{}{}\n", table.text(), runs::kArbitration);
}

std::string runText(const Stage& stage, const runs::RunRecord& r) {
  std::string text =
      fmt::format("{}\n{}, {} on {} ({}), {}{}\n\n  {} GFLOP/s  ({}, {} rounds)\n",
                  stageHeading(stage), tileText(stage, r.tile), toString(r.problem), r.device,
                  r.arch, r.when, r.origin == runs::Origin::Recorded ? ", recorded" : "",
                  figureText(r.gflops), spreadText(r.gflops), r.rounds);
  if (r.ratio.known()) {
    text += fmt::format("  {:.1f} % of {}  ({}; cuBLAS {} GFLOP/s in short rounds),\n    {}\n",
                        100 * r.ratio.median, libraryText(r.format), spreadText(r.ratio),
                        figureText(r.cublas), runs::kRatioMeaning);
  } else {
    text += "  not compared with cuBLAS, which was not found\n";
  }
  if (r.smClockMHz > 0) {
    text += fmt::format(
        "  {}{} MHz, {:.0f} W{}\n",
        r.peakPercent > 0 ? fmt::format("{:.1f} % of the {} peak at ", r.peakPercent,
                                        r.format == Format::Fp32 ? "FP32" : "tensor cores'")
                          : "",
        r.smClockMHz, r.watts,
        r.throttled.empty() ? "" : fmt::format(", slowed by {}", fmt::join(r.throttled, ", ")));
  }
  if (const std::string ratios = ratiosText(r); !ratios.empty()) text += "\n" + ratios;
  text += fmt::format(
      "\n  {} per thread{}, {} of shared memory per block\n"
      "  {} per SM, {:.2f} % occupancy\n",
      counted(r.registers, "register"),
      r.spillBytes > 0 ? fmt::format(", SPILLS of {} bytes", r.spillBytes) : "",
      counted(r.staticShared + r.dynamicShared, "byte"), counted(r.blocksPerSm, "block"),
      100 * r.occupancy);
  if (const std::string loop = mainLoopText(r.rewritten, r.whyNotRewritten); !loop.empty())
    text += fmt::format("  {}{}\n", loop,
                        r.loop.instructions > 0
                            ? fmt::format("; {} instructions per iteration", r.loop.instructions)
                            : "");
  if (r.quantisationLoss > 0) {
    text += fmt::format("  {} of the work is padding to whole tiles\n",
                        percentText(r.quantisationLoss));
  }
  if (const Padding padding = paddingOf(stage, r.tile, r.problem); padding.any()) {
    text += paddedNote(stage, r.tile, r.problem);
  }
  if (!r.counters.empty()) text += fmt::format("\n{}", countersText(stage, r));
  text += r.format == Format::Fp32
              ? fmt::format("\nThe result was checked first: largest difference {:.2g}.\n",
                            r.largestError)
              : fmt::format(
                    "\nThe result was checked first: with operands of +1 and -1 equal bit for "
                    "bit; with normally distributed ones the largest difference is {:.2g}.\n",
                    r.largestError);
  return text;
}

void show(const Options& options, const Stage& stage, const runs::RunRecord& r, Outcome& outcome) {
  outcome.output = options.json ? jsonText(toJson(r)) : runText(stage, r);
}

void showRecorded(const Options& options, const Subject& choice, const Problem& size,
                  Outcome& outcome) {
  const runs::RunRecord* r = runs::recordedRun(choice, size, options.on);
  if (r != nullptr) return show(options, *choice.rung(), *r, outcome);
  outcome.fail(
      !runs::hasRecordedRuns(*choice.rung())
          ? runs::notRecordedYet(*choice.rung(), runs::Evidence::Runs)
          : fmt::format(
                "{} with {} at {} is not recorded{}: tileloom runs list --recorded shows what is",
                choice.rung()->id, tileText(*choice.rung(), choice.tile), toString(size),
                options.on.empty()
                    ? ""
                    : fmt::format(" on a device called \"{}\"", quotable(options.on))));
  outcome.status = kNoGpu;
}

void run(Options& options, Outcome& outcome) {
  if (options.stage.tile == "standard") {
    options.stage.tile.reset();
    options.standard = true;
  }
  auto choice = chosenStage(options.stage, "run");
  if (!choice) return outcome.fail(choice.error());
  const auto size = parseSize(options.size);
  if (!size) return outcome.fail(size.error());
  if (options.recorded) return showRecorded(options, *choice, *size, outcome);
  const auto device = parseNumber("--device", options.gpu.device, 0, 1023);
  if (!device) return outcome.fail(device.error());
  const auto limit = parseNumber("--limit", options.gpu.limit, 1, 3600);
  if (!limit) return outcome.fail(limit.error());
  const auto seconds = parseNumber("--seconds", options.seconds, 1, 3600);
  if (!seconds) return outcome.fail(seconds.error());
  if (const std::string why = explainTile(*choice->rung(), choice->tile); !why.empty())
    return outcome.fail(why);

  auto measuring = Measuring::open(*device, !options.gpu.noCache);
  if (!measuring) {
    Error error = measuring.error();
    if (error.trouble == Trouble::Missing) error.text += ", or show a shipped run with --recorded";
    return failWith(outcome, error);
  }
  std::string tuned;
  if (!options.stage.tile && !options.standard) {
    const TunedDefaults defaults(**measuring);
    if (const auto best = defaults.of(*choice->rung(), *size, choice->format)) {
      choice->tile = best->run.tile;
      tuned = tuning::tunedText(*best);
    }
  }
  gpu::MeasureOptions how;
  how.budgetMs = 1000.0 * *seconds;
  how.limitMs = 1000.0 * *limit;
  how.spread = 0;
  how.maxRounds = 100000;
  const auto build = (*measuring)->build(*choice);
  if (!build) return failWith(outcome, build.error());
  auto record = gpu::measureSpeed((*measuring)->bench(), *build, *size, how);
  if (!record) {
    failWith(outcome, record.error());
    if (isFatal(record.error().trouble)) Measuring::abandon(std::move(*measuring), outcome);
    return;
  }
  outcome.remarks = (*measuring)->bench().remarks();
  outcome.remarks.insert(outcome.remarks.end(), build->remarks.begin(), build->remarks.end());
  if (options.ratios) {
    gpu::RatioOptions ratios;
    ratios.limitMs = how.limitMs;
    const auto added = addRatios(**measuring, ratios, *record, outcome.remarks);
    if (!added) {
      failWith(outcome, added.error());
      if (isFatal(added.error().trouble)) Measuring::abandon(std::move(*measuring), outcome);
      return;
    }
  }
  if (!tuned.empty()) outcome.remarks.push_back(tuned + ": --standard uses the literature's");
  if (options.counters) {
    const auto counted = (*measuring)->count(*choice, *size, runs::liveCounters(), how.limitMs);
    if (counted) {
      record->counters = counted->counters;
      record->achievedOccupancy = counted->achievedOccupancy;
    } else if (isFatal(counted.error().trouble)) {
      failWith(outcome, counted.error());
      return Measuring::abandon(std::move(*measuring), outcome);
    } else {
      outcome.remarks.push_back(counted.error().text);
    }
  }
  show(options, *choice->rung(), *record, outcome);
  if (options.dontSave) return;
  if (const auto saved = appendRun(runs::defaultRunFile(), *record); !saved)
    outcome.remarks.push_back(saved.error());
}

}  // namespace

void addRunCommand(Command root, Outcome& outcome) {
  const Command command =
      root.addCommand("run", "Run a tile on the GPU: its result checked, its speed beside cuBLAS");
  const auto options = std::make_shared<Options>();
  addStageOptions(command, options->stage);
  addFormatOption(command, options->stage);
  addStandardOption(command, options->standard);
  addSizeOption(command, options->size);
  command.addOption("--seconds", options->seconds, "Time to measure (1 by default)").typeName("S");
  addGpuOptions(command, options->gpu);
  addCacheOption(command, options->gpu.noCache);
  command.addFlag("--counters", options->counters,
                  "Also read the hardware's counters, if the driver permits it");
  command.addFlag("--ratios", options->ratios,
                  "Also compare with cuBLAS in two more ways: in cycles of single launches, and in "
                  "turns of 3 seconds under load; takes half a minute");
  command.addFlag("--recorded", options->recorded,
                  "Show the shipped run of exactly this launch instead; needs no GPU");
  command.addOption("--on", options->on, "With --recorded: a part of the device's name")
      .typeName("NAME");
  command.addFlag("--no-save", options->dontSave, "Do not add the run to the history");
  addJsonOptions(command, options->json, outcome);
  command.onRun([options, &outcome] { run(*options, outcome); });
}

}  // namespace tileloom::app
