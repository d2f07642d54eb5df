// SPDX-License-Identifier: GPL-3.0-or-later
// How busy each unit of the SM is: over time, and for a K tile.
#pragma once

#include <array>
#include <vector>

#include "kernels/machine/pipe.h"
#include "kernels/timeline/operation.h"
#include "kernels/timeline/timeline.h"

namespace tileloom::timeline {

class Busy {
 public:
  // A `share` of the unit, 0 to 1, is busy in this time.
  void occupy(Unit unit, const machine::Passage& time, double share = 1);
  // The cycles of a unit that the operation's iteration of the loop takes.
  void work(Unit unit, const Operation& op, double cycles);
  // The cycles for which L2 delivers the operation's data, and for which their sectors pass the
  // data pipe. They count for the K tile that they bring, whenever that is fetched: C, which is
  // loaded once after all K tiles, does not count.
  void deliver(const Operation& op, double cycles);
  void passSectors(const Operation& op, double cycles);

  // The curve of each unit until `end`.
  std::array<Curve, kUnits> curves(machine::Ticks end) const;
  // Per K tile: on average over these iterations, and of `loaded` K tiles that a block loads.
  std::array<double, kUnits> perTile(std::uint32_t from, std::uint32_t to,
                                     std::uint32_t loaded) const;
  double sectorsPerTile(std::uint32_t loaded) const { return sectors_ / loaded; }

 private:
  std::array<std::vector<float>, kUnits> bins_;
  std::vector<std::array<double, kUnits>> perTurn_;  // by iteration: cycles, without loads
  double delivered_ = 0, sectors_ = 0;
};

}  // namespace tileloom::timeline
