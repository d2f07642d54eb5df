// SPDX-License-Identifier: GPL-3.0-or-later
// Compares the guesses of a search that has not begun with measured tiles.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "kernels/model/prediction/prediction.h"
#include "kernels/tile/subject.h"
#include "kernels/tuning/tune_session.h"

namespace tileloom::app {

struct PlanEvidence {
  // The fastest tile that was measured of a rung, with the guess for it.
  struct Best {
    Subject tile;
    double gflops = 0;
    double guessed = 0;
    int tiles = 0;                     // that were measured
    std::optional<std::size_t> place;  // among the candidates' guesses, from 1; none: no candidate
  };
  std::vector<Best> fastest;
  std::string device;  // on which they were measured
  // How far guesses are from the measured tiles, as shares of these: half of them less than
  // `median`, nine of ten less than `ninth`. Of `tiles` tiles of all rungs of the plan.
  double median = 0;
  double ninth = 0;
  std::size_t tiles = 0;
};

// From the shipped runs and the user's own on the device of `rates`, at the plan's size; the
// candidates have their guesses. std::nullopt: no tile of these rungs was measured there.
std::optional<PlanEvidence> evidenceFor(const tuning::TunePlan& plan, const Architecture& arch,
                                        const model::Rates& rates);

}  // namespace tileloom::app
