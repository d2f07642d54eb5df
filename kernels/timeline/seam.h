// SPDX-License-Identifier: GPL-3.0-or-later
// The gap between two block tiles of a persistent block (Features::persistent): how to trace it,
// and how long the tensor cores are idle.
#pragma once

#include <optional>
#include <string>
#include <tl/expected.hpp>

#include "kernels/emulator/run.h"
#include "kernels/tile/subject.h"
#include "kernels/timeline/timeline.h"

namespace tileloom::timeline {

// One block tile, with as many K tiles as make them repeat, and without the factors of
// multiply-adds; `varies`: the latency of memory does. The error is a sentence without a full stop
// on why it cannot be traced.
tl::expected<emulator::TraceRequest, std::string> oneTile(const Subject& subject,
                                                          const Problem& problem,
                                                          bool varies = false);

// The first two block tiles of the launch's first block, with as many K tiles of each as make their
// K tiles repeat, and without the factors of multiply-adds. The error is a sentence without a full
// stop: the kernel is not persistent, or this block has no second whole tile at this size.
tl::expected<emulator::TraceRequest, std::string> betweenTiles(const Subject& subject,
                                                               const Problem& problem);

// The problem, or the nearest one that is 2, 4, … times as large in all dimensions, at which a
// block computes two tiles of C. std::nullopt: there is none.
std::optional<Problem> sizeWithSeam(const Subject& subject, const Problem& problem);

struct Seam {
  double last = 0;  // cycle at which the last wgmma of the first tile ends
  double next = 0;  // and at which the first one of the next tile begins
  // When the first tile's C has been stored, and for which share of that time the tensor cores are
  // busy; 0 and 0 if no lane shows it.
  double left = 0, behind = 0;
  // The K tiles that show it: from the last ones of the first tile to the first ones of the next.
  double from = 0, to = 0;

  // Cycles for which the tensor cores are idle; 0: the next tile begins while the first one ends.
  double idle() const { return next > last ? next - last : 0; }
};
// std::nullopt: it does not reach from one block tile into the next.
std::optional<Seam> seamOf(const Timeline& timeline);

// The share of a block tile's time, 0 to 1, that these idle cycles are if K has `kTiles` K tiles.
double idleShare(double idle, double cyclesPerTile, double kTiles);

}  // namespace tileloom::timeline
