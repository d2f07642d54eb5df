// SPDX-License-Identifier: GPL-3.0-or-later
// How often the cause that is named between two tiles has the direction in which the measured speed
// moved.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "kernels/model/prediction/move.h"
#include "kernels/runs/run_record.h"

namespace tileloom::model {

// Two recorded tiles that differ in one tile parameter only.
struct JudgedPair {
  const runs::RunRecord* from = nullptr;  // the smaller value of the tile parameter
  const runs::RunRecord* to = nullptr;
  Parameter parameter{};
  double measured = 1;   // speed of `to` over that of `from`
  double predicted = 1;  // the same, predicted
  Cost cause{};
  double causeShare = 0;
  bool faster = false;   // the direction of the cause
  bool heldOut = false;  // the runs of neither tile were used for the constants

  bool right() const { return faster == (measured > 1); }
  bool predictedRight() const { return (predicted > 1) == (measured > 1); }
};

// The ratio of two speeds above which the pair counts.
inline constexpr double kTellingDifference = 1.03;

// The pairs among these runs whose measured speeds differ by more than kTellingDifference, of this
// architecture and the present sources, legal, not noisy. `every`: only each n-th pair, to be
// faster. Registers, blocks per SM and the loop are those of the runs. Traces one K tile of each
// tile on all processor cores: seconds for a thousand tiles. The runs must outlive the result.
std::vector<JudgedPair> judgeCauses(std::span<const runs::RunRecord> runs, const Rates& rates,
                                    std::size_t every = 1);

}  // namespace tileloom::model
