// SPDX-License-Identifier: GPL-3.0-or-later
// The predictions by which a tuning run ranks its tiles. A journal goes on only where they agree, so
// that runs of the command line, which has a compiler at hand for them, and of the window are kept
// apart.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <tl/expected.hpp>

#include "kernels/tuning/foretell.h"
#include "kernels/tuning/tune_session.h"

namespace tileloom::app {

// How many of how many are predicted; false: leave it.
using ForecastProgress = std::function<bool(std::size_t done, std::size_t all)>;

// How a compiler makes the predictions of the most promising tiles better.
struct Refinement {
  std::function<void(std::vector<TileShape>)> begin;  // these will be asked for, in this order
  tuning::ShapeOf compile;
};

// Sets request.predict for every legal tile of its space. A few ms a tile and processor. The error,
// one sentence without a full stop, is no reason not to search: nobody has constants for this
// architecture. A space without tiles gets none; planTuning says why.
tl::expected<void, std::string> addForecasts(tuning::TuneRequest& request, const Architecture& arch,
                                             const ForecastProgress& goOn = {},
                                             const Refinement* refinement = nullptr);

}  // namespace tileloom::app
