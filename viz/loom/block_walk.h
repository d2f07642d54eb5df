// SPDX-License-Identifier: GPL-3.0-or-later
// The tiles of C that a persistent block computes, one after the other, and what is left for the
// last round. The order is the stage's own: residentOf() or, where tiles are split along K, the
// kernel's pieces.
#pragma once

#include <QString>
#include <cstdint>
#include <vector>

#include "kernels/tile/placement.h"
#include "viz/base/scene.h"

namespace tileloom {

struct BlockWalk {
  std::vector<BlockPlace> places;  // rows and columns of tiles of C, in order
  int parts = 0;                   // tiles that other blocks have a part of, too
  Extent block{0, 0};              // the persistent one, among those of the launch
  int here = 0;                    // index of the shown tile; -1: none
  int sms = 0;                     // that the GPU has
  int blocks = 0;                  // of the launch
  std::int64_t tiles = 0;          // of C
  std::int64_t empty = 0;          // without an element of C: they complete clusters
  std::int64_t cut = 0;            // split along K over several blocks
  int sharing = 0;                 // blocks that have a part of one of these

  std::int64_t rounds() const { return blocks > 0 ? (tiles + blocks - 1) / blocks : 0; }
  // Tiles of a last round that is not full, without split tiles; else 0.
  std::int64_t left() const { return blocks > 0 ? (tiles - cut) % blocks : 0; }
  // SMs without a tile in the last round, or without a part of the split tiles.
  std::int64_t idle() const {
    if (cut > 0) return sms - sharing - left();
    return tiles == 0 ? 0 : sms - (left() == 0 ? blocks : left());
  }
  // Idle share of the time of all SMs, 0 to 1, if all tiles take equal time. Not for split tiles.
  double idleShare() const {
    const auto turns = static_cast<double>(rounds() * sms);
    return turns > 0 ? 1 - static_cast<double>(tiles) / turns : 0;
  }
};

// Empty where each tile has a block of its own.
BlockWalk walkOf(const Scene& scene);

// "2,048 tiles on 132 SMs: 15 full rounds and 68 tiles; 64 SMs are idle in the last one, 3 % …"
QString describeWalk(const BlockWalk& walk);

}  // namespace tileloom
