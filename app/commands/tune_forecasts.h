// SPDX-License-Identifier: GPL-3.0-or-later
// The predictions by which a tuning run ranks its tiles, from the command line, which has a
// compiler at hand for the most promising ones, and from the window, which has not.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "kernels/tuning/foretell.h"

namespace tileloom::app {

// How many of how many are predicted; false: leave it.
using ForecastProgress = std::function<bool(std::size_t done, std::size_t all)>;

// How a compiler makes the predictions of the most promising tiles better.
struct Refinement {
  std::function<void(std::vector<TileShape>)> begin;  // these will be asked for, in this order
  tuning::ShapeOf compile;
};

// GFLOP/s of each of these tiles; 0 where nobody knows, as of all that were left when goOn said so.
// A few ms a tile and processor. The error, one sentence without a full stop, is no reason not to
// search: nobody has constants for this architecture.
tl::expected<std::vector<double>, std::string> forecasts(const Stage& stage, const Problem& problem,
                                                         std::span<const TileShape> tiles,
                                                         const Architecture& arch,
                                                         const ForecastProgress& goOn = {},
                                                         const Refinement* refinement = nullptr);

}  // namespace tileloom::app
