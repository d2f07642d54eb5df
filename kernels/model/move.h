// SPDX-License-Identifier: GPL-3.0-or-later
// From one tile to another: which costs changed, by how much, and which of them is the cause.
#pragma once

#include <vector>

#include "kernels/model/costs.h"

namespace tileloom::model {

// By how much a cost makes the launch longer (above 0) or shorter (below 0), predicted.
struct CostChange {
  Cost cost{};
  double cycles = 0;  // SM cycles of the launch
  double share = 0;   // of the predicted cycles of the tile that was left
};

struct Move {
  // Largest first, without those that do not change. Together they are the predicted difference.
  std::vector<CostChange> changes;
  // The cause that is named: of the kind of costs that changed the time most in the direction of
  // the whole change, the cost that changed it most in that direction. Where the time changes by
  // less than half a percent, in either direction. If the number of spilled bytes differs, spills
  // are the cause.
  Cost cause{};
  double causeShare = 0;  // by which it changes the time, of the time of the tile that was left
  // The direction in which the cause alone moves the speed.
  bool faster = false;
  // Whether the cause changes the time by at least half a percent. A smaller one is not named.
  static constexpr double kWorthSaying = 0.005;
  bool hasCause() const {
    return cause == Cost::Spills || causeShare <= -kWorthSaying || causeShare >= kWorthSaying;
  }
  double speedRatio = 1;  // predicted speed of the tile that was gone to, over that of the other
};

// Both tiles are of the same problem and have been predicted with `rates`. The change of each cost
// is its part of the difference along the way from the terms of one tile to those of the other
// (R. J. Aumann, L. S. Shapley, "Values of Non-Atomic Games", 1974), which is straight to the
// lesser of both in each, and straight on from there: the parts add up to the whole difference, no
// cost takes more off the time than there is, and the way back has the same parts.
Move moveBetween(const TileCosts& from, const TileCosts& to, const Rates& rates);

}  // namespace tileloom::model
