// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/record.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <memory>

#include "app/commands/common/measuring.h"
#include "app/commands/common/output.h"
#include "app/commands/common/stage_options.h"
#include "kernels/gpu/compile/compile_ahead.h"
#include "kernels/runs/run_store.h"
#include "kernels/tile/build_target.h"
#include "kernels/tile/identity/fingerprint.h"
#include "kernels/tile/subject.h"
#include "kernels/tuning/spread.h"

namespace tileloom::app {
namespace {

using Clock = std::chrono::steady_clock;

struct Options {
  GpuOptions gpu;
  std::vector<std::string> sizes = {"1024", "2048", "4096", "8192"};
  std::vector<std::string> tileSizes = {"1024", "2048", "4096"};
  std::string tiles = "300";
  std::string minutes = "9";
  std::string format = "fp32";
  bool noisy = false;
  std::string file;
};

struct Job : Launched {
  gpu::MeasureOptions how;
  bool ladder = false;  // a default tile: measured however slow it is
};

gpu::MeasureOptions thorough() {
  gpu::MeasureOptions how;
  how.budgetMs = 1000;
  how.minRounds = 7;
  how.spread = 0.0005;
  return how;
}

gpu::MeasureOptions quick() {
  gpu::MeasureOptions how;
  how.budgetMs = 60;
  return how;
}

// Noisy runs need more rounds, which narrow the median's interval.
gpu::MeasureOptions patient() {
  gpu::MeasureOptions how;
  how.budgetMs = 2000;
  how.minRounds = 25;
  return how;
}

// The ladder at every size first, then the most informative tiles, so that recording can stop at
// any place of the list.
std::vector<Job> jobsOf(const std::vector<Problem>& sizes, const std::vector<Problem>& tileSizes,
                        int tiles, const Architecture& arch, Format format) {
  std::vector<const Stage*> ladder;
  for (const Stage& stage : ladderOf(format)) {
    if (whyNotFor(stage, format, arch).empty()) ladder.push_back(&stage);
  }
  std::vector<Job> jobs;
  for (const Problem& size : sizes) {
    for (const Stage* stage : ladder)
      jobs.push_back({{{stage, stage->standardTile(), format}, size}, thorough(), true});
  }
  std::vector<std::pair<const Stage*, std::vector<TileShape>>> spreads;
  for (const Stage* stage : ladder) {
    spreads.emplace_back(stage, tuning::spreadTiles(*stage, static_cast<std::size_t>(tiles), arch));
  }
  for (std::size_t i = 0; i < static_cast<std::size_t>(tiles); ++i) {
    for (const auto& [stage, list] : spreads) {
      if (i >= list.size()) continue;
      for (const Problem& size : tileSizes) {
        const bool known =
            list[i] == stage->standardTile() && std::ranges::find(sizes, size) != sizes.end();
        if (!known) jobs.push_back({{{stage, list[i], format}, size}, quick(), false});
      }
    }
  }
  return jobs;
}

bool isOf(const runs::RunRecord& run, const Job& job, std::string_view device) {
  return run.stage == job.rung()->id && run.format == job.format && run.tile == job.tile &&
         run.problem == job.problem && run.device == device;
}

// Whether the run is of another source than this program's stage has.
bool isStale(const runs::RunRecord& run, const std::map<std::string, std::string>& hashes) {
  const auto hash = hashes.find(run.stage);
  return hash != hashes.end() && run.fingerprint != hash->second;
}

// The runs that are to be measured again, each once.
std::vector<Job> noisyJobs(const std::vector<runs::RunRecord>& runs, std::string_view device) {
  std::vector<Job> jobs;
  for (const runs::RunRecord& run : runs) {
    const Stage* stage = stageOfEitherLadder(run.stage);
    if (stage == nullptr || !run.noisy() || run.device != device) continue;
    const bool listed =
        std::ranges::any_of(jobs, [&](const Job& job) { return isOf(run, job, device); });
    if (!listed) jobs.push_back({{{stage, run.tile, run.format}, run.problem}, patient(), true});
  }
  return jobs;
}

// A tile with a slower launch is not worth the time of many others.
constexpr double kSlowMs = 500;

double predictedMs(const runs::RunRecord& known, const Problem& size) {
  return 2.0 * size.m * size.n * size.k / (known.gflops.median * 1e6);
}

tl::expected<std::vector<Problem>, std::string> sizesOf(const std::vector<std::string>& texts) {
  std::vector<Problem> sizes;
  for (const std::string& text : texts) {
    const auto size = parseSize(text);
    if (!size) return tl::unexpected(size.error());
    sizes.push_back(*size);
  }
  return sizes;
}

void run(const Options& options, Outcome& outcome) {
  const auto sizes = sizesOf(options.sizes);
  if (!sizes) return outcome.fail(sizes.error());
  const auto tileSizes = sizesOf(options.tileSizes);
  if (!tileSizes) return outcome.fail(tileSizes.error());
  const auto tiles = parseNumber("--tiles", options.tiles, 0, 100000);
  if (!tiles) return outcome.fail(tiles.error());
  const auto minutes = parseNumber("--minutes", options.minutes, 1, 24 * 60);
  if (!minutes) return outcome.fail(minutes.error());
  const auto device = parseNumber("--device", options.gpu.device, 0, 1023);
  if (!device) return outcome.fail(device.error());
  const auto limit = parseNumber("--limit", options.gpu.limit, 1, 3600);
  if (!limit) return outcome.fail(limit.error());
  const auto format = formatNamed(options.format);
  if (!format) return outcome.fail(format.error());
  auto known = runs::readRuns(options.file);
  if (!known) return outcome.fail(known.error());
  if (!known->complaints.empty())
    return outcome.fail(fmt::format("{}: repair or remove it, because record rewrites the file",
                                    known->complaints.front()));
  std::map<std::string, std::string> hashes;
  for (const Stage& stage : ladderOf(*format)) hashes[std::string(stage.id)] = fingerprintOf(stage);
  const auto deadline = Clock::now() + std::chrono::minutes(*minutes);
  gpu::CompileAhead ahead(gpu::CompileAhead::usualProcesses());  // before CUDA's threads
  auto measuring = Measuring::open(*device, true);
  if (!measuring) return failWith(outcome, measuring.error());
  outcome.remarks = (*measuring)->bench().remarks();
  // Writes the known runs before minutes of measuring, so that a file that cannot be written is
  // reported at once.
  if (const auto written = writeRuns(options.file, known->runs); !written)
    return outcome.fail(written.error());

  std::vector<runs::RunRecord> runs = std::move(known->runs);
  const std::string deviceName = (*measuring)->device().name;
  const std::vector<Job> jobs =
      options.noisy ? noisyJobs(runs, deviceName)
                    : jobsOf(*sizes, *tileSizes, *tiles, (*measuring)->arch(), *format);
  std::size_t done = 0, failed = 0, skipped = 0, tooSlow = 0, renewed = 0;
  std::map<std::string, int> reasons;
  for (const Stage& stage : ladderOf(*format)) {
    if (std::string why = whyNotFor(stage, *format, (*measuring)->arch()); !why.empty())
      outcome.remarks.push_back(std::move(why));
  }
  {
    std::vector<Subject> wanted;
    for (const Job& job : jobs) {
      const Subject& one = job;
      if (std::ranges::find(wanted, one) == wanted.end()) wanted.push_back(one);
    }
    ahead.begin(std::move(wanted), (*measuring)->arch());
    for (const Job& job : jobs) {
      const auto isThis = [&](const runs::RunRecord& r) { return isOf(r, job, deviceName); };
      const auto isOld = [&](const runs::RunRecord& r) { return isThis(r) && isStale(r, hashes); };
      // Runs that the file has are not measured again: an interrupted recording continues.
      if (!options.noisy && std::ranges::any_of(runs, isThis) &&
          std::ranges::none_of(runs, isOld)) {
        ++skipped;
        continue;
      }
      if (Clock::now() >= deadline) break;
      // A tile of a few threads can take minutes; its speed at a smaller size predicts that.
      const auto smaller = std::ranges::find_if(runs, [&](const runs::RunRecord& r) {
        return r.stage == job.rung()->id && r.format == job.format && r.tile == job.tile &&
               r.device == deviceName && predictedMs(r, job.problem) > kSlowMs;
      });
      if (!job.ladder && smaller != runs.end()) {
        ++tooSlow;
        continue;
      }
      gpu::MeasureOptions how = job.how;
      how.limitMs = 1000.0 * *limit;
      auto record = (*measuring)->run(job, job.problem, how);
      if (record) {
        if (options.noisy)
          std::erase_if(runs, [&](const auto& r) { return isThis(r) && r.noisy(); });
        renewed += std::erase_if(runs, isOld);
        runs.push_back(std::move(*record));
        ++done;
      } else {
        ++failed;
        ++reasons[fmt::format("{} with {} at {}: {}", job.rung()->id,
                              tileText(*job.rung(), job.tile), toString(job.problem),
                              record.error().text)];
        if (isFatal(record.error().trouble)) {
          outcome.status = kNoGpu;
          break;
        }
      }
      if ((done + failed) % 100 == 0) {
        writeStandardError(fmt::format("tileloom: {} of {} measured, {} failed\n", done,
                                       jobs.size() - skipped, failed));
      }
    }
  }
  if (const auto written = writeRuns(options.file, runs); !written)
    return outcome.fail(written.error());
  outcome.output = fmt::format(
      "{} runs measured, {} were there already, {} would take too long, {} failed, {} of {} left "
      "for "
      "another time\n{}\n",
      done, skipped, tooSlow, failed, jobs.size() - skipped - tooSlow - done - failed, jobs.size(),
      options.file);
  if (renewed > 0)
    outcome.remarks.push_back(
        fmt::format("{} runs of older sources were measured again and replaced", renewed));
  const auto old =
      std::ranges::count_if(runs, [&](const runs::RunRecord& r) { return isStale(r, hashes); });
  if (old > 0)
    outcome.remarks.push_back(
        fmt::format("{} runs of older sources are still in the file: their tiles, sizes or devices "
                    "were not measured now",
                    old));
  for (const auto& [why, times] : reasons)
    outcome.remarks.push_back(
        fmt::format("{}{}", why, times > 1 ? fmt::format(" ({} times)", times) : ""));
  if (outcome.status == kNoGpu) Measuring::abandon(std::move(*measuring), outcome);
}

}  // namespace

void addRecordCommand(Command root, Outcome& outcome) {
  const Command command = root.addCommand(
      "record", "Measure the ladder and a spread of tiles into a file of run records");
  const auto options = std::make_shared<Options>();
  command
      .addOption("FILE", options->file,
                 "File to write; runs that it has already are kept, those of older sources renewed")
      .notEmpty()
      .required();
  command.addOption("--sizes", options->sizes, "Sizes of the ladder (1024,2048,4096,8192)")
      .separatedBy(',')
      .typeName("LIST");
  command
      .addOption("--tile-sizes", options->tileSizes,
                 "Sizes of the spread of tiles (1024,2048,4096)")
      .separatedBy(',')
      .typeName("LIST");
  command.addOption("--tiles", options->tiles, "Tiles per rung (300 by default)").typeName("N");
  command.addOption("--minutes", options->minutes, "Minutes to measure for (9 by default)")
      .typeName("N");
  addLadderFormat(command, options->format);
  command.addFlag("--noisy", options->noisy, "Only measure the noisy runs of FILE again");
  addGpuOptions(command, options->gpu);
  command.onRun([options, &outcome] { run(*options, outcome); });
}

}  // namespace tileloom::app
