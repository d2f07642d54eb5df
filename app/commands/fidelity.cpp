// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/fidelity.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <memory>
#include <utility>

#include "app/commands/common/measuring.h"
#include "app/commands/fidelity_launches.h"
#include "kernels/base/text_file.h"
#include "kernels/gpu/compile/compile_ahead.h"
#include "kernels/gpu/executed/executed_totals.h"
#include "kernels/gpu/executed/same_bits.h"
#include "kernels/runs/counters.h"
#include "kernels/runs/fidelity.h"
#include "kernels/runs/run_exchange.h"
#include "kernels/runs/run_store.h"
#include "kernels/runs/unrecorded.h"
#include "kernels/tile/placement.h"
#include "kernels/tile/subject.h"
#include "kernels/tile/words.h"

namespace tileloom::app {
namespace {

using runs::RunRecord;

struct Options {
  GpuOptions gpu;
  std::vector<std::string> stages;
  std::string tiles, seed;  // empty: the default
  std::string from;
  std::string record;
  bool json = false;
  bool executed = false;
  bool bits = false;
  std::string launches;
  bool noDevice = false;
};

tl::expected<std::vector<const Stage*>, std::string> stagesOf(const Options& options) {
  std::vector<const Stage*> list;
  for (const std::string& text : options.stages) {
    const auto stage = parseStage(text);
    if (!stage) return tl::unexpected(stage.error());
    list.push_back(*stage);
  }
  if (list.empty()) {
    for (const auto ladder : {stages(), tensorStages()}) {
      for (const Stage& stage : ladder) list.push_back(&stage);
    }
  }
  return list;
}

// An option that only counting on a GPU uses; empty: none is given.
std::string givenForCounting(const Options& options) {
  if (!options.tiles.empty()) return "--tiles";
  if (!options.seed.empty()) return "--seed";
  if (options.gpu.device != GpuOptions().device) return "--device";
  if (options.gpu.limit != GpuOptions().limit) return "--limit";
  return "";
}

// Counts every launch. A tile that this GPU cannot run becomes a remark.
std::vector<RunRecord> countAll(Measuring& measuring, const std::vector<const Stage*>& chosen,
                                std::size_t tiles, std::uint32_t seed, double limitMs,
                                Outcome& outcome) {
  std::vector<RunRecord> runs;
  std::map<std::string, int> reasons;
  for (const Stage* stage : chosen) {
    for (const TileShape& tile : runs::fidelityTiles(*stage, tiles, measuring.arch(), seed)) {
      for (const Problem& problem : runs::fidelityProblems(*stage, tile)) {
        const auto counted =
            measuring.count(usualSubject(*stage, tile), problem, runs::exactCounters(), limitMs);
        if (counted) {
          runs.push_back(*counted);
          continue;
        }
        const Error& error = counted.error();
        // An error that holds for all launches is reported once, instead of an answer.
        if (isFatal(error.trouble) || (runs.empty() && error.trouble != Trouble::BadRequest)) {
          failWith(outcome, error);
          outcome.leaveAtOnce = isFatal(error.trouble);
          return {};
        }
        ++reasons[fmt::format("{} with {}: {}", stage->id, tileText(*stage, tile), error.text)];
      }
    }
  }
  for (const auto& [why, times] : reasons) outcome.remarks.push_back(why);
  return runs;
}

// Runs every launch on the GPU and executes its machine code here: whether all bits of C are equal.
// A table with a row for each rung.
void compareBits(Measuring& measuring, const std::vector<const Stage*>& chosen, std::size_t tiles,
                 std::uint32_t seed, Outcome& outcome) {
  struct Row {
    int launches = 0, equal = 0;
    std::uint64_t elements = 0, different = 0;
  };
  Row all;
  std::string rows, differences;
  std::map<std::string, int> reasons;
  const auto add = [](const std::string& label, const std::string& id, const Row& row) {
    return fmt::format("| {} | {} | {} | {} | {} | {} |\n", label, id, row.launches, row.equal,
                       grouped(row.elements), grouped(row.different));
  };
  for (const Stage* stage : chosen) {
    Row row;
    for (const TileShape& tile : runs::fidelityTiles(*stage, tiles, measuring.arch(), seed)) {
      const auto build = measuring.build(usualSubject(*stage, tile));
      if (!build) return failWith(outcome, build.error());
      for (const Problem& problem : runs::fidelityProblems(*stage, tile)) {
        const auto same = gpu::sameBits(measuring.bench().context(), *build, problem,
                                        seed + static_cast<std::uint32_t>(row.launches));
        if (!same) {
          if (isFatal(same.error().trouble)) {
            outcome.leaveAtOnce = true;
            return failWith(outcome, same.error());
          }
          ++reasons[fmt::format("{}: {}", stage->id, same.error().text)];
          continue;
        }
        ++row.launches;
        row.equal += same->different == 0 ? 1 : 0;
        row.elements += same->elements;
        row.different += same->different;
        if (same->different > 0)
          differences +=
              fmt::format("* {} {} at {}: {} of {}, element {} is {:x}, executed {:x}\n", stage->id,
                          tileText(*stage, tile), toString(problem), same->different,
                          same->elements, same->first, same->device, same->executed);
      }
    }
    if (row.launches == 0) continue;
    rows += add(rungLabel(*stage), std::string(stage->id), row);
    all.launches += row.launches;
    all.equal += row.equal;
    all.elements += row.elements;
    all.different += row.different;
  }
  if (all.launches == 0)
    return outcome.fail(fmt::format("no launch could be compared{}",
                                    reasons.empty() ? "" : ": " + reasons.begin()->first));
  outcome.output = fmt::format(
      "| rung | stage | launches | equal in every bit | elements of C | different |\n"
      "|---:|---|---:|---:|---:|---:|\n{}{}",
      rows, add("", "all", all));
  if (!differences.empty()) outcome.output += "\n" + differences;
  for (const auto& [why, times] : reasons)
    outcome.remarks.push_back(fmt::format("{} ({})", why, times));
  if (all.different > 0) outcome.status = kFoundFaults;
}

std::vector<RunRecord> counted(const Options& options, Outcome& outcome) {
  const auto stopped = [&](std::string why) {
    outcome.fail(std::move(why));
    return std::vector<RunRecord>();
  };
  const auto chosen = stagesOf(options);
  if (!chosen) return stopped(chosen.error());
  if (!options.from.empty()) {
    if (const std::string given = givenForCounting(options); !given.empty())
      return stopped(fmt::format(
          "{} is for counting on a GPU, and --from reads recorded counters: leave one of them out",
          given));
    auto file = runs::givenRuns(options.from);
    if (!file) return stopped(file.error());
    outcome.remarks = std::move(file->complaints);
    std::erase_if(file->runs, [&](const RunRecord& run) {
      return std::ranges::none_of(*chosen, [&](const Stage* s) { return s->id == run.stage; });
    });
    if (file->runs.empty())
      return stopped(fmt::format("{} has no record of these rungs", options.from));
    return std::move(file->runs);
  }
  const auto tiles = options.tiles.empty() ? 6 : parseNumber("--tiles", options.tiles, 0, 1000);
  if (!tiles) return stopped(tiles.error());
  const auto seed = options.seed.empty() ? static_cast<int>(runs::kFidelitySeed)
                                         : parseNumber("--seed", options.seed, 0, 1'000'000'000);
  if (!seed) return stopped(seed.error());
  const auto drawn = static_cast<std::uint32_t>(*seed);
  const auto device = parseNumber("--device", options.gpu.device, 0, 1023);
  if (!device) return stopped(device.error());
  const auto limit = parseNumber("--limit", options.gpu.limit, 1, 3600);
  if (!limit) return stopped(limit.error());

  // Forked before CUDA has threads; the architecture follows once the device is known.
  gpu::CompileAhead ahead(gpu::CompileAhead::usualProcesses());
  auto measuring = Measuring::open(*device, true);
  if (!measuring) {
    failWith(outcome, measuring.error());
    return {};
  }
  outcome.remarks = (*measuring)->bench().remarks();
  std::vector<Subject> wanted;
  for (const Stage* stage : *chosen) {
    for (const TileShape& tile : runs::fidelityTiles(*stage, static_cast<std::size_t>(*tiles),
                                                     (*measuring)->arch(), drawn)) {
      wanted.push_back(usualSubject(*stage, tile));
    }
  }
  ahead.begin(std::move(wanted), (*measuring)->arch());
  if (options.bits) {
    compareBits(**measuring, *chosen, static_cast<std::size_t>(*tiles), drawn, outcome);
    if (outcome.leaveAtOnce) Measuring::abandon(std::move(*measuring), outcome);
    return {};
  }
  auto runs = countAll(**measuring, *chosen, static_cast<std::size_t>(*tiles), drawn,
                       1000.0 * *limit, outcome);
  if (outcome.leaveAtOnce) Measuring::abandon(std::move(*measuring), outcome);
  return runs;
}

// The same from the machine code that NVRTC makes for the GPU that was counted.
tl::expected<std::vector<runs::Comparison>, std::string> compareExecuted(
    const std::vector<RunRecord>& records) {
  const auto nvrtc = gpu::Nvrtc::load();
  if (!nvrtc) return tl::unexpected(nvrtc.error().text);
  const gpu::BuildCache cache;
  return runs::compareWith(records, gpu::executedTotals(*nvrtc, &cache));
}

// Launches of a list are executed and compared instead of rungs.
void runLaunches(const Options& options, Outcome& outcome) {
  if (outcome.oldJson) return outcome.fail("--json takes no file name: name a file with --out");
  if (!options.stages.empty() || !options.tiles.empty() || !options.from.empty() ||
      !options.record.empty() || options.executed || options.bits)
    return outcome.fail(
        "--launches executes and compares the launches of a list: leave --stages, --tiles, --from, "
        "--record, --executed and --bits out");
  LaunchesOptions launches;
  launches.file = options.launches;
  launches.seed = options.seed;
  launches.gpu = options.gpu;
  launches.noDevice = options.noDevice;
  launches.json = options.json;
  compareLaunches(launches, outcome);
}

void run(const Options& options, Outcome& outcome) {
  if (!options.launches.empty()) return runLaunches(options, outcome);
  if (options.noDevice)
    return outcome.fail("--no-device is for the launches of a list: name one with --launches");
  if (options.bits && (!options.from.empty() || !options.record.empty() || options.executed ||
                       options.json || outcome.file)) {
    return outcome.fail(
        "--bits runs launches on a GPU and prints a table: leave --from, --record, --executed, "
        "--json and --out out");
  }
  if (!options.record.empty()) {
    if (const std::string why = whyNotReplaced(options.record); !why.empty())
      return outcome.fail(why);
  }
  const std::vector<RunRecord> runs = counted(options, outcome);
  if (!outcome.error.empty() || options.bits) return;
  std::string record = options.record;
  if (outcome.oldJson) {
    // It kept the counters beside the answer, as --record does.
    record = *std::exchange(outcome.oldJson, std::nullopt);
    outcome.remarks.emplace_back("--json FILE is the old form: write --record FILE");
    if (record.empty() || record == "-")
      return outcome.fail("--json takes no file name any more: name a file with --record");
  } else if (options.json) {
    outcome.output = runs::compactText(runs);
    return;
  }
  if (!record.empty()) {
    if (const auto written = runs::writeRuns(record, runs); !written)
      return outcome.fail(written.error());
  }
  const auto counted = options.executed ? runs::Counted::Executed : runs::Counted::Traced;
  std::vector<runs::Comparison> comparisons;
  if (options.executed) {
    auto executed = compareExecuted(runs);
    if (!executed) return outcome.fail(executed.error());
    comparisons = std::move(*executed);
  } else {
    comparisons = runs::compareWithTrace(runs);
  }
  const std::string text = runs::fidelityText(comparisons, counted);
  for (const Stage& stage : stages()) {
    const bool isCounted = std::ranges::any_of(
        comparisons, [&](const runs::Comparison& c) { return c.run->stage == stage.id; });
    if (!isCounted && !runs::hasRecordedRuns(stage))
      outcome.remarks.push_back(runs::notRecordedYet(stage, runs::Evidence::Counters));
  }
  if (!outcome.file || outcome.file->empty() || *outcome.file == "-") {
    outcome.output = text;
    return;
  }
  const std::string out = *std::exchange(outcome.file, std::nullopt);
  constexpr std::size_t kLargest = 16u << 20;
  const auto before = readText(out, kLargest);
  if (!before) return outcome.fail(before.error());
  if (const auto written = replaceText(out, runs::withFidelityText(*before, text, counted));
      !written)
    return outcome.fail(written.error());
  outcome.output = fmt::format("{} launches compared\n{}\n", comparisons.size(), out);
}

}  // namespace

void addFidelityCommand(Command root, Outcome& outcome) {
  const Command command = root.addCommand(
      "fidelity", "Compare the trace's counts with the hardware's counters, rung by rung");
  const auto options = std::make_shared<Options>();
  command
      .addOption("--stages", options->stages,
                 "Rungs to count, or to compare with --from (all by default)")
      .separatedBy(',')
      .typeName("LIST");
  command
      .addOption("--tiles", options->tiles,
                 "Random tiles per rung besides its default one (6 by default)")
      .typeName("N");
  command
      .addOption("--seed", options->seed,
                 fmt::format("Seed of the random tiles ({} by default)", runs::kFidelitySeed))
      .typeName("N");
  command
      .addOption("--from", options->from,
                 "Compare a file of --record with the trace instead; needs no GPU")
      .file();
  command
      .addOption("--record", options->record,
                 "Also keep the counters in this file, one record per line")
      .file();
  command.addFlag("--executed", options->executed,
                  "Compare with the machine code of each launch, executed on this computer; needs "
                  "NVRTC");
  command.addFlag("--bits", options->bits,
                  "Compare every bit of C instead: each launch on a GPU, and its machine code "
                  "executed on this computer");
  command
      .addOption("--launches", options->launches,
                 "Compare every bit of the buffers of these launches instead: a JSON list of "
                 "launches of cubins")
      .file();
  command.addFlag("--no-device", options->noDevice,
                  "With --launches: only execute the launches on this computer; needs no GPU");
  command.addFlag("--json", options->json, "Print the counters as JSON, one record per line");
  command.addOldFile("--json", outcome.oldJson);
  command
      .addOption("--out", outcome.file,
                 "Write Markdown to this file, between its markers if it has them, or with --json "
                 "the counters")
      .file();
  addGpuOptions(command, options->gpu);
  command.onRun([options, &outcome] { run(*options, outcome); });
}

}  // namespace tileloom::app
