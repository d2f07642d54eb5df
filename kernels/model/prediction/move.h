// SPDX-License-Identifier: GPL-3.0-or-later
// The step from one tile to another: which costs changed, by how much, and which of them is the
// cause.
#pragma once

#include <vector>

#include "kernels/model/prediction/costs.h"

namespace tileloom::model {

// By how much a cost makes the launch longer (above 0) or shorter (below 0), predicted.
struct CostChange {
  Cost cost{};
  double cycles = 0;  // SM cycles of the launch
  double share = 0;   // of the predicted cycles of the first tile
};

struct Move {
  // Largest first, without unchanged costs. Together they are the predicted difference.
  std::vector<CostChange> changes;
  // The cause that is named: of the kind of costs that changed the time most in the direction of
  // the whole change, the cost that changed it most in that direction. If the time changes by less
  // than half a percent, in either direction. If the number of spilled bytes differs, spills are
  // the cause.
  Cost cause{};
  double causeShare = 0;  // by which it changes the time, relative to the time of the first tile
  // The direction in which the cause alone moves the speed.
  bool faster = false;
  // Whether the cause changes the time by at least half a percent. A smaller one is not named.
  static constexpr double kWorthSaying = 0.005;
  bool hasCause() const {
    return cause == Cost::Spills || causeShare <= -kWorthSaying || causeShare >= kWorthSaying;
  }
  double speedRatio = 1;  // predicted speed of the second tile, over that of the first
};

// Both tiles are of the same problem and have been predicted with `rates`. The change of each cost
// is its part of the difference along the path from the terms of one tile to those of the other (R.
// J. Aumann, L. S. Shapley, "Values of Non-Atomic Games", 1974). The path is straight to the
// smaller of both in each term, and straight on from there: the parts add up to the whole
// difference, no cost takes more off the time than there is, and the reverse path has the same
// parts.
Move moveBetween(const TileCosts& from, const TileCosts& to, const Rates& rates);

}  // namespace tileloom::model
