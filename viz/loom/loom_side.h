// SPDX-License-Identifier: GPL-3.0-or-later
// The figures beside the matrices: how far the block has got, where the data of each K tile under
// way are, and what the latest access costs in the banks. All are counted in the recording.
#pragma once

#include <QPainter>

#include "kernels/analysis/progress.h"
#include "viz/base/scene.h"
#include "viz/base/theme.h"

namespace tileloom {

// Of one K tile under way: the elements of A and B together, by where they are.
struct TileShares {
  std::uint32_t tile = 0;                                            // its number, from 0
  double inFlight = 0, inShared = 0, inRegisters = 0, consumed = 0;  // of all its elements
};
TileShares tileShares(const Scene& scene, const analysis::Progress& progress, int ahead);

// "in flight, 45 % have arrived": what a K tile is at.
QString describeShares(const TileShares& shares, bool multiplied, const Stage& stage);

// Within a dot index: "77 % of the sums have one more already"; empty: all hold as many.
QString describeAhead(const analysis::Progress& progress);

// Of the products of the K tile that is multiplied, the share that has been added; 0 to 1.
double shareAdded(const Scene& scene, const analysis::Progress& progress);

void paintLoomSide(QPainter& painter, const QRectF& side, const Scene& scene,
                   const analysis::Progress& progress, int slabs, const Theme& theme,
                   const Fonts& fonts);

}  // namespace tileloom
