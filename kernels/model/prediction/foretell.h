// SPDX-License-Identifier: GPL-3.0-or-later
// Predicts many tiles before any of them is compiled: the order in which a search tries them.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "kernels/model/prediction/prediction.h"
#include "kernels/tile/subject.h"

namespace tileloom::model {

// Registers per thread that a compiler will probably use: those for the values that a thread must
// keep, plus a number that is fitted to the 3,203 recorded tiles of the H100. The error is at most
// 5 for half of the warp tiles and at most 14 for half of all tiles. It is a guess for ranking
// only; the occupancy that is shown comes from a compiler.
int likelyRegisters(const Stage& stage, const TileShape& tile);

// GFLOP/s of each tile, in order, predicted with `rates` and likelyRegisters(); 0 if not even one
// block fits on an SM. Traces one K tile of each tile on all processor cores, which takes a few ms
// per tile and core.
std::vector<double> foretell(std::span<const Subject> tiles, const Problem& problem,
                             const Architecture& arch, const Rates& rates);

// How many tiles are worth compiling for predictions while a search begins: an eighth, but at least
// 120 and at most 300. With fewer, the replayed search misses the best tile more often; with more,
// the predictions are ready only when the search is over.
std::size_t worthCompiling(std::size_t tiles);

// Predicts some tiles again from compiled shapes: `shapes[i]` is of tile `which[i]`. With their
// machine code a search finds the best tile much sooner (replays of the recorded sweep in
// tests/tuning/search_test.cpp).
void refine(std::span<const Subject> tiles, std::vector<double>& gflops, const Problem& problem,
            const Rates& rates, std::span<const std::size_t> which,
            std::span<const KernelShape> shapes);
// The `count` tiles with the highest predicted speed, fastest first.
std::vector<std::size_t> fastest(std::span<const double> gflops, std::size_t count);

}  // namespace tileloom::model
