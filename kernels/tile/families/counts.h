// SPDX-License-Identifier: GPL-3.0-or-later
// What the families derive in the same way. Tiles may be far from legal: no quotient divides by
// zero, and every count fits an int.
#pragma once

#include <algorithm>

#include "kernels/tile/derived.h"

namespace tileloom::families {

inline int bounded(long long value) {
  return static_cast<int>(std::clamp(value, -2'000'000'000LL, 2'000'000'000LL));
}

inline int quotient(long long a, long long b) {
  return b > 0 ? bounded(a / b) : 0;
}

// Registers beside results and fragments: addresses, loop counters and values in flight. NVRTC 13.0
// needs 13 for the default warp tile (165 in all for sm_90), 14 for rung 5's.
inline constexpr int kAddressRegisters = 13;
// The same at a lower optimisation level of the assembler: 209 in all for the default tile of rung
// 15. Of 60 legal tiles that need about 225 or more by this figure one spills, 12 bytes per thread,
// and of 60 others none (NVRTC 13.0, sm_90).
inline constexpr int kAddressRegistersInOrder = 29;

inline int addressRegisters(const Stage& stage) {
  return stage.assemblerLevel < kUsualAssemblerLevel ? kAddressRegistersInOrder : kAddressRegisters;
}

// Sets `d.warps` to those that `d.threads` threads make.
void countWarps(Derived& d);

// Warps of WM x WN rectangles over the block tile, and their threads.
void countWarpTiles(const TileShape& tile, Derived& d);

// Sets `d.buffers` and `d.sharedBytes` for `buffers` tiles of A, whose rows have `padding` words
// more, and of B.
void holdTiles(const Stage& stage, const TileShape& tile, int buffers, Derived& d);

// The instructions per thread that fill the tiles of A and B, each of which moves `widthA` or
// `widthB` elements.
void fillByThreads(const Stage& stage, int widthA, int widthB, Derived& d);

// The TMA loads of a K tile, whose boxes have rows of SWIZZLE bytes; one mbarrier in `d.barriers`
// counts the bytes of each.
void fillByTma(const Stage& stage, const TileShape& tile, Derived& d);

}  // namespace tileloom::families
