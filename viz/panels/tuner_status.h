// SPDX-License-Identifier: GPL-3.0-or-later
// How a tuning run in the window stands, as plain values.
#pragma once

#include <QString>
#include <cstddef>
#include <optional>
#include <vector>

#include "kernels/tuning/search.h"
#include "kernels/tuning/tune_summary.h"

namespace tileloom {

enum class TunerState {
  Idle,       // nothing runs; with a stage: the run of it was stopped
  Preparing,  // legal tiles are counted
  Running,
  Paused,
  Done,
  Failed,
};

struct TunerStatus {
  TunerState state = TunerState::Idle;
  const Stage* stage = nullptr;  // that is tuned, or was
  Problem problem;
  tuning::Funnel funnel;
  tuning::SearchProgress progress;
  std::size_t resumedFrom = 0;  // measurements that an earlier run had left
  std::optional<TileShape> best;
  // When it is done: the winner alone, or all that cannot be told apart, best first.
  std::vector<TileShape> tied;
  runs::Interval gflops;  // of the first of them
  bool won = false;       // the intervals name a winner
  QString trouble;        // one sentence; Failed: why

  // Something of it is under way, or waits to be.
  bool active() const {
    return state == TunerState::Preparing || state == TunerState::Running ||
           state == TunerState::Paused;
  }
};

}  // namespace tileloom
