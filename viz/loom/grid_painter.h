// SPDX-License-Identifier: GPL-3.0-or-later
// Draws what only the whole grid shows: waves of blocks, and what padding adds at the edges.
#pragma once

#include <QPainter>

#include "viz/base/scene.h"
#include "viz/base/theme.h"
#include "viz/loom/block_waves.h"
#include "viz/loom/loom_geometry.h"

namespace tileloom {

// The blocks of the grid and how many the GPU holds at once; 0: unknown.
Waves wavesOf(const Scene& scene);

// Over the empty C and under everything else; fades out while the loom zooms in.
void paintGrid(QPainter& painter, const LoomGeometry& geometry, const Scene& scene,
               const Theme& theme);
// The waves' names, over the lines between blocks.
void nameWaves(QPainter& painter, const LoomGeometry& geometry, const Scene& scene,
               const Theme& theme, const Fonts& fonts);

// For persistent kernels: the tiles of the shown block, numbered.
void paintWalk(QPainter& painter, const LoomGeometry& geometry, const Scene& scene,
               const Theme& theme, const Fonts& fonts);

// "256 blocks in 1 wave of 396 (132 SMs × 3), 65 % full", with what padding costs; for persistent
// kernels the tiles of the block and the last round.
QString describeGrid(const Scene& scene);

}  // namespace tileloom
