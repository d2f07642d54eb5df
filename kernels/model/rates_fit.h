// SPDX-License-Identifier: GPL-3.0-or-later
// Fits the constants of predictions to measured runs, and judges them on runs that they were not
// fitted to.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "kernels/model/prediction.h"
#include "kernels/runs/run_record.h"

namespace tileloom::model {

// A run with what the trace says of its tile.
struct Case {
  const runs::RunRecord* run = nullptr;
  const Stage* stage = nullptr;
  Workload work;
  Chip chip;
  double cycles = 0;  // SM cycles, measured
  // Every other tile, by a hash of stage and tile: at all sizes alike, so that no tile is known
  // from another size.
  bool heldOut = false;
};

// Of the runs that a model can be held against: of this architecture and of the present sources,
// legal, without spills, not noisy, with a known clock. The records outlive the cases. Traces one K
// tile of each tile, with all processors: seconds for a thousand tiles.
std::vector<Case> casesOf(std::span<const runs::RunRecord> runs, std::string_view arch);

// Where a search begins if nothing is known of an architecture.
Rates startingRates(std::string_view arch);

// From the cases that are not held out; `start` is where the search begins and what families
// without a case keep. The bands come from the held-out cases.
Rates fit(std::span<const Case> cases, const Rates& start);

// Predicted over measured time, of some cases.
struct Errors {
  std::size_t cases = 0;
  double median = 0;  // of the absolute relative error
  double ninth = 0;   // nine of ten are within
  double bias = 0;    // median of predicted over measured, minus 1
};
Errors errorsOf(std::span<const Case> cases, const Rates& rates, bool withCode);

// Where the tile that was measured fastest stands in the order of the predictions, among cases of
// one stage and size.
struct Ranking {
  std::size_t cases = 0;
  std::size_t place = 0;  // 0: predicted to be the best
  double topTen = 0;      // speed of the best among the predicted top ten, over the true best's
};
Ranking rankingOf(std::span<const Case> cases, const Rates& rates, bool withCode);

}  // namespace tileloom::model
