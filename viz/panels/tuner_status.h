// SPDX-License-Identifier: GPL-3.0-or-later
// The state of a tuning run in the window, as plain values.
#pragma once

#include <QString>
#include <cstddef>
#include <optional>
#include <vector>

#include "kernels/tile/subject.h"
#include "kernels/tuning/search.h"
#include "kernels/tuning/tune_summary.h"

namespace tileloom {

enum class TunerState {
  Idle,       // nothing runs; if there are stages, their run was stopped
  Preparing,  // the legal tiles are being counted
  Running,
  Paused,
  Done,
  Failed,
};

struct TunerStatus {
  TunerState state = TunerState::Idle;
  std::vector<const Stage*> stages;  // being tuned, or tuned before, by rung
  Problem problem;
  tuning::Funnel funnel;
  tuning::SearchProgress progress;
  std::size_t resumedFrom = 0;  // measurements from an earlier run
  std::optional<Subject> best;
  // When it is done: only the winner, or all indistinguishable tiles, best first.
  std::vector<Subject> tied;
  runs::Interval gflops;  // of the first tile in `tied`
  bool won = false;       // the intervals name a winner
  QString trouble;        // one sentence; Failed: why

  // Whether the run is being prepared, runs or is paused.
  bool active() const {
    return state == TunerState::Preparing || state == TunerState::Running ||
           state == TunerState::Paused;
  }
};

}  // namespace tileloom
