// SPDX-License-Identifier: GPL-3.0-or-later
// The figures beside the matrices: the progress of the block, the place of each current K tile's
// data, and the bank conflicts of the latest access. All are counted in the recording.
#pragma once

#include <QPainter>

#include "kernels/analysis/order/progress.h"
#include "viz/base/scene.h"
#include "viz/base/theme.h"

namespace tileloom {

// Shares of one K tile's elements of A and B together, by where they are.
struct TileShares {
  std::uint32_t tile = 0;                                            // its number, from 0
  double inFlight = 0, inShared = 0, inRegisters = 0, consumed = 0;  // of all its elements
};
TileShares tileShares(const Scene& scene, const analysis::Progress& progress, int ahead);

// "in flight, 45 % has arrived": the state of a K tile.
QString describeShares(const TileShares& shares, bool multiplied, const Features& features);

// Within one k: "77 % of the sums have one more already"; empty: all hold equally many.
QString describeAhead(const analysis::Progress& progress);

// The added share of the products of the K tile that is multiplied; 0 to 1.
double shareAdded(const Scene& scene, const analysis::Progress& progress);

void paintLoomSide(QPainter& painter, const QRectF& side, const Scene& scene,
                   const analysis::Progress& progress, int slabs, const Theme& theme,
                   const Fonts& fonts);

}  // namespace tileloom
