// SPDX-License-Identifier: GPL-3.0-or-later
// The deciding half of the tuner in the window: it ranks, writes the journal and judges, on a
// thread of its own. It knows neither workers nor widgets.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kernels/tile/subject.h"
#include "kernels/tuning/tune_session.h"

namespace tileloom {

// Where a tuning run reads and writes.
struct TuneFiles {
  std::filesystem::path folder = tuning::defaultTuneFolder();  // of the journals
  std::filesystem::path history;                               // empty: results are not kept
  std::filesystem::path best;
};

// The result of a run.
struct TuneOutcome {
  std::vector<Subject> tied;  // the winner alone, or all tiles that cannot be told apart
  bool won = false;
  runs::Interval gflops;                 // of the first of them
  std::vector<runs::RunRecord> records;  // one per tile with a figure
  std::string notKept;                   // why the results are not on disk; empty: they are
};

// What to do next, and the state of the run.
struct TuneReport {
  std::string error;                     // a sentence; the run cannot go on
  std::optional<tuning::TuneStep> step;  // std::nullopt: it has ended
  std::vector<Subject> ahead;            // to compile, soonest first
  tuning::Funnel funnel;
  tuning::SearchProgress progress;
  std::optional<Subject> best;
  std::size_t resumedFrom = 0;
  bool wantsPredictions = false;    // for these, which only the report of open() has:
  std::vector<Subject> candidates;  // see TuneSession::predicted
  // Measured since the last report, with the interval of all measurements of each tile.
  std::vector<runs::RunRecord> measured;
  std::optional<TuneOutcome> outcome;  // with no step
};

class TuneEngine {
 public:
  explicit TuneEngine(TuneFiles files) : m_files(std::move(files)) {}

  // Counts, and opens the journal that the command line would open, at its end. With `anew` it
  // renames an earlier journal first.
  TuneReport open(const tuning::TuneRequest& request, const tuning::TuneDevice& device,
                  const Architecture& arch, bool anew);
  // The answers to the step reported last; with the predictions, one per candidate, if they have
  // arrived since.
  TuneReport compiled(int registers, int spillBytes);
  TuneReport timed(const runs::RunRecord& record, double seconds,
                   std::span<const double> predicted);
  TuneReport failed(const std::string& why, double seconds, std::span<const double> predicted);
  void close() { m_session.reset(); }

 private:
  TuneReport report(tuning::TuneSession::Done done = {}, std::span<const double> predicted = {});
  TuneOutcome outcome();

  TuneFiles m_files;
  std::optional<tuning::TuneSession> m_session;
};

}  // namespace tileloom
