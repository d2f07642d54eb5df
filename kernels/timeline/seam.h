// SPDX-License-Identifier: GPL-3.0-or-later
// What happens between two block tiles of a block that stays (Trait::Persistent): how to trace it,
// and how long the tensor cores stand still.
#pragma once

#include <optional>
#include <string>
#include <tl/expected.hpp>

#include "kernels/emulator/run.h"
#include "kernels/timeline/timeline.h"

namespace tileloom::timeline {

// One block tile, with as many K tiles as make them repeat, and without the factors of
// multiply-adds; `varies`: the latency of memory does. The error is a sentence without a full stop
// on why it cannot be traced.
tl::expected<emulator::TraceRequest, std::string> oneTile(const Stage& stage, const TileShape& tile,
                                                          const Problem& problem,
                                                          Arithmetic arithmetic,
                                                          bool varies = false);

// The first two block tiles of the launch's first block, with as many K tiles of each as make their
// K tiles repeat, and without the factors of multiply-adds. The error is a sentence without a full
// stop: blocks do not stay, or this one has no second whole tile at this size.
tl::expected<emulator::TraceRequest, std::string> betweenTiles(const Stage& stage,
                                                               const TileShape& tile,
                                                               const Problem& problem,
                                                               Arithmetic arithmetic);

// The problem, or the nearest one that is 2, 4, … times as large along all of its sides, at which
// there is something between two tiles of C. std::nullopt: there is none.
std::optional<Problem> sizeWithSeam(const Stage& stage, const TileShape& tile,
                                    const Problem& problem, Arithmetic arithmetic);

struct Seam {
  double last = 0;  // cycle at which the last product of the first tile ends
  double next = 0;  // and at which the first one of the next tile begins
  // When the first tile's C has left, and which share of its time the tensor cores do not stand
  // still; 0 and 0 where no lane tells.
  double left = 0, behind = 0;
  // That show it: from the last K tiles of the first tile to the first ones of the next.
  double from = 0, to = 0;

  // Cycles that the tensor cores stand still; 0: the next tile begins while the first one ends.
  double idle() const { return next > last ? next - last : 0; }
};
// std::nullopt: it does not reach from one block tile into the next.
std::optional<Seam> seamOf(const Timeline& timeline);

// The share of a block tile's time, 0 to 1, that so many idle cycles are where K has `kTiles` K
// tiles.
double idleShare(double idle, double cyclesPerTile, double kTiles);

}  // namespace tileloom::timeline
