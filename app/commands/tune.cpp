// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/tune.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>

#include "app/commands/common/output.h"
#include "app/commands/common/parameter_lists.h"
#include "app/commands/common/parse.h"
#include "app/commands/common/progress_line.h"
#include "app/commands/common/shared_options.h"
#include "app/commands/common/stage_options.h"
#include "app/commands/report/plan_evidence.h"
#include "app/commands/report/tune_report.h"
#include "app/commands/tune_run.h"
#include "kernels/base/text_file.h"
#include "kernels/model/prediction/foretell.h"
#include "kernels/model/prediction/rates.h"
#include "kernels/runs/run_store.h"
#include "kernels/tile/subject.h"
#include "kernels/tuning/best.h"

namespace tileloom::app {
namespace {

struct Options {
  GpuOptions gpu;
  std::vector<std::string> stages;
  std::optional<std::string> format;
  std::string size = "4096";
  std::vector<std::string> parameters;
  bool noPrediction = false;
  bool threes = false, exhaustive = false, keepSpills = false, dryRun = false, restart = false,
       json = false;
  std::string budget, shard, out, resume, arch;
};

template <class T>
using Parsed = tl::expected<T, std::string>;

// "60s", "5m" or "200"
Parsed<void> parseBudget(const std::string& text, tuning::SearchOptions& search) {
  if (text.empty()) return {};
  const char unit = text.back();
  const bool time = unit == 's' || unit == 'm';
  const auto number =
      parseNumber("--budget", time ? text.substr(0, text.size() - 1) : text, 1, 1000000);
  if (!number) {
    return tl::unexpected(
        fmt::format("--budget \"{}\" is not a budget: write seconds like 60s, minutes like 5m, or "
                    "a number of measurements like 200",
                    quotable(text)));
  }
  if (time) {
    search.budgetSeconds = *number * (unit == 'm' ? 60.0 : 1.0);
  } else {
    search.budgetRuns = *number;
  }
  return {};
}

// "0/4"
Parsed<void> parseShard(const std::string& text, tuning::TuneRequest& request) {
  if (text.empty()) return {};
  const std::size_t slash = std::min(text.find('/'), text.size());
  const auto shards = parseNumber(
      "--shard", std::string_view(text).substr(std::min(slash + 1, text.size())), 1, 10000);
  const auto shard = parseNumber("--shard", std::string_view(text).substr(0, slash), 0, 9999);
  if (shard && shards && *shard < *shards) {
    request.shard = *shard;
    request.shards = *shards;
    return {};
  }
  return tl::unexpected(fmt::format(
      "--shard \"{}\" is not a shard: write the part, from 0, and the number of parts, like 0/4",
      quotable(text)));
}

Parsed<tuning::TuneRequest> requestOf(const Options& options) {
  tuning::TuneRequest request;
  const std::vector<std::string> none = {""};  // which chosenStage() refuses
  for (const std::string& stage : options.stages.empty() ? none : options.stages) {
    const auto chosen = chosenStage({stage, std::nullopt, options.format}, "tune");
    if (!chosen) return tl::unexpected(chosen.error());
    request.stages.push_back(chosen->rung());
    request.format = chosen->format;
  }
  const auto size = parseSize(options.size);
  if (!size) return tl::unexpected(size.error());
  request.problem = *size;
  request.space.threes = options.threes;
  auto listed = parseParameterLists(request.stages, options.parameters);
  if (!listed) return tl::unexpected("--parameter " + listed.error());
  request.space.listed = std::move(*listed);
  request.search.exhaustive = options.exhaustive;
  request.keepSpills = options.keepSpills;
  request.predict = !options.noPrediction;
  if (const auto done = parseBudget(options.budget, request.search); !done)
    return tl::unexpected(done.error());
  if (const auto done = parseShard(options.shard, request); !done)
    return tl::unexpected(done.error());
  return request;
}

std::string withoutPredictions(const std::string& why) {
  return fmt::format("the search uses no predictions: {}", why);
}

// GFLOP/s of all candidates; shows progress if that takes more than a moment.
std::vector<double> guessedAll(const tuning::TunePlan& plan, const Problem& problem,
                               const Architecture& arch, const model::Rates& rates) {
  constexpr std::size_t kAtOnce = 256;
  constexpr double kMoment = 1;  // seconds
  const std::vector<Subject> tiles = tuning::subjectsOf(plan.candidates);
  const std::span<const Subject> all = tiles;
  std::vector<double> gflops;
  ProgressLine line;
  const auto began = std::chrono::steady_clock::now();
  for (std::size_t at = 0; at < all.size(); at += kAtOnce) {
    const auto some =
        model::foretell(all.subspan(at, std::min(kAtOnce, all.size() - at)), problem, arch, rates);
    gflops.insert(gflops.end(), some.begin(), some.end());
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    if (seconds > kMoment && gflops.size() < all.size() && line.due())
      line.show(pacedText("tracing tiles", gflops.size(), all.size(), seconds));
  }
  return gflops;
}

void dryRun(const Options& options, tuning::TuneRequest request, Outcome& outcome) {
  const auto arch = options.arch.empty() ? Parsed<Architecture>(defaultArchitecture())
                                         : architectureNamed(options.arch);
  if (!arch) return outcome.fail(arch.error());
  auto plan = planTuning(request, {"", std::string(arch->name), "", ""}, *arch);
  if (!plan) return outcome.fail(plan.error());
  if (request.predict && !request.search.exhaustive) {
    if (const std::string why = tuning::whyNotPredicted(request.stages); !why.empty())
      outcome.remarks.push_back(withoutPredictions(why));
  }
  std::optional<PlanEvidence> evidence;
  if (plan->header.predict) {
    if (const auto rates = model::ratesOf(*request.stages[0], arch->name)) {
      const auto gflops = guessedAll(*plan, request.problem, *arch, *rates);
      for (std::size_t i = 0; i < gflops.size(); ++i) plan->candidates[i].predicted = gflops[i];
      evidence = evidenceFor(*plan, *arch, *rates);
    } else {
      outcome.remarks.push_back(withoutPredictions(rates.error()));
    }
  }
  const tuning::Search search(plan->candidates, plan->header.search);
  outcome.output = options.json ? jsonText(planJson(*plan, search, evidence))
                                : planText(*plan, search, evidence);
  if (!options.out.empty()) outcome.file = options.out;
}

void show(const std::vector<std::string>& files, bool json, const std::string& out, bool merging,
          Outcome& outcome) {
  std::vector<tuning::TuneLog> logs;
  for (const std::string& file : files) {
    auto log = tuning::readJournal(file);
    if (!log) return outcome.fail(log.error());
    logs.push_back(std::move(*log));
  }
  const auto sum = tuning::summaryOf(logs, files);
  if (!sum) return outcome.fail(sum.error());
  if (merging) {
    const auto missing = static_cast<std::size_t>(sum->header.shards) - sum->shards.size();
    if (missing > 0) {
      outcome.remarks.push_back(fmt::format(
          "{} of {} shards are missing: tune them and merge again", missing, sum->header.shards));
    }
    if (!sum->ended) outcome.remarks.push_back("not all of these runs are finished");
    if (missing == 0 && sum->ended && !sum->verdict.standings.empty()) {
      const auto saved = tuning::appendBest(
          tuning::defaultBestFile(),
          {sum->records[sum->verdict.standings[0].candidate], sum->verdict.tied.size(), 1});
      if (!saved) outcome.remarks.push_back(saved.error());
    }
  }
  outcome.output = json ? jsonText(tuneJson(*sum)) : tuneText(*sum);
  if (out.empty()) return;
  if (const auto written = replaceText(out, jsonText(tuneJson(*sum))); !written)
    outcome.fail(written.error());
}

// Checked before minutes are spent on a plan; empty: nothing is known that keeps a run from
// beginning or continuing there.
std::string whyNotThere(const std::filesystem::path& file) {
  std::error_code error;
  if (file.empty()) return {};
  const auto folder = file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
  if (!std::filesystem::is_directory(folder, error)) return {};
  const bool existed = std::filesystem::exists(file, error);
  if (error) {
    return fmt::format("cannot write \"{}\" ({}): choose another file", quotableFile(file),
                       error.message());
  }
  const auto opened = tuning::Journal::open(file);
  if (!opened) return opened.error();
  // While its lock is held, no other process can have begun a run there.
  if (!existed && std::filesystem::file_size(file, error) == 0)
    std::filesystem::remove(file, error);
  const auto state = tuning::journalState(file);
  if (!state) return state.error();
  return *state == tuning::JournalState::Foreign ? tuning::foreignText(file) : std::string();
}

void tune(const Options& options, Outcome& outcome) {
  auto request = requestOf(options);
  if (!request) return outcome.fail(request.error());
  if (options.dryRun) return dryRun(options, *request, outcome);
  const auto device = parseNumber("--device", options.gpu.device, 0, 1023);
  if (!device) return outcome.fail(device.error());
  const auto limit = parseNumber("--limit", options.gpu.limit, 1, 3600);
  if (!limit) return outcome.fail(limit.error());
  if (!options.resume.empty() && !options.out.empty())
    return outcome.fail("--resume continues in its file and --out begins another: leave one out");
  if (!options.resume.empty()) {
    const auto state = tuning::journalState(options.resume);
    if (!state) return outcome.fail(state.error());
    if (*state != tuning::JournalState::Begun) {
      return outcome.fail(fmt::format(
          "there is no tuning run in \"{}\": name another file, or begin one with --out",
          quotable(options.resume)));
    }
  }
  // With --restart another file replaces it.
  if (!options.restart) {
    if (const std::string why = whyNotThere(options.out); !why.empty()) return outcome.fail(why);
  }
  // Processes are forked before CUDA has threads.
  gpu::CompileAhead ahead(options.gpu.noCache ? 0 : gpu::CompileAhead::usualProcesses());
  auto measuring = Measuring::open(*device, !options.gpu.noCache);
  if (!measuring) {
    Error error = measuring.error();
    if (error.trouble == Trouble::Missing)
      error.text += ", or see what would be searched with --dry-run";
    return failWith(outcome, error);
  }
  outcome.remarks = (*measuring)->bench().remarks();
  const Architecture arch = (*measuring)->arch();
  if (std::string why = tuning::whyNotSearched(*request, arch); !why.empty())
    return failWith(outcome, {Trouble::Unsupported, std::move(why)});
  auto plan = planTuning(*request,
                         {(*measuring)->device().name, (*measuring)->device().arch(),
                          (*measuring)->driverVersion(), (*measuring)->nvrtc().version()},
                         (*measuring)->arch());
  if (!plan) return outcome.fail(plan.error());
  const std::filesystem::path file =
      !options.resume.empty() ? std::filesystem::path(options.resume)
      : !options.out.empty()  ? std::filesystem::path(options.out)
                              : tuning::journalIn(tuning::defaultTuneFolder(), plan->header);
  if (options.restart) {
    if (const auto done = tuning::putAside(file); !done) return outcome.fail(done.error());
  }
  const std::vector<Subject> candidates = tuning::subjectsOf(plan->candidates);
  auto session = tuning::TuneSession::open(std::move(*plan), file);
  if (!session) return outcome.fail(session.error());
  const bool finishedBefore = !session->next();
  if (finishedBefore) {
    outcome.remarks.push_back("this run was finished before: --restart measures it again");
  } else if (session->resumedFrom() > 0) {
    writeStandardError(
        fmt::format("tileloom: continuing after {} measurements\n", session->resumedFrom()));
  }

  // Without compiler processes, predictions would be misleading guesses.
  std::optional<model::LateForecast> forecast;
  if (session->wantsPredictions() && ahead.processes() > 0) {
    if (const auto rates = model::ratesOf(*request->stages[0], arch.name)) {
      forecast.emplace(request->problem, candidates, arch, *rates);
    } else {
      outcome.remarks.push_back(withoutPredictions(rates.error()));
    }
  }
  if (!finishedBefore && request->predict && !request->search.exhaustive) {
    if (const std::string why = tuning::whyNotPredicted(request->stages); !why.empty())
      outcome.remarks.push_back(withoutPredictions(why));
  }
  const StopSignals signals;
  const auto end =
      drive(*session, **measuring, ahead, forecast ? &*forecast : nullptr, 1000.0 * *limit);
  if (!end) return failWith(outcome, end.error());
  if (*end == TuneEnd::Finished) {
    const auto kept = session->keep(runs::defaultRunFile(), tuning::defaultBestFile());
    if (!kept) outcome.remarks.push_back(kept.error());
  }
  show({file.string()}, options.json, "", false, outcome);
  if (*end == TuneEnd::Finished) {
    outcome.remarks.push_back(fmt::format("the run is in {}", file.string()));
    return;
  }
  outcome.remarks.push_back(fmt::format(
      "{}: the same command continues from here (the run is in {})",
      *end == TuneEnd::Lost ? "the last kernel hangs or has broken the GPU's context, and only a "
                              "new process can use the GPU"
                            : "stopped",
      file.string()));
  outcome.status = kNoGpu;
  if (*end == TuneEnd::Lost) Measuring::abandon(std::move(*measuring), outcome);
}

}  // namespace

void addTuneCommand(Command root, Outcome& outcome) {
  const Command command =
      root.addCommand("tune",
                      "Find the fastest tile of a rung, or the fastest of several rungs, on this "
                      "GPU; continues where it was stopped");
  const auto options = std::make_shared<Options>();
  command
      .addOption(
          "STAGE", options->stages,
          "Stage, such as warptiled, 8, k10 or t3, or several of one ladder, such as 14,15,16")
      .separatedBy(',')
      .typeName("");
  command
      .addOption("--arithmetic", options->format,
                 "Format of the elements: bf16 (default) or fp16 on the tensor ladder")
      .typeName("NAME");
  addSizeOption(command, options->size);
  command
      .addOption("--parameter", options->parameters,
                 "Only these values of a tile parameter, such as BM=64,128; may be repeated")
      .typeName("PARAMETER=N,...")
      .repeatable();
  command.addFlag("--threes", options->threes, "Also try three times a power of two");
  command
      .addOption("--budget", options->budget,
                 "Stop after seconds (60s), minutes (5m) or measurements (200)")
      .typeName("N")
      .notEmpty();
  command.addOption("--shard", options->shard, "Only part I, from 0, of N parts of the space")
      .typeName("I/N")
      .notEmpty();
  command.addFlag("--exhaustive", options->exhaustive,
                  "Measure every legal tile of the values that are searched");
  command.addFlag("--keep-spills", options->keepSpills, "Also time tiles that spill registers");
  command.addFlag("--no-prediction", options->noPrediction,
                  "Choose the next tile by measurements only");
  command.addFlag("--dry-run", options->dryRun, "Show what would be searched; needs no GPU");
  command.addOption("--arch", options->arch, "With --dry-run: architecture (sm_90 by default)")
      .typeName("ARCH")
      .notEmpty();
  command
      .addOption("--out", options->out,
                 "File of the run (by default one in the data folder that fits the request); with "
                 "--dry-run the file of the answer; tune show FILE --json --out writes a result")
      .file();
  command.addOption("--resume", options->resume, "Continue the run in this file").file();
  command.addFlag("--restart", options->restart, "Put an earlier run of the same request aside");
  addJsonFlag(command, options->json, outcome);
  addGpuOptions(command, options->gpu);
  addCacheOption(command, options->gpu.noCache);
  command.footer(
      "Ctrl+C stops after the running measurement and Ctrl+Z pauses; the same command continues.");

  struct Reading {
    std::vector<std::string> files;
    std::string out;
    bool json = false;
  };
  const auto reading = std::make_shared<Reading>();
  const Command merge = command.addCommand("merge", "Merge the shards of one run");
  merge.addOption("FILES", reading->files, "Files that tileloom tune --shard has written")
      .notEmpty()
      .required();
  merge.addOption("-o,--out", reading->out, "Also write the result as JSON").file();
  merge.addFlag("--json", reading->json, "Print JSON instead of text");
  merge.onRun(
      [reading, &outcome] { show(reading->files, reading->json, reading->out, true, outcome); });
  const Command shown = command.addCommand("show", "Show the result of a run");
  shown.addOption("FILE", reading->files, "File that tileloom tune has written")
      .notEmpty()
      .required();
  shown.addFlag("--json", reading->json, "Print JSON instead of text");
  addOutOption(shown, outcome);
  shown.onRun([reading, &outcome] { show(reading->files, reading->json, "", false, outcome); });

  command.onRun([command, options, &outcome] {
    if (!command.chosen()) tune(*options, outcome);
  });
}

}  // namespace tileloom::app
