// SPDX-License-Identifier: GPL-3.0-or-later
// A small picture of how two recordings differ: one access of each with its cost, or the block tile
// if threads access no memory.
#pragma once

#include <QRectF>
#include <QString>
#include <cstdint>

#include "kernels/analysis/recording.h"
#include "viz/base/theme.h"

class QPainter;

namespace tileloom {

// One side: the wavefronts, sectors or lines of the access, and how many are wasted. If both sides
// are equal, those of all similar accesses for 4,096 multiply-adds. Without an access, the block
// tile: its rows and columns, and the K tiles that shared memory holds.
struct SideSketch {
  std::uint32_t passes = 0, wasted = 0;
  int rows = 0, columns = 0, depth = 0, buffers = 0;
  bool operator==(const SideSketch&) const = default;
};

struct PairSketch {
  SideSketch baseline, now;
  // "shared load of Bs: 8 wavefronts, 4 wasted; then 4 wavefronts"; empty: the pictures are alike.
  QString caption;
};

// At tellingDifference() of warp 0.
PairSketch pairSketch(const analysis::Recording& baseline, const analysis::Recording& now);

// The baseline on the left; both to one scale.
void paintPairSketch(QPainter& painter, const PairSketch& sketch, const QRectF& canvas,
                     const Theme& theme);

}  // namespace tileloom
