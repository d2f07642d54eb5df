// SPDX-License-Identifier: GPL-3.0-or-later
// What the three explaining pictures show of the present tile: the kitchen (one SM), the company
// (block, warp, thread) and the bakery (the choice of a tile). Plain values.
#pragma once

#include <QString>
#include <memory>
#include <vector>

#include "kernels/analysis/recording.h"
#include "kernels/tile/architecture.h"
#include "kernels/tile/derived.h"

namespace tileloom {

struct TeachData {
  std::shared_ptr<const analysis::Recording> recording;  // nullptr: nothing to show
  std::uint32_t warp = 0, thread = 0;                    // watched; `thread` is linear in the block
  Derived derived;
  bool namesWarps = false;  // the kernel has a level of tiles for its warps

  // Of one SM. Registers are those that a warp gets, rounded up as the hardware does.
  int blocks = 0;           // 0: unknown
  int registers = 0;        // per thread
  QString registersSource;  // "NVRTC 13.0", "recorded", "estimated"
  int sharedBytes = 0;      // per block, with the driver's part
  int sharedPerSm = 0;
  QString limitedBy;
};

// How the fastest tile of a rung is found.
struct BakeryData {
  QString kernel, size, device;
  bool counted = true;  // false: the two numbers of tiles and the rules are not known yet
  std::uint64_t combinations = 0;
  struct Rule {
    QString words;
    std::uint64_t tiles = 0;  // the tiles that it excludes of those that earlier rules left
  };
  std::vector<Rule> rules;  // those that exclude most first
  std::uint64_t legal = 0;
  struct Loaf {
    QString tile;
    double gflops = 0;
    bool shown = false;  // the window's present tile
  };
  std::vector<Loaf> loaves;  // measured, the fastest first
  QString unit = QStringLiteral("GFLOP/s");
  double factor = 1;  // from GFLOP/s to the unit
};

}  // namespace tileloom
