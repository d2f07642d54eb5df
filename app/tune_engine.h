// SPDX-License-Identifier: GPL-3.0-or-later
// The thinking half of the tuner in the window: it ranks, writes the journal and judges, on a
// thread of its own. It knows no worker and no widget.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/commands/tune_forecasts.h"
#include "kernels/tuning/tune_session.h"

namespace tileloom {

// Where a tuning run reads and writes.
struct TuneFiles {
  std::filesystem::path folder = tuning::defaultTuneFolder();  // of the journals
  std::filesystem::path history;                               // empty: results are kept nowhere
  std::filesystem::path best;
};

// What a run has come to.
struct TuneOutcome {
  std::vector<TileShape> tied;  // the winner alone, or all that cannot be told apart
  bool won = false;
  tuning::Interval gflops;                 // of the first of them
  std::vector<tuning::RunRecord> records;  // one a tile that has a figure
  std::string notKept;                     // why the results are not on disk; empty: they are
};

// What is to be done, and how the run stands.
struct TuneReport {
  std::string error;                     // a sentence; the run cannot go on
  std::optional<tuning::TuneStep> step;  // nothing: it has ended
  std::vector<TileShape> ahead;          // to compile, soonest first
  tuning::Funnel funnel;
  tuning::SearchProgress progress;
  std::optional<TileShape> best;
  std::size_t resumedFrom = 0;
  // Measured since the last report, with the interval of all that is known of each tile.
  std::vector<tuning::RunRecord> measured;
  std::optional<TuneOutcome> outcome;  // with no step
};

class TuneEngine {
 public:
  explicit TuneEngine(TuneFiles files) : m_files(std::move(files)) {}

  // Counts and opens the journal that the command line would, at the place where it ends; predicts,
  // where it is begun. Anew: what is in it is put aside.
  TuneReport open(const tuning::TuneRequest& request, const tuning::TuneDevice& device,
                  const Architecture& arch, bool anew, const app::ForecastProgress& goOn);
  // The answers to the step that was reported last.
  TuneReport compiled(int registers, int spillBytes);
  TuneReport timed(const tuning::RunRecord& record, double seconds);
  TuneReport failed(const std::string& why, double seconds);
  void close() { m_session.reset(); }

 private:
  TuneReport report(const tuning::TuneSession::Done& done = {});
  TuneOutcome outcome();

  TuneFiles m_files;
  std::optional<tuning::TuneSession> m_session;
};

}  // namespace tileloom
