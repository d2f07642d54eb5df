// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/sass/micro_model.h"

namespace tileloom::sass {

double predictedCycles(const MicroCase& which) {
  const Listing turn = listingOf(which);
  const LoopCost cost = loopCost(turn, {0, turn.instructions.size()}, {});
  return static_cast<double>(cost.cycles()) / MicroCase::kSlots;
}

}  // namespace tileloom::sass
