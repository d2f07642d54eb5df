// SPDX-License-Identifier: GPL-3.0-or-later
// Fits the constants of predictions to measured runs, and judges them on runs that were not used
// for the fit.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "kernels/model/prediction/prediction.h"
#include "kernels/model/prediction/time_shares.h"
#include "kernels/runs/run_record.h"

namespace tileloom::model {

// A run, with the trace's data on its tile.
struct Case {
  const runs::RunRecord* run = nullptr;
  const Stage* stage = nullptr;
  Workload work;
  Chip chip;
  double cycles = 0;  // SM cycles, measured
  // Not used for the fit, but for judging it: about half of the tiles, chosen by a hash of stage
  // and tile. A tile is held out at all sizes, so that the fit does not know it from another size.
  bool heldOut = false;
};

// The cases of all runs that a model can be compared with: of this architecture and the present
// sources, legal, without spills, not noisy, with a known clock. The records must outlive the
// cases. Traces one K tile of each tile on all processor cores: seconds for a thousand tiles.
std::vector<Case> casesOf(std::span<const runs::RunRecord> runs, std::string_view arch);

// Whether the runs of a tile are excluded from the fit (Case::heldOut).
bool isHeldOut(const Stage& stage, const TileShape& tile);

// The constants that a fit starts from if nothing is known about an architecture.
Rates startingRates(std::string_view arch);

// A launch for which the hardware has counted what its warps waited for.
struct Witness {
  Workload work;
  Chip chip;
  TimeShares counted;
};

// The witnesses among these runs: of this architecture and the present sources, legal, with all
// counters of stall reasons, and with instructions issued in most of the cycles. If a data pipe is
// full instead, its time cannot be separated from the waiting by what warps wait for.
std::vector<Witness> witnessesOf(std::span<const runs::RunRecord> runs, std::string_view arch);

// The predicted shares over all waves of blocks, as the counters are.
TimeShares sharesOf(const Witness& witness, const Rates& rates);

// Fits the constants to the cases that are not held out. The fit starts from `start`, and families
// without a case keep the constants of `start`. The bands come from the held-out cases. The times
// alone do not determine their parts; the shares that the witnesses counted do.
Rates fit(std::span<const Case> cases, const Rates& start, std::span<const Witness> witnesses = {});

// Fits the constants that belong only to the families of these stages, to the cases of these
// families that are not held out and have known machine code. All other constants stay; the bands
// are of all held-out cases. Without a case nothing changes.
Rates refit(std::span<const Case> cases, const Rates& start, std::span<const Stage* const> of);

// The mean over the witnesses of the share of the time that is predicted in another group than
// counted, 0 to 1.
double misplacedShare(std::span<const Witness> witnesses, const Rates& rates);

// The errors of the predicted times of some cases.
struct Errors {
  std::size_t cases = 0;
  double median = 0;  // of the absolute relative error
  double ninth = 0;   // 90 % of the absolute errors are at most this
  double bias = 0;    // median of predicted over measured, minus 1
};
Errors errorsOf(std::span<const Case> cases, const Rates& rates, bool withCode);

// The rank that the predictions give the tile that was measured fastest, among cases of one stage
// and size.
struct Ranking {
  std::size_t cases = 0;
  std::size_t place = 0;  // 0: predicted to be the best
  double topTen = 0;      // speed of the fastest of the predicted top ten, over the true best's
};
Ranking rankingOf(std::span<const Case> cases, const Rates& rates, bool withCode);

}  // namespace tileloom::model
