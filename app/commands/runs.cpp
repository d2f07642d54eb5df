// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/commands/common/json.h"
#include "app/commands/common/parse.h"
#include "app/commands/common/shared_options.h"
#include "app/commands/report/runs_text.h"
#include "kernels/runs/recordings.h"
#include "kernels/runs/run_exchange.h"
#include "kernels/runs/run_store.h"

namespace tileloom::app {
namespace {

using runs::RunFile;
using runs::RunRecord;

struct Options {
  std::string history;  // --file; empty: the user's own
  std::string file;     // to import or export
  std::string stage;
  bool recorded = false;
  bool json = false;
};

std::filesystem::path historyOf(const Options& o) {
  return o.history.empty() ? runs::defaultRunFile() : std::filesystem::path(o.history);
}

// The history, or the shipped runs, with complaints about them.
tl::expected<RunFile, std::string> source(const Options& o) {
  if (!o.recorded)
    return runs::readRuns(historyOf(o), o.history.empty() ? Absent::IsEmpty : Absent::IsAnError);
  if (!o.history.empty()) {
    return tl::unexpected<std::string>(
        "--recorded reads the runs inside this program, and --file a history: leave one of them "
        "out");
  }
  RunFile file;
  file.runs.assign(runs::recordings().begin(), runs::recordings().end());
  return file;
}

// Keeps the runs of the stage. A stage that only these runs know is good too.
tl::expected<void, std::string> choose(const std::string& stage, std::vector<RunRecord>& runs) {
  if (stage.empty()) return {};
  const auto known = parseStage(stage);
  const std::string id = known ? std::string((*known)->id) : stage;
  const auto others = [&](const RunRecord& run) { return run.stage != id; };
  if (!known && std::ranges::all_of(runs, others)) return tl::unexpected(known.error());
  std::erase_if(runs, others);
  return {};
}

// The chosen runs, the earliest first; the source's complaints become remarks.
tl::expected<std::vector<RunRecord>, std::string> chosen(const Options& o, Outcome& outcome) {
  auto file = source(o);
  if (!file) return tl::unexpected(file.error());
  if (const auto done = choose(o.stage, file->runs); !done) return tl::unexpected(done.error());
  outcome.remarks = std::move(file->complaints);
  std::ranges::stable_sort(file->runs, {}, &RunRecord::when);
  return std::move(file->runs);
}

std::string place(const Options& o) {
  return o.recorded ? "inside this program" : fmt::format("in {}", historyOf(o).string());
}

void list(const Options& o, Outcome& outcome) {
  const auto runs = chosen(o, outcome);
  if (!runs) return outcome.fail(runs.error());
  if (o.json) {
    Json all = Json::array();
    for (const RunRecord& run : *runs) all.push_back(toJson(run));
    outcome.output = jsonText({{"schema", "tileloom.runs-list/1"}, {"runs", std::move(all)}});
  } else if (runs->empty()) {
    outcome.output =
        fmt::format("No runs{} {}\n", o.stage.empty() ? "" : " of this stage", place(o));
  } else {
    outcome.output =
        fmt::format("{} {}\n\n{}", counted(runs->size(), "run"), place(o), runsTable(*runs));
  }
}

void importRuns(const Options& o, Outcome& outcome) {
  const std::filesystem::path history = historyOf(o);
  auto done = runs::importRuns(history, o.file);
  if (!done) return outcome.fail(done.error());
  outcome.remarks = std::move(done->complaints);
  outcome.output = fmt::format("{} added to {}, {} known already, {} broken\n",
                               counted(done->added.size(), "run"), history.string(),
                               grouped(done->known), counted(done->broken, "line"));
}

void exportRuns(const Options& o, Outcome& outcome) {
  const auto runs = chosen(o, outcome);
  if (!runs) return outcome.fail(runs.error());
  if (o.file == "-") {
    outcome.output = runs::compactText(*runs);
    return;
  }
  if (const auto done = runs::writeRuns(o.file, *runs); !done) return outcome.fail(done.error());
  outcome.output = fmt::format("{} written to {}\n", counted(runs->size(), "run"), o.file);
}

using Action = void (*)(const Options& options, Outcome& outcome);

Command addAction(Command group, Outcome& outcome, const std::shared_ptr<Options>& options,
                  const char* word, const char* what, Action action) {
  const Command command = group.addCommand(word, what);
  command.addOption("--file", options->history, "The history to use (your own by default)").file();
  command.onRun([options, action, &outcome] { action(*options, outcome); });
  return command;
}

void addChoice(Command command, const std::shared_ptr<Options>& options) {
  command.addOption("--stage", options->stage, "Only runs of this stage")
      .typeName("STAGE")
      .notEmpty();
  command.addFlag("--recorded", options->recorded, "The runs inside this program, not the history");
}

}  // namespace

void addRunsCommand(Command root, Outcome& outcome) {
  const Command group = root.addCommand("runs", "List, import and export measured runs");
  group.requireCommand();
  const auto options = std::make_shared<Options>();
  const Command lists =
      addAction(group, outcome, options, "list", "Show the runs of the history", list);
  addChoice(lists, options);
  addJsonOptions(lists, options->json, outcome);
  const Command imports =
      addAction(group, outcome, options, "import",
                "Add the runs of a file that the history does not have", importRuns);
  imports.addOption("FILE", options->file, "Runs, one per line").notEmpty().required();
  const Command exports =
      addAction(group, outcome, options, "export", "Write runs to a file, compactly", exportRuns);
  exports.addOption("FILE", options->file, "File to write; - prints").notEmpty().required();
  addChoice(exports, options);
}

}  // namespace tileloom::app
