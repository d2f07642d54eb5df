// SPDX-License-Identifier: GPL-3.0-or-later
// Predicts many tiles before any of them is compiled: the order in which a search tries them.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "kernels/model/prediction.h"

namespace tileloom::model {

// Registers a thread that a compiler will probably use: what a thread keeps anyway and what comes
// on top, fitted to the 3,203 recorded tiles of the H100 (within 5 for half of the warp tiles, 14
// for half of all). A guess for ranking; occupancy that is shown comes from a compiler.
int likelyRegisters(const Stage& stage, const TileShape& tile);

// GFLOP/s of each tile, in order, by `rates` and with likely registers; 0 where not one block would
// fit an SM. Traces one K tile of each, with all processors: a few ms a tile and processor.
std::vector<double> foretell(const Stage& stage, std::span<const TileShape> tiles,
                             const Problem& problem, const Architecture& arch, const Rates& rates);

// How many tiles are worth compiling for predictions while a search begins: an eighth, but no fewer
// than 120 and no more than 300. With fewer the replayed search misses the best tile more often;
// with more the predictions come when it is over.
std::size_t worthCompiling(std::size_t tiles);

// Predicts some tiles anew by what a compiler says of them, `shapes[i]` of tile `which[i]`: with
// their machine code the best one is found much sooner (replays of the recorded sweep in
// tests/tuning/search_test.cpp).
void refine(const Stage& stage, std::span<const TileShape> tiles, std::vector<double>& gflops,
            const Problem& problem, const Rates& rates, std::span<const std::size_t> which,
            std::span<const KernelShape> shapes);
// The `count` tiles that are predicted to be the fastest, fastest first.
std::vector<std::size_t> fastest(std::span<const double> gflops, std::size_t count);

}  // namespace tileloom::model
