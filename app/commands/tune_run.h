// SPDX-License-Identifier: GPL-3.0-or-later
// Drives a tuning session on this machine's GPU, with processes that compile ahead of it.
#pragma once

#include <string>
#include <tl/expected.hpp>

#include "app/commands/common/measuring.h"
#include "app/commands/common/outcome.h"
#include "kernels/gpu/compile/compile_ahead.h"
#include "kernels/model/prediction/late_forecast.h"
#include "kernels/tuning/tune_session.h"

namespace tileloom::app {

// While it lives, Ctrl+C and a scheduler's SIGTERM are remembered and do not end the process; a
// second one does.
class StopSignals {
 public:
  StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;
  ~StopSignals();
  static bool asked();
};

enum class TuneEnd {
  Finished,
  Stopped,  // by a signal, after the measurement that was running
  Lost,     // the process cannot use the GPU any more: see Measuring::abandon
};

// Runs until the search ends. Progress goes to standard error. An error stops the run, which can be
// continued later: the journal cannot be written, or the device has too little memory for this
// size. `forecast`: what to wait for while it measures, or nullptr.
tl::expected<TuneEnd, Error> drive(tuning::TuneSession& session, Measuring& measuring,
                                   gpu::CompileAhead& ahead, model::LateForecast* forecast,
                                   double limitMs);

}  // namespace tileloom::app
