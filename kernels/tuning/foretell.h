// SPDX-License-Identifier: GPL-3.0-or-later
// Predicts many tiles before any of them is compiled: the order in which a search tries them.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "kernels/analysis/prediction.h"

namespace tileloom::tuning {

// Registers a thread that a compiler will probably use: what a thread keeps anyway and what comes
// on top, fitted to the 3,203 recorded tiles of the H100 (within 5 for half of the warp tiles, 14
// for half of all). A guess for ranking; occupancy that is shown comes from a compiler.
int likelyRegisters(const Stage& stage, const TileShape& tile);

// GFLOP/s of each tile, in order, by `rates` and with likely registers; 0 where not one block would
// fit an SM. Traces one K tile of each, with all processors: a few ms a tile and processor.
std::vector<double> foretell(const Stage& stage, std::span<const TileShape> tiles,
                             const Problem& problem, const Architecture& arch,
                             const analysis::Rates& rates);

// The same as a look-up; 0 for a tile that is not among them.
std::function<double(const TileShape&)> foreteller(std::span<const TileShape> tiles,
                                                   std::vector<double> gflops);

}  // namespace tileloom::tuning
