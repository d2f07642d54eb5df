// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/runs/run_exchange.h"

#include <fmt/format.h>

#include <unordered_set>

#include "kernels/base/plain_text.h"
#include "kernels/base/text_file.h"
#include "kernels/runs/run_store.h"

namespace tileloom::runs {
namespace {

// The same for a run that was measured here and for its imported copy.
std::string identity(RunRecord run) {
  run.origin = Origin::Recorded;
  return toLine(run);
}

// The sentence about a file from which no run could be read.
std::string noRunsText(const RunFile& file, const std::filesystem::path& name) {
  if (file.broken == 0) {
    return fmt::format("\"{}\" contains no runs: choose a file with one per line",
                       quotableFile(name));
  }
  return fmt::format("\"{}\" contains no runs, only {} that {} invalid ({})", quotableFile(name),
                     file.broken == 1 ? "a line" : fmt::format("{} lines", file.broken),
                     file.broken == 1 ? "is" : "are", file.complaints.front());
}

}  // namespace

tl::expected<RunFile, std::string> givenRuns(const std::filesystem::path& file) {
  auto given = readRuns(file, Absent::IsAnError);
  if (!given) return tl::unexpected(given.error());
  if (given->runs.empty()) return tl::unexpected(noRunsText(*given, file));
  return given;
}

tl::expected<Imported, std::string> importRuns(const std::filesystem::path& history,
                                               const std::filesystem::path& file) {
  auto given = givenRuns(file);
  if (!given) return tl::unexpected(given.error());

  // No other process may add the same runs between the check and the additions.
  auto lines = LineFile::open(history, LineFile::Lock::Needed);
  if (!lines) return tl::unexpected(lines.error());
  const auto kept = readRuns(history);
  if (!kept) return tl::unexpected(kept.error());

  std::unordered_set<std::string> have;
  for (const RunRecord& run : kept->runs) have.insert(identity(run));
  Imported done;
  done.broken = given->broken;
  done.complaints = std::move(given->complaints);
  for (RunRecord& run : given->runs) {
    if (!have.insert(identity(run)).second) {
      ++done.known;
      continue;
    }
    run.origin = Origin::Recorded;
    if (const auto added = appendRun(*lines, run); !added) {
      return tl::unexpected(
          fmt::format("{} (runs added before that: {}; import again for the rest)", added.error(),
                      done.added.size()));
    }
    done.added.push_back(std::move(run));
  }
  return done;
}

}  // namespace tileloom::runs
